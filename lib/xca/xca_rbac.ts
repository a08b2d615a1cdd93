import type { ResourceType } from "@xca/apimachinery/meta";
import { Xca } from "./xca.ts";
import { Xtls } from "./xtls.ts";

/** A rule of an RBAC Role: verbs on resources. */
export interface PolicyRule {
  /** The API groups of the RBAC rule; the empty string is the core group. */
  readonly apiGroups: readonly string[];
  /** The resources of the RBAC rule, as `xcas` or `xcas/status`. */
  readonly resources: readonly string[];
  /** The verbs of the RBAC rule. */
  readonly verbs: readonly string[];
}

/** The RBAC rules that the controller of {@linkcode Xca} needs. */
export const xcaRules: readonly PolicyRule[] = rulesFor(Xca);

/** The RBAC rules that the controller of {@linkcode Xtls} needs. */
export const xtlsRules: readonly PolicyRule[] = rulesFor(Xtls);

function rulesFor({ group, plural }: ResourceType): readonly PolicyRule[] {
  const rule = (resource: string, verbs: readonly string[]): PolicyRule => ({
    apiGroups: [group],
    resources: [resource],
    verbs,
  });
  return [
    rule(plural, ["get", "list", "watch", "create", "update", "patch", "delete"]),
    rule(`${plural}/status`, ["get", "update", "patch"]),
    rule(`${plural}/finalizers`, ["update"]),
  ];
}
