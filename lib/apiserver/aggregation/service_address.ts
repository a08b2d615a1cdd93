// Mirrors `util/proxy/proxy.go, ResolveCluster`.
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { HostPort } from "../machinery/registry_reader.ts";

/**
 * Returns the address at which the server behind a Service is reached: the cluster IP, or the
 * external name of a Service of type `ExternalName`.
 *
 * @throws {Error} If the Service is headless, or does not have the port.
 */
export function serviceAddress(service: V1Service, port: number): HostPort {
  const { type = "ClusterIP", clusterIP = "", externalName = "", ports = [] } = service.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port };
  if (type === "ClusterIP" && clusterIP === "None") {
    throw new Error('cannot route to service with ClusterIP "None"');
  }
  if (!ports.some((each) => each.port === port)) {
    const name = goQuote(service.metadata.name ?? "");
    throw new Error(`no service port ${port} found for service ${name}`);
  }
  return { host: clusterIP, port };
}
