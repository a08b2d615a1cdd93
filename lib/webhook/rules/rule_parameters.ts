// Mirrors k8s.io/api/admissionregistration/v1/types.go, ParamRef.
import { described } from "@xca/apimachinery/internal/base";
import type { V1ParamRef } from "@xca/apimachinery/kubernetes-types";
import { checkResourceType } from "../../controller/definition/builder_checks.ts";
import type { RuleParameters } from "../../controller/definition/operator_webhook.ts";

/** The names of all options of the parameter objects of CEL rules. */
const OPTIONS = ["type", "name", "selector", "namespace", "parameterNotFoundAction"];

/**
 * Checks the parameter objects that CEL rules refer to.
 *
 * @throws {TypeError} When an option is unknown or of the wrong type, or the objects have both a
 * name and a selector, or neither.
 * @throws {RangeError} When an option has a value that the API server does not accept.
 */
export function checkParameters(failure: string, parameters: unknown): void {
  const at = `${failure}: parameters`;
  if (typeof parameters !== "object" || parameters === null) {
    throw new TypeError(
      `${at} must be { type, name } or { type, selector }, are ${described(parameters)}`,
    );
  }
  const unknown = Object.keys(parameters).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${at} have no option ${unknown}, only ${OPTIONS.join(", ")}`);
  }
  const { type, name, selector, namespace, parameterNotFoundAction: action } =
    parameters as Partial<RuleParameters>;
  checkResourceType(type, at);
  if ((name === undefined) === (selector === undefined)) {
    throw new TypeError(`${at} need either the name of an object or a selector of objects`);
  }
  for (const [option, value] of Object.entries({ name, namespace })) {
    if (value === undefined || typeof value === "string" && value !== "") continue;
    throw new TypeError(`${at}: ${option} must be a text, is ${described(value)}`);
  }
  if (namespace !== undefined && type.scope === "Cluster") {
    throw new RangeError(`${at} cannot have a namespace, since ${type.plural} are cluster-scoped`);
  }
  if (action !== undefined && action !== "Allow" && action !== "Deny") {
    const rule = `${at}: parameterNotFoundAction must be Allow or Deny`;
    if (typeof action === "string") throw new RangeError(`${rule}, is ${String(action)}`);
    throw new TypeError(`${rule}, is ${described(action)}`);
  }
}

/**
 * Builds the `paramRef` of a policy binding from the `parameters` option of CEL rules;
 * `parameterNotFoundAction` is `Deny` by default.
 */
export function parameterRefOf(
  { name, selector, namespace, parameterNotFoundAction = "Deny" }: RuleParameters,
): V1ParamRef {
  return {
    ...(name !== undefined && { name }),
    ...(selector !== undefined && { selector: structuredClone(selector) as object }),
    ...(namespace !== undefined && { namespace }),
    parameterNotFoundAction,
  };
}
