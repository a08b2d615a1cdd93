import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { columnProblems, scaleProblems, selectableProblems } from "./check_paths.ts";
import type { ResourcePlan, VersionPlan } from "./resource_plan.ts";

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const WARNING_LENGTH = 256;

/**
 * Returns the problems of the versions of a resource definition as texts; empty if there are none.
 */
export function versionProblems(plan: ResourcePlan): string[] {
  const { versions } = plan;
  if (versions.length === 0) return ["versions must name a version"];
  const problems = storedProblems(plan);
  if (!versions.some(({ served }) => served)) problems.push("a version must be served");
  for (const version of versions) {
    const at = versions.length === 1 ? "" : `version ${version.name}: `;
    problems.push(...problemsOf(version).map((each) => `${at}${each}`));
  }
  return [...problems, ...sharedProblems(plan), ...conversionProblems(plan)];
}

/**
 * Returns the problem of versions that all list the same selectable fields in the same order, but
 * have different schemas; empty for other versions. The API server moves selectable fields that all
 * versions share to the top of the definition, and refuses them there unless the versions also
 * share a schema (`apiextensions/v1/conversion.go,
 * Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec`).
 */
function sharedProblems({ versions }: ResourcePlan): string[] {
  const [first, ...others] = versions;
  const { selectableFields = [] } = first!;
  const isAlike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  if (selectableFields.length === 0 || others.length === 0) return [];
  const sameFields = others.every((each) => isAlike(each.selectableFields, selectableFields));
  const sameSchema = others.every((each) => isAlike(each.schema, first!.schema));
  if (!sameFields || sameSchema) return [];
  return [
    "selectableFields must not be the same in all versions when their schemas differ, since the API " +
    "server refuses it; give them to some versions only, or in another order",
  ];
}

function storedProblems({ storedVersion, versions }: ResourcePlan): string[] {
  if (versions.some(({ isStored }) => isStored)) return [];
  const names = versions.map(({ name }) => name).join(", ");
  if (names === "") return ["version must be the name of a version, such as v1alpha1"];
  return storedVersion === undefined
    ? [`storedVersion must name the version that objects are stored in, one of ${names}`]
    : [`storedVersion is ${JSON.stringify(storedVersion)}, not one of ${names}`];
}

function problemsOf(version: VersionPlan): string[] {
  const { name, deprecated, status, subresources, schema, schemaFaults } = version;
  const problems = [...schemaFaults];
  if (name !== "" && !LABEL.test(name)) {
    const wanted = "must be lower case letters, digits and '-', such as v1alpha1";
    problems.push(`version ${wanted}, is ${JSON.stringify(name)}`);
  }
  if (deprecated === "" || typeof deprecated === "string" && deprecated.length > WARNING_LENGTH) {
    problems.push(`deprecated must be true or a text of 1 to ${WARNING_LENGTH} characters`);
  }
  if (subresources?.status === true && status === undefined) {
    problems.push("subresources.status needs a schema of the status");
  }
  if (schema === undefined) return problems;
  return [
    ...problems,
    ...headProblems(schema),
    ...columnProblems(schema, version.printerColumns),
    ...scaleProblems(schema, subresources?.scale),
    ...selectableProblems(schema, version.selectableFields),
  ];
}

/**
 * Returns the problems of `spec` and `status` in the schema of a version's objects, which must be
 * objects that are not nullable.
 */
function headProblems({ properties = {} }: V1JSONSchemaProps): string[] {
  return ["spec", "status"].flatMap((field) => {
    const schema = properties[field];
    if (schema === undefined) return [];
    if (schema.type !== "object") return [`${field} must be an object, such as s.object({ ... })`];
    return schema.nullable ? [`${field} must not be nullable; make it s.optional`] : [];
  });
}

/**
 * Returns the problems of the conversion functions of a resource definition, such as a missing
 * function between versions with different fields.
 */
function conversionProblems({ versions }: ResourcePlan): string[] {
  const problems: string[] = [];
  const converts = versions.some(({ convert }) => convert !== undefined);
  for (const { name, isStored, convert } of versions) {
    if (isStored && convert !== undefined) {
      problems.push(`version ${name} is stored and must not have convert`);
    }
    if (isStored || !converts) continue;
    for (const each of ["toStored", "fromStored"] as const) {
      if (typeof convert?.[each] === "function") continue;
      problems.push(`version ${name} needs convert.${each}, since versions are converted`);
    }
  }
  const stored = versions.find(({ isStored }) => isStored);
  if (converts || stored?.schema === undefined) return problems;
  const wanted = JSON.stringify(fieldsOf(stored.schema));
  for (const { name, schema } of versions) {
    if (schema === undefined || JSON.stringify(fieldsOf(schema)) === wanted) continue;
    problems.push(
      `version ${name} has other fields than the stored version ${stored.name}, and the API server ` +
        "would drop them; give it convert: { toStored, fromStored }",
    );
  }
  return problems;
}

/** Returns the fields at every depth of a schema with their types, to compare two versions. */
function fieldsOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema ?? null;
  const { type, properties = {}, items, additionalProperties } = schema as V1JSONSchemaProps;
  const names = Object.keys(properties).sort();
  return {
    type,
    properties: names.map((name) => [name, fieldsOf(properties[name])]),
    items: fieldsOf(items),
    values: fieldsOf(additionalProperties),
  };
}
