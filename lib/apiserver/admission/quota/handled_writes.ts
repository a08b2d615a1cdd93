// Mirrors `quota/v1/interfaces.go, Evaluator`.
import { evaluatorOf, isTerminating } from "@xca/apimachinery/internal/quota";
import type { AdmissionRequest } from "../../machinery/admission.ts";

/** The resources besides pods, as `group/plural`, whose updates can change quota usage. */
const CHANGING = ["/services", "/persistentvolumeclaims", "resource.k8s.io/resourceclaims"];

/**
 * Reports whether a write is a creation or an update that can change the usage of a ResourceQuota.
 */
export function changesUsage(request: AdmissionRequest): boolean {
  const { operation, context: { subresource, resource: { group, plural } } } = request;
  if (evaluatorOf(group, plural) === undefined) return false;
  const key = `${group}/${plural}`;
  if (key === "/pods") return changesPodUsage(request);
  if (key === "/persistentvolumeclaims" && subresource === "status") return operation === "UPDATE";
  if (subresource !== "") return false;
  return operation === "CREATE" || operation === "UPDATE" && CHANGING.includes(key);
}

/**
 * Reports whether a write can change the usage or the scope of a pod: a creation, a resize, or an
 * update that sets or removes `activeDeadlineSeconds`.
 */
function changesPodUsage({ operation, context, object, old }: AdmissionRequest): boolean {
  if (context.subresource === "resize") return operation === "UPDATE";
  if (context.subresource !== "") return false;
  return operation === "CREATE" ||
    operation === "UPDATE" && isTerminating(object!) !== isTerminating(old!);
}
