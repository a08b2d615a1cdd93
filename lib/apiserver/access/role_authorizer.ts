// Mirrors `authorizer/rbac/rbac.go, RBACAuthorizer.Authorize`.
import type { AccessAttributes, AccessDecision } from "@xca/apimachinery/internal/access";
import { forbidden, type StatusError } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import { ruleAllows } from "./policy_rule.ts";
import type { RoleRef, RoleRules } from "./role_rules.ts";

/** The group `system:masters`, whose members are allowed everything, regardless of roles. */
export const MASTERS = "system:masters";

/**
 * Returns the decision about a request by the RBAC roles that are bound to its user. The reason
 * names the binding that allows the request, or for a refusal those roles of the user's bindings
 * that do not exist; it is empty if all exist, and for members of `system:masters`, who are always
 * allowed.
 */
export function authorizeByRoles(rules: RoleRules, asked: AccessAttributes): AccessDecision {
  if (asked.user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
  const missing: RoleRef[] = [];
  for (const granted of rules.of(asked.user, asked.namespace)) {
    if (granted.missing) missing.push(granted.missing);
    else if (ruleAllows(granted.rule, asked)) {
      return { allowed: true, reason: `RBAC: allowed by ${granted.source()}` };
    }
  }
  return {
    allowed: false,
    reason: missing.length === 0 ? "" : `rbac: RBAC: ${aggregateText(missingRoles(missing))}`,
  };
}

/** Returns the messages about roles that bindings name but that do not exist. */
export function missingRoles(missing: readonly RoleRef[]): string[] {
  return missing.map(({ kind, name }) =>
    `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`
  );
}

/**
 * Returns the text of a Go aggregate error: its distinct messages, in brackets if there are
 * several.
 */
export function aggregateText(messages: readonly string[]): string {
  const texts = [...new Set(messages)];
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}

/** Returns the 403 error for a request that authorization refuses. */
export function forbiddenAccess(asked: AccessAttributes, reason: string): StatusError {
  const text = forbiddenText(asked).replace(/[&<>]/g, (mark) => HTML[mark]!);
  return forbidden(asked, asked.name, reason === "" ? text : `${text}: ${reason}`);
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function forbiddenText(asked: AccessAttributes): string {
  const who = `User ${goQuote(asked.user.name)} cannot ${asked.verb}`;
  if (!asked.isResource) return `${who} path ${goQuote(asked.path)}`;
  const { resource, subresource, group, namespace } = asked;
  const what = goQuote(subresource === "" ? resource : `${resource}/${subresource}`);
  const where = namespace === ""
    ? "at the cluster scope"
    : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${what} in API group ${goQuote(group)} ${where}`;
}
