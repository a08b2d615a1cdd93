import type { ResourceType } from "@xca/apimachinery/meta";
import { Xca } from "./xca.ts";
import { Xtls } from "./xtls.ts";

/** A rule of a Role: verbs on resources. */
export interface PolicyRule {
  /** The API groups; the empty string is the core group. */
  readonly apiGroups: readonly string[];
  /** The resources, as `xcas` or `xcas/status`. */
  readonly resources: readonly string[];
  /** The verbs. */
  readonly verbs: readonly string[];
}

/** The rules that the controller of {@linkcode Xca} needs. */
export const xcaRules: readonly PolicyRule[] = rulesFor(Xca);

/** The rules that the controller of {@linkcode Xtls} needs. */
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
