/** Maximum number of changed field paths that a comparison of two objects returns. */
const MOST_PATHS = 5;
/**
 * The paths of the metadata fields (resourceVersion, managedFields, generation) that the server
 * changes along with other fields, and that a comparison leaves out.
 */
const ALWAYS_CHANGED: readonly string[] = [
  "metadata.resourceVersion",
  "metadata.managedFields",
  "metadata.generation",
];

/**
 * Returns the paths of the first {@linkcode MOST_PATHS} leaf fields that differ between two
 * versions of an object, such as `status.conditions[0].message`. Fields of {@linkcode
 * ALWAYS_CHANGED} are left out; empty if nothing else differs. Values are not returned, since they
 * may be secret.
 */
export function changedPaths(old: unknown, current: unknown): string[] {
  const paths: string[] = [];
  compare(old, current, "", paths);
  return paths;
}

function compare(old: unknown, current: unknown, path: string, paths: string[]): void {
  if (paths.length >= MOST_PATHS || old === current || ALWAYS_CHANGED.includes(path)) return;
  if (!isNode(old) || !isNode(current) || Array.isArray(old) !== Array.isArray(current)) {
    paths.push(path || "the object");
    return;
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(current)])) {
    const member = Array.isArray(old)
      ? `${path}[${name}]`
      : /^[\w-]+$/.test(name)
      ? `${path}${path && "."}${name}`
      : `${path}[${JSON.stringify(name)}]`;
    compare(memberOf(old, name), memberOf(current, name), member, paths);
  }
}

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function memberOf(node: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(node, name) ? node[name] : undefined;
}
