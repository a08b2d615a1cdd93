/**
 * The generation of `defineResource` calls from CustomResourceDefinitions.
 *
 * @module
 */
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { defineResource } from "../define_resource.ts";
import * as s from "../schema/s.ts";
import type { AnySchema } from "../schema/schema.ts";
import { callCode, type Code, jsonCode, objectCode } from "./code.ts";
import { fieldName } from "./names.ts";

/** The names of the generated constants with the schemas of a version's `spec` and `status`. */
export interface FieldConstants {
  /** The name of the generated constant with the schema of `spec`; absent without a `spec`. */
  readonly spec?: string | undefined;
  /** The name of the generated constant with the schema of `status`; absent without a `status`. */
  readonly status?: string | undefined;
}

/**
 * Returns the source code of a call of `defineResource` that creates a CustomResourceDefinition
 * which an API server treats as equal to the given one; `undefined` if there is no such call, such
 * as for a definition with several versions or with fields beside `spec` and `status`.
 */
export function definedCode(
  definition: V1CustomResourceDefinition,
  constants: FieldConstants,
): Code | undefined {
  const { spec } = definition;
  const [version] = spec.versions;
  const root = version?.schema?.openAPIV3Schema;
  if (version === undefined || spec.versions.length > 1 || root === undefined) return undefined;
  const { names } = spec;
  const { status, scale } = version.subresources ?? {};
  const subresources = {
    ...(root.properties?.status !== undefined && status === undefined && { status: false }),
    ...(scale !== undefined && { scale }),
  };
  const rules = root["x-kubernetes-validations"];
  const head = {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    ...(names.singular !== names.kind.toLowerCase() && { singular: names.singular }),
    ...(names.listKind !== `${names.kind}List` && { listKind: names.listKind }),
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    ...(spec.scope !== "Namespaced" && { scope: spec.scope }),
    ...(definition.metadata.labels && { labels: definition.metadata.labels }),
    ...(definition.metadata.annotations && { annotations: definition.metadata.annotations }),
    description: root.description ?? "",
  };
  const tail = {
    ...(Object.keys(subresources).length > 0 && { subresources }),
    printerColumns: version.additionalPrinterColumns ?? [],
    ...(version.selectableFields &&
      { selectableFields: version.selectableFields.map(({ jsonPath }) => jsonPath) }),
    ...(root.required?.includes("metadata") && { metadata: { required: true } }),
    ...(rules !== undefined && { rules }),
  };
  const schemas: Record<string, AnySchema> = {};
  const codes: [string, Code][] = [];
  for (const [name, constant] of Object.entries(constants)) {
    const json = root.properties?.[name];
    if (json === undefined || constant === undefined) continue;
    const isOptional = name === "spec" && !root.required?.includes("spec");
    schemas[name] = isOptional ? s.optional({ json }) : { json };
    codes.push([name, isOptional ? callCode("s.optional", constant) : constant]);
  }
  if (!isWritten({ ...head, ...schemas, ...tail }, definition)) return undefined;
  const json = (fields: object): [string, Code][] =>
    Object.entries(fields).map(([name, value]) => [fieldName(name), jsonCode(value, fieldName)]);
  return callCode("defineResource", objectCode([...json(head), ...codes, ...json(tail)]));
}

/**
 * Reports whether `defineResource` with the given argument creates a definition that an API server
 * treats as equal to the given one.
 */
function isWritten(init: object, { metadata, spec }: V1CustomResourceDefinition): boolean {
  try {
    const { crd } = defineResource(init as Parameters<typeof defineResource>[0]);
    const { name, labels, annotations } = metadata;
    const own = { name, ...(labels && { labels }), ...(annotations && { annotations }) };
    return jsonEqual(sorted(plain(crd.spec)), sorted(plain(spec))) && jsonEqual(crd.metadata, own);
  } catch {
    return false; // `defineResource` refuses it; the module holds it as JSON instead.
  }
}

/**
 * Returns the spec of a CustomResourceDefinition without the parts that an API server ignores: the
 * descriptions of `apiVersion` and `kind`, which it replaces by its own, and an empty set of
 * subresources.
 *
 * Mirrors `pkg/controller/openapi/builder/builder.go, addTypeMetaProperties`.
 */
function plain(spec: V1CustomResourceDefinition["spec"]): V1CustomResourceDefinition["spec"] {
  const versions = spec.versions.map((version) => {
    const { subresources, schema, ...rest } = version;
    const { properties = {}, ...root } = schema?.openAPIV3Schema ?? {};
    const fields = Object.entries(properties).map(([name, field]) => {
      if (name !== "apiVersion" && name !== "kind") return [name, field] as const;
      const { description: _, ...type } = field;
      return [name, type] as const;
    });
    return {
      ...rest,
      ...(Object.keys(subresources ?? {}).length > 0 && { subresources: subresources! }),
      schema: { openAPIV3Schema: { ...root, properties: Object.fromEntries(fields) } },
    };
  });
  return { ...spec, versions };
}

/**
 * Returns a JSON value with its lists of required fields sorted, and without a conversion of
 * strategy `None`.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, each]) =>
    name !== "conversion" || !jsonEqual(each, { strategy: "None" })
  );
  return Object.fromEntries(fields.map(([name, each]) => [
    name,
    name === "required" && Array.isArray(each) ? each.toSorted() : sorted(each),
  ]));
}
