import type { TokenIssuer } from "../access/tokens/token_issuer.ts";
import type { Endpoints } from "../machinery/endpoint.ts";
import { bindings, podBinding } from "./binding.ts";
import { eviction } from "./eviction.ts";
import { podAttach, podExec, podLog, podPortForward } from "./kubelet.ts";
import { nodeProxy, podProxy, serviceProxy } from "./proxy/proxy_endpoints.ts";
import { scaleEndpoint } from "./scale.ts";
import { tokenRequest } from "./token_request.ts";

/**
 * Returns the endpoints of the resource `bindings` and of the subresources of built-in kinds that
 * are not part of the stored object.
 */
export function subresourceEndpoints(issuer: TokenIssuer): Endpoints {
  return {
    "bindings.": bindings,
    "deployments/scale.apps": scaleEndpoint,
    "nodes/proxy.": nodeProxy,
    "pods/attach.": podAttach,
    "pods/binding.": podBinding,
    "pods/eviction.": eviction,
    "pods/exec.": podExec,
    "pods/log.": podLog,
    "pods/portforward.": podPortForward,
    "pods/proxy.": podProxy,
    "replicasets/scale.apps": scaleEndpoint,
    "replicationcontrollers/scale.": scaleEndpoint,
    "serviceaccounts/token.": tokenRequest(issuer),
    "services/proxy.": serviceProxy,
    "statefulsets/scale.apps": scaleEndpoint,
  };
}
