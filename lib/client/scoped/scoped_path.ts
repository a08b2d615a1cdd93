import { checkPath } from "../calls/paths.ts";

/**
 * The parts of the URL path of a resource or object on the API server: the result of {@linkcode
 * parseApiPath}.
 */
export interface ApiPath {
  /** The namespace in the URL path; absent for all namespaces and for cluster-scoped resources. */
  readonly namespace: string | undefined;
  /** The plural of the resource in the URL path. */
  readonly plural: string;
  /** The name of the object in the URL path; absent for a collection. */
  readonly name: string | undefined;
  /** The subresource in the URL path and the segments after it; empty without a subresource. */
  readonly subresource: readonly string[];
  /** Reports whether the URL path is that of a watch in its old form (`/api/v1/watch/pods`). */
  readonly isWatch: boolean;
}

/** The subresources of a Namespace; other segments below it are resources in it. */
const PARTS_OF_NAMESPACES: ReadonlySet<string> = new Set(["status", "finalize"]);

/**
 * Returns the percent-decoded parts of the URL path of a resource, an object or a subresource, also
 * of the old form of a watch (`/api/v1/watch/pods`); `undefined` for other paths.
 *
 * @throws {TypeError} When the path is invalid; see {@linkcode checkPath}.
 */
export function parseApiPath(path: string): ApiPath | undefined {
  const segments = checkPath(path).split("/").filter((segment) => segment !== "").map(
    decodeURIComponent,
  );
  const root = segments[0] === "api" ? 2 : segments[0] === "apis" ? 3 : Infinity;
  // The old form of a watch, which servers still support.
  const isWatch = segments[root] === "watch" && segments.length > root + 1;
  const rest = segments.slice(isWatch ? root + 1 : root);
  const [first, second, third] = rest;
  if (first === undefined) return undefined;
  if (first === "namespaces" && third !== undefined && !PARTS_OF_NAMESPACES.has(third)) {
    const [, namespace, plural, name, ...subresource] = rest as [
      string,
      string,
      string,
      ...string[],
    ];
    return { namespace, plural, name, subresource, isWatch };
  }
  const subresource = rest.slice(2);
  return { namespace: undefined, plural: first, name: second, subresource, isWatch };
}
