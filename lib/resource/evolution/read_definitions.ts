import { markClass } from "@xca/apimachinery/internal/base";
import type {
  V1CustomResourceDefinition,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import { isMap } from "@xca/apimachinery/internal/values";

/**
 * The error of {@linkcode readDefinitions} for manifests without a CustomResourceDefinition, or
 * with one that an API server could not read.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { DefinitionError, readDefinitions } from "@xca/operator/evolution";
 *
 * assert.throws(() => readDefinitions([{ kind: "Pod" }], "pod.yaml"), DefinitionError);
 * ```
 */
export class DefinitionError extends Error {
  /** The name of this error class, `DefinitionError`. */
  override readonly name = "DefinitionError";

  static {
    markClass(this, Symbol.for("@xca/operator/DefinitionError"));
  }
}

/**
 * Returns the CustomResourceDefinitions among manifests, the objects themselves; other kinds are
 * left out, and lists are not unpacked.
 *
 * @param source The name of the file or cluster that the manifests are of, for messages.
 * @throws {DefinitionError} When no manifest is a CustomResourceDefinition, or one is not of
 * `apiextensions.k8s.io/v1`, lacks a required field, or has a field with a value of a wrong type.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readDefinitions } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const [definition] = readDefinitions(xcaOperator.crds, "the Xca operator");
 * assert.equal(definition!.spec.names.kind, "Xca");
 * ```
 */
export function readDefinitions(
  manifests: readonly unknown[],
  source: string,
): readonly V1CustomResourceDefinition[] {
  const found = manifests.filter((each): each is Record<string, unknown> =>
    isMap(each) && each.kind === "CustomResourceDefinition"
  );
  if (found.length === 0) {
    const kinds = manifests.map((each) =>
      isMap(each) ? String(each.kind ?? "no kind") : "no object"
    );
    const has = kinds.length === 0 ? "it is empty" : `it has ${[...new Set(kinds)].join(", ")}`;
    throw new DefinitionError(`${source} has no CustomResourceDefinition: ${has}`);
  }
  return found.map((each) => checked(each, source));
}

function checked(manifest: Record<string, unknown>, source: string): V1CustomResourceDefinition {
  const metadata = isMap(manifest.metadata) ? manifest.metadata : {};
  const at = `${source}: ${String(metadata.name ?? "a definition without a name")}`;
  const refuse = (why: string): never => {
    throw new DefinitionError(`${at}: ${why}`);
  };
  if (manifest.apiVersion !== "apiextensions.k8s.io/v1") {
    refuse(
      `its apiVersion is ${manifest.apiVersion}, and only apiextensions.k8s.io/v1 is served since ` +
        "Kubernetes 1.22; convert it to v1, where each version has a schema of its own",
    );
  }
  const text = (value: unknown, path: string): void => {
    if (typeof value !== "string" || value === "") {
      refuse(`${path} must be a text that is not empty`);
    }
  };
  const map = (value: unknown, path: string): Record<string, unknown> =>
    isMap(value) ? value : refuse(`${path} must be an object`);
  text(metadata.name, "metadata.name");
  const spec = map(manifest.spec, "spec");
  text(spec.group, "spec.group");
  text(spec.scope, "spec.scope");
  const names = map(spec.names, "spec.names");
  text(names.plural, "spec.names.plural");
  text(names.kind, "spec.names.kind");
  if (!Array.isArray(spec.versions) || spec.versions.length === 0) {
    refuse("spec.versions must be a list of at least one version");
  }
  for (const [index, version] of (spec.versions as unknown[]).entries()) {
    const path = `spec.versions[${index}]`;
    text(map(version, path).name, `${path}.name`);
    const { schema } = version as { schema?: unknown };
    const root =
      map(schema ?? refuse(`${path}.schema is missing`), `${path}.schema`).openAPIV3Schema;
    if (root === undefined) refuse(`${path}.schema.openAPIV3Schema is missing`);
    const problem = schemaProblem(root, `${path}.schema.openAPIV3Schema`);
    if (problem !== undefined) refuse(problem);
  }
  return manifest as unknown as V1CustomResourceDefinition;
}

/**
 * The type tests for the values of the schema keywords that the comparison of definitions reads, by
 * keyword.
 */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: isText,
  format: isText,
  pattern: isText,
  description: isText,
  nullable: isBoolean,
  maximum: isNumber,
  minimum: isNumber,
  multipleOf: isNumber,
  maxLength: isNumber,
  minLength: isNumber,
  maxItems: isNumber,
  minItems: isNumber,
  maxProperties: isNumber,
  minProperties: isNumber,
  enum: Array.isArray,
  required: isTexts,
  properties: isMap,
  "x-kubernetes-list-type": isText,
  "x-kubernetes-list-map-keys": isTexts,
  "x-kubernetes-map-type": isText,
  "x-kubernetes-validations": (value) =>
    Array.isArray(value) && value.every((rule) => isMap(rule) && isText(rule.rule)),
  "x-kubernetes-preserve-unknown-fields": isBoolean,
  "x-kubernetes-embedded-resource": isBoolean,
  "x-kubernetes-int-or-string": isBoolean,
};

/**
 * Returns a message about the first keyword with a value of a wrong type in a schema or a schema
 * nested in it; `undefined` for a well-formed schema.
 */
function schemaProblem(schema: unknown, path: string): string | undefined {
  if (!isMap(schema)) return `${path} must be a schema`;
  for (const [keyword, value] of Object.entries(schema)) {
    const isRight = KEYWORDS[keyword];
    if (value === null || value === undefined) continue;
    if (isRight?.(value) === false) return `${path}.${keyword} has a value of a wrong type`;
  }
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema as {
    readonly [Keyword in keyof V1JSONSchemaProps]?: unknown;
  };
  const lists = Object.entries({ allOf, anyOf, oneOf });
  const wrong = lists.find(([, list]) =>
    list !== undefined && list !== null && !Array.isArray(list)
  );
  if (wrong !== undefined) return `${path}.${wrong[0]} must be a list`;
  const below: (readonly [string, unknown])[] = [
    ...Object.entries(properties ?? {}).map(([name, each]) =>
      [`properties[${name}]`, each] as const
    ),
    ...lists.flatMap(([name, list]) =>
      (list as unknown[] ?? []).map((each, index) => [`${name}[${index}]`, each] as const)
    ),
    ["additionalProperties", typeof additionalProperties === "boolean" ? {} : additionalProperties],
    ["items", items],
    ["not", not],
  ];
  for (const [name, each] of below) {
    if (each === undefined || each === null) continue;
    const problem = schemaProblem(each, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}
