/**
 * Subresources that kube-apiserver proxies to the kubelet of a pod's node (logs, commands, ports).
 * Without a kubelet, these answer with the errors that precede a connection.
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

const PODS = { group: "", resource: "pods" };

/**
 * The endpoint of `pods/log`, which refuses the request as no kubelet can be reached
 * (`core/pod/rest/log.go`, `LogREST.Get`).
 */
export const podLog: Endpoint = {
  respond(_request, context, registry) {
    const { name, query } = context;
    const errors = logOptionErrors(query);
    if (errors.length > 0) {
      throw invalidObject({ group: "", kind: "PodLogOptions" }, name, errors);
    }
    const pod = podOf(context, registry);
    checkContainer(pod, query.get("container") ?? "");
    if (!pod.spec?.nodeName) return new Response(null, { status: 204 });
    throw kubeletOf(registry, pod.spec.nodeName);
  },
};

/**
 * The endpoint of `pods/exec` and `pods/attach`, which refuses the request as no kubelet can be
 * reached.
 */
export const podStream: Endpoint = {
  respond(_request, context, registry) {
    const pod = podOf(context, registry);
    checkContainer(pod, context.query.get("container") ?? "");
    throw hostOf(registry, pod);
  },
};

/** The endpoint of `pods/portforward`, which refuses the request as no kubelet can be reached. */
export const podPortForward: Endpoint = {
  respond(_request, context, registry) {
    throw hostOf(registry, podOf(context, registry));
  },
};

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

/** The endpoint of `nodes/proxy`, which refuses the request as no kubelet can be reached. */
export const nodeProxy: Endpoint = {
  respond(_request, context, registry) {
    throw kubeletOf(registry, nameInProxy(context.name, "node").name, "nodes");
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

/** Returns the error that the host of a pod cannot be reached, for a proxy request. */
function hostOf(registry: Registry, { metadata, spec }: V1Pod): StatusError {
  if (!spec?.nodeName) return badRequest(`pod ${metadata.name} does not have a host assigned`);
  return kubeletOf(registry, spec.nodeName);
}

/**
 * Returns the error that the kubelet of a node cannot be reached. kube-apiserver calls a missing
 * node a pod.
 */
function kubeletOf(registry: Registry, name: string, resource = "pods"): StatusError {
  const node = registry.get("", "nodes", "", name) as V1Node | undefined;
  if (!node) return notFound({ group: "", resource }, name);
  const addresses = node.status?.addresses ?? [];
  if (addresses.length > 0) return notImplemented("connections to kubelets");
  return internalError("no preferred addresses found; known addresses: []");
}

/**
 * Checks the container that a request for logs or a command names. @throws {StatusError} 400 if it
 * is missing, or left out and ambiguous.
 */
function checkContainer({ metadata, spec }: V1Pod, container: string): void {
  const names = [
    ...spec?.initContainers ?? [],
    ...spec?.containers ?? [],
    ...spec?.ephemeralContainers ?? [],
  ].map(({ name }) => name);
  if (container !== "") {
    if (names.includes(container)) return;
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`);
  }
  if (spec?.containers?.length === 1) return;
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
