/**
 * RBAC rules and manifests of operators, derived from the declarations of their controllers and
 * compared with their observed accesses; and the Deno permission flags of their programs.
 *
 * @module
 */
export type { Access, AccessNeed, NeedPart } from "./access_need.ts";
export { mergeRules, type PolicyRule } from "./policy_rule.ts";
export {
  needsOf,
  type OperatorRules,
  type RuledOperator,
  rulesOf,
  type RulesOptions,
} from "./rules_of.ts";
export {
  denoFlagsOf,
  type DenoFlagsOptions,
  type FilesOfCertificate,
  type ListeningServer,
} from "./deno_flags.ts";
export {
  type RbacManifest,
  rbacManifests,
  type RbacManifestsOptions,
} from "./manifests/rbac_manifests.ts";
export { accessOfAudit, type AuditedRequest, parseAudit } from "./observation/audit_access.ts";
export { type AccessDifference, compareAccess } from "./observation/compare_access.ts";
export { type ObservedAccess, parseObservation } from "./observation/observed_access.ts";
export { type AccessRecording, recordAccess } from "./observation/record_access.ts";
export { compareManifests, type GrantingManifest } from "./manifests/compare_manifests.ts";
