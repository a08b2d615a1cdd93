import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import { callCode, type Code, constant, jsonCode, objectCode, typedConstant } from "./code.ts";
import { docComment } from "./doc_comment.ts";
import { versionOf } from "./interface_module.ts";
import { definedCode } from "./defined_code.ts";
import { fieldName, Names, pascalCase } from "./names.ts";
import { HELPERS, SchemaWriter } from "./schema_code.ts";
import { usedNames } from "./used_names.ts";

/**
 * Options for {@linkcode definitionModule}, which generates a TypeScript module that defines a
 * resource.
 */
export interface DefinitionModuleOptions {
  /**
   * The name of the API version, such as `v1`, whose object type is the main type of the generated
   * module.
   *
   * @default the storage version
   */
  readonly version?: string | undefined;
}

/**
 * Returns the source text of a TypeScript module with the schemas of custom resources as
 * expressions of `s`, the types that follow from them, and the definitions. A definition of the
 * module equals the one given, up to the order of required fields and the descriptions of
 * `apiVersion` and `kind`, which an API server replaces by its own. The module is formatted as
 * `deno fmt` does.
 *
 * The status of a definition, and the metadata that a server sets, are left out.
 *
 * @throws {RangeError} When a definition lacks the version, or has no storage version and none is
 * given.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definitionModule, readDefinitions } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const text = definitionModule(readDefinitions(xcaOperator.crds, "the Xca operator"));
 * assert(text.includes("s.object("));
 * ```
 */
export function definitionModule(
  definitions: readonly V1CustomResourceDefinition[],
  options: DefinitionModuleOptions = {},
): string {
  const names = new Names();
  const sections = definitions.map((definition) => section(definition, options.version, names));
  const body = sections.join("\n");
  const called = usedNames(body);
  const helpers = Object.entries(HELPERS)
    .filter(([name]) => called.has(name)).map(([, code]) => code);
  const all = [...helpers, body].join("\n");
  const used = usedNames(all);
  const imported = (names: Readonly<Record<string, string>>): string[] =>
    Object.entries(names).filter(([, name]) => used.has(name)).map(([code]) => code);
  return importsOf({
    "@xca/operator": imported({
      "type KubeObject": "KubeObject",
      "type ResourceType": "ResourceType",
      "resourceType": "resourceType",
    }),
    "@xca/operator/kubernetes-types": imported({
      "type V1CustomResourceDefinition": "V1CustomResourceDefinition",
      "type V1JSONSchemaProps": "V1JSONSchemaProps",
    }),
    "@xca/operator/resource": imported({
      "type AnySchema": "AnySchema",
      "defineResource": "defineResource",
      "s": "s",
      "type Schema": "Schema",
      "type Stored": "Stored",
      "type StoredOf": "StoredOf",
    }),
  }) + `\n${all}`;
}

function importsOf(imports: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(imports).filter(([, names]) => names.length > 0).map(([from, names]) => {
    const isTypes = names.every((name) => name.startsWith("type "));
    const bare = isTypes ? names.map((name) => name.replace("type ", "")) : names;
    const head = isTypes ? "import type" : "import";
    const line = `${head} { ${bare.join(", ")} } from "${from}";\n`;
    if (line.length <= 81) return line;
    return `${head} {\n${bare.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
  }).join("");
}

function section(
  definition: V1CustomResourceDefinition,
  main: string | undefined,
  names: Names,
): string {
  const { spec } = definition;
  const base = pascalCase(spec.names.kind);
  const group = pascalCase(spec.group.split(".")[0]!);
  const name = names.take([base, `${base}Resource`, `${group}${base}`]);
  const constants = new Constants(uncapitalized(name), names, spec.versions);
  const served = versionOf(definition, main);
  const defined = definedSection(definition, name, constants);
  if (defined !== undefined) return defined;
  const parts: string[] = [];
  const schemas = new Map<string, string>();
  for (const version of spec.versions) {
    schemas.set(version.name, constants.add(version.schema?.openAPIV3Schema ?? {}, version.name));
  }
  for (const version of [served, ...spec.versions.filter((each) => each !== served)]) {
    const own = version === served ? name : names.take([name + pascalCase(version.name)]);
    parts.push(typeOf(own, schemas.get(version.name)!, version, spec));
  }
  const variable = names.take([`${uncapitalized(name)}Definition`]);
  parts.push(
    `/** The CustomResourceDefinition ${definition.metadata.name}. */\n` +
      constant(
        `export const ${variable}: V1CustomResourceDefinition`,
        definitionCode(definition, schemas),
      ),
  );
  return [...constants.usedBy(parts), ...parts].join("\n");
}

/**
 * Returns the section of the generated module for a definition that `defineResource` can create;
 * `undefined` for others.
 */
function definedSection(
  definition: V1CustomResourceDefinition,
  name: string,
  constants: Constants,
): string | undefined {
  const [version] = definition.spec.versions;
  const root = version?.schema?.openAPIV3Schema;
  const { spec, status } = root?.properties ?? {};
  const own = withoutServerFields(definition);
  // Tried with placeholder names first: a constant is declared only if it is used.
  if (definedCode(own, { spec: "spec", status: "status" }) === undefined) return undefined;
  const code = definedCode(own, {
    spec: spec && constants.addField("spec", spec),
    status: status && constants.addField("status", status),
  });
  const text = docComment(root?.description, undefined, "");
  const line = `export type ${name} = StoredOf<typeof ${name}>;\n`;
  const part = `${text}${constant(`export const ${name}`, code!)}\n` +
    `/** An object of ${name} as the API server stores it. */\n` +
    (line.length <= 81 ? line : `export type ${name} = StoredOf<\n  typeof ${name}\n>;\n`);
  return [...constants.usedBy([part]), part].join("\n");
}

/** Returns the source code of the object type and the resource type of a version. */
function typeOf(
  name: string,
  schema: string,
  version: V1CustomResourceDefinitionVersion,
  { group, scope, names }: V1CustomResourceDefinition["spec"],
): string {
  const description = version.schema?.openAPIV3Schema?.description;
  const text = docComment(
    description ?? `${names.kind} of ${group}/${version.name}.`,
    undefined,
    "",
  );
  const init = objectCode(
    Object.entries({ group, version: version.name, kind: names.kind, plural: names.plural, scope })
      .map(([field, value]) => [field, JSON.stringify(value)]),
  );
  const line = `export type ${name} = KubeObject & Stored<typeof ${schema}>;\n`;
  const type = line.length <= 81
    ? line
    : `export type ${name} =\n  & KubeObject\n  & Stored<typeof ${schema}>;\n`;
  return `${text}${type}\n` +
    `/** The resource type of ${names.plural}.${group} in version ${version.name}. */\n` +
    typedConstant(name, `ResourceType<${name}>`, callCode("resourceType", init));
}

/**
 * Returns a copy of a CustomResourceDefinition without its status, `uid`, `resourceVersion`,
 * `generation`, `creationTimestamp`, `managedFields`, other metadata that is null, and the
 * annotation of `kubectl apply`.
 */
function withoutServerFields(
  { apiVersion, kind, metadata, spec }: V1CustomResourceDefinition,
): V1CustomResourceDefinition {
  const {
    uid: _1,
    resourceVersion: _2,
    generation: _3,
    creationTimestamp: _4,
    managedFields: _5,
    annotations,
    ...own
  } = metadata;
  const { "kubectl.kubernetes.io/last-applied-configuration": _6, ...kept } = annotations ?? {};
  const hasNotes = Object.keys(kept).length > 0;
  const notes = hasNotes && { annotations: kept };
  // An API server treats null as an absent field; templates write `labels:` for no labels.
  const present = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  return { apiVersion: apiVersion!, kind: kind!, metadata: { ...present, ...notes }, spec };
}

/** The names of the fields of a CustomResourceDefinition's `spec`. */
const SPEC_FIELDS: readonly string[] = [
  "group",
  "names",
  "scope",
  "versions",
  "conversion",
  "preserveUnknownFields",
];

/**
 * Returns the source code of a CustomResourceDefinition, with the names of the constants that
 * contain its schemas, by `schemas` from the name of the version.
 */
function definitionCode(
  definition: V1CustomResourceDefinition,
  schemas: ReadonlyMap<string, string>,
): Code {
  const { metadata, spec } = withoutServerFields(definition);
  const versions = spec.versions.map((version): Code => {
    const fields = Object.entries(version).map(([name, value]) => {
      if (name !== "schema" || version.schema?.openAPIV3Schema === undefined) {
        return [fieldName(name), jsonCode(value, fieldName)] as const;
      }
      const json = `${schemas.get(version.name)}.json`;
      return ["schema", objectCode([["openAPIV3Schema", json]])] as const;
    });
    return objectCode(fields);
  });
  // The API server drops other fields, such as those of apiextensions.k8s.io/v1beta1.
  const known = Object.entries(spec).filter(([name]) => SPEC_FIELDS.includes(name));
  const specFields = known.map(([name, value]) =>
    name === "versions"
      ? ["versions", { kind: "list", items: versions }] as const
      : [fieldName(name), jsonCode(value, fieldName)] as const
  );
  return objectCode([
    ["apiVersion", '"apiextensions.k8s.io/v1"'],
    ["kind", '"CustomResourceDefinition"'],
    ["metadata", jsonCode(metadata, fieldName)],
    ["spec", objectCode(specFields)],
  ]);
}

/**
 * A collection of the generated constants that contain schemas: those of versions, of their fields,
 * and repeated ones.
 */
class Constants {
  readonly #declarations: { readonly name: string; readonly text: string }[] = [];
  readonly #names: Names;
  readonly #prefix: string;
  readonly #known = new Map<string, string>();
  readonly #repeated = new Map<string, { count: number; name: string }>();
  readonly #writer: SchemaWriter;

  constructor(
    prefix: string,
    names: Names,
    versions: readonly V1CustomResourceDefinitionVersion[],
  ) {
    this.#prefix = prefix;
    this.#names = names;
    for (const { schema } of versions) this.#count(schema?.openAPIV3Schema ?? {}, "");
    this.#writer = new SchemaWriter((json) => this.#shared(json));
  }

  /**
   * Declares the generated constants of a version's schema and of the schemas of its direct fields,
   * such as `spec`, that are objects with properties; returns the name of the constant of the whole
   * schema. An equal schema is declared once.
   */
  add(schema: V1JSONSchemaProps, version: string): string {
    const words = pascalCase(version);
    for (const [field, json] of Object.entries(schema.properties ?? {})) {
      if (json.properties === undefined) continue;
      const own = pascalCase(field);
      this.#declare(json, [this.#prefix + own, this.#prefix + words + own]);
    }
    return this.#declare(schema, [this.#prefix + words]);
  }

  /** Declares the generated constant of a field's schema; returns the name of the constant. */
  addField(field: string, json: V1JSONSchemaProps): string {
    return this.#declare(json, [this.#prefix + pascalCase(field)]);
  }

  /**
   * Returns the declarations that the given texts of the module use, directly or through other
   * declarations. Unused declarations remain from schemas that were finally printed as JSON.
   */
  usedBy(parts: readonly string[]): readonly string[] {
    const used = new Set(parts.flatMap((part) => [...usedNames(part)]));
    // A declaration refers to earlier declarations only.
    const kept = this.#declarations.toReversed().filter(({ name, text }) => {
      if (!used.has(name)) return false;
      for (const each of usedNames(text)) used.add(each);
      return true;
    });
    return kept.map(({ text }) => text).toReversed();
  }

  #count(schema: V1JSONSchemaProps, name: string): void {
    if (Object.keys(schema.properties ?? {}).length > 1) {
      const key = canonicalJson(schema);
      const known = this.#repeated.get(key) ?? { count: 0, name };
      this.#repeated.set(key, { ...known, count: known.count + 1 });
    }
    for (const [field, json] of Object.entries(schema.properties ?? {})) this.#count(json, field);
    if (schema.items !== undefined) this.#count(schema.items as V1JSONSchemaProps, name);
    const { additionalProperties: values } = schema;
    if (typeof values === "object") this.#count(values, name);
  }

  #shared(json: V1JSONSchemaProps): string | undefined {
    if (json.properties === undefined) return undefined;
    const key = canonicalJson(json);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { count = 0, name = "" } = this.#repeated.get(key) ?? {};
    return count > 1 ? this.#declare(json, [this.#prefix + pascalCase(name)]) : undefined;
  }

  #declare(json: V1JSONSchemaProps, names: readonly string[]): string {
    const key = canonicalJson(json);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { code } = this.#writer.define(json);
    const name = this.#names.take(names);
    this.#known.set(key, name);
    this.#declarations.push({ name, text: constant(`const ${name}`, code) });
    return name;
  }
}

/**
 * Returns the name of a type with its first word in lower case, for a constant: `ipAddress` for
 * `IPAddress`.
 */
function uncapitalized(name: string): string {
  return name.replace(/^([A-Z0-9]+(?=[A-Z][a-z])|[A-Z0-9]+$|[A-Z])/, (word) => word.toLowerCase());
}
