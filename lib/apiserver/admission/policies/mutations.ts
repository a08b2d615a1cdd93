import { type CelType, listOf, structType } from "@xca/apimachinery/internal/cel";
import {
  CelError,
  CelList,
  CelMap,
  CelStruct,
  type CelValue,
  toJson,
} from "@xca/apimachinery/internal/cel/expressions";
import type { Json, JsonObject } from "@xca/apimachinery/internal/values";
import type { JsonPatchOperation } from "../../patch/json_patch_operation.ts";
import { Conditions } from "../conditions.ts";
import {
  Budget,
  type Compiled,
  compiledExpression,
  PolicyVariables,
  type Variables,
} from "./composed.ts";
import type { MutatingPolicySpec, Mutation } from "./policy.ts";

/** A policy's expression did not come to a patch. */
export class MutationError extends Error {
  override readonly name = "MutationError";
}

/** What a mutation comes to: operations, or what an object shall have. */
export type Patch =
  | { readonly operations: readonly JsonPatchOperation[] }
  | { readonly configuration: JsonObject };

/** What expressions of mutations must evaluate to. */
export const PATCH_TYPES: Readonly<Record<"applyConfiguration" | "jsonPatch", CelType>> = {
  applyConfiguration: structType("Object"),
  jsonPatch: listOf(structType("JSONPatch")),
};

/** A MutatingAdmissionPolicy whose expressions are compiled. */
export class CompiledMutations {
  readonly conditions: Conditions | undefined;
  readonly mutations: readonly ((variables: Variables) => Patch)[];

  constructor({ paramKind, matchConditions = [], ...spec }: MutatingPolicySpec) {
    const hasParams = paramKind !== undefined;
    this.conditions = matchConditions.length > 0
      ? new Conditions(matchConditions, hasParams)
      : undefined;
    const variables = new PolicyVariables(spec.variables ?? [], hasParams);
    this.mutations = (spec.mutations ?? []).map((mutation) =>
      compiledMutation(mutation, variables)
    );
  }
}

function compiledMutation(
  { patchType, applyConfiguration, jsonPatch }: Mutation,
  variables: PolicyVariables,
): (outer: Variables) => Patch {
  const isApply = patchType === "ApplyConfiguration";
  const { expression = "" } = (isApply ? applyConfiguration : jsonPatch) ?? {};
  const type = PATCH_TYPES[isApply ? "applyConfiguration" : "jsonPatch"];
  const scope = { ...variables.scope(true), isMutation: true };
  const compiled = compiledExpression(expression, scope, [type]);
  return (outer) => {
    const value = evaluated(compiled, variables, outer);
    if (isApply) return { configuration: configurationOf(value as CelStruct) };
    return { operations: [...value as CelList].map((each) => operationOf(each as CelStruct)) };
  };
}

/** @throws {MutationError} */
function evaluated(
  { source, program }: Compiled,
  own: PolicyVariables,
  outer: Variables,
): CelValue {
  if (typeof program === "string") throw new MutationError(program);
  const budget = new Budget();
  const value = budget.run({ source, program }, own.within(outer, budget));
  if (typeof value === "object" && value !== null && "problem" in value) {
    throw new MutationError(value.problem);
  }
  return value;
}

function configurationOf(value: CelStruct): JsonObject {
  checkNames(value);
  try {
    return toJson(value) as JsonObject;
  } catch (error) {
    throw new MutationError("invalid return type: *dynamic.ObjectVal", { cause: error });
  }
}

function operationOf(value: CelStruct): JsonPatchOperation {
  const given = value.find("value");
  if (given instanceof CelStruct) checkNames(given);
  const operation: Record<string, Json> = {};
  for (const field of ["op", "path", "from"]) {
    const text = value.find(field);
    if (typeof text === "string" && (text !== "" || field !== "from")) operation[field] = text;
  }
  if (given !== undefined) operation["value"] = valueOf(given);
  return { op: "", path: "", ...operation } as unknown as JsonPatchOperation;
}

function valueOf(value: CelValue): Json {
  try {
    return toJson(value);
  } catch (error) {
    throw new MutationError(
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON: " +
        (error as Error).message,
      { cause: error },
    );
  }
}

/** That what is built is named by where it stands: `Object.spec` in `spec`. @throws {MutationError} */
function checkNames(value: CelStruct): void {
  const problems = nameProblems(value, value.typeName);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join("\n")}`);
}

function nameProblems(value: CelValue, expected: string): string[] {
  if (value instanceof CelList) return [...value].flatMap((each) => nameProblems(each, expected));
  if (!(value instanceof CelMap)) return [];
  const isStruct = value instanceof CelStruct;
  const problems = isStruct && value.typeName !== expected
    ? [
      `unexpected type name "${value.typeName}", expected "${expected}", which matches field name ` +
      "path from root Object type",
    ]
    : [];
  for (const key of value.keys()) {
    const field = value.find(key) ?? null;
    if (field instanceof CelError) continue;
    problems.push(...nameProblems(field, isStruct ? `${expected}.${key}` : expected));
  }
  return problems;
}
