import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { optional } from "../schema/builders/modifier.ts";
import { object } from "../schema/builders/object.ts";
import type { AnySchema } from "../schema/schema.ts";
import { string } from "../schema/builders/text.ts";
import { nodeOf } from "../schema/schema_node.ts";
import type { VersionOptions } from "./resource_init.ts";

/** The options of a resource version that determine the schema of the version's objects. */
interface SchemaParts extends VersionOptions {
  readonly spec?: AnySchema;
  readonly status?: AnySchema;
}

/** The schema of the field `apiVersion` of every object. */
const API_VERSION = string({
  description: "The group and version of this representation of the object.",
});
/** The schema of the field `kind` of every object. */
const KIND = string({ description: "The kind of the object, in PascalCase." });

/**
 * Returns the JSON schema of the whole objects of one version of a kind.
 *
 * @throws {SchemaError} When a schema has faults.
 */
export function rootSchema(kind: string, parts: SchemaParts): V1JSONSchemaProps {
  const { description, spec, status, metadata: names = {}, rules } = parts;
  const { required, name, generateName } = names;
  const metadata = object({
    ...(name && { name: optional(name) }),
    ...(generateName && { generateName: optional(generateName) }),
  });
  const fields: Record<string, AnySchema> = {
    apiVersion: optional(API_VERSION),
    kind: optional(KIND),
    metadata: required ? metadata : optional(metadata),
    ...(spec && { spec }),
    ...(status && { status: nodeOf(status).presence === undefined ? optional(status) : status }),
  };
  return object(fields, {
    description: description ?? `${kind} is the schema of the ${kind} API.`,
    ...(rules && { rules }),
  }).json;
}
