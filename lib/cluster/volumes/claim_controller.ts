// Mirrors `controller/volume/persistentvolume/pv_controller.go, PersistentVolumeController.syncClaim`.
import type { V1PersistentVolumeClaim } from "@xca/apimachinery/kubernetes-types";
import {
  keyOf,
  type ObjectKey,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { MappingContext } from "../../controller/definition/mapping.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { bind, writeClaimStatus } from "./bind.ts";
import {
  annotationOf,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  classOf,
  defaultClass,
  isBoundTo,
  isDelayed,
  namesClass,
  type ReadClaim,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from "./claim_facts.ts";
import { matchingVolume, mismatch } from "./matching_volume.ts";

/**
 * The interval at which a PersistentVolumeClaim without a volume is reconciled, in milliseconds.
 */
const RESYNC_MS = 15_000;

/**
 * The controller that binds claims to volumes, and requests a volume from the provisioner of the
 * claim's class if none fits.
 */
export const claimController: ControllerDefinition = controllerFor(PersistentVolumeClaim)
  .named("persistentvolume-binder-claims")
  .watches(PersistentVolume, (_volume, context) => unboundClaims(context))
  .watches(StorageClass, (_class, context) => unboundClaims(context))
  .watches(Pod, () => [])
  .options({ eventSource: "persistentvolume-controller", workers: 4, hotLoopRuns: Infinity })
  .reconcile(reconcileClaim);

/**
 * Returns the keys of the PersistentVolumeClaims that a change of volumes or classes may affect:
 * those that are not bound, or whose volume does not exist.
 */
async function unboundClaims({ cache }: MappingContext): Promise<ObjectKey[]> {
  const claims = await cache.shared.list(PersistentVolumeClaim);
  const volumes = new Set(
    (await cache.shared.list(PersistentVolume)).map(({ metadata }) => metadata.name),
  );
  return claims.filter(({ spec, status }) =>
    status?.phase !== "Bound" || !volumes.has(spec?.volumeName)
  ).map(keyOf);
}

async function reconcileClaim(context: ReconcileContext): Promise<RequeueAfter | void> {
  const claim = context.cache.shared.get(PersistentVolumeClaim, context.key);
  if (!claim) return;
  if (annotationOf(claim, BIND_COMPLETED) !== undefined) return await syncBound(context, claim);
  if (claim.spec?.volumeName) return await syncNamed(context, claim);
  return await syncUnbound(context, claim);
}

/**
 * Binds a PersistentVolumeClaim that names no volume to a matching volume. If there is none, sets
 * the default StorageClass, waits for the first pod that uses the claim, or requests a volume.
 */
async function syncUnbound(
  context: ReconcileContext,
  claim: ReadClaim,
): Promise<RequeueAfter | void> {
  const { cache, client, events } = context;
  const classes = await cache.shared.list(StorageClass);
  const ownClass = classes.find(({ metadata }) => metadata.name === classOf(claim));
  const delayed = isDelayed(ownClass);
  const volume = matchingVolume(claim, await cache.shared.list(PersistentVolume), { delayed });
  if (volume) return await bind(client, volume, claim);
  const fallback = namesClass(claim) ? undefined : defaultClass(classes);
  if (fallback) {
    const spec = { ...claim.spec, storageClassName: fallback.metadata.name };
    const changed = { ...claim, spec } as unknown as V1PersistentVolumeClaim;
    return void await client.update(PersistentVolumeClaim, changed);
  }
  if (delayed && !annotationOf(claim, SELECTED_NODE)) {
    const { reason, note } = await consumerEvent(context, claim);
    events.record(PersistentVolumeClaim, claim, { reason, note });
  } else if (classOf(claim) !== "") {
    return await askProvisioner(context, claim, ownClass?.provisioner);
  } else {
    const note = "no persistent volumes available for this claim and no storage class is set";
    events.record(PersistentVolumeClaim, claim, { reason: "FailedBinding", note });
  }
  await writeClaimStatus(client, claim, "Pending");
  return { requeueAfterMs: RESYNC_MS };
}

/**
 * Returns the reason and note of the event about a PersistentVolumeClaim that waits for the first
 * pod that uses it, or for the scheduling of the pods that use it.
 */
async function consumerEvent(
  { cache }: ReconcileContext,
  { metadata }: ReadClaim,
): Promise<{ readonly reason: string; readonly note: string }> {
  const waiting = (await cache.shared.list(Pod)).filter((pod) =>
    pod.metadata.namespace === metadata.namespace && !pod.spec?.nodeName &&
    pod.spec?.volumes?.some(({ persistentVolumeClaim }) =>
      persistentVolumeClaim?.claimName === metadata.name
    )
  ).map(({ metadata }) => metadata.name);
  if (waiting.length === 0) {
    const note = "waiting for first consumer to be created before binding";
    return { reason: "WaitForFirstConsumer", note };
  }
  const pods = waiting.length > 1 ? "pods" : "pod";
  const note = `waiting for ${pods} ${waiting.join(",")} to be scheduled`;
  return { reason: "WaitForPodScheduled", note };
}

/**
 * Asks the provisioner of a PersistentVolumeClaim's StorageClass for a volume, by setting
 * annotations on the claim. Records an event that says that the claim is waiting, or why there is
 * no usable provisioner. Returns the delay until the claim is reconciled again.
 */
async function askProvisioner(
  { client, events }: ReconcileContext,
  claim: ReadClaim,
  provisioner: string | undefined,
): Promise<RequeueAfter> {
  const failed = (note: string): void =>
    events.record(PersistentVolumeClaim, claim, {
      type: "Warning",
      reason: "ProvisioningFailed",
      note,
    });
  if (provisioner === undefined) {
    failed(`storageclass.storage.k8s.io ${JSON.stringify(classOf(claim))} not found`);
  } else if (provisioner.startsWith("kubernetes.io/")) {
    failed(`no volume plugin matched name: ${provisioner}`);
  } else {
    if (STORAGE_PROVISIONER.some((name) => annotationOf(claim, name) !== provisioner)) {
      const asked = STORAGE_PROVISIONER.map((name) => [name, provisioner]);
      const annotations = { ...claim.metadata.annotations, ...Object.fromEntries(asked) };
      const metadata = { ...claim.metadata, annotations };
      const changed = { ...claim, metadata } as unknown as V1PersistentVolumeClaim;
      await client.update(PersistentVolumeClaim, changed);
    }
    const note =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
      "or manually by the system administrator. If volume creation is delayed, please verify that " +
      "the provisioner is running and correctly registered.";
    events.record(PersistentVolumeClaim, claim, { reason: "ExternalProvisioning", note });
  }
  return { requeueAfterMs: RESYNC_MS };
}

/**
 * Binds a PersistentVolumeClaim to the volume that it names. If the volume does not exist, belongs
 * to another claim or does not fit, the claim is pending; but a claim whose volume name a
 * controller has set keeps its phase if the volume belongs to another claim. Emits a warning event
 * about an existing volume that cannot be bound.
 */
async function syncNamed(
  { cache, client, events }: ReconcileContext,
  claim: ReadClaim,
): Promise<void> {
  const name = claim.spec!.volumeName!;
  const volume = cache.shared.get(PersistentVolume, name);
  if (!volume) return void await writeClaimStatus(client, claim, "Pending");
  if (volume.spec?.claimRef !== undefined && !isBoundTo(volume, claim)) {
    const note = `volume ${JSON.stringify(name)} already bound to a different claim.`;
    events.record(PersistentVolumeClaim, claim, { type: "Warning", reason: "FailedBinding", note });
    if (annotationOf(claim, BOUND_BY_CONTROLLER) !== undefined) return;
    return void await writeClaimStatus(client, claim, "Pending");
  }
  const why = volume.spec?.claimRef === undefined ? mismatch(volume, claim) : undefined;
  if (why === undefined) return await bind(client, volume, claim);
  const note = `Cannot bind to requested volume ${JSON.stringify(name)}: ${why}`;
  events.record(PersistentVolumeClaim, claim, { type: "Warning", reason: "VolumeMismatch", note });
  await writeClaimStatus(client, claim, "Pending");
}

/**
 * Completes an interrupted binding of a PersistentVolumeClaim that counts as bound. A claim that
 * names no volume, or whose volume is missing or bound to another claim, gets the phase `Lost` and
 * a warning event.
 */
async function syncBound(
  { cache, client, events }: ReconcileContext,
  claim: ReadClaim,
): Promise<void> {
  const { volumeName = "" } = claim.spec ?? {};
  const lost = async (reason: string, note: string): Promise<void> => {
    if (await writeClaimStatus(client, claim, "Lost")) {
      events.record(PersistentVolumeClaim, claim, { type: "Warning", reason, note });
    }
  };
  if (volumeName === "") {
    const note = "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!";
    return await lost("ClaimLost", note);
  }
  const volume = cache.shared.get(PersistentVolume, volumeName);
  if (!volume) {
    const note = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
    return await lost("ClaimLost", note);
  }
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) {
    return await bind(client, volume, claim);
  }
  const note = "Two claims are bound to the same volume, this one is bound incorrectly";
  await lost("ClaimMisbound", note);
}
