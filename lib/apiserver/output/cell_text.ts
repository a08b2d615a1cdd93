import { selectorText } from "@xca/apimachinery/internal/validation";
/**
 * Texts that the cells of many kinds have in common.
 *
 * @module
 */

/** A tree whose shape its schema has checked. */
// deno-lint-ignore no-explicit-any
export type Tree = any;

/** How long ago a time is. */
export type Age = (time: string | null | undefined) => string;

/** The cells of one kind. */
export type Cells = (object: Tree, age: Age) => unknown[];

/** Cells by kind and group: `Pod`, `Deployment.apps`. */
export type CellsByKind = Readonly<Record<string, Cells>>;

/** Labels as `a=1,b=2`. */
export function labelText(labels: Tree): string {
  const pairs = Object.entries<string>(labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}

/** Formats a label selector; `<none>` if it is empty. */
export function selectorOrNone(selector: Tree): string {
  const text = selectorText(selector);
  return text === "" ? "<none>" : text;
}

/** The names and the images of containers. */
export function containerTexts(spec: Tree): [names: string, images: string] {
  const containers: Tree[] = spec?.containers ?? [];
  const list = (field: string): string => containers.map((each) => each[field] ?? "").join(",");
  return [list("name"), list("image")];
}

/** The first of a list, and how many more there are. */
export function firstFew(list: readonly string[], max: number): string {
  const text = list.slice(0, max).join(",");
  return list.length > max ? `${text} + ${list.length - max} more...` : text;
}

/** A text, or `<none>` where it is empty. */
export function orNone(text: string | undefined): string {
  return text ? text : "<none>";
}
