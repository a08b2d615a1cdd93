// Mirrors `storage/persistentvolume/resize/admission.go, persistentVolumeClaimResize.Validate`.

import { compareQuantities } from "@xca/apimachinery/internal/values";
import type { V1PersistentVolumeClaim, V1StorageClass } from "@xca/apimachinery/kubernetes-types";
import type { Admission } from "../../machinery/admission.ts";
import { concerns, forbiddenByAdmission } from "../attributes.ts";
import { claimClass } from "@xca/apimachinery/internal/quota";

/**
 * The admission plugin that allows the storage request of a PersistentVolumeClaim to grow only if
 * the stored claim is bound, and its storage class, which must not change, supports expansion.
 */
export const CLAIM_RESIZE: Admission = {
  name: "PersistentVolumeClaimResize",
  handles: (request) =>
    request.operation === "UPDATE" &&
    concerns(request, { group: "", resource: "persistentvolumeclaims" }),
  validate(request, registry) {
    const claim = request.object as V1PersistentVolumeClaim;
    const old = request.old as V1PersistentVolumeClaim;
    if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
    if (old.status?.phase !== "Bound") {
      throw forbiddenByAdmission(request, "Only bound persistent volume claims can be expanded");
    }
    const name = claimClass(claim);
    if (name !== "" && name === claimClass(old)) {
      const found = registry.get("storage.k8s.io", "storageclasses", "", name);
      if ((found as V1StorageClass | undefined)?.allowVolumeExpansion) return;
    }
    throw forbiddenByAdmission(
      request,
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the " +
        "pvc must support resize",
    );
  },
};

function sizeOf({ spec }: V1PersistentVolumeClaim): string | undefined {
  return spec?.resources?.requests?.["storage"];
}
