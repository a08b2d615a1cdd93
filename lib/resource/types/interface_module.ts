import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
} from "@xca/apimachinery/kubernetes-types";
import { callCode, objectCode, typedConstant } from "./code.ts";
import { docComment } from "./doc_comment.ts";
import { Names, pascalCase } from "./names.ts";
import { TypeWriter } from "./type_writer.ts";

/**
 * Options for {@linkcode interfaceModule}, which generates TypeScript interfaces for a
 * CustomResourceDefinition.
 */
export interface InterfaceModuleOptions {
  /**
   * The name of the API version whose types are generated, such as `v1`. @default the storage
   * version
   */
  readonly version?: string | undefined;
}

/**
 * Returns the source text of a TypeScript module with the interfaces of custom resources and their
 * resource types, for clients of definitions that other projects maintain. The module is formatted
 * as `deno fmt` does.
 *
 * @throws {RangeError} When a definition lacks the version, or has no storage version and none is
 * given.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { interfaceModule, readDefinitions } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const text = interfaceModule(readDefinitions(xcaOperator.crds, "the Xca operator"));
 * assert(text.includes("export interface Xca extends KubeObject"));
 * ```
 */
export function interfaceModule(
  definitions: readonly V1CustomResourceDefinition[],
  options: InterfaceModuleOptions = {},
): string {
  const names = new Names();
  const sections = definitions.map((definition) =>
    section(definition, versionOf(definition, options.version), names)
  );
  const body = sections.join("\n");
  const used = ["KubeObject", "ResourceType", "UnstructuredObject"]
    .filter((name) => new RegExp(`\\b${name}\\b`).test(body)).map((name) => `type ${name}`);
  const imported = [...used, "resourceType"].sort((a, b) => bare(a) < bare(b) ? -1 : 1);
  const line = `import { ${imported.join(", ")} } from "@xca/operator/meta";\n`;
  const broken = `import {\n${
    imported.map((name) => `  ${name},\n`).join("")
  }} from "@xca/operator/meta";\n`;
  return `${line.length <= 81 ? line : broken}\n${body}`;
}

function bare(name: string): string {
  return name.replace("type ", "").toLowerCase();
}

/**
 * Returns the version of a CustomResourceDefinition with the given name, or without a name its
 * storage version.
 *
 * @throws {RangeError} When the definition lacks the version, or without a name a storage version;
 * the message lists the versions that it has.
 */
export function versionOf(
  { metadata, spec }: V1CustomResourceDefinition,
  name: string | undefined,
): V1CustomResourceDefinitionVersion {
  const found = spec.versions.find((each) =>
    name === undefined ? each.storage : each.name === name
  );
  if (found !== undefined) return found;
  const known = spec.versions.map((each) => each.name).join(", ");
  throw new RangeError(
    name === undefined
      ? `${metadata.name} has no storage version: no version has storage: true; it has ${
        known || "no versions"
      }`
      : `${metadata.name} has no version ${name}; it has ${known || "no versions"}`,
  );
}

function section(
  { spec }: V1CustomResourceDefinition,
  version: V1CustomResourceDefinitionVersion,
  names: Names,
): string {
  const { kind, plural } = spec.names;
  const schema = version.schema?.openAPIV3Schema ?? {};
  const base = pascalCase(kind);
  const group = pascalCase(spec.group.split(".")[0]!);
  const name = names.take([base, `${base}Resource`, `${group}${base}`]);
  const writer = new TypeWriter(name, names, schema);
  const body = writer.body(schema, [], ["apiVersion", "kind", "metadata"]);
  const apiVersion = `${spec.group}/${version.name}`;
  const root = docComment(schema.description ?? `${kind} of ${apiVersion}.`, undefined, "") +
    `export interface ${name} extends KubeObject {\n` +
    `  apiVersion?: ${JSON.stringify(apiVersion)};\n` +
    `  kind?: ${JSON.stringify(kind)};\n${body}}\n`;
  const init = objectCode(
    Object.entries({ group: spec.group, version: version.name, kind, plural, scope: spec.scope })
      .map(([field, value]) => [field, JSON.stringify(value)]),
  );
  const constant =
    `/** The resource type of ${plural}.${spec.group} in version ${version.name}. */\n` +
    typedConstant(name, `ResourceType<${name}>`, callCode("resourceType", init));
  return [root, constant, ...writer.declarations].join("\n");
}
