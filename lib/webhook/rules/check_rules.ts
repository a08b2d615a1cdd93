import type { UnstructuredObject } from "@xca/apimachinery/meta";
import { fieldErrorText } from "@xca/apimachinery/internal/errors";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { V1ValidatingAdmissionPolicy } from "@xca/apimachinery/kubernetes-types";
import { policiesOf } from "./policies_of.ts";

/**
 * Checks the CEL rules of an operator, as the API server does when it receives them: syntax and
 * functions, and, for rules in a CustomResourceDefinition, the types and the cost, which follow
 * from its schema. Does nothing if no webhook of the operator has a rule. The first check loads the
 * CEL implementation, some 400 KB.
 *
 * @throws {TypeError} When a rule is invalid (the message has each problem with its position), or
 * {@linkcode policiesOf} refuses the operator.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, defineOperator, Pod } from "@xca/operator";
 * import { checkRules, webhookFor } from "@xca/operator/webhook";
 *
 * const operator = defineOperator({
 *   name: "guard",
 *   controllers: [controllerFor(Pod).reconcile(() => {})],
 *   webhooks: [webhookFor(Pod).rule("self.spec.", { message: "never" })],
 * });
 * await assert.rejects(checkRules(operator), /Syntax error/);
 * ```
 */
export async function checkRules(
  operator: Pick<Operator, "name" | "webhooks" | "crds">,
): Promise<void> {
  if (operator.webhooks.every(({ rules }) => rules.length === 0)) return;
  const problems = [
    ...(await Promise.all(operator.crds.map(definitionProblems))).flat(),
    ...await policyProblems(operator),
  ];
  if (problems.length === 0) return;
  throw new TypeError(
    `Cannot use the rules of operator ${operator.name}:\n${problems.join("\n")}`,
  );
}

/** The part of a CustomResourceDefinition that contains the schemas of its versions. */
interface Definition extends UnstructuredObject {
  readonly spec?: {
    readonly versions?: readonly { readonly schema?: { readonly openAPIV3Schema?: object } }[];
  };
}

/** Returns the problems of the CEL rules in a CustomResourceDefinition, as texts for a message. */
async function definitionProblems(crd: Definition): Promise<string[]> {
  const { SCHEMA_CODE } = await import("@xca/apimachinery/internal/schema");
  const { FieldPath } = await import("@xca/apimachinery/internal/errors");
  const { checkCustomRules } = await SCHEMA_CODE.get();
  return (crd.spec?.versions ?? []).flatMap(({ schema }, at) => {
    const path = FieldPath.of("spec", "versions").index(at).child("schema", "openAPIV3Schema");
    const steps = checkCustomRules(schema?.openAPIV3Schema ?? {}, path);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { ruleErrors, errors } = step.value;
    return [...ruleErrors, ...errors].map((error) =>
      withRemedy(`${crd.metadata.name}: ${fieldErrorText(error)}`)
    );
  });
}

/**
 * Appends the remedy to the problem of a rule that refers to parameters although there are none;
 * returns other problems unchanged.
 */
function withRemedy(problem: string): string {
  if (!problem.includes("undeclared reference to 'params'")) return problem;
  return `${problem}\n(for params, give webhookFor the option parameters: { type, name })`;
}

/**
 * Returns the problems of those CEL rules of an operator that admission policies contain, as texts
 * for a message.
 */
async function policyProblems(
  operator: Pick<Operator, "name" | "webhooks" | "crds">,
): Promise<string[]> {
  const policies = policiesOf(operator)
    .filter((each): each is V1ValidatingAdmissionPolicy =>
      each.kind === "ValidatingAdmissionPolicy"
    );
  if (policies.length === 0) return [];
  const { compile, CompileFailure, standardFunctions } = await import(
    "@xca/apimachinery/internal/cel/expressions"
  );
  const { BOOL, DYN, STRING } = await import("@xca/apimachinery/internal/cel");
  const variables = new Map([["object", DYN], ["oldObject", DYN]]);
  const plain = { variables, structs: new Map(), functions: standardFunctions() };
  const withParameters = { ...plain, variables: new Map([...variables, ["params", DYN]]) };
  const problemOf = (
    source: string,
    expected: typeof BOOL,
    environment: typeof plain,
  ): string | undefined => {
    const program = compile(source, environment);
    if (program instanceof CompileFailure) return withRemedy(program.text);
    if (program.type.kind === expected.kind || program.type.kind === DYN.kind) return undefined;
    return `must evaluate to ${expected === BOOL ? "bool" : "string"}`;
  };
  return policies.flatMap(({ metadata, spec }) =>
    (spec?.validations ?? []).flatMap(({ expression, messageExpression }, at) => {
      const environment = spec?.paramKind === undefined ? plain : withParameters;
      const found = {
        expression: problemOf(expression, BOOL, environment),
        messageExpression: messageExpression && problemOf(messageExpression, STRING, environment),
      };
      return Object.entries(found).filter(([, problem]) => problem)
        .map(([name, problem]) => `${metadata.name}: spec.validations[${at}].${name}: ${problem}`);
    })
  );
}
