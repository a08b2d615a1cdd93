/**
 * The TypeScript types of Kubernetes' own kinds, made from the facts of the embedded API server: a
 * file per package of Go types, and an index of them.
 */
import type { FieldFact, VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import { reachable, referenceOf, type Structs } from "./kubernetes_type_graph.ts";
import { groupsOf, groupVersionOf, nameTypes } from "./kubernetes_type_names.ts";

const HEAD = "// Written by `deno task facts:dump`.\n";
/** The longest line that `deno fmt` leaves as it is. */
const LINE_WIDTH = 100;

/** Go types that encode themselves, as the JSON that they become. */
const CUSTOM: Readonly<Record<string, string>> = {
  Time: "string",
  MicroTime: "string",
  Quantity: "string",
  IntOrString: "number | string",
  RawExtension: "unknown",
  FieldsV1: "unknown",
  JSON: "unknown",
  JSONSchemaPropsOrArray: "V1JSONSchemaProps | V1JSONSchemaProps[]",
  JSONSchemaPropsOrBool: "V1JSONSchemaProps | boolean",
  JSONSchemaPropsOrStringArray: "V1JSONSchemaProps | string[]",
};

/** The form of a field whose Go type encodes itself, for its doc comment. */
const CUSTOM_DOC: Readonly<Record<string, string>> = {
  Time: "an RFC 3339 time in whole seconds",
  MicroTime: "an RFC 3339 time with microseconds",
  Quantity: "a quantity, such as `500m` or `2Gi`",
};

/**
 * The largest package, in several files: each holds the types that its roots are made of, as far as
 * the files before it do not. The rest is in the package's own file.
 */
const CORE_FILES: readonly (readonly [file: string, roots: RegExp])[] = [
  ["core_v1_persistent_volumes", /^(PersistentVolume|PersistentVolumeClaim)$/],
  ["core_v1_volumes", /^Volume$/],
  ["core_v1_containers", /^(Container|EphemeralContainer|ContainerStatus)$/],
  ["core_v1_pods", /^(Pod|PodTemplate|ReplicationController)$/],
];

/** The files by name, relative to `lib/apimachinery/kubernetes_types/`, with their text. */
export function kubernetesTypes(
  structs: Structs,
  versions: readonly VersionFact[],
): Map<string, string> {
  const names = nameTypes(structs, versions);
  const fileOf = filesOf(structs, [...names.keys()]);
  const groups = groupsOf(structs);
  const files = new Map<string, string[]>();
  for (const id of [...names.keys()].sort()) {
    files.set(fileOf.get(id)!, [...files.get(fileOf.get(id)!) ?? [], id]);
  }
  const texts = new Map<string, string>();
  for (const [file, ids] of [...files].sort()) {
    texts.set(`types/${file}.ts`, fileText({ structs, names, fileOf, groups }, file, ids));
  }
  const index = [...texts.keys()].map((file) => `export type * from "./${file}";\n`);
  const doc = "/** The types of Kubernetes' own kinds, and the types of their fields. */\n";
  return texts.set("kinds.ts", HEAD + doc + index.join(""));
}

interface Names {
  readonly structs: Structs;
  /** TypeScript names by name in OpenAPI. */
  readonly names: ReadonlyMap<string, string>;
  /** Files by name in OpenAPI. */
  readonly fileOf: ReadonlyMap<string, string>;
  /** API groups by their short names in packages; see {@linkcode groupsOf}. */
  readonly groups: ReadonlyMap<string, string>;
}

/** The file of each type, without its suffix, by name in OpenAPI. */
export function filesOf(structs: Structs, ids: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const core = ids.filter((id) => packageOf(id) === "core_v1");
  for (const [file, roots] of CORE_FILES) {
    for (const root of core.filter((id) => roots.test(id.split(".").at(-1)!))) {
      for (const id of reachable(structs, root)) {
        if (packageOf(id) === "core_v1" && !found.has(id)) found.set(id, file);
      }
    }
  }
  for (const id of ids) if (!found.has(id)) found.set(id, packageOf(id));
  return found;
}

/** `apps_v1` of `io.k8s.api.apps.v1.Deployment`. */
function packageOf(id: string): string {
  return id.split(".").slice(-3, -1).join("_").replaceAll("-", "_");
}

function fileText(all: Names, file: string, ids: readonly string[]): string {
  const imports = new Map<string, Set<string>>();
  const types: string[] = [];
  for (const id of ids) {
    types.push(typeText(all, id));
    for (const name of referencesOf(all, id)) {
      const from = all.fileOf.get(name)!;
      if (from !== file) {
        imports.set(from, (imports.get(from) ?? new Set()).add(all.names.get(name)!));
      }
    }
  }
  const lines = [...imports].sort().map(([from, names]) => importText(from, [...names]));
  return `${HEAD}${lines.join("")}${lines.length > 0 ? "\n" : ""}${types.join("\n")}`;
}

function referencesOf({ structs, names }: Names, id: string): string[] {
  return (structs.get(id)!.fields ?? [])
    .map(([, type]) => referenceOf(id, type))
    .filter((each): each is string => each !== undefined && names.has(each));
}

function importText(from: string, names: readonly string[]): string {
  const sorted = names.toSorted((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1);
  const line = `import type { ${sorted.join(", ")} } from "./${from}.ts";\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `import type {\n${sorted.map((name) => `  ${name},\n`).join("")}} from "./${from}.ts";\n`;
}

function typeText(all: Names, id: string): string {
  const struct = all.structs.get(id)!;
  const { fields = [], kinds = [] } = struct;
  const last = id.split(".").at(-1)!;
  const lines = fields.toSorted(apiVersionFirst).flatMap((field) => fieldLines(all, id, field));
  const what = kinds.length > 0 ? "kind" : "API type";
  const of = `\`${last}\` of \`${groupVersionOf(id, struct, all.groups)}\``;
  const doc = `/** The TypeScript type of the Kubernetes ${what} ${of}. */\n`;
  const name = all.names.get(id)!;
  return lines.length === 0
    ? `${doc}export type ${name} = Record<string, never>;\n`
    : `${doc}export type ${name} = {\n${lines.join("")}};\n`;
}

function apiVersionFirst([a]: FieldFact, [b]: FieldFact): number {
  return Number(b === "apiVersion") - Number(a === "apiVersion");
}

function fieldLines(all: Names, owner: string, field: FieldFact): string[] {
  const [name, type, flags] = field;
  const { kinds = [] } = all.structs.get(owner)!;
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const [kind] = kinds;
  const value = kind && literalOf(name, kind) || typeScript(all, owner, type);
  const isThere = flags.includes("r") || kind !== undefined && name === "metadata";
  const doc = docOf(owner.split(".").at(-1)!, field);
  return [
    ...(doc ? [`  /** ${doc} */\n`] : []),
    `  ${key}${isThere ? "" : "?"}: ${value};\n`,
  ];
}

/** The one value that `apiVersion` and `kind` of a kind have, as a type. */
function literalOf(
  name: string,
  [group, version, kind]: readonly [string, string, string],
): string {
  if (name === "kind") return JSON.stringify(kind);
  return name === "apiVersion"
    ? JSON.stringify(group === "" ? version : `${group}/${version}`)
    : "";
}

/** Returns the doc comment of a field of a type; empty when the field's TypeScript type says it all. */
function docOf(owner: string, [name, type, , more = {}]: FieldFact): string {
  const [, custom] = /#[\w.-]*\.(\w+)$/.exec(type) ?? [];
  const container = type.includes("{")
    ? "a map, each value "
    : type.includes("[]")
    ? "a list, each item "
    : "";
  const form = [
    custom && CUSTOM_DOC[custom] && container + CUSTOM_DOC[custom],
    type.endsWith("[]uint8") && "bytes in base64",
    more.enum && type.includes("[]") && `strings, each one of ${more.enum.map(code).join(", ")}`,
    more.enum && !type.includes("[]") && `a string, one of ${more.enum.map(code).join(", ")}`,
    more.listType === "map" && `a list with at most one item for each ${keysText(more.mapKeys!)}`,
    more.listType === "set" && `${more.enum ? "" : "a list "}without duplicates`,
  ].filter(Boolean).join(", ");
  if (form === "" && more.default === undefined) return "";
  const field = `The field ${code(name)} of ${code(owner)}${form && `: ${form}`}.`;
  return more.default === undefined ? field : `${field} @default {${JSON.stringify(more.default)}}`;
}

function keysText(keys: readonly string[]): string {
  return (keys.length > 1 ? "combination of " : "") + keys.map(code).join(" and ");
}

function code(name: string): string {
  return `\`${name}\``;
}

/** The TypeScript of a Go type as {@linkcode FieldFact} writes it. */
function typeScript(all: Names, owner: string, type: string): string {
  const within = (inner: string): string => typeScript(all, owner, inner);
  if (type.startsWith("*")) return within(type.slice(1));
  if (/^[\w.]+=/.test(type)) return within(type.slice(type.indexOf("=") + 1));
  if (type === "[]uint8") return "string";
  if (type.startsWith("[]")) {
    const item = within(type.slice(2));
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  if (type.startsWith("{")) return `Record<string, ${within(type.slice(type.indexOf("}") + 1))}>`;
  if (type.startsWith("#")) {
    const id = referenceOf(owner, type)!;
    return CUSTOM[id.split(".").at(-1)!] ?? all.names.get(id)!;
  }
  if (/^(u?int|float)\d*$/.test(type)) return "number";
  if (type === "bool") return "boolean";
  if (type === "string") return "string";
  throw new Error(`${owner} has a field of type ${type}, which is not known`);
}
