// Mirrors `policy/mutating/compilation.go, compilePolicy`.
import { type CelType, listOf, structType } from "@xca/apimachinery/internal/cel";
import {
  CelError,
  CelList,
  CelMap,
  CelStruct,
  type CelValue,
  toJson,
  toProtobufJson,
} from "@xca/apimachinery/internal/cel/expressions";
import { isStackOverflow } from "@xca/apimachinery/internal/errors";
import type { Json, JsonObject } from "@xca/apimachinery/internal/values";
import type { JsonPatchOperation } from "../../patch/json/json_patch_operation.ts";
import { Conditions } from "../conditions.ts";
import type { ExpressionScope } from "../expressions.ts";
import { Budget, Compiled, PolicyVariables, type Variables } from "./composed.ts";
import type { MutatingPolicySpec, Mutation } from "./policy.ts";

/**
 * The error for a mutation whose expression fails, whose result is not a patch, or whose patch does
 * not apply.
 */
export class MutationError extends Error {
  override readonly name = "MutationError";
}

/**
 * The result of a mutation of a MutatingAdmissionPolicy: JSON patch operations, or an apply
 * configuration.
 */
export type Patch =
  | { readonly operations: readonly JsonPatchOperation[] }
  | { readonly configuration: JsonObject };

/** The CEL types that the expressions of mutations must have, by the mutation's field. */
export const PATCH_TYPES: Readonly<Record<"applyConfiguration" | "jsonPatch", CelType>> = {
  applyConfiguration: structType("Object"),
  jsonPatch: listOf(structType("JSONPatch")),
};

/**
 * The match conditions and mutations of a MutatingAdmissionPolicy, which are compiled when they are
 * first evaluated.
 */
export class CompiledMutations {
  readonly conditions: Conditions | undefined;
  /**
   * The mutations of the policy: functions that evaluate one mutation in steps and return its
   * patch.
   *
   * @throws {MutationError} If the evaluation fails.
   *
   * @throws {OutOfBudget} If the evaluation exceeds the CEL cost budget.
   */
  readonly mutations: readonly ((variables: Variables) => Generator<void, Patch>)[];

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
): (outer: Variables) => Generator<void, Patch> {
  const isApply = patchType === "ApplyConfiguration";
  const { expression = "" } = (isApply ? applyConfiguration : jsonPatch) ?? {};
  const type = PATCH_TYPES[isApply ? "applyConfiguration" : "jsonPatch"];
  const scope = (): ExpressionScope => ({ ...variables.scope(true), isMutation: true });
  const compiled = new Compiled(expression, scope, [type]);
  return function* (outer) {
    const value = yield* evaluated(compiled, variables, outer);
    if (isApply) return { configuration: configurationOf(value as CelStruct) };
    return { operations: [...value as CelList].map((each) => operationOf(each as CelStruct)) };
  };
}

/**
 * Returns the value of a mutation's expression, evaluated in steps.
 *
 * @throws {MutationError} If the expression does not compile, or its evaluation fails.
 *
 * @throws {OutOfBudget} If the evaluation exceeds the CEL cost budget.
 */
function* evaluated(
  compiled: Compiled,
  own: PolicyVariables,
  outer: Variables,
): Generator<void, CelValue> {
  if (typeof compiled.program === "string") throw new MutationError(compiled.program);
  const budget = new Budget();
  const value = yield* budget.run(compiled, own.within(outer, budget));
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
    if (isStackOverflow(error)) throw error;
    throw new MutationError("invalid return type: *dynamic.ObjectVal", { cause: error });
  }
}

/** The JSON patch operations whose value is null if none is given. */
const NEEDS_VALUE = new Set(["add", "replace", "test"]);

function operationOf(value: CelStruct): JsonPatchOperation {
  const given = value.find("value");
  if (given instanceof CelStruct) checkNames(given);
  const operation: Record<string, Json> = {};
  for (const field of ["op", "path", "from"]) {
    const text = value.find(field);
    if (typeof text === "string" && (text !== "" || field !== "from")) operation[field] = text;
  }
  if (given !== undefined) operation["value"] = valueOf(given);
  else if (NEEDS_VALUE.has(String(operation["op"]))) operation["value"] = null;
  return { op: "", path: "", ...operation } as unknown as JsonPatchOperation;
}

function valueOf(value: CelValue): Json {
  try {
    return toProtobufJson(value);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    throw new MutationError(
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON: " +
        (error as Error).message,
      { cause: error },
    );
  }
}

/**
 * Checks that each struct in the result of a mutation has the type name of its field path, such as
 * `Object.spec` for the field `spec`.
 *
 * @throws {MutationError} If one has another name.
 */
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
