import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { isMap } from "@xca/apimachinery/internal/values";

/**
 * Returns the reasons why an API server refuses a new CustomResourceDefinition; empty for a valid
 * one. If the `apiVersion`, the `kind` or the type of a field is wrong, the result lists only such
 * faults, and validation does not run; the messages of validation are those of the API server. The
 * code of the API server's validation, CEL included, is loaded at the first use.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { problemsOfCrd } from "@xca/operator/resource";
 *
 * const problems = await problemsOfCrd({
 *   apiVersion: "apiextensions.k8s.io/v1",
 *   kind: "CustomResourceDefinition",
 *   metadata: { name: "locks.example.org" },
 *   spec: {
 *     group: "example.org",
 *     names: { kind: "Lock", plural: "locks", singular: "LOCK" },
 *     scope: "Namespaced",
 *     versions: [{ name: "v1", served: true, storage: true }],
 *   },
 * });
 * assert.match(problems[0]!, /^spec.versions\[0\].schema.openAPIV3Schema: Required value/);
 * assert.match(problems[1]!, /^spec.names.singular: Invalid value: "LOCK"/);
 * ```
 */
export async function problemsOfCrd(crd: unknown): Promise<readonly string[]> {
  const shape = shapeProblems(crd);
  if (shape.length > 0) return shape;
  const { definitionProblems } = await import("../evolution/definition_problems.ts");
  return await definitionProblems(withEmptyFields(crd as V1CustomResourceDefinition));
}

/**
 * Returns a copy of a CustomResourceDefinition in which required fields that were absent have empty
 * values, as after decoding in Go.
 */
function withEmptyFields(crd: V1CustomResourceDefinition): V1CustomResourceDefinition {
  const { spec } = crd;
  const versions = spec.versions.map((version) => ({
    ...{ name: "", served: false, storage: false },
    ...version,
  }));
  const names = { ...{ kind: "", plural: "" }, ...spec.names };
  return { ...crd, spec: { ...{ group: "", scope: "" }, ...spec, names, versions } };
}

/**
 * Returns the problems of the form of a CustomResourceDefinition manifest: a wrong `apiVersion` or
 * `kind`, and wrong types of the fields that validation reads.
 */
function shapeProblems(crd: unknown): string[] {
  if (!isMap(crd)) return ["a CustomResourceDefinition must be an object"];
  const problems: string[] = [];
  const expect = (field: string, value: unknown, wanted: string): void => {
    if (value !== wanted) problems.push(`${field}: must be ${wanted}, is ${shown(value)}`);
  };
  expect("apiVersion", crd.apiVersion, "apiextensions.k8s.io/v1");
  expect("kind", crd.kind, "CustomResourceDefinition");
  const { metadata, spec } = crd;
  if (isMap(spec)) {
    problems.push(
      ...textProblems("spec.group", spec.group),
      ...textProblems("spec.scope", spec.scope),
    );
  }
  if (!isMap(metadata)) problems.push(mapExpected("metadata", metadata));
  if (!isMap(spec)) return [...problems, mapExpected("spec", spec)];
  if (!isMap(spec.names)) problems.push(mapExpected("spec.names", spec.names));
  else {
    for (const name of ["kind", "plural", "singular", "listKind"]) {
      problems.push(...textProblems(`spec.names.${name}`, spec.names[name]));
    }
  }
  if (!Array.isArray(spec.versions)) {
    return [...problems, `spec.versions: must be an array, is ${shown(spec.versions)}`];
  }
  for (const [index, version] of spec.versions.entries()) {
    const at = `spec.versions[${index}]`;
    if (!isMap(version)) problems.push(mapExpected(at, version));
    else problems.push(...versionProblems(at, version));
  }
  return problems;
}

function versionProblems(at: string, { name, schema }: Record<string, unknown>): string[] {
  const problems = textProblems(`${at}.name`, name);
  if (schema === undefined || schema === null) return problems;
  if (!isMap(schema)) return [...problems, mapExpected(`${at}.schema`, schema)];
  const { openAPIV3Schema: root } = schema;
  if (root === undefined || root === null || isMap(root)) return problems;
  return [...problems, mapExpected(`${at}.schema.openAPIV3Schema`, root)];
}

function textProblems(field: string, value: unknown): string[] {
  if (value === undefined || typeof value === "string") return [];
  return [`${field}: must be a string, is ${shown(value)}`];
}

function mapExpected(field: string, value: unknown): string {
  return `${field}: must be an object, is ${shown(value)}`;
}

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "an array" : JSON.stringify(value);
}
