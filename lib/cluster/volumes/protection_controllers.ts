// Mirrors `controller/volume/pvcprotection/pvc_protection_controller.go, Controller` and
// `controller/volume/pvprotection/pv_protection_controller.go, Controller`.
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
} from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatKey,
  formatTime,
  type KubeObject,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import type { ReadClaim } from "./claim_facts.ts";
import { foreignClaim, podClaims } from "./pod_claims.ts";

/** The finalizer that protects PersistentVolumeClaims from deletion while pods use them. */
const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
/** The finalizer that protects PersistentVolumes from deletion while they are bound to a claim. */
const VOLUME_FINALIZER = "kubernetes.io/pv-protection";

/**
 * The controller that keeps a deleted claim, by a finalizer, until no scheduled pod uses it, and
 * writes to the condition `Unused` of each bound claim whether pods use it.
 */
export const claimProtectionController: ControllerDefinition = controllerFor(PersistentVolumeClaim)
  .named("persistentvolumeclaim-protection-controller")
  .watches(Pod, ({ namespace, object }, { cache }) =>
    podClaims(object)
      .map(({ name }) => formatKey({ namespace: namespace ?? "", name }))
      .filter((key) => cache.shared.get(PersistentVolumeClaim, key)))
  .options({ workers: 2, hotLoopRuns: Infinity })
  .reconcile(async (context) => {
    const { cache, client, key } = context;
    const claim = cache.shared.get(PersistentVolumeClaim, key);
    if (!claim) return;
    const deleted = claim.metadata.deletionTimestamp !== undefined;
    if (!deleted && claim.status?.phase === "Bound") await writeUnused(context, claim);
    if (deleted && await isUsed(context, claim, holdsClaim)) return;
    await setFinalizer(client, PersistentVolumeClaim, claim, CLAIM_FINALIZER, !deleted);
  });

/**
 * The controller that keeps a deleted PersistentVolume, by a finalizer, until it is not bound to
 * any claim.
 */
export const volumeProtectionController: ControllerDefinition = controllerFor(PersistentVolume)
  .named("persistentvolume-protection-controller")
  .options({ workers: 2, hotLoopRuns: Infinity })
  .reconcile(async ({ cache, client, key }) => {
    const volume = cache.shared.get(PersistentVolume, key);
    if (!volume) return;
    const deleted = volume.metadata.deletionTimestamp !== undefined;
    if (deleted && volume.status?.phase === "Bound") return;
    await setFinalizer(client, PersistentVolume, volume, VOLUME_FINALIZER, !deleted);
  });

/**
 * Reports whether a pod prevents the deletion of its claims: it is assigned to a node, and is not
 * being deleted without a grace period.
 */
function holdsClaim({ metadata, spec }: ReadPod): boolean {
  const isGone = metadata.deletionTimestamp !== undefined &&
    metadata.deletionGracePeriodSeconds === 0;
  return Boolean(spec?.nodeName) && !isGone;
}

/**
 * Reports whether a pod for which `counts` returns true uses a PersistentVolumeClaim, in the cache
 * or on the server.
 */
async function isUsed(
  { cache, client }: ReconcileContext,
  claim: ReadClaim,
  counts: (pod: ReadPod) => boolean,
): Promise<boolean> {
  const { name = "", namespace = "" } = claim.metadata;
  const uses = (pod: ReadPod): boolean =>
    pod.metadata.namespace === namespace && counts(pod) &&
    podClaims(pod).some((each) =>
      each.name === name && !(each.ephemeral && foreignClaim(pod, claim) !== undefined)
    );
  if ((await cache.shared.list(Pod)).some(uses)) return true;
  return (await client.list(Pod, { namespace })).items.some((pod) => uses(pod as ReadPod));
}

/**
 * Writes the condition `Unused` to a claim's status: `False` if pods that have not terminated use
 * it.
 */
async function writeUnused(context: ReconcileContext, claim: ReadClaim): Promise<void> {
  const used = await isUsed(context, claim, (pod) => !isTerminal(pod));
  const conditions = claim.status?.conditions ?? [];
  const known = conditions.find(({ type }) => type === "Unused");
  const condition = {
    type: "Unused",
    status: used ? "False" : "True",
    lastTransitionTime: formatTime(context.clock.now()),
    reason: used ? "PodUsingPVC" : "NoPodsUsingPVC",
    message: used
      ? "A pod is currently referencing this PVC"
      : "No pods are currently referencing this PVC",
  };
  if (known?.status === condition.status) return;
  const changed = known
    ? conditions.map((each) => each === known ? condition : each)
    : [...conditions, condition];
  const status = { ...claim.status, conditions: changed };
  await context.client.updateStatus(
    PersistentVolumeClaim,
    { ...claim, status } as unknown as V1PersistentVolumeClaim,
  );
}

async function setFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: DeepReadonly<V1PersistentVolume | V1PersistentVolumeClaim>,
  finalizer: string,
  wanted: boolean,
): Promise<void> {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer) === wanted) return;
  const changed = wanted
    ? [...finalizers, finalizer]
    : finalizers.filter((name) => name !== finalizer);
  const metadata = { ...object.metadata, finalizers: changed };
  await client.update(type, { ...object, metadata } as unknown as T);
}
