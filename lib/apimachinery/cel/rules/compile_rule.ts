// Mirrors `schema/cel/compilation.go, Compile`.
import { trimSpace } from "../../values/go_text.ts";
import type { CelSchema, ValidationRule } from "../cel_schema.ts";
import { type Environment, standardFunctions } from "../environment.ts";
import { compile, CompileFailure, type Program } from "../program.ts";
import { celTypeOf, type DeclaredType } from "../schema/declared_type.ts";
import { type CelType, optionalOf } from "../types/cel_type.ts";
import { normaliseFieldPath } from "./field_path_rule.ts";

/**
 * A CEL rule with its compiled expression and message expression, or the errors of those that do
 * not compile. A rule without a program and without an error has an empty expression.
 */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: Program;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly message?: Program;
  readonly messageError?: string;
  /**
   * The normalized `fieldPath` of the CEL rule: the path from the validated value to the field that
   * the rule's errors name. Absent if the rule has none or an invalid one, and, as in
   * kube-apiserver, if the rule or its message expression does not compile.
   */
  readonly fieldPath?: string;
}

/**
 * The name of the CEL type of `self` in error messages. The names in kube-apiserver end in random
 * digits.
 */
const SELF_TYPE = "selfType0";

/**
 * Compiles the CEL rules of one node of a schema in steps, one rule in each, and returns all rules
 * in their order, also those that do not compile.
 */
export function* compileRules(
  schema: CelSchema,
  type: DeclaredType,
): Generator<void, CompiledRule[]> {
  const structs = new Map<string, ReadonlyMap<string, CelType>>();
  const self = celTypeOf(type, SELF_TYPE, structs);
  const environment = (oldSelf: CelType): Environment => ({
    variables: new Map([["self", self], ["oldSelf", oldSelf]]),
    structs,
    functions: standardFunctions(),
  });
  const compiled: CompiledRule[] = [];
  for (const rule of schema["x-kubernetes-validations"] ?? []) {
    const oldSelf = rule.optionalOldSelf ? optionalOf(self) : self;
    compiled.push(compileRule(rule, schema, environment(oldSelf)));
    yield;
  }
  return compiled;
}

function compileRule(
  rule: ValidationRule,
  schema: CelSchema,
  environment: Environment,
): CompiledRule {
  if (trimSpace(rule.rule ?? "") === "") return { rule, usesOldSelf: false };
  const program = compile(rule.rule, environment);
  if (program instanceof CompileFailure) {
    return { rule, usesOldSelf: false, error: `${program.stage} failed: ${program.text}` };
  }
  if (program.type.kind !== "bool") {
    return { rule, usesOldSelf: false, error: "cel expression must evaluate to a bool" };
  }
  const fieldPath = rule.fieldPath ? normaliseFieldPath(rule.fieldPath, schema) : undefined;
  const compiled: CompiledRule = { rule, program, usesOldSelf: program.uses("oldSelf") };
  if (!rule.messageExpression) {
    return { ...compiled, ...(fieldPath !== undefined && { fieldPath }) };
  }
  const message = compile(rule.messageExpression, environment);
  if (message instanceof CompileFailure) {
    const stage = message.stage === "compilation" ? "compilation" : "instantiation";
    return { ...compiled, messageError: `messageExpression ${stage} failed: ${message.text}` };
  }
  if (message.type.kind !== "string") {
    return { ...compiled, messageError: "messageExpression must evaluate to a string" };
  }
  return { ...compiled, message, ...(fieldPath !== undefined && { fieldPath }) };
}
