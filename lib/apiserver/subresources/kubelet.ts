/**
 * Subresources that are forwarded to the kubelet of a pod's node (logs, commands, ports), over
 * HTTPS to the address and port that the status of the node names.
 *
 * @module
 */
import {
  badRequest,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  invalidObject,
  notFound,
} from "@xca/apimachinery/internal/errors";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import type { Connecter, Endpoint } from "../machinery/endpoint.ts";
import { int64Parameter } from "../machinery/query_values.ts";
import type { Registry } from "../machinery/registry.ts";
import type { HostPort } from "../machinery/registry_reader.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { kubeletOf } from "./connection/kubelet_address.ts";
import {
  forwarded,
  type ForwardTarget,
  refusalOf,
  tunnelled,
} from "./connection/kubelet_connection.ts";
import {
  type PortForwardOptions,
  portForwardOptions,
  type StreamOptions,
  streamOptions,
} from "./connection/stream_options.ts";

const PODS = { group: "", resource: "pods" };

/**
 * The endpoint of `pods/log`, which returns the log of a container from the pod's kubelet
 * (`core/pod/rest/log.go`, `LogREST.Get`), or an empty response with the code 204 for a pod without
 * a node.
 */
export const podLog: Endpoint = {
  async respond(request, context, registry) {
    const { name, namespace, query } = context;
    const errors = logOptionErrors(query);
    if (errors.length > 0) {
      throw invalidObject({ group: "", kind: "PodLogOptions" }, name, errors);
    }
    const pod = podOf(context, registry);
    const container = checkContainer(pod, query.get("container") ?? "");
    if (!pod.spec?.nodeName) return new Response(null, { status: 204 });
    const asked = new URLSearchParams(query);
    asked.delete("container");
    const path = `/containerLogs/${namespace}/${name}/${container}?${asked}`;
    const target = { ...kubeletOf(registry, pod.spec.nodeName), path };
    const response = await forwarded(target, request);
    const refusal = await refusalOf(response, name);
    if (refusal) throw refusal;
    const headers = { "Content-Type": "text/plain" };
    return new Response(response.body, { headers });
  },
};

/**
 * The names of the options of a command (exec, attach), and of the query parameters in requests to
 * a kubelet.
 */
const STREAM_PARAMETERS: readonly (readonly [string, string])[] = [
  ["stdin", "input"],
  ["stdout", "output"],
  ["stderr", "error"],
  ["tty", "tty"],
];

/**
 * Returns the endpoint of `pods/exec` or `pods/attach` (`core/pod/rest/subresources.go`,
 * `ExecREST.Connect`).
 */
function podStream(verb: "exec" | "attach"): Endpoint {
  const connecter: Connecter<StreamOptions> = {
    needsCreate: true,
    options: (_, { query }) =>
      streamOptions(query, verb === "exec" ? "PodExecOptions" : "PodAttachOptions"),
    async connect(options, request, context, registry) {
      const { name, namespace } = context;
      const pod = podOf(context, registry);
      const container = checkContainer(pod, options.container ?? "");
      const asked = new URLSearchParams();
      for (const [from, to] of STREAM_PARAMETERS) {
        if (options[from]) asked.set(to, "1");
      }
      for (const word of options.command ?? []) asked.append("command", word);
      const path = `/${verb}/${namespace}/${name}/${container}?${asked}`;
      return await streamed({ ...hostOf(registry, pod), path }, request);
    },
  };
  return { connecter };
}

/** The endpoint of `pods/exec`, which forwards requests to the pod's kubelet. */
export const podExec: Endpoint = podStream("exec");

/** The endpoint of `pods/attach`, which forwards requests to the pod's kubelet. */
export const podAttach: Endpoint = podStream("attach");

/**
 * The connecter of `pods/portforward`, which forwards requests to the pod's kubelet
 * (`core/pod/rest/subresources.go`, `PortForwardREST.Connect`).
 */
const PORT_FORWARD: Connecter<PortForwardOptions> = {
  needsCreate: true,
  options: (_, { query }) => portForwardOptions(query),
  async connect({ ports = [] }, request, context, registry) {
    const { name, namespace } = context;
    const target = hostOf(registry, podOf(context, registry));
    const asked = ports.length === 0 ? "" : `?${new URLSearchParams({ port: ports.join(",") })}`;
    const path = `/portForward/${namespace}/${name}${asked}`;
    return await streamed({ ...target, path }, request);
  },
};

/** The endpoint of `pods/portforward`, which forwards requests to the pod's kubelet. */
export const podPortForward: Endpoint = { connecter: PORT_FORWARD };

/**
 * Forwards a request that upgrades its connection, such as `pods/exec`, to a kubelet.
 *
 * @throws {StatusError} 400 if the request asks for no upgrade; 500 if the kubelet cannot be
 * reached, or sends no valid response to the handshake.
 */
async function streamed(target: ForwardTarget, request: Request): Promise<Response> {
  if (!request.headers.has("upgrade")) throw badRequest("Upgrade request required");
  return await tunnelled(target, request);
}

function podOf({ namespace, name }: RequestContext, registry: Registry): V1Pod {
  const pod = registry.get("", "pods", namespace, name);
  if (!pod) throw notFound(PODS, name);
  return pod as V1Pod;
}

/**
 * Returns the address of a pod's kubelet.
 *
 * @throws {StatusError} 400 if the pod has no node; 404 if the node does not exist; 500 if it
 * has no address.
 */
function hostOf(registry: Registry, { metadata, spec }: V1Pod): HostPort {
  if (!spec?.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  return kubeletOf(registry, spec.nodeName);
}

/**
 * Returns the name of the container that a request for logs or a command names, or of the pod's
 * only container.
 *
 * @throws {StatusError} 400 if the pod has no such container, or the request names none and the pod
 * has several.
 */
function checkContainer({ metadata, spec }: V1Pod, container: string): string {
  const names = [
    ...spec?.initContainers ?? [],
    ...spec?.containers ?? [],
    ...spec?.ephemeralContainers ?? [],
  ].map(({ name }) => name);
  if (container !== "") {
    if (names.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`);
  }
  if (spec?.containers?.length === 1) return spec.containers[0]!.name;
  throw badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: ` +
      `[${names.join(" ")}]`,
  );
}

function logOptionErrors(query: URLSearchParams): FieldError[] {
  const errors: FieldError[] = [];
  const bounded = (name: string, least: number, detail: string): void => {
    const value = int64Parameter(query, name);
    if (value !== undefined && value < least) {
      errors.push(invalid(FieldPath.of(name), value, detail));
    }
  };
  bounded("tailLines", 0, "must be greater than or equal to 0");
  bounded("limitBytes", 1, "must be greater than 0");
  if (query.has("sinceSeconds") && query.has("sinceTime")) {
    const detail = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    errors.push(forbiddenField(FieldPath.of("[]"), detail));
  } else bounded("sinceSeconds", 1, "must be greater than 0");
  if (query.has("stream")) {
    errors.push(forbiddenField(FieldPath.of("stream"), "may not be specified"));
  }
  return errors;
}
