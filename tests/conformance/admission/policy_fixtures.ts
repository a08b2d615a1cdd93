/**
 * Validating admission policies for conformance cases.
 *
 * @module
 */
/** A JSON object. */
export type Plain = Record<string, unknown>;

/** The path of the kinds of admission. */
export const GROUP = "/apis/admissionregistration.k8s.io/v1";
export const POLICIES: string = `${GROUP}/validatingadmissionpolicies`;
export const BINDINGS: string = `${GROUP}/validatingadmissionpolicybindings`;

/** Returns a rule on a resource of the core group; the default operation is `CREATE`. */
export const rule = (resource: string, ...operations: string[]): Plain => ({
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: operations.length > 0 ? operations : ["CREATE"],
  resources: [resource],
});

/** The `spec` of a policy on ConfigMaps. */
export const onConfigMaps = (more: Plain): Plain => ({
  matchConstraints: { resourceRules: [rule("configmaps")] },
  ...more,
});

/** The part of a `spec` with one expression. */
export const valid = (expression: string, more: Plain = {}): Plain => ({
  validations: [{ expression, ...more }],
});
