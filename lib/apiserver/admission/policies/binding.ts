// Mirrors `policy/generic/policy_matcher.go, matcher`.
import { notFound } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { type Match, matchWrite } from "../matching.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { BindingSpec, MatchResources } from "./policy.ts";

/** A parsed admission policy binding, which puts a policy into effect. */
export interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
}

/** Returns the parsed bindings whose `policyName` is the name of the given admission policy. */
export function boundTo({ metadata }: ApiObject, bindings: readonly ApiObject[]): Binding[] {
  return bindings
    .map((binding): Binding => ({
      name: binding.metadata.name!,
      spec: (binding["spec"] ?? {}) as BindingSpec,
    }))
    .filter(({ spec }) => spec.policyName === metadata.name);
}

/**
 * Matches a write with the match resources of an admission policy or a binding. Returns the
 * resource and kind that matched, or `undefined`. Absent match resources match every write.
 *
 * @throws {StatusError} 404 as {@linkcode matchWrite}, for a namespace that does not exist.
 */
export function matchResources(
  resources: MatchResources | undefined,
  attributes: AdmissionAttributes,
  registry: Registry,
  { equivalents }: AdmissionPorts,
): Match | undefined {
  const { resourceRules = [], excludeResourceRules = [], ...criteria } = resources ?? {};
  return matchWrite(
    { ...criteria, rules: resourceRules, excluded: excludeResourceRules, emptyMatchesAll: true },
    attributes,
    registry,
    equivalents,
  );
}

/**
 * Returns the Namespace object that contains the written object; `undefined` for an object outside
 * of namespaces and for a Namespace.
 *
 * @throws {StatusError} 404 if the Namespace does not exist.
 */
export function namespaceOf(
  { kind, namespace }: AdmissionAttributes,
  registry: Registry,
): ApiObject | undefined {
  const isNamespace = kind.group === "" && kind.kind === "Namespace";
  if (namespace === "" || isNamespace) return undefined;
  const found = registry.get("", "namespaces", "", namespace);
  if (!found) throw notFound({ group: "", resource: "namespaces" }, namespace);
  return found;
}
