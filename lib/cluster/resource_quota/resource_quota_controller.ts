// Mirrors `controller/resourcequota/resource_quota_controller.go, Controller` and
// `quota/v1/install/update_filter.go, DefaultUpdateFilter`.
import { canonicalJson, compareQuantities } from "@xca/apimachinery/internal/values";
import type { V1ResourceQuota } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  keyOf,
  type KubeObject,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  type ResourceType,
  Service,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { MapFunction } from "../../controller/definition/mapping.ts";
import type { ChangeEvent, Predicate } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { CountedObjects, WATCHED } from "./counted_objects.ts";
import { type ReadQuota, usageOf } from "./quota_usage.ts";

/**
 * The interval at which a ResourceQuota is recounted that counts only objects with a watch, in
 * milliseconds.
 */
const RESYNC_MS = 5 * 60_000;
/**
 * The interval at which a ResourceQuota is recounted that counts objects without a watch, in
 * milliseconds.
 */
const UNWATCHED_MS = 30_000;

type Amounts = Readonly<Record<string, string>>;
type ReadObject = DeepReadonly<KubeObject>;

/**
 * Creates the ResourceQuota controller: it writes the limits and the usage of quotas into their
 * status, and recounts when a counted object is deleted or uses less, and at least every five
 * minutes. The API server itself adds the usage of new objects.
 */
export function resourceQuotaController(): ControllerDefinition {
  const own = controllerFor(ResourceQuota).named("resourcequota-controller")
    .withPredicates(isLimitChange)
    .watches(ResourceQuota, toQuotas, { predicates: [isDeletion] });
  const others = WATCHED.filter((type) => type !== (ResourceQuota as ResourceType));
  return others.reduce(
    (builder, type) => builder.watches(type, toQuotas, { predicates: [replenishes(type)] }),
    own,
  ).options({ workers: 5, hotLoopRuns: Infinity }).reconcile(reconcile);
}

/** Returns the keys of the ResourceQuotas in the namespace of an object. */
async function toQuotas(
  { namespace }: Parameters<MapFunction>[0],
  { cache }: Parameters<MapFunction>[1],
): Promise<string[]> {
  return (await cache.shared.list(ResourceQuota, { namespace })).map(keyOf);
}

/**
 * Reports whether an event is about a created or deleted ResourceQuota, or about a change of its
 * limits. The status of a quota changes with each counted object, which causes no recount.
 */
function isLimitChange(event: ChangeEvent<V1ResourceQuota>): boolean {
  return event.type !== "updated" ||
    canonicalJson(event.old.object.spec?.hard) !== canonicalJson(event.object.object.spec?.hard);
}

function isDeletion({ type }: ChangeEvent): boolean {
  return type === "deleted";
}

/**
 * Returns the predicate of a counted resource that passes the events after which its objects may
 * use less of a quota.
 */
function replenishes(type: ResourceType): Predicate {
  const isLess = LESS[type.plural];
  return (event) =>
    event.type === "deleted" ||
    event.type === "updated" && isLess?.(event.old.object, event.object.object) === true;
}

/**
 * The functions that report whether an update of an object may reduce its quota usage, by the
 * plural of the resource. The API server charges increases at the write.
 */
const LESS: Readonly<Record<string, (old: ReadObject, now: ReadObject) => boolean>> = {
  [Pod.plural]: (old, now) => podFacts(old as ReadPod) !== podFacts(now as ReadPod),
  [Service.plural]: (old, now) => typeOf(old) !== typeOf(now),
  [PersistentVolumeClaim.plural]: (old, now) => storageOf(old) !== storageOf(now),
};

/** Returns the fields of a pod whose changes may reduce its quota usage, as a text to compare. */
function podFacts(pod: ReadPod): string {
  const { metadata, spec, status } = pod;
  const resources = [...status?.containerStatuses ?? [], ...status?.initContainerStatuses ?? []]
    .map((each) => each.resources);
  return canonicalJson([
    isTerminal(pod),
    metadata.deletionTimestamp,
    spec?.activeDeadlineSeconds,
    resources,
  ]);
}

function typeOf(service: ReadObject): unknown {
  return (service as { spec?: { type?: string } }).spec?.type;
}

function storageOf(claim: ReadObject): string {
  const { spec, status } = claim as {
    spec?: { volumeAttributesClassName?: string; resources?: unknown };
    status?: { allocatedResources?: unknown; currentVolumeAttributesClassName?: string };
  };
  return canonicalJson([
    spec?.resources,
    spec?.volumeAttributesClassName,
    status?.allocatedResources,
    status?.currentVolumeAttributesClassName,
  ]);
}

async function reconcile(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, client, clock, key } = context;
  const quota: ReadQuota | undefined = cache.shared.get(ResourceQuota, key);
  if (!quota || quota.metadata.deletionTimestamp !== undefined) return;
  const objects = new CountedObjects(context);
  const hard: Amounts = quota.spec?.hard ?? {};
  const counted = await usageOf(quota, objects, clock.now());
  const used = Object.fromEntries(
    Object.entries({ ...quota.status?.used, ...counted }).filter(([name]) =>
      Object.hasOwn(hard, name)
    ),
  );
  const { status } = quota; // An API server leaves out empty maps.
  if (!isEqual(hard, status?.hard ?? {}) || !isEqual(used, status?.used ?? {})) {
    await client.updateStatus(
      ResourceQuota,
      { ...quota, status: { hard, used } } as V1ResourceQuota,
    );
  }
  return { requeueAfterMs: objects.hasUnwatched ? UNWATCHED_MS : RESYNC_MS };
}

/** Reports whether two maps of resource amounts are equal. */
function isEqual(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && compareQuantities(a[name]!, b[name]!) === 0);
}
