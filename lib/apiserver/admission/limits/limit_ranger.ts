// Mirrors `admission/limitranger/admission.go, LimitRanger.Admit`.

import type { V1LimitRange } from "@xca/apimachinery/kubernetes-types";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { forbiddenByAdmission } from "../attributes.ts";
import { ByNamespace } from "../by_namespace.ts";
import { defaultResources } from "./default_resources.ts";
import { claimProblems, type Limit, podProblems } from "./limit_checks.ts";

/**
 * The admission plugin that enforces the LimitRanges of the namespace on pods and
 * PersistentVolumeClaims, and sets the default requests and limits of a pod's containers. A pod is
 * checked when it is created or resized, but not when other fields change.
 */
export class LimitRanger implements Admission {
  readonly name = "LimitRanger";
  /**
   * A cache of the LimitRanges of each namespace: one list of entries per LimitRange, in the order
   * of the LimitRanges' names.
   */
  readonly #ranges = new ByNamespace<readonly (readonly Limit[])[]>(
    { group: "", resource: "limitranges" },
    (objects) =>
      [...objects]
        .sort((a, b) => a.metadata.name! < b.metadata.name! ? -1 : 1)
        .map((object) => (object as V1LimitRange).spec?.limits ?? []),
  );

  handles(request: AdmissionRequest, registry: Registry): boolean {
    return isLimited(request) && !request.old?.metadata.deletionTimestamp &&
      this.#ranges.of(registry, request.context.namespace) !== undefined;
  }

  mutate({ context, object }: AdmissionRequest, registry: Registry): void {
    if (context.resource.plural !== "pods") return;
    for (const limits of this.#ranges.of(registry, context.namespace) ?? []) {
      defaultResources(object!, limits);
    }
  }

  validate(request: AdmissionRequest, registry: Registry): void {
    const { context, object } = request;
    const problemsOf = context.resource.plural === "pods" ? podProblems : claimProblems;
    for (const limits of this.#ranges.of(registry, context.namespace) ?? []) {
      const problems = [...new Set(problemsOf(object!, limits))];
      if (problems.length === 0) continue;
      const why = problems.length === 1 ? problems[0]! : `[${problems.join(", ")}]`;
      throw forbiddenByAdmission(request, why);
    }
  }
}

/**
 * Reports whether a write can change amounts that LimitRanges bound: the creation or resize of a
 * pod, the creation or update of a PersistentVolumeClaim.
 */
function isLimited({ operation, context }: AdmissionRequest): boolean {
  const { subresource, resource: { group, plural } } = context;
  if (group !== "") return false;
  if (plural === "pods") {
    return subresource === "" && operation === "CREATE" ||
      subresource === "resize" && operation === "UPDATE";
  }
  return plural === "persistentvolumeclaims" && subresource === "" &&
    (operation === "CREATE" || operation === "UPDATE");
}
