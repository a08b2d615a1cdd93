/**
 * The structural schemas of Kubernetes' own types, made from the facts of the embedded API server and
 * from the validation markers in the Go sources, as controller-gen writes them for a field of such a
 * type. They have no descriptions, which would exceed the size limit of definitions.
 */
import type { FieldFact, StructFact, VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import { reachable, referenceOf, type Structs } from "./kubernetes_type_graph.ts";
import { nameTypes } from "./kubernetes_type_names.ts";
import { formatted } from "./module_text.ts";
import type { Markers } from "./validation_markers.ts";

/** The packages whose types custom resources refer to. */
const PACKAGES =
  /^io\.k8s\.(api\.(core|apps|batch|autoscaling|networking|policy|rbac)\.v\d|apimachinery\.pkg\.apis\.meta\.v1)\.\w+$/;
/** Types of what a server reports, which no specification refers to, and of kinds without a use in one. */
const LEFT_OUT =
  /\.(?!LoadBalancerStatus|IngressLoadBalancerStatus)(\w*Status|(?!Condition$)\w+Condition|Node[CFPRS]\w*|Attached\w+|Endpoint\w+|Event\w+|Namespace\w*|Scale\w*|ManagedFieldsEntry|GroupResource|Preconditions)$/;

/** Go types that encode themselves, by the names of their schemas in `kubernetes_schemas/`. */
const CUSTOM: Readonly<Record<string, string>> = {
  Time: "dateTime",
  MicroTime: "dateTime",
  Quantity: "quantity",
  IntOrString: "intOrString",
  ObjectMeta: "objectMeta",
};

/** A schema: the name of another one, or keywords. */
type Compact = string | { readonly [keyword: string]: unknown };

interface All {
  readonly structs: Structs;
  /** The names of types in TypeScript by their names in OpenAPI. */
  readonly names: ReadonlyMap<string, string>;
  readonly markers: Markers;
}

/** Returns the files of the schemas, by name beside the facts, with their text. */
export async function kubernetesSchemas(
  structs: Structs,
  versions: readonly VersionFact[],
  markers: Markers,
): Promise<[name: string, text: string][]> {
  const all = { structs, names: nameTypes(structs, versions), markers };
  const ids = idsOf(all).map((id) => [all.names.get(id)!, id] as const)
    .sort(([a], [b]) => a < b ? -1 : 1);
  const lines = ids.map(([name, id]) =>
    `${JSON.stringify(name)}:${JSON.stringify(schemaOf(all, id))}`
  );
  const folder = "../../apimachinery/kubernetes_schemas/";
  return [
    [`${folder}schema_facts.ts`, factsText(lines)],
    [`${folder}schema_types.ts`, await formatted(typesText(ids.map(([name]) => name)))],
  ];
}

function factsText(lines: readonly string[]): string {
  return "// Written by `deno task facts:dump`.\n" +
    "/** The schemas of Kubernetes' own types in JSON, in the form that `kubernetes_schema.ts` describes. */\n" +
    `export const SCHEMA_FACTS: string = String.raw\`{\n${lines.join(",\n")}\n}\`;\n`;
}

function typesText(names: readonly string[]): string {
  const imports = names.map((name) => `  ${name},\n`).join("");
  const rows = names.map((name) => `  ${name}: ${name};\n`).join("");
  return "// Written by `deno task facts:dump`.\n" +
    `import type {\n${imports}} from "../kubernetes_types/kinds.ts";\n\n` +
    "/** Kubernetes' own types that have a schema, by name. */\n" +
    `export type SchemaTypes = {\n${rows}};\n`;
}

function idsOf({ structs, names }: All): string[] {
  const roots = [...names.keys()].filter((id) =>
    PACKAGES.test(id) && !LEFT_OUT.test(id) && !isWhole(structs.get(id)!) && !isMetadata(id)
  );
  const ids = new Set<string>();
  for (const root of roots) reachable(structs, root, ids);
  return [...ids].filter((id) => names.has(id) && (roots.includes(id) || !isMetadata(id)));
}

/** Reports whether a type is metadata or a part of it, which schemas of templates have in short. */
function isMetadata(id: string): boolean {
  return /\.(ObjectMeta|ListMeta|ManagedFieldsEntry)$/.test(id);
}

/** Reports whether a type is that of whole objects, or of lists of these. */
function isWhole({ kinds = [], fields = [] }: StructFact): boolean {
  return kinds.length > 0 || fields.some(([, , , more]) => more?.embedded === "TypeMeta");
}

function schemaOf(all: All, id: string): Compact {
  const { fields = [], openapi = {} } = all.structs.get(id)!;
  const name = id.split(".").at(-1)!;
  const rows = fields.toSorted(([a], [b]) => a < b ? -1 : 1).map((field) => {
    const marked = all.markers.get(`${name}.${field[0]}`);
    return [field[0] + (isRequired(field) ? "!" : ""), fieldSchema(all, id, field, marked)];
  });
  const isAtomic = openapi["x-kubernetes-map-type"] === "atomic";
  return { fields: Object.fromEntries(rows), ...(isAtomic && { atomic: true }) };
}

function isRequired([, , flags]: FieldFact): boolean {
  return flags.includes("r");
}

function fieldSchema(
  all: All,
  owner: string,
  [, type, , more = {}]: FieldFact,
  marked: Readonly<Record<string, unknown>> = {},
): Compact {
  const keywords = {
    ...(more.listType === "map"
      ? { list: more.mapKeys }
      : more.listType && { list: more.listType }),
    ...(more.mapType === "atomic" && { atomic: true }),
    ...(more.default !== undefined && { default: more.default }),
    ...marked,
  };
  const plain = typeSchema(all, owner, type);
  if (Object.keys(keywords).length === 0) return plain;
  return { ...(typeof plain === "string" ? { of: plain } : plain), ...keywords };
}

/** Returns the schema of a Go type as {@linkcode FieldFact} writes it. */
function typeSchema(all: All, owner: string, type: string): Compact {
  const within = (inner: string): Compact => typeSchema(all, owner, inner);
  if (type.startsWith("*")) return within(type.slice(1));
  if (/^[\w.]+=/.test(type)) return within(type.slice(type.indexOf("=") + 1));
  if (type === "[]uint8") return "bytes";
  if (type.startsWith("[]")) return { items: within(type.slice(2)) };
  if (type.startsWith("{")) return { values: within(type.slice(type.indexOf("}") + 1)) };
  if (type.startsWith("#")) {
    const id = referenceOf(owner, type)!;
    return CUSTOM[id.split(".").at(-1)!] ?? all.names.get(id)!;
  }
  return type;
}
