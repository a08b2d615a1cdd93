// Mirrors `authorizer/rbac/rbac.go, RuleAllows` and `auth/rbac/validation/policy_comparator.go,
// Covers`.
import type { AccessAttributes } from "@xca/apimachinery/internal/access";
import { goQuote } from "@xca/apimachinery/internal/values";

/**
 * An RBAC rule of a Role or ClusterRole; an absent field is an empty list. Empty `resourceNames`
 * allow every name, other empty lists nothing.
 */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Reports whether an RBAC rule allows a request; the namespace of the request does not count. */
export function ruleAllows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!matches(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return someUrl(rule.nonResourceURLs, asked.path);
  return matches(rule.apiGroups, asked.group) &&
    someResource(rule.resources, asked.resource, asked.subresource) &&
    someName(rule.resourceNames, asked.name);
}

/** Reports whether a list of an RBAC rule contains a value or `*`. */
function matches(allowed: readonly string[] = [], value: string): boolean {
  return allowed.includes("*") || allowed.includes(value);
}

function someResource(
  allowed: readonly string[] = [],
  resource: string,
  subresource: string,
): boolean {
  if (subresource === "") return matches(allowed, resource);
  return matches(allowed, `${resource}/${subresource}`) || allowed.includes(`*/${subresource}`);
}

function someName(allowed: readonly string[] = [], name: string): boolean {
  return allowed.length === 0 || allowed.includes(name);
}

function someUrl(allowed: readonly string[] = [], path: string): boolean {
  return allowed.some((url) => url === "*" || urlCovers(url, path));
}

/**
 * Reports whether a non-resource URL of an RBAC rule covers a path or the URL of another rule. A
 * URL that ends with `*` covers everything that begins with the text before the `*`.
 */
function urlCovers(url: string, path: string): boolean {
  return url === path || url.endsWith("*") && path.startsWith(url.replace(/(?<!\*)\*+$/, ""));
}

/**
 * Returns the parts of the wanted RBAC rules that no held rule covers. Each part has one verb, and
 * one API group, resource and resource name, if any (or one URL), so that a held rule covers the
 * part entirely or not at all.
 */
export function missingRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  return wanted.flatMap((rule) => [...takeApart(rule)]).filter((part) =>
    !held.some((rule) => covers(rule, part))
  );
}

function* takeApart(rule: PolicyRule): Iterable<PolicyRule> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const names = resourceNames.length === 0
    ? [{}]
    : resourceNames.map((name) => ({ resourceNames: [name] }));
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          yield { apiGroups: [group], resources: [resource], verbs: [verb], ...name };
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of verbs) yield { nonResourceURLs: [url], verbs: [verb] };
  }
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const { apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [] } = part;
  return includesAll(rule.verbs, part.verbs!) && includesAll(rule.apiGroups, apiGroups) &&
    resources.every((resource) => resourceCovered(rule.resources, resource)) &&
    nonResourceURLs.every((url) =>
      (rule.nonResourceURLs ?? []).some((own) => urlCovers(own, url))
    ) &&
    namesCovered(rule.resourceNames, resourceNames);
}

function includesAll(allowed: readonly string[] = [], values: readonly string[]): boolean {
  return allowed.includes("*") || values.every((value) => allowed.includes(value));
}

function resourceCovered(allowed: readonly string[] = [], resource: string): boolean {
  if (matches(allowed, resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && allowed.includes(`*${resource.slice(slash)}`);
}

function namesCovered(allowed: readonly string[] = [], names: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  return names.length > 0 && names.every((name) => allowed.includes(name));
}

/**
 * Returns RBAC rules in which those for resources that differ in their verbs only are joined into
 * one rule with all of the verbs, repeated ones included
 * (`registry/rbac/validation/policy_compact.go, CompactRules`). Rules for URLs are not joined.
 */
export function joinVerbs(parts: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const part of parts) {
    if (part.nonResourceURLs) continue;
    const { verbs = [], ...rest } = part;
    const key = JSON.stringify(rest);
    const before = joined.get(key);
    joined.set(key, before ? { ...before, verbs: [...before.verbs!, ...verbs] } : part);
  }
  return [...parts.filter(({ nonResourceURLs }) => nonResourceURLs), ...joined.values()];
}

/**
 * Formats an RBAC rule as `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
 * (`apis/rbac/v1/evaluation_helpers.go, CompactString`).
 */
export function ruleText(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ];
  const texts = parts.flatMap(([name, values]) =>
    values && values.length > 0 ? [`${name}:${quotedList(values)}`] : []
  );
  return `{${texts.join(", ")}}`;
}

/** Formats a list of strings as `["a" "b"]`, like Go's `%q`. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map((text) => goQuote(text)).join(" ")}]`;
}
