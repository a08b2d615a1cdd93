// Mirrors `apis/admissionregistration/validation/validation.go, ValidateMutatingAdmissionPolicy`.
import type { CelType } from "@xca/apimachinery/internal/cel";
import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { dnsSubdomainProblems } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type {
  BindingSpec,
  MatchResources,
  MutatingPolicySpec,
  Mutation,
} from "../policies/policy.ts";
import type { ExpressionCode } from "../expression_code.ts";
import type { ExpressionScope } from "../expressions.ts";
import { validateConditions, validateExpression } from "./condition_validation.ts";
import {
  validateConstraints,
  validateMatchResources,
  validateParamKind,
  validateParamRef,
  validateVariables,
} from "./policy_validation.ts";

const SPEC = FieldPath.of("spec");
/** The names of the fields of a mutation that contain the patch's expression, by `patchType`. */
const PATCHES = { ApplyConfiguration: "applyConfiguration", JSONPatch: "jsonPatch" } as const;
const OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];

/**
 * Validates a MutatingAdmissionPolicy, in steps between which other requests may run, since a
 * policy may have thousands of expressions. Returns the field errors.
 */
export function* validateMutatingPolicy(
  code: ExpressionCode,
  object: ApiObject,
): Generator<void, FieldError[]> {
  const spec = (object["spec"] ?? {}) as MutatingPolicySpec;
  const { failurePolicy, paramKind, matchConstraints, mutations = [] } = spec;
  const errors = validateChoice("failurePolicy", failurePolicy, ["Fail", "Ignore"]);
  if (paramKind) errors.push(...validateParamKind(paramKind, SPEC.child("paramKind")));
  const at = SPEC.child("matchConstraints");
  errors.push(
    ...validateConstraints(matchConstraints, at),
    ...validateOperations(matchConstraints, at),
    ...yield* validateConditions(
      code,
      spec.matchConditions,
      SPEC.child("matchConditions"),
      paramKind !== undefined,
    ),
  );
  const types = new Map<string, CelType>();
  errors.push(...yield* validateVariables(code, spec, SPEC.child("variables"), types));
  const scope: ExpressionScope = {
    hasParams: paramKind !== undefined,
    hasAuthorizer: true,
    isMutation: true,
    variables: types,
  };
  const path = SPEC.child("mutations");
  if (mutations.length === 0) {
    errors.push(required(path, "mutations must contain at least one item"));
  }
  for (const [index, mutation] of mutations.entries()) {
    errors.push(...yield* validateMutation(code, mutation, path.index(index), scope));
  }
  errors.push(
    ...validateChoice("reinvocationPolicy", spec.reinvocationPolicy, ["IfNeeded", "Never"]),
  );
  return errors;
}

/** Validates a MutatingAdmissionPolicyBinding, and returns the field errors. */
export function validateMutatingBinding(object: ApiObject): FieldError[] {
  const spec = (object["spec"] ?? {}) as BindingSpec;
  const { policyName = "", paramRef, matchResources } = spec;
  const path = SPEC.child("policyName");
  const errors = policyName === ""
    ? [required(path)]
    : dnsSubdomainProblems(policyName).map((problem) => invalid(path, policyName, problem));
  if (paramRef) errors.push(...validateParamRef(paramRef, SPEC.child("paramRef")));
  const at = SPEC.child("matchResources");
  if (matchResources) errors.push(...validateMatchResources(matchResources, at));
  return [...errors, ...validateOperations(matchResources, at)];
}

function validateChoice(
  field: string,
  value: string | undefined,
  supported: readonly string[],
): FieldError[] {
  if (!value) return [required(SPEC.child(field))];
  return supported.includes(value) ? [] : [notSupported(SPEC.child(field), value, supported)];
}

/**
 * Checks that the resource rules of a MutatingAdmissionPolicy or its binding name no operation but
 * `CREATE`, `UPDATE`, `CONNECT` and `*`: a `DELETE` has no object that a policy could change.
 * Returns the field errors.
 */
function validateOperations(resources: MatchResources | undefined, path: FieldPath): FieldError[] {
  const at = path.child("resourceRules", "operations");
  return (resources?.resourceRules ?? []).flatMap(({ operations = [] }) =>
    operations.filter((operation) => !OPERATIONS.includes(operation))
      .map((operation) => notSupported(at, operation, OPERATIONS))
  );
}

function* validateMutation(
  code: ExpressionCode,
  mutation: Mutation,
  path: FieldPath,
  scope: ExpressionScope,
): Generator<void, FieldError[]> {
  const { patchType: type = "" } = mutation;
  if (type === "") return [required(path.child("patchType"))];
  const field = PATCHES[type as keyof typeof PATCHES];
  if (field === undefined) {
    return [notSupported(path.child("patchType"), type, Object.keys(PATCHES))];
  }
  const errors: FieldError[] = [];
  const patch = mutation[field];
  if (!patch) {
    errors.push(required(path.child(field), `must be specified when patchType is ${type}`));
  } else {
    const expression = (patch.expression ?? "").trim();
    const at = path.child(field, "expression");
    const wanted = code.PATCH_TYPES[field];
    if (expression === "") errors.push(required(at));
    else errors.push(...yield* validateExpression(code, expression, at, scope, [wanted]));
  }
  for (const other of Object.values(PATCHES)) {
    if (other === field || !mutation[other]) continue;
    const detail = `must not be specified when patchType is ${type}`;
    errors.push(invalid(path.child(other), `{${other}}`, detail));
  }
  return errors;
}
