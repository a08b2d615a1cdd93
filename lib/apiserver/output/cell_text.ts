/**
 * Formats values that the table cells of many kinds share. Mirrors
 * `printers/internalversion/printers.go, layoutContainerCells`.
 *
 * @module
 */
import { selectorText } from "@xca/apimachinery/internal/validation";

/** A Kubernetes object or a value within one, whose shape its schema has validated. */
// deno-lint-ignore no-explicit-any
export type Tree = any;

/**
 * A function that formats the age of a timestamp, such as `5m`; `<unknown>` for an absent timestamp,
 * `<invalid>` for a timestamp two seconds or more in the future.
 */
export type Age = (time: string | null | undefined) => string;

/**
 * A function that returns the table cells of an object of one kind, given in its storage version,
 * in the order of kube-apiserver's columns for the kind.
 */
export type Cells = (object: Tree, age: Age) => unknown[];

/** The functions that return table cells, by kind and group, such as `Pod` or `Deployment.apps`. */
export type CellsByKind = Readonly<Record<string, Cells>>;

/**
 * Formats labels as `a=1,b=2`, with the pairs sorted as texts, for a table cell; `<none>` if there
 * are none.
 */
export function labelText(labels: Tree): string {
  const pairs = Object.entries<string>(labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

/** Formats a label selector for a table cell; `<none>` if it is empty. */
export function selectorOrNone(selector: Tree): string {
  const text = selectorText(selector);
  return text === "" ? "<none>" : text;
}

/**
 * Returns the names and the images of a pod spec's containers, each joined by commas, for two table
 * cells. Init containers do not count.
 */
export function containerTexts(spec: Tree): [names: string, images: string] {
  const containers: Tree[] = spec?.containers ?? [];
  const list = (field: string): string => containers.map((each) => each[field] ?? "").join(",");
  return [list("name"), list("image")];
}

/**
 * Formats the first `max` entries of a list, joined by commas, and the number of the other entries,
 * if any, for a table cell: `a,b + 3 more...`.
 */
export function firstFew(list: readonly string[], max: number): string {
  const text = list.slice(0, max).join(",");
  return list.length > max ? `${text} + ${list.length - max} more...` : text;
}

/** Returns the given text for a table cell, or `<none>` if it is empty or absent. */
export function orNone(text: string | undefined): string {
  return text ? text : "<none>";
}
