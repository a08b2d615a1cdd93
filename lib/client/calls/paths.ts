import { isPathSegment, type ObjectKey, parseKey, type ResourceType } from "@xca/apimachinery/meta";

/** The parts of a URL path below a resource: namespace, name and subresource. */
export interface PathTarget {
  /**
   * The namespace in the URL path; an empty text counts as absent.
   *
   * @default all namespaces; none for a cluster-scoped resource
   */
  readonly namespace?: string | undefined;
  /** The name of the object in the URL path. @default the collection */
  readonly name?: string | undefined;
  /** The subresource in the URL path, such as `status`. @default the object or collection itself */
  readonly subresource?: string | undefined;
}

/**
 * Returns the URL path of an API resource, an object or a subresource.
 *
 * @throws {TypeError} When a part cannot be one segment of a path (empty, `.`, `..`, with a slash
 * or a percent sign), or a cluster-scoped resource has a namespace.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { resourcePath } from "./paths.ts";
 * import { Deployment } from "@xca/operator/meta";
 *
 * const path = resourcePath(Deployment, { namespace: "default", name: "web", subresource: "scale" });
 * assert.equal(path, "/apis/apps/v1/namespaces/default/deployments/web/scale");
 * assert.equal(resourcePath(Deployment), "/apis/apps/v1/deployments");
 * ```
 */
export function resourcePath(type: ResourceType, target: PathTarget = {}): string {
  const { namespace, name, subresource } = target;
  if (namespace && type.scope === "Cluster") {
    throw new TypeError(
      `Cannot address ${type.id} in namespace ${JSON.stringify(namespace)}: it is cluster-scoped`,
    );
  }
  const segment = (what: string, text: string): string => {
    if (isPathSegment(text)) return encodeURIComponent(text);
    throw new TypeError(
      `Cannot address ${type.id}: ${what} must be a single path segment (not empty, not "." or ` +
        `"..", without "/" or "%"): current value is ${JSON.stringify(text)}`,
    );
  };
  return [
    ...(type.group === "" ? ["", "api"] : ["", "apis", segment("its group", type.group)]),
    segment("its version", type.version),
    ...(namespace ? ["namespaces", segment("the namespace", namespace)] : []),
    segment("its plural", type.plural),
    ...(name === undefined ? [] : [segment("the name", name)]),
    ...(subresource === undefined ? [] : [segment("the subresource", subresource)]),
  ].join("/");
}

/**
 * Returns the URL path of the object with a key, or of a subresource of the object.
 *
 * @throws {TypeError} When the key of a namespaced resource has no namespace, or that of a
 * cluster-scoped resource has one; or a part cannot be one segment of a path.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectPath } from "./paths.ts";
 * import { Node, Pod } from "@xca/operator/meta";
 *
 * assert.equal(objectPath(Pod, "default/web", "log"), "/api/v1/namespaces/default/pods/web/log");
 * assert.equal(objectPath(Node, "node-1"), "/api/v1/nodes/node-1");
 * ```
 */
export function objectPath(type: ResourceType, key: ObjectKey, subresource?: string): string {
  const { namespace, name } = parseKey(key);
  if (!namespace && type.scope === "Namespaced") {
    throw new TypeError(
      `Cannot address ${type.kind} ${JSON.stringify(key)}: ${type.id} is namespaced, so its keys ` +
        `are namespace/name`,
    );
  }
  return resourcePath(type, { namespace, name, subresource });
}

/**
 * The pattern of URL paths that need no further check: without encoded characters, and without a
 * segment that begins with a dot.
 */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+\/?$/;

/**
 * Checks the path of a REST call and returns it.
 *
 * @throws {TypeError} When the path is not absolute, has a query, a fragment, a backslash or white
 * space, or has a segment that is not percent-encoded correctly, or that a server or the runtime
 * would resolve to something else (`..`, `%2e%2e`, `%2f`, an empty one).
 */
export function checkPath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  const fail = (why: string): never => {
    throw new TypeError(`Cannot call the path ${JSON.stringify(path)}: ${why}`);
  };
  if (!path.startsWith("/")) fail('it must begin with "/"');
  if (/[?#\\\s]/.test(path)) fail('it must not have "?", "#", "\\" or blanks; give a query apart');
  // A path may end with one slash, such as "/apis/".
  for (const segment of path.slice(1).replace(/\/$/, "").split("/")) {
    if (path === "/") break;
    const text = decoded(segment);
    if (text === undefined) fail(`${JSON.stringify(segment)} is not percent-encoded correctly`);
    else if (text === "" || text === "." || text === ".." || text.includes("/")) {
      fail(`${JSON.stringify(segment)} may not be a segment of it`);
    }
  }
  return path;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
