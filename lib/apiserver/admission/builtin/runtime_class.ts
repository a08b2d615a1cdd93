// Mirrors `admission/runtimeclass/admission.go, RuntimeClass.Admit`.

import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { type ApiObject, goQuote, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import { concerns, forbiddenByAdmission } from "../attributes.ts";

const PODS = { group: "", resource: "pods" };

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface PodSpec {
  readonly runtimeClassName?: string;
  overhead?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  tolerations?: readonly Toleration[];
}

interface RuntimeClass {
  readonly overhead?: { readonly podFixed?: Record<string, string> };
  readonly scheduling?: {
    readonly nodeSelector?: Record<string, string>;
    readonly tolerations?: readonly Toleration[];
  };
}

/**
 * The admission plugin that adds the overhead, node selector and tolerations of a pod's
 * RuntimeClass to the new pod, and refuses with 403 a pod with another overhead or a conflicting
 * node selector, or whose RuntimeClass does not exist.
 */
export const RUNTIME_CLASS: Admission = {
  name: "RuntimeClass",
  handles: (request) => request.operation === "CREATE" && concerns(request, PODS),
  mutate: (request, registry) => {
    const { overhead, scheduling } = classOf(request, registry) ?? {};
    const spec = podSpec(request.object!);
    if (overhead) {
      const isOther = Object.keys(spec.overhead ?? {}).length > 0 &&
        !same(spec.overhead, overhead.podFixed);
      if (isOther) throw otherOverhead(request);
      if (overhead.podFixed) spec.overhead = structuredClone(overhead.podFixed);
    }
    if (scheduling) schedule(request, spec, scheduling);
  },
  validate: (request, registry) => {
    const { overhead } = classOf(request, registry) ?? {};
    const spec = podSpec(request.object!);
    if (overhead) {
      if (!same(spec.overhead, overhead.podFixed)) throw otherOverhead(request);
    } else if (spec.overhead) {
      const why =
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
      throw forbiddenByAdmission(request, why);
    }
  },
};

function podSpec(pod: ApiObject): PodSpec {
  return (pod["spec"] ??= {}) as PodSpec;
}

function same(one: Record<string, string> = {}, other: Record<string, string> = {}): boolean {
  return jsonEqual(one as Json, other as Json);
}

/**
 * Returns the RuntimeClass that a pod names; `undefined` if the pod names none.
 *
 * @throws {StatusError} 403 if the RuntimeClass does not exist.
 */
function classOf(request: AdmissionRequest, registry: Registry): RuntimeClass | undefined {
  const { runtimeClassName } = podSpec(request.object!);
  if (runtimeClassName === undefined) return undefined;
  const found = registry.get("node.k8s.io", "runtimeclasses", "", runtimeClassName);
  if (found) return found as unknown as RuntimeClass;
  const why = `pod rejected: RuntimeClass ${goQuote(runtimeClassName)} not found`;
  throw forbiddenByAdmission(request, why);
}

function otherOverhead(request: AdmissionRequest): Error {
  const why = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  return forbiddenByAdmission(request, why);
}

function schedule(
  request: AdmissionRequest,
  spec: PodSpec,
  { nodeSelector, tolerations = [] }: NonNullable<RuntimeClass["scheduling"]>,
): void {
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own === undefined || own === value) continue;
    throw forbiddenByAdmission(
      request,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; ` +
        `pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  if (nodeSelector) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  const merged = mergeTolerations([...spec.tolerations ?? [], ...structuredClone(tolerations)]);
  if (merged.length > 0) spec.tolerations = merged;
}

/**
 * Returns pod tolerations without those that another toleration covers; of equal tolerations the
 * first is kept.
 */
function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, each] of all.entries()) {
    if (merged.some((other) => includes(other, each))) continue;
    const later = all.slice(index + 1);
    if (later.some((other) => !isEqual(other, each) && includes(other, each))) continue;
    merged.push(each);
  }
  return merged;
}

function isEqual(one: Toleration, other: Toleration): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

function includes(whole: Toleration, part: Toleration): boolean {
  if (isEqual(whole, part)) return true;
  const isOfAllKeys = !whole.key && whole.operator === "Exists";
  if ((part.key ?? "") !== (whole.key ?? "") && !isOfAllKeys) return false;
  if (whole.effect && part.effect !== whole.effect) return false;
  if (whole.effect === "NoExecute" && whole.tolerationSeconds !== undefined) {
    const { tolerationSeconds: seconds } = part;
    if (seconds === undefined || seconds > whole.tolerationSeconds) return false;
  }
  return whole.operator === "Exists" ||
    (part.operator !== "Exists" && (whole.value ?? "") === (part.value ?? ""));
}
