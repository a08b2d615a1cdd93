import { checkPath } from "../calls/paths.ts";

/** The parts of a path of the API. */
export interface ApiPath {
  /** The namespace; absent for all namespaces and for cluster-scoped resources. */
  readonly namespace: string | undefined;
  /** The plural of the resource. */
  readonly plural: string;
  /** The name of the object. */
  readonly name: string | undefined;
  /** The subresource and the segments after it. */
  readonly subresource: readonly string[];
}

/** The subresources of a Namespace; other segments below it are resources in it. */
const PARTS_OF_NAMESPACES: ReadonlySet<string> = new Set(["status", "finalize"]);

/**
 * Splits the path of a resource, an object or a subresource into its parts; `undefined` for other
 * paths.
 *
 * @throws {TypeError} When the path is invalid; see {@linkcode checkPath}.
 */
export function parseApiPath(path: string): ApiPath | undefined {
  const segments = checkPath(path).split("/").filter((segment) => segment !== "").map(
    decodeURIComponent,
  );
  const root = segments[0] === "api" ? 2 : segments[0] === "apis" ? 3 : Infinity;
  // The old form of a watch, which servers still support.
  const watch = segments[root] === "watch" && segments.length > root + 1 ? 1 : 0;
  const rest = segments.slice(root + watch);
  const [first, second, third] = rest;
  if (first === undefined) return undefined;
  if (first === "namespaces" && third !== undefined && !PARTS_OF_NAMESPACES.has(third)) {
    const [, namespace, plural, name, ...subresource] = rest as [
      string,
      string,
      string,
      ...string[],
    ];
    return { namespace, plural, name, subresource };
  }
  return { namespace: undefined, plural: first, name: second, subresource: rest.slice(2) };
}
