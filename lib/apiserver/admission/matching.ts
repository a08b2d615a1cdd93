// Mirrors `policy/matching/matching.go, Matcher.Matches` and `predicates/rules/rules.go, Matcher`.
import { notFound } from "@xca/apimachinery/internal/errors";
import {
  type LabelSelectorFields,
  selectorIsEmpty,
  selectorMatches,
} from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import type { AdmissionAttributes, KindName, ResourceName } from "./attributes.ts";
import type { MatchRule } from "./webhooks/hook.ts";

/** The criteria by which a webhook or a policy matches writes: rules and selectors. */
export interface MatchCriteria {
  readonly rules: readonly MatchRule[];
  readonly excluded?: readonly MatchRule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorFields;
  readonly objectSelector?: LabelSelectorFields;
  /**
   * Sets whether criteria without rules match writes of every resource, rather than none.
   *
   * @default {false}
   */
  readonly emptyMatchesAll?: boolean;
}

/**
 * The resource and kind with which a webhook or policy matched a write: in the version of the
 * write, or in an equivalent version of the resource.
 */
export interface Match {
  readonly resource: ResourceName;
  readonly kind: KindName;
  /**
   * The resource in the equivalent version that the webhook or policy matched; absent if it matched
   * the version of the write.
   */
  readonly equivalent: ApiResource | undefined;
}

/** A function that returns the other served API versions of a resource. */
export type Equivalents = (resource: ResourceName) => readonly ApiResource[];

const CONFIGURATIONS = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

/**
 * Reports whether a write concerns a webhook configuration, an admission policy or a policy
 * binding, to which webhooks and policies do not apply, so that they cannot block their own
 * removal.
 */
export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === "admissionregistration.k8s.io" && CONFIGURATIONS.has(kind.kind);
}

/**
 * The resources that are reviews of tokens and accesses, each as plural and group, such as
 * `tokenreviews.authentication.k8s.io`.
 */
export const REVIEWS: ReadonlySet<string> = new Set([
  "selfsubjectreviews.authentication.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/**
 * Reports whether a write is a review of a token or of an access, for which no webhook is called,
 * since a webhook could lock out all users (`admission/exclusion/resources.go, Excluded`).
 */
export function isReview(
  { resource: { group, resource } }: Pick<AdmissionAttributes, "resource">,
): boolean {
  return REVIEWS.has(`${resource}.${group}`);
}

/**
 * Matches a write with the criteria of a webhook or policy. Returns the resource and kind that
 * matched, or `undefined` if the write does not meet the criteria. An object selector is met if the
 * new or the old object matches it.
 *
 * @throws {StatusError} 404 if the criteria have a namespace selector, and the namespace of the
 * write does not exist.
 */
export function matchWrite(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  state: RegistryReader,
  equivalents: Equivalents,
): Match | undefined {
  const { request } = attributes;
  const { objectSelector } = criteria;
  if (
    !selectorIsEmpty(objectSelector) &&
    ![request.object, request.old].some((object) => hasLabels(object, objectSelector!))
  ) return undefined;
  const { excluded = [], rules } = criteria;
  if (matchRules(excluded, criteria, attributes, equivalents)) return undefined;
  const match = rules.length === 0 && criteria.emptyMatchesAll
    ? { resource: attributes.resource, kind: attributes.kind, equivalent: undefined }
    : matchRules(rules, criteria, attributes, equivalents);
  // The namespace is looked up last, since a missing one is an error.
  return match && inNamespace(criteria.namespaceSelector, attributes, state) ? match : undefined;
}

function hasLabels(object: ApiObject | undefined, selector: LabelSelectorFields): boolean {
  return object?.metadata !== undefined && selectorMatches(selector, object.metadata.labels ?? {});
}

function inNamespace(
  selector: LabelSelectorFields | undefined,
  { request, resource, namespace, subresource }: AdmissionAttributes,
  state: RegistryReader,
): boolean {
  const isNamespace = resource.resource === "namespaces" && resource.group === "";
  if ((namespace === "" && !isNamespace) || selectorIsEmpty(selector)) return true;
  const isWritten = isNamespace && subresource === "" &&
    (request.operation === "CREATE" || request.operation === "UPDATE");
  const object = isWritten ? request.object : state.get("", "namespaces", "", namespace);
  if (!object) throw notFound({ group: "", resource: "namespaces" }, namespace);
  return selectorMatches(selector!, object.metadata.labels ?? {});
}

function matchRules(
  rules: readonly MatchRule[],
  { matchPolicy }: MatchCriteria,
  attributes: AdmissionAttributes,
  equivalents: Equivalents,
): Match | undefined {
  const { resource, kind } = attributes;
  if (rules.some((rule) => ruleMatches(rule, attributes, resource))) {
    return { resource, kind, equivalent: undefined };
  }
  if (matchPolicy !== "Equivalent") return undefined;
  for (const rule of rules) {
    for (const other of equivalents(resource)) {
      const otherName = { group: other.group, version: other.version, resource: other.plural };
      if (!ruleMatches(rule, attributes, otherName)) continue;
      const { subresource } = attributes;
      const otherKind = subresource === ""
        ? { group: other.group, version: other.version, kind: other.kind }
        : kind;
      return { resource: otherName, kind: otherKind, equivalent: other };
    }
  }
  return undefined;
}

function oneOf(items: readonly string[] | undefined, requested: string): boolean {
  return items !== undefined && (items.includes("*") || items.includes(requested));
}

function ruleMatches(
  rule: MatchRule,
  { request, subresource, namespace, name, resource: own }: AdmissionAttributes,
  resource: ResourceName,
): boolean {
  const isNamespace = own.group === "" && own.resource === "namespaces";
  const isClusterScoped = isNamespace || namespace === "";
  if (rule.scope === "Namespaced" && isClusterScoped) return false;
  if (rule.scope === "Cluster" && !isClusterScoped) return false;
  if (
    !oneOf(rule.operations, request.operation) || !oneOf(rule.apiGroups, resource.group) ||
    !oneOf(rule.apiVersions, resource.version)
  ) return false;
  const names = rule.resourceNames ?? [];
  if (names.length > 0 && !names.includes(name)) return false;
  return (rule.resources ?? []).some((each) => {
    const [main = "", sub = ""] = each.split(/\/(.*)/s);
    return (main === "*" || main === resource.resource) && (sub === "*" || sub === subresource);
  });
}
