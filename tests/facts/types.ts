import type {
  FieldFact,
  FieldMore,
  StructFact,
  VersionFact,
} from "../../lib/apiserver/types/fact_shapes.ts";
import type { GetJson } from "./get_json.ts";
import { factsModule } from "./module_text.ts";

/** A struct, in the output of go_types.go. */
interface GoStruct {
  readonly go: string;
  readonly custom?: boolean;
  readonly fields?: readonly GoField[];
}

interface GoField {
  readonly name: string;
  readonly type: string;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly embedded?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

// deno-lint-ignore no-explicit-any
type Wire = any;

/** The types, and their files: one per package, and an index of them. */
export async function dumpTypes(
  get: GetJson,
  versions: readonly VersionFact[],
): Promise<{ files: Map<string, string>; structs: Map<string, StructFact> }> {
  const definitions = await openApiDefinitions(get);
  const structs = await goStructs(versions);
  for (const name of Object.keys(definitions)) structs[name] ??= { go: "" };
  const facts = new Map<string, StructFact>();
  const packages = new Map<string, string[]>();
  for (const name of Object.keys(structs).sort()) {
    const fact = structFact(name, structs[name]!, definitions[name]);
    facts.set(name, fact);
    const [prefix, last] = splitName(name);
    const lines = packages.get(prefix) ?? [];
    lines.push(`${JSON.stringify(last)}:${JSON.stringify(fact)}`);
    packages.set(prefix, lines);
  }
  const files = new Map<string, string>();
  for (const [prefix, lines] of packages) {
    files.set(fileOf(prefix), factsModule(constantOf(prefix), `{\n${lines.join(",\n")}\n}`));
  }
  files.set("types.ts", indexText([...packages.keys()]));
  return { files, structs: facts };
}

async function openApiDefinitions(get: GetJson): Promise<Record<string, Wire>> {
  const { paths } = await get("/openapi/v3");
  const definitions: Record<string, Wire> = {};
  const kinds: Record<string, Wire[]> = {};
  for (const path of Object.keys(paths)) {
    const { components } = await get(`/openapi/v3/${path}`);
    for (const [name, schema] of Object.entries<Wire>(components?.schemas ?? {})) {
      definitions[name] = schema;
      (kinds[name] ??= []).push(...(schema["x-kubernetes-group-version-kind"] ?? []));
    }
  }
  for (const [name, each] of Object.entries(kinds)) {
    const unique = new Map(
      each.map((kind) => [`${kind.group} ${kind.version} ${kind.kind}`, kind]),
    );
    const sorted = [...unique].sort(([a], [b]) => a < b ? -1 : 1).map(([, kind]) => kind);
    definitions[name]["x-kubernetes-group-version-kind"] = sorted;
  }
  return definitions;
}

async function goStructs(versions: readonly VersionFact[]): Promise<Record<string, GoStruct>> {
  const names = versions.map(({ group, version }) =>
    group === "" ? version : `${group}/${version}`
  );
  const command = new Deno.Command("go", {
    args: ["run", "-mod=mod", "../facts/go_types.go", ...names],
    cwd: new URL("../control_plane", import.meta.url),
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error("go_types.go failed");
  return JSON.parse(new TextDecoder().decode(stdout)).structures;
}

function structFact(name: string, struct: GoStruct, definition: Wire): StructFact {
  const [prefix, last] = splitName(name);
  const go = `${prefix.split(".").at(-1)}.${last}`;
  const { description: _1, properties, required, ...more } = definition ?? {};
  const { "x-kubernetes-group-version-kind": kinds = [], ...openapi } = more;
  if (openapi.type === "object") delete openapi.type;
  const names = new Set<string>([...required ?? [], ...Object.keys(properties ?? {})]);
  const fields = struct.fields ?? [...names].map((each) => ({
    name: each,
    type: properties[each].type,
    omitEmpty: !required?.includes(each),
  }));
  return {
    ...(struct.go !== "" && struct.go !== go && { go: struct.go }),
    ...(struct.custom && { custom: true as const }),
    ...(!struct.custom && fields.length > 0 && {
      fields: fields.map((field) =>
        fieldFact(prefix, field, properties?.[field.name], required?.includes(field.name))
      ),
    }),
    ...(Object.keys(openapi).length > 0 && { openapi }),
    ...(kinds.length > 0 && {
      kinds: kinds.map((each: Wire) => [each.group, each.version, each.kind] as const),
    }),
  };
}

function fieldFact(prefix: string, field: GoField, property: Wire, required: boolean): FieldFact {
  const more: FieldMore = {
    ...(isFact(property?.default, field) && { default: property.default }),
    ...pick(property, "listType", "x-kubernetes-list-type"),
    ...pick(property, "mapKeys", "x-kubernetes-list-map-keys"),
    ...pick(property, "mapType", "x-kubernetes-map-type"),
    ...pick(property?.items ?? property?.additionalProperties ?? property, "enum", "enum"),
    ...pick(property, "format", "format"),
    ...(field.patchStrategy && { patchStrategy: field.patchStrategy }),
    ...(field.patchMergeKey && { patchMergeKey: field.patchMergeKey }),
    ...(field.embedded && { embedded: field.embedded }),
    ...(property?.$ref && { bare: true as const }),
  };
  const flags = (field.omitEmpty ? "o" : "") + (field.omitZero ? "z" : "") + (required ? "r" : "");
  const type = field.type.replace(`#${prefix}.`, (whole, at) => {
    return /^[A-Za-z]*$/.test(field.type.slice(at + whole.length)) ? "#." : whole;
  });
  const plain = [field.name, type, flags] as const;
  return Object.keys(more).length > 0 ? [...plain, more] : plain;
}

/** The zero values that the OpenAPI generator writes for every field that is never left out tell nothing. */
function isFact(value: unknown, { omitEmpty, type }: GoField): boolean {
  if (value === undefined || JSON.stringify(value) === "{}") return false;
  return omitEmpty || type.startsWith("*") || (value !== "" && value !== 0 && value !== false);
}

function pick(from: Wire, name: string, key: string): Record<string, unknown> {
  const value = from?.[key];
  // The formats of numbers follow from their types.
  if (value === undefined || /^(int|double|byte)/.test(String(value))) return {};
  return { [name]: value };
}

function splitName(name: string): [prefix: string, last: string] {
  const dot = name.lastIndexOf(".");
  return [name.slice(0, dot), name.slice(dot + 1)];
}

function fileOf(prefix: string): string {
  return `types/${constantOf(prefix).toLowerCase()}.ts`;
}

/** `io.k8s.api.core.v1` is `CORE_V1`, `io.k8s.apimachinery.pkg.api.resource` is `API_RESOURCE`. */
function constantOf(prefix: string): string {
  return prefix.split(".").slice(-2).join("_").replaceAll("-", "_").toUpperCase();
}

function indexText(prefixes: readonly string[]): string {
  const imports = prefixes.map((prefix) =>
    `import { ${constantOf(prefix)} } from "./${fileOf(prefix)}";`
  );
  const rows = prefixes.map((prefix) => `  ${JSON.stringify(prefix)}: ${constantOf(prefix)},`);
  return `// Written by \`deno task facts:dump\`.\n${imports.join("\n")}\n\n` +
    "/** The texts of the types' facts by package. */\n" +
    `export const TYPE_FACTS: Readonly<Record<string, string>> = {\n${rows.join("\n")}\n};\n`;
}
