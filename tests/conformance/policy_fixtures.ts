/**
 * Validating admission policies for conformance cases.
 *
 * @module
 */
/** What JSON says. */
export type Plain = Record<string, unknown>;

/** Where the kinds of admission are. */
export const GROUP = "/apis/admissionregistration.k8s.io/v1";
export const POLICIES: string = `${GROUP}/validatingadmissionpolicies`;
export const BINDINGS: string = `${GROUP}/validatingadmissionpolicybindings`;

/** A rule on a resource of the core group; `CREATE` unless told. */
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
