import type { Scope } from "@xca/apimachinery/meta";

/**
 * The target of a REST call: either a path, or group, version, plural, namespace, name and
 * subresource, whose texts are single segments of the path.
 */
export interface RestTarget {
  /** The URL path of a REST call that is not to a resource; excludes the other fields. */
  readonly path?: string;
  readonly group?: string;
  readonly version?: string;
  readonly plural?: string;
  /**
   * The scope of the REST call's resource; `undefined` for a resource that the caller names by its
   * plural only.
   */
  readonly scope?: Scope | undefined;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: readonly string[];
}

/**
 * Returns the URL path of a REST call's target; without a group that of the core group, without a
 * version that of `v1`.
 *
 * @throws {TypeError} When the parts do not form a path.
 */
export function pathOf(target: RestTarget): string {
  const { path, group = "", version = "v1", plural, scope, namespace, name } = target;
  const { subresource = [] } = target;
  if (path !== undefined) {
    const more = Object.entries(target).filter(([part, value]) => part !== "path" && value);
    if (more.length === 0) return path;
    throw unfit(`it has the path ${path}, and so no ${more.map(([part]) => part).join(", no ")}`);
  }
  if (plural === undefined) {
    throw unfit(`it has neither a resource nor a path`);
  }
  if (subresource.length > 0 && name === undefined) {
    throw unfit(`the subresource ${subresource.join("/")} of ${plural} needs a name`);
  }
  if (scope === "Cluster" && namespace !== undefined) {
    throw unfit(`${plural} is cluster-scoped, and so in no namespace such as ${namespace}`);
  }
  if (scope === "Namespaced" && name !== undefined && namespace === undefined) {
    throw unfit(`${plural} is namespaced: the object ${name} needs a namespace`);
  }
  const segments = [
    ...(group === "" ? ["api"] : ["apis", group]),
    version,
    ...(namespace === undefined ? [] : ["namespaces", namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
    ...subresource,
  ];
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

function unfit(why: string): TypeError {
  return new TypeError(`Cannot build a request: ${why}`);
}
