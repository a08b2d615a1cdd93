// Mirrors `runtime/serializer/json/collections.go, streamEncodeCollections`.
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { toYaml } from "./encode.ts";
import type { Negotiated } from "./media_types.ts";

/**
 * The result of {@linkcode listText}: the texts around and between the items of a list, and the
 * encoder of an item; written one after the other, they give the same text as the encoding of the
 * whole list.
 */
export interface ListText {
  /** The text of the list before the first item. */
  readonly before: string;
  /** The text of the list between two items. */
  readonly between: string;
  /** The text of the list after the last item. */
  readonly after: string;
  readonly item: (value: unknown) => string;
}

/**
 * Returns the text before, between and after the items of a list that is not empty, in YAML or
 * JSON; `around` is the list, and `field` the name of the field with its items.
 */
export function listText(
  around: JsonObject,
  field: string,
  { type, pretty }: Pick<Negotiated, "type" | "pretty">,
): ListText {
  if (type === "yaml") return yamlList(around, field);
  return pretty ? prettyList(around, field) : jsonList(around, field);
}

function jsonList(around: JsonObject, field: string): ListText {
  const [first, rest] = halves(around, Object.keys(around), field);
  const member = (name: string): string =>
    `${JSON.stringify(name)}:${JSON.stringify(around[name])}`;
  return {
    before: `{${first.map((name) => `${member(name)},`).join("")}${JSON.stringify(field)}:[`,
    between: ",",
    after: `]${rest.map((name) => `,${member(name)}`).join("")}}\n`,
    item: (value) => JSON.stringify(value),
  };
}

function prettyList(around: JsonObject, field: string): ListText {
  const [first, rest] = halves(around, Object.keys(around), field);
  const indented = (value: unknown, by: string): string =>
    JSON.stringify(value, null, 2).replaceAll("\n", `\n${by}`);
  const member = (name: string): string =>
    `  ${JSON.stringify(name)}: ${indented(around[name], "  ")}`;
  return {
    before: `{\n${first.map((name) => `${member(name)},\n`).join("")}  ${JSON.stringify(field)}: [`,
    between: ",",
    after: `\n  ]${rest.map((name) => `,\n${member(name)}`).join("")}\n}`,
    item: (value) => `\n    ${indented(value, "    ")}`,
  };
}

/**
 * Returns the text around the items of a list in YAML, where fields are sorted and lists are not
 * indented.
 */
function yamlList(around: JsonObject, field: string): ListText {
  const [first, rest] = halves(around, Object.keys(around).sort(), field);
  const members = (names: readonly string[]): string =>
    names.map((name) => toYaml({ [name]: around[name] })).join("");
  return {
    before: `${members(first)}${field}:\n`,
    between: "",
    after: members(rest),
    item: (value) => toYaml([value]),
  };
}

/**
 * Returns the present fields of a list that come before its items in `names`, and those that come
 * after them.
 */
function halves(
  around: JsonObject,
  names: readonly string[],
  field: string,
): [first: string[], rest: string[]] {
  const there = names.filter((name) => name === field || around[name] !== undefined);
  const at = there.indexOf(field);
  return [there.slice(0, at), there.slice(at + 1)];
}
