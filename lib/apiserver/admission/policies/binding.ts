import { notFound } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { type Match, matchWrite } from "../matching.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { BindingSpec, MatchResources } from "./policy.ts";

/** What puts a policy in force. */
export interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
}

/** The bindings of a policy. */
export function boundTo({ metadata }: ApiObject, bindings: readonly ApiObject[]): Binding[] {
  return bindings
    .map((binding): Binding => ({
      name: binding.metadata.name!,
      spec: (binding["spec"] ?? {}) as BindingSpec,
    }))
    .filter(({ spec }) => spec.policyName === metadata.name);
}

/** Whether a policy or a binding is about a write, and as what. */
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

/** The namespace of a write. @throws {StatusError} 404 when it is not there. */
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
