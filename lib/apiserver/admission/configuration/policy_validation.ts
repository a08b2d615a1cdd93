// Mirrors `apis/admissionregistration/validation/validation.go, ValidateValidatingAdmissionPolicy`.
import { BOOL, type CelType, DYN, NULL, STRING } from "@xca/apimachinery/internal/cel";
import {
  declared,
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dns1035LabelProblems,
  dnsSubdomainProblems,
  pathSegmentNameProblems,
  qualifiedNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import { type ApiObject, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { ExpressionCode } from "../expression_code.ts";
import type { ExpressionScope } from "../expressions.ts";
import type {
  BindingSpec,
  MatchResources,
  ParamRef,
  PolicySpec,
  Validation,
} from "../policies/policy.ts";
import { expressionError, validateConditions, validateExpression } from "./condition_validation.ts";
import { validateNamedRule } from "./rule_validation.ts";

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const ACTIONS = ["Audit", "Deny", "Warn"];
const MOST_ANNOTATIONS = 20;
const LONGEST_ANNOTATION = 5 * 1024;
const RESERVED: ReadonlySet<string> = new Set(
  ("true false null in as break const continue else for function if import let loop package " +
    "namespace return var void while").split(" "),
);

/**
 * Validates a ValidatingAdmissionPolicy, in steps between which other requests may run, since a
 * policy may have thousands of expressions. Returns the field errors. An update does not validate
 * the match conditions if they and `paramKind` are unchanged.
 */
export function* validatePolicy(
  code: ExpressionCode,
  object: ApiObject,
  old?: ApiObject,
): Generator<void, FieldError[]> {
  const spec = (object["spec"] ?? {}) as PolicySpec;
  const before = old?.["spec"] as PolicySpec | undefined;
  const path = FieldPath.of("spec");
  const hasParams = spec.paramKind !== undefined;
  const errors: FieldError[] = [];
  if (spec.failurePolicy === undefined) errors.push(required(path.child("failurePolicy")));
  else if (!["Fail", "Ignore"].includes(spec.failurePolicy)) {
    const at = path.child("failurePolicy");
    errors.push(notSupported(at, spec.failurePolicy, ["Fail", "Ignore"]));
  }
  if (spec.paramKind) errors.push(...validateParamKind(spec.paramKind, path.child("paramKind")));
  errors.push(...validateConstraints(spec.matchConstraints, path.child("matchConstraints")));
  const areConditionsOld = before !== undefined && same(spec.paramKind, before.paramKind) &&
    same(spec.matchConditions, before.matchConditions);
  if (!areConditionsOld) {
    errors.push(
      ...yield* validateConditions(
        code,
        spec.matchConditions,
        path.child("matchConditions"),
        hasParams,
      ),
    );
  }
  const variables = new Map<string, CelType>();
  errors.push(...yield* validateVariables(code, spec, path.child("variables"), variables));
  const scope = (hasAuthorizer: boolean): ExpressionScope => ({
    hasParams,
    hasAuthorizer,
    ...(spec.variables?.length && { variables }),
  });
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = "validations or auditAnnotations must contain at least one item";
    errors.push(required(path.child("validations"), why));
    errors.push(required(path.child("auditAnnotations"), why));
    return errors;
  }
  for (const [index, validation] of validations.entries()) {
    errors.push(
      ...yield* validateValidation(code, validation, path.child("validations").index(index), scope),
    );
  }
  errors.push(
    ...yield* validateAnnotations(code, object, spec, path.child("auditAnnotations"), scope(true)),
  );
  return errors;
}

function same(a: unknown, b: unknown): boolean {
  return jsonEqual(a as Json | undefined, b as Json | undefined);
}

/** Validates the `paramKind` of an admission policy, and returns the field errors. */
export function validateParamKind(
  { apiVersion = "", kind = "" }: NonNullable<PolicySpec["paramKind"]>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child("apiVersion");
  const parts = apiVersion.split("/");
  if (apiVersion === "") errors.push(required(at));
  else if (parts.length > 2) {
    errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else {
    const [group, version] = parts.length === 2 ? parts as [string, string] : ["", parts[0]!];
    const groupProblems = group === "" ? [] : dnsSubdomainProblems(group);
    if (groupProblems.length > 0) errors.push(invalid(at, group, groupProblems.join(",")));
    if (version === "") errors.push(invalid(at, apiVersion, "version must be specified"));
    else {
      const problems = dns1035LabelProblems(version);
      if (problems.length > 0) errors.push(invalid(at, version, problems.join(",")));
    }
  }
  const problems = dns1035LabelProblems(kind.toLowerCase());
  if (kind === "") errors.push(required(path.child("kind")));
  else if (problems.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    errors.push(invalid(path.child("kind"), kind, why));
  }
  return errors;
}

/**
 * Validates the match constraints of an admission policy, which are required and must have a
 * resource rule, and returns the field errors.
 */
export function validateConstraints(
  constraints: MatchResources | undefined,
  path: FieldPath,
): FieldError[] {
  if (!constraints) return [required(path)];
  const errors = validateMatchResources(constraints, path);
  if (!constraints.resourceRules?.length) errors.push(required(path.child("resourceRules")));
  return errors;
}

/**
 * Validates the match constraints of an admission policy or the match resources of a binding, and
 * returns the field errors.
 */
export function validateMatchResources(resources: MatchResources, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { matchPolicy, namespaceSelector, objectSelector } = resources;
  if (matchPolicy === undefined) errors.push(required(path.child("matchPolicy")));
  else if (!["Equivalent", "Exact"].includes(matchPolicy)) {
    errors.push(notSupported(path.child("matchPolicy"), matchPolicy, ["Equivalent", "Exact"]));
  }
  errors.push(
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector")),
    ...validateLabelSelector(objectSelector, path.child("objectSelector")),
  );
  for (const name of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (resources[name] ?? []).entries()) {
      errors.push(...validateNamedRule(rule, path.child(name).index(index)));
    }
  }
  return errors;
}

/**
 * Validates the variables of an admission policy in their order, in steps, and returns the field
 * errors. A variable may use the variables before it. The CEL types of the variables are added to
 * `types`.
 */
export function* validateVariables(
  code: ExpressionCode,
  { variables = [], paramKind }: Pick<PolicySpec, "variables" | "paramKind">,
  path: FieldPath,
  types: Map<string, CelType>,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, { name = "", expression = "" }] of variables.entries()) {
    const at = path.index(index);
    if (name.trim() === "") errors.push(required(at.child("name"), "name is not specified"));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name)) {
      errors.push(invalid(at.child("name"), name, "must be a valid CEL identifier"));
    }
    if (expression.trim() === "") {
      errors.push(required(at.child("expression"), "expression is not specified"));
      continue;
    }
    const scope = { hasParams: paramKind !== undefined, hasAuthorizer: true, variables: types };
    yield;
    const compiled = code.compileExpression(expression, scope);
    if ("problem" in compiled) {
      errors.push(expressionError(expression, at.child("expression"), compiled));
    }
    types.set(name, "problem" in compiled ? DYN : compiled.type);
  }
  return errors;
}

function* validateValidation(
  code: ExpressionCode,
  { expression = "", message, messageExpression, reason }: Validation,
  path: FieldPath,
  scope: (hasAuthorizer: boolean) => ExpressionScope,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  if (expression.trim() === "") {
    errors.push(required(path.child("expression"), "expression is not specified"));
  } else {
    const at = path.child("expression");
    errors.push(...yield* validateExpression(code, expression, at, scope(true), [BOOL]));
  }
  if (messageExpression) {
    const at = path.child("messageExpression");
    if (messageExpression.trim() === "") {
      errors.push(invalid(at, messageExpression, "must be non-empty if specified"));
    } else {errors.push(
        ...yield* validateExpression(code, messageExpression, at, scope(false), [STRING]),
      );}
  }
  if (message) {
    const at = path.child("message");
    if (message.trim() === "") {
      errors.push(invalid(at, message, "must be non-empty if specified"));
    } else if (/[\n\r]/.test(message.trim())) {
      errors.push(invalid(at, message, "must not contain line breaks"));
    }
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(notSupported(path.child("reason"), reason, REASONS));
  }
  return errors;
}

function* validateAnnotations(
  code: ExpressionCode,
  { metadata: { name = "" } }: ApiObject,
  { auditAnnotations = [] }: PolicySpec,
  path: FieldPath,
  scope: ExpressionScope,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  if (auditAnnotations.length > MOST_ANNOTATIONS) {
    const why = `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`;
    errors.push(invalid(path, auditAnnotations, why));
  }
  const keys = new Set<string>();
  for (const [index, { key = "", valueExpression = "" }] of auditAnnotations.entries()) {
    const at = path.index(index);
    if (name === "") {
      errors.push(invalid(at.child("key"), key, "requires metadata.name be non-empty"));
    }
    for (const problem of name === "" ? [] : qualifiedNameProblems(`${name}/${key}`)) {
      errors.push(invalid(at.child("key"), `${name}/${key}`, problem));
    }
    const valueAt = at.child("valueExpression");
    errors.push(...yield* validateAnnotationValue(code, valueExpression, valueAt, scope));
    if (keys.has(key)) errors.push(duplicate(at.child("key"), key));
    keys.add(key);
  }
  return errors;
}

function* validateAnnotationValue(
  code: ExpressionCode,
  expression: string,
  path: FieldPath,
  scope: ExpressionScope,
): Generator<void, FieldError[]> {
  const text = expression.trim();
  if (text === "") return [required(path, "valueExpression is not specified")];
  if (byteLength(text) > LONGEST_ANNOTATION) {
    return [required(path, `must not exceed ${LONGEST_ANNOTATION} bytes in length`)];
  }
  return yield* validateExpression(code, text, path, scope, [STRING, NULL]);
}

/** Validates a ValidatingAdmissionPolicyBinding, and returns the field errors. */
export function validateBinding(object: ApiObject): FieldError[] {
  const spec = (object["spec"] ?? {}) as BindingSpec;
  const path = FieldPath.of("spec");
  const { policyName = "", paramRef, matchResources, validationActions = [] } = spec;
  const errors: FieldError[] = [];
  if (policyName === "") errors.push(...declared(required(path.child("policyName"))));
  else {
    for (const problem of dnsSubdomainProblems(policyName)) {
      errors.push(invalid(path.child("policyName"), policyName, problem));
    }
  }
  if (paramRef) errors.push(...validateParamRef(paramRef, path.child("paramRef")));
  if (matchResources) {
    errors.push(...validateMatchResources(matchResources, path.child("matchResources")));
  }
  errors.push(...validateActions(validationActions, path.child("validationActions")));
  return errors;
}

/** Validates the `paramRef` of an admission policy binding, and returns the field errors. */
export function validateParamRef(ref: ParamRef, path: FieldPath): FieldError[] {
  const { name = "", selector, parameterNotFoundAction = "" } = ref;
  const errors: FieldError[] = [];
  const exclusive = "name and selector are mutually exclusive";
  for (const problem of name === "" ? [] : pathSegmentNameProblems(name, false)) {
    errors.push(invalid(path.child("name"), name, problem));
  }
  if (name !== "" && selector) errors.push(forbiddenField(path.child("name"), exclusive));
  if (selector) {
    errors.push(...validateLabelSelector(selector, path.child("selector")));
    if (name !== "") errors.push(forbiddenField(path.child("selector"), exclusive));
  }
  if (name === "" && !selector) {
    errors.push(required(path, "one of name or selector must be specified"));
  }
  const at = path.child("parameterNotFoundAction");
  if (parameterNotFoundAction === "") errors.push(required(at));
  else if (!["Deny", "Allow"].includes(parameterNotFoundAction)) {
    errors.push(notSupported(at, parameterNotFoundAction, ["Deny", "Allow"]));
  }
  return errors;
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  if (actions.length === 0) {
    return declared(required(path));
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) {
      errors.push(notSupported(path.index(index), action, ACTIONS));
    }
    if (seen.has(action)) errors.push(duplicate(path.index(index), action));
    seen.add(action);
  }
  if (seen.has("Deny") && seen.has("Warn")) {
    const why = "must not contain both Deny and Warn (repeating the same validation failure " +
      "information in the API response and headers serves no purpose)";
    errors.push(invalid(path, actions, why));
  }
  return errors;
}
