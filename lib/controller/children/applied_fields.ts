/**
 * Functions that compare the fields of a server-side apply with those that the field manager owns
 * already, and predict the labels after the apply. The ownership is read from
 * `metadata.managedFields` (structured-merge-diff's fieldpath in the form of FieldsV1).
 */
import { isMap, jsonEqual } from "@xca/apimachinery/internal/values";
import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * A node of a FieldsV1 tree: its child nodes by path element, such as `f:data`; a leaf has none.
 */
type FieldsNode = Readonly<Record<string, unknown>>;

/**
 * The names of the metadata fields that identify an object or that the server sets, such as `name`
 * and `uid`; no field manager owns these fields.
 */
const UNOWNED_METADATA: ReadonlySet<string> = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
]);

/**
 * Reports whether a server-side apply of the fields `wanted` to the object `current` is certain to
 * change nothing: the field manager owns exactly these fields by applies in the API version of
 * `wanted`, and each has the same value in `current`.
 *
 * `false` may be wrong, where the server stores another form of a value (`0.5` CPU is `500m`) or
 * adds defaults inside of a field that is owned as a whole; the apply then changes nothing. `true`
 * is never wrong.
 */
export function isApplied(current: KubeObject, wanted: KubeObject, manager: string): boolean {
  const fields = appliedFields(current, manager, wanted.apiVersion);
  if (!fields) return false;
  const others = (current.metadata.managedFields ?? []).map(({ fieldsV1 }): unknown => fieldsV1)
    .filter(isMap);
  return matches({ fields, others }, ownable(wanted), current);
}

/**
 * Returns the fields that a field manager owns by server-side apply in one API version, as
 * FieldsV1; `undefined` when the object states none, or the field manager has applied in another
 * version or in several. Applies to a subresource are ignored.
 */
export function appliedFields(
  { metadata }: KubeObject,
  manager: string,
  apiVersion: string | undefined,
): FieldsNode | undefined {
  const entries = (metadata.managedFields ?? []).filter((entry) =>
    entry.manager === manager && entry.operation === "Apply" && !entry.subresource
  );
  const [entry] = entries;
  if (!entry || entries.length > 1 || entry.apiVersion !== apiVersion) return undefined;
  const fields: unknown = entry.fieldsV1;
  return isMap(fields) ? fields : undefined;
}

/**
 * Returns the labels that an object has after a server-side apply by a field manager: the applied
 * labels, and the current labels except those that this field manager alone owns by apply. Without
 * a current object, the applied labels.
 */
export function labelsAfterApply(
  current: KubeObject | undefined,
  wanted: KubeObject,
  manager: string,
): Record<string, string> {
  const labels = { ...current?.metadata.labels };
  for (const { manager: owner, operation, fieldsV1 } of current?.metadata.managedFields ?? []) {
    if (owner === manager && operation === "Apply") {
      for (const name of ownedLabels(fieldsV1)) delete labels[name];
    }
  }
  for (const { manager: owner, operation, fieldsV1 } of current?.metadata.managedFields ?? []) {
    if (owner === manager && operation === "Apply") continue;
    for (const name of ownedLabels(fieldsV1)) {
      const value = current?.metadata.labels?.[name];
      if (value !== undefined) labels[name] = value;
    }
  }
  return { ...labels, ...wanted.metadata.labels };
}

function ownedLabels(fields: unknown): string[] {
  const labels = ["f:metadata", "f:labels"].reduce<unknown>(
    (node, name) => isMap(node) ? node[name] : undefined,
    fields,
  );
  return isMap(labels) ? childrenOf(labels).map((element) => element.slice("f:".length)) : [];
}

/**
 * Returns an applied object without the fields that no field manager can own: `apiVersion`, `kind`
 * and those of {@linkcode UNOWNED_METADATA}.
 */
function ownable(wanted: KubeObject): Record<string, unknown> {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = wanted;
  const owned = Object.entries(metadata).filter(([name, value]) =>
    !UNOWNED_METADATA.has(name) && value !== undefined
  );
  return owned.length > 0 ? { ...rest, metadata: Object.fromEntries(owned) } : rest;
}

/**
 * The ownership of the fields below one field of an applied object: the fields that the applying
 * field manager owns, and the fields that each entry of `managedFields` owns.
 */
interface Ownership {
  /** The child fields that the applying field manager owns. */
  readonly fields: FieldsNode;
  /**
   * The child fields by entry of the object's `managedFields`, one tree per entry that has the
   * field; the entries of the applying field manager are included.
   */
  readonly others: readonly FieldsNode[];
}

/**
 * Returns the ownership below a child field; `undefined` when the applying field manager does not
 * own the child field.
 */
function below({ fields, others }: Ownership, element: string): Ownership | undefined {
  const inner = fields[element];
  if (!isMap(inner)) return undefined;
  return { fields: inner, others: others.map((each) => each[element]).filter(isMap) };
}

function childrenOf(fields: FieldsNode): string[] {
  return Object.keys(fields).filter((element) => element !== ".");
}

function matches(owned: Ownership, wanted: unknown, current: unknown): boolean {
  const elements = childrenOf(owned.fields);
  if (elements.length === 0) {
    // A map or list in which others own fields was empty when the manager applied it.
    return jsonEqual(wanted, current) &&
      owned.others.every((each) => childrenOf(each).length === 0);
  }
  if (elements.every((element) => element.startsWith("f:"))) {
    return matchesMap(owned, elements, wanted, current);
  }
  if (!Array.isArray(wanted) || !Array.isArray(current) || wanted.length !== elements.length) {
    return false;
  }
  if (elements.every((element) => element.startsWith("k:"))) {
    return matchesKeyedList(owned, elements, wanted, current);
  }
  return elements.every((element) => element.startsWith("v:")) &&
    matchesSet(elements, wanted, current);
}

function matchesMap(
  owned: Ownership,
  elements: readonly string[],
  wanted: unknown,
  current: unknown,
): boolean {
  if (!isMap(wanted) || !isMap(current)) return false;
  const names = Object.keys(wanted).filter((name) => wanted[name] !== undefined);
  return names.length === elements.length && names.every((name) => {
    const inner = below(owned, `f:${name}`);
    if (!inner) return false;
    return Object.hasOwn(current, name)
      ? matches(inner, wanted[name], current[name])
      : Object.keys(inner.fields).length === 0 && isGoZero(wanted[name]);
  });
}

/**
 * Reports whether a value is `0`, `false`, or an empty string, list or map, which the server leaves
 * out of built-in kinds (`omitempty`). A field manager that owns a field which the object lacks has
 * applied such a value: a removal by another writer would have ended the ownership.
 */
function isGoZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

/**
 * Reports whether the items of an applied list, identified by key fields, are in the current list
 * with the applied values and in the same order. A key field that `wanted` leaves out is one that
 * the server fills in, such as the protocol of a port.
 */
function matchesKeyedList(
  owned: Ownership,
  elements: readonly string[],
  wanted: readonly unknown[],
  current: readonly unknown[],
): boolean {
  const positions = wanted.map((item) => {
    const element = elements.find((each) => hasKeys(item, keysOf(each), "may lack some"));
    const inner = element === undefined ? undefined : below(owned, element);
    if (!inner) return -1;
    const position = current.findIndex((each) => hasKeys(each, keysOf(element!), "has all"));
    return position >= 0 && matches(inner, item, current[position]) ? position : -1;
  });
  return isAscending(positions);
}

function matchesSet(
  elements: readonly string[],
  wanted: readonly unknown[],
  current: readonly unknown[],
): boolean {
  const values = elements.map((element) => JSON.parse(element.slice(2)) as unknown);
  const positions = wanted.map((item) =>
    values.some((value) => jsonEqual(value, item))
      ? current.findIndex((each) => jsonEqual(each, item))
      : -1
  );
  return isAscending(positions);
}

/**
 * Reports whether the positions of an applied list's items in the current list ascend, and none is
 * -1 (not found): an apply sets the order too.
 */
function isAscending(positions: readonly number[]): boolean {
  return positions.every((position, index) => position > (positions[index - 1] ?? -1));
}

function keysOf(element: string): Record<string, unknown> {
  return JSON.parse(element.slice(2));
}

function hasKeys(
  item: unknown,
  keys: Readonly<Record<string, unknown>>,
  rule: "has all" | "may lack some",
): boolean {
  if (!isMap(item)) return false;
  const names = Object.keys(keys);
  const given = names.filter((name) => item[name] !== undefined);
  return given.length > 0 && (rule === "may lack some" || given.length === names.length) &&
    given.every((name) => jsonEqual(item[name], keys[name]));
}
