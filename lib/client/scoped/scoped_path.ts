import { checkPath } from "../calls/paths.ts";

/** Where a path of the API leads. */
export interface ApiPath {
  /** The namespace; absent for all of them, and for cluster-scoped resources. */
  readonly namespace: string | undefined;
  /** The resource's plural. */
  readonly plural: string;
  /** The object. */
  readonly name: string | undefined;
  /** The part of the object, and what lies below it. */
  readonly subresource: readonly string[];
}

/** The parts of a Namespace itself; anything else below it is a resource in it. */
const PARTS_OF_NAMESPACES: ReadonlySet<string> = new Set(["status", "finalize"]);

/**
 * Takes the path of a resource, an object or a part apart; `undefined` for any other path.
 *
 * @throws {TypeError} When it is no path, see {@linkcode checkPath}.
 */
export function parseApiPath(path: string): ApiPath | undefined {
  const segments = checkPath(path).split("/").filter((segment) => segment !== "").map(
    decodeURIComponent,
  );
  const root = segments[0] === "api" ? 2 : segments[0] === "apis" ? 3 : Infinity;
  // An old spelling of a watch, still served.
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
