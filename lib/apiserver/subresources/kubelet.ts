/**
 * Subresources that are forwarded to the kubelet of a pod's node (logs, commands, ports), over HTTPS
 * to the address and port that the status of the node names.
 *
 * @module
 */
import {
  badRequest,
  type FieldError,
  FieldPath,
  forbiddenField,
  internalError,
  invalid,
  invalidObject,
  notFound,
  notImplemented,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import type { V1Node, V1Pod, V1Service } from "@xca/apimachinery/kubernetes-types";
import type { Endpoint } from "../machinery/endpoint.ts";
import type { Registry } from "../machinery/registry.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { forwarded, type ForwardTarget, refusalOf, tunnelled } from "./kubelet_connection.ts";

const PODS = { group: "", resource: "pods" };

/** The endpoint of `pods/log` (`core/pod/rest/log.go`, `LogREST.Get`). */
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

/** The parameters of commands as the API server takes them, and as a kubelet does. */
const STREAM_PARAMETERS: readonly (readonly [string, string])[] = [
  ["stdin", "input"],
  ["stdout", "output"],
  ["stderr", "error"],
  ["tty", "tty"],
];

/** Returns the endpoint of `pods/exec` or `pods/attach` (`core/pod/rest/subresources.go`, `ExecREST.Connect`). */
function podStream(verb: "exec" | "attach"): Endpoint {
  return {
    async respond(request, context, registry) {
      const { name, namespace, query } = context;
      const pod = podOf(context, registry);
      const container = checkContainer(pod, query.get("container") ?? "");
      const asked = new URLSearchParams();
      for (const [from, to] of STREAM_PARAMETERS) {
        if (booleanOf(query, from)) asked.set(to, "1");
      }
      for (const word of query.getAll("command")) asked.append("command", word);
      const path = `/${verb}/${namespace}/${name}/${container}?${asked}`;
      return await streamed({ ...hostOf(registry, pod), path }, request);
    },
  };
}

/** The endpoint of `pods/exec`. */
export const podExec: Endpoint = podStream("exec");

/** The endpoint of `pods/attach`. */
export const podAttach: Endpoint = podStream("attach");

/** The endpoint of `pods/portforward` (`core/pod/rest/subresources.go`, `PortForwardREST.Connect`). */
export const podPortForward: Endpoint = {
  async respond(request, context, registry) {
    const { name, namespace, query } = context;
    const target = hostOf(registry, podOf(context, registry));
    const ports = query.getAll("ports").join(",");
    const asked = ports === "" ? "" : `?${new URLSearchParams({ port: ports })}`;
    const path = `/portForward/${namespace}/${name}${asked}`;
    return await streamed({ ...target, path }, request);
  },
};

/** Forwards a request with its connection. @throws {StatusError} 400 when it asks for no upgrade. */
async function streamed(target: ForwardTarget, request: Request): Promise<Response> {
  if (!request.headers.has("upgrade")) throw badRequest("Upgrade request required");
  return await tunnelled(target, request);
}

/** Reports whether a query parameter is true, as Go's conversion of queries reads it. */
function booleanOf(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** The endpoint of `pods/proxy`, which refuses the request as no pod can be reached. */
export const podProxy: Endpoint = {
  respond(_request, context, registry) {
    const pod = podOf(context, registry, nameInProxy(context.name, "pod"));
    if (!pod.status?.podIP) throw badRequest("address not allowed");
    throw notImplemented("connections to pods");
  },
};

/** The endpoint of `services/proxy`, which refuses the request as no Service can be reached. */
export const serviceProxy: Endpoint = {
  respond(_request, context, registry) {
    const { name, port } = nameInProxy(context.name, "service");
    if (/^\d+$/.test(port)) checkServicePort(registry, context.namespace, name, Number(port));
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  },
};

/** The endpoint of `nodes/proxy`, which reaches the kubelet of the node alone. */
export const nodeProxy: Endpoint = {
  async respond(request, context, registry) {
    const { name } = nameInProxy(context.name, "node");
    const target = kubeletOf(registry, name, "nodes");
    const { pathname, search } = new URL(request.url);
    const path = `${pathname.split("/").slice(6).join("/")}${search}`;
    return await forwarded({ ...target, path: `/${path}` }, request);
  },
};

interface ProxyTarget {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/**
 * Checks that a Service has the port number that a proxy request names
 * (`pkg/registry/core/service/storage/storage.go`, `ResourceLocation`). @throws {StatusError} 404
 * or 503
 */
function checkServicePort(registry: Registry, namespace: string, name: string, port: number): void {
  const service = registry.get("", "services", namespace, name) as V1Service | undefined;
  if (!service) throw notFound({ group: "", resource: "services" }, name);
  if (service.spec?.ports?.some((each) => each.port === port)) return;
  throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
}

function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", message);
}

/** Parses the target of a proxy request: `name`, `name:port` or `scheme:name:port`. */
function nameInProxy(id: string, kind: string): ProxyTarget {
  const parts = id.split(":");
  if (parts.length === 1) return { scheme: "", name: parts[0]!, port: "" };
  if (parts.length === 2) return { scheme: "", name: parts[0]!, port: parts[1]! };
  const [scheme, name, port] = parts;
  if (parts.length === 3 && ["", "http", "https"].includes(scheme!)) {
    return { scheme: scheme!, name: name!, port: port! };
  }
  throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`);
}

function podOf(context: RequestContext, registry: Registry, target?: ProxyTarget): V1Pod {
  const name = target?.name ?? context.name;
  const pod = registry.get("", "pods", context.namespace, name);
  if (!pod) throw notFound(PODS, name);
  return pod as V1Pod;
}

/** The address of a kubelet. */
type KubeletAddress = Omit<ForwardTarget, "path">;

/** Returns the address of a pod's kubelet. @throws {StatusError} When there is none. */
function hostOf(registry: Registry, { metadata, spec }: V1Pod): KubeletAddress {
  if (!spec?.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  return kubeletOf(registry, spec.nodeName);
}

/** The types of addresses of nodes, the preferred ones first (`--kubelet-preferred-address-types`). */
const ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];
/** The port of kubelets whose node does not name one. */
const KUBELET_PORT = 10250;

/**
 * Returns the address of a node's kubelet. kube-apiserver calls a missing node a pod.
 *
 * @throws {StatusError} When there is no such node, or it has no address.
 */
function kubeletOf(registry: Registry, name: string, resource = "pods"): KubeletAddress {
  const node = registry.get("", "nodes", "", name) as V1Node | undefined;
  if (!node) throw notFound({ group: "", resource }, name);
  const { addresses = [], daemonEndpoints } = node.status ?? {};
  const host = ADDRESS_TYPES
    .map((wanted) => addresses.find(({ type }) => type === wanted)?.address)
    .find((address) => address !== undefined);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
    throw internalError(`no preferred addresses found; known addresses: [${known}]`);
  }
  const { reach = (named) => named } = registry;
  return reach({ host, port: daemonEndpoints?.kubeletEndpoint?.Port || KUBELET_PORT });
}

/**
 * Returns the container that a request for logs or a command names, or the only one.
 *
 * @throws {StatusError} 400 if it is missing, or left out and ambiguous.
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
  const number = (name: string): number | undefined =>
    query.has(name) ? Number(query.get(name)) : undefined;
  const bounded = (name: string, least: number, detail: string): void => {
    const value = number(name);
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
