import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1StorageClass,
} from "@xca/apimachinery/kubernetes-types";
import { compareQuantities } from "@xca/apimachinery/internal/values";
import {
  type DeepReadonly,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "@xca/apimachinery/meta";
import { ignoreNotFound, isAlreadyExists } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import {
  annotationOf,
  classOf,
  isDelayed,
  PROVISIONED_BY,
  type ReadClaim,
  type ReadClass,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from "./claim_facts.ts";
import { requestedSize, sizeOf } from "./matching_volume.ts";

/** The name of the simulated provisioner, which creates PersistentVolumes without real storage. */
export const PRETEND_PROVISIONER = "xca.k8s.kb.cx/pretend";

/** The CSI driver name of simulated volumes, which must not contain a slash. */
const DRIVER = "pretend.xca.k8s.kb.cx";

/** The delay before a failed provisioning is retried, in milliseconds. */
const RETRY_MS = 15_000;

/**
 * Returns the default StorageClass of a cluster, which uses the simulated provisioner.
 *
 * A StorageClass of the simulated provisioner may have two parameters: `delayMs`, the time in
 * milliseconds from the creation of a claim to that of its volume, and `failure`, the message with
 * which the provisioning fails.
 */
export function pretendClass(): V1StorageClass {
  return {
    metadata: {
      name: "standard",
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: PRETEND_PROVISIONER,
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
  };
}

/**
 * The controller of the simulated provisioner that creates volumes for the PersistentVolumeClaims
 * whose annotations ask this provisioner, and enlarges its volumes for claims that request more.
 */
export const provisioningController: ControllerDefinition = controllerFor(PersistentVolumeClaim)
  .named("pretend-provisioner-claims")
  .watches(PersistentVolume, () => [])
  .watches(
    StorageClass,
    async ({ name }, { cache }) =>
      (await cache.shared.list(PersistentVolumeClaim)).filter((claim) => classOf(claim) === name)
        .map(({ metadata: { name = "", namespace = "" } }) => `${namespace}/${name}` as const),
  )
  .options({ workers: 4, hotLoopRuns: Infinity })
  .reconcile(provision);

/**
 * The controller of the simulated provisioner that deletes the released PersistentVolumes that it
 * created, if their reclaim policy is `Delete`.
 */
export const volumeDeletionController: ControllerDefinition = controllerFor(PersistentVolume)
  .named("pretend-provisioner-volumes")
  .options({ workers: 4, hotLoopRuns: Infinity })
  .reconcile(async ({ cache, client, key }) => {
    const volume = cache.shared.get(PersistentVolume, key);
    if (!volume || annotationOf(volume, PROVISIONED_BY) !== PRETEND_PROVISIONER) return;
    const { metadata, spec, status } = volume;
    if (status?.phase !== "Released" || spec?.persistentVolumeReclaimPolicy !== "Delete") return;
    if (metadata.deletionTimestamp !== undefined) return;
    const { uid, resourceVersion } = metadata; // the policy may have changed since
    const preconditions = { uid, resourceVersion };
    await ignoreNotFound(client.delete(PersistentVolume, key, { preconditions }));
  });

async function provision(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, client, clock, events, key } = context;
  const claim = cache.shared.get(PersistentVolumeClaim, key);
  if (!claim || claim.metadata.deletionTimestamp !== undefined) return;
  if (claim.status?.phase === "Bound") return await expand(context, claim);
  if (claim.spec?.volumeName) return;
  if (STORAGE_PROVISIONER.every((name) => annotationOf(claim, name) !== PRETEND_PROVISIONER)) {
    return;
  }
  const ownClass = cache.shared.get(StorageClass, classOf(claim) || " ");
  if (!ownClass || isDelayed(ownClass) && !annotationOf(claim, SELECTED_NODE)) return;
  const { name, namespace } = claim.metadata;
  const { delayMs = "0", failure } = ownClass.parameters ?? {};
  const note = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
  if (failure !== undefined) {
    events.record(PersistentVolumeClaim, claim, { reason: "Provisioning", note });
    events.record(PersistentVolumeClaim, claim, {
      type: "Warning",
      reason: "ProvisioningFailed",
      note: `failed to provision volume with StorageClass "${ownClass.metadata.name}": ${failure}`,
    });
    return { requeueAfterMs: RETRY_MS };
  }
  const readyMs = Date.parse(claim.metadata.creationTimestamp ?? "") + (Number(delayMs) || 0);
  const waitMs = readyMs - clock.now().getTime();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const volume = volumeFor(claim, ownClass);
  events.record(PersistentVolumeClaim, claim, { reason: "Provisioning", note });
  try {
    await client.create(PersistentVolume, volume);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    throw error;
  }
  events.record(PersistentVolumeClaim, claim, {
    reason: "ProvisioningSucceeded",
    note: `Successfully provisioned volume ${volume.metadata.name}`,
  });
}

/**
 * Enlarges the volume of a claim that requests a larger size, and writes the new size to the
 * claim's status. Volumes of other provisioners are left unchanged, and so is a claim whose status
 * already has the size.
 */
async function expand({ cache, client }: ReconcileContext, claim: ReadClaim): Promise<void> {
  const volume = cache.shared.get(PersistentVolume, claim.spec?.volumeName || " ");
  if (!volume || annotationOf(volume, PROVISIONED_BY) !== PRETEND_PROVISIONER) return;
  const storage = requestedSize(claim);
  if (compareQuantities(storage, claim.status?.capacity?.storage ?? "0") <= 0) return;
  if (compareQuantities(storage, sizeOf(volume)) > 0) {
    const capacity = { ...volume.spec?.capacity, storage };
    const spec = { ...volume.spec, capacity };
    await client.update(PersistentVolume, { ...volume, spec } as unknown as V1PersistentVolume);
  }
  const status = { ...claim.status, capacity: { ...claim.status?.capacity, storage } };
  const changed = { ...claim, status } as unknown as V1PersistentVolumeClaim;
  await client.updateStatus(PersistentVolumeClaim, changed);
}

/** Returns the PersistentVolume that the simulated provisioner creates for a claim. */
function volumeFor(claim: ReadClaim, ownClass: ReadClass): V1PersistentVolume {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const { accessModes, volumeMode } = claim.spec ?? {};
  const volumeName = `pvc-${uid}`;
  const { mountOptions, reclaimPolicy } = ownClass as DeepReadonly<V1StorageClass>;
  return {
    metadata: { name: volumeName, annotations: { [PROVISIONED_BY]: PRETEND_PROVISIONER } },
    spec: {
      accessModes: [...accessModes ?? []],
      capacity: { storage: requestedSize(claim) },
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        name: name!,
        namespace: namespace!,
        uid: uid!,
        resourceVersion: resourceVersion!,
      },
      csi: { driver: DRIVER, volumeHandle: volumeName },
      ...(mountOptions && { mountOptions: [...mountOptions] }),
      persistentVolumeReclaimPolicy: reclaimPolicy ?? "Delete",
      storageClassName: classOf(claim),
      ...(volumeMode && { volumeMode }),
    },
  };
}
