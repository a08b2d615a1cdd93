import type { JsonObject } from "@xca/apimachinery/internal/values";
import { toYaml } from "./encode.ts";
import type { Negotiated } from "./media_types.ts";

/** How a list is written item by item: the same as it would be written whole. */
export interface ListText {
  /** What stands before the first item. */
  readonly before: string;
  /** What stands between two items. */
  readonly between: string;
  /** What stands after the last. */
  readonly after: string;
  readonly item: (value: unknown) => string;
}

/** How the items of a list that has some are written; `field` is where they stand in what is around them. */
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

/** The fields are sorted, and lists not indented. */
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

/** The fields before the items, and those after. */
function halves(
  around: JsonObject,
  names: readonly string[],
  field: string,
): [first: string[], rest: string[]] {
  const there = names.filter((name) => name === field || around[name] !== undefined);
  const at = there.indexOf(field);
  return [there.slice(0, at), there.slice(at + 1)];
}
