/**
 * An operator that provides a Service for applications outside of the cluster: it synchronizes the
 * Service's EndpointSlices with a registry over HTTP.
 *
 * The registry announces changes in the responses of a long poll, which is an external source of
 * the controller. Only a valid response changes endpoints: while the registry is unreachable or its
 * response is malformed, and for a time after its response has become empty, the endpoints stay
 * unchanged. README.md in this folder has a picture.
 *
 * ```sh
 * REGISTRY_URL=http://127.0.0.1:8500 kubectl xca run --install-crds
 * examples/14_outside_service/operator.ts
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  keyOf,
  loadConfig,
  type Operator,
  type ReconcileContext,
  type RequeueAfter,
  Service,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { delay } from "@xca/operator/base";
import { isInvalid } from "@xca/operator/client";
import {
  applyChild,
  type CacheReader,
  childSource,
  type ExternalSource,
  patchStatus,
  pruneChildren,
} from "@xca/operator/controller";
import type { V1EndpointSlice } from "@xca/operator/kubernetes-types";
import { EndpointSlice, findCondition, formatTime, type Summary } from "@xca/operator/meta";
import { runExample } from "../run_example.ts";
import { conditionsOf, OutsideService, type OutsideServiceStatus } from "./outside_service.ts";
import { type Instance, Registry, RegistryError, type Versions } from "./registry.ts";
import { MANAGED_BY, planSlices } from "./slices.ts";

/** The name of the operator, which is also its field manager of Services and EndpointSlices. */
const FIELD_MANAGER = "outside-services";
/** The name of the cache index of OutsideServices by their service name in the registry. */
const BY_SERVICE = "service";
/** The minimum interval between polls of a registry that responds at once, in milliseconds. */
const MIN_POLL_MS = 1_000;
/**
 * The interval of reconcile runs that find changes which no long poll announced, in milliseconds.
 */
const RESYNC_MS = 600_000;

/** Synchronizes the Service and the EndpointSlices of one OutsideService with the registry. */
async function reconcile(
  context: ReconcileContext,
  registry: Registry,
): Promise<void | RequeueAfter> {
  const outside = context.cache.get(OutsideService, context.key);
  // The garbage collector deletes the Service and the slices of a deleted OutsideService.
  if (!outside || outside.metadata.deletionTimestamp) return;
  const slices = await slicesOf(context, outside);
  try {
    await applyService(context, outside);
    const instances = await registry.instances(outside.spec.service, context);
    const isSuspect = instances.length === 0 && slices.some(({ endpoints }) => endpoints?.length);
    if (isSuspect) {
      const leftMs = await doubt(context, outside);
      if (leftMs > 0) return { requeueAfterMs: leftMs };
    }
    await applySlices(context, outside, instances, slices);
    await report(context, outside, instances);
  } catch (error) {
    if (error instanceof RegistryError) await refuse(context, outside, error.reason, error.message);
    else if (isInvalid(error)) await refuse(context, outside, "Refused", error.message);
    throw error; // the controller tries again, and waits longer each time
  }
}

/**
 * Returns the EndpointSlices that an OutsideService owns, without those that are being deleted,
 * sorted by name.
 */
async function slicesOf(
  { cache, namespace }: ReconcileContext,
  { metadata: { name, uid } }: OutsideService,
): Promise<V1EndpointSlice[]> {
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const slices = await cache.list(EndpointSlice, { namespace, labelSelector });
  return slices.filter(({ metadata }) =>
    metadata?.ownerReferences?.some((owner) => owner.uid === uid) && !metadata.deletionTimestamp
  ).sort((a, b) => a.metadata!.name! < b.metadata!.name! ? -1 : 1);
}

/**
 * Applies the Service of an OutsideService. The Service has no selector, so that
 * kube-controller-manager creates no EndpointSlices for it.
 */
async function applyService(context: ReconcileContext, outside: OutsideService): Promise<void> {
  const { metadata: { name = "", namespace = "" }, spec } = outside;
  const ports = spec.ports.map((port) => ({ ...port, protocol: "TCP" }));
  await applyChild(context, Service, { metadata: { name, namespace }, spec: { ports } }, {
    owner: { type: OutsideService, object: outside },
    fieldManager: FIELD_MANAGER,
  });
}

/** Applies the EndpointSlices that differ, and then deletes those without endpoints. */
async function applySlices(
  context: ReconcileContext,
  outside: OutsideService,
  instances: readonly Instance[],
  present: readonly V1EndpointSlice[],
): Promise<void> {
  const owner = { type: OutsideService, object: outside };
  const keep = new Set<string>();
  for (const slice of planSlices(outside, instances, present)) {
    const options = { owner, fieldManager: FIELD_MANAGER };
    const { object } = await applyChild(context, EndpointSlice, slice, options);
    keep.add(keyOf(object));
  }
  const labelSelector = `endpointslice.kubernetes.io/managed-by=${MANAGED_BY}`;
  await pruneChildren(context, { owner, type: EndpointSlice, labelSelector, keep });
}

/**
 * Returns the time for which the endpoints of a service are still kept although the registry lists
 * no instance, in milliseconds; 0 when the time is over. Until then, records the beginning of the
 * time in the status, with a condition and an event.
 */
async function doubt(context: ReconcileContext, outside: OutsideService): Promise<number> {
  const now = context.clock.now();
  const { spec: { service, emptyAfterSeconds }, status } = outside;
  const since = status?.emptySince ? new Date(status.emptySince) : now;
  const leftMs = since.getTime() + emptyAfterSeconds * 1000 - now.getTime();
  if (leftMs <= 0) return 0;
  const message =
    `The registry knows no instance of ${service}; the endpoints are kept until this ` +
    `has lasted ${emptyAfterSeconds} s`;
  await refuse(context, outside, "EmptyAnswer", message, { emptySince: formatTime(since) });
  return leftMs;
}

/**
 * Writes the numbers of endpoints and ready endpoints, and the conditions that follow from them, to
 * the status. Emits an event if a number has changed.
 */
async function report(
  context: ReconcileContext,
  outside: OutsideService,
  instances: readonly Instance[],
): Promise<void> {
  const ready = instances.filter(({ state }) => state === "up").length;
  const counts = { endpoints: instances.length, ready };
  const before = outside.status;
  if (before?.endpoints !== counts.endpoints || before.ready !== ready) {
    const note = `${ready} of ${counts.endpoints} endpoints are ready`;
    record(context, outside, "Normal", "EndpointsChanged", note);
  }
  const summary: Summary = ready > 0 ? { state: "Ready", reason: "InStep" } : {
    state: "Degraded",
    reason: "NoReadyInstance",
    message: `None of ${counts.endpoints} instances takes requests`,
  };
  await write(context, outside, summary, { ...counts, emptySince: null });
}

/**
 * Records the reason why the endpoints are left unchanged, as a condition and, if the reason is
 * new, as an event.
 */
async function refuse(
  context: ReconcileContext,
  outside: OutsideService,
  reason: string,
  message: string,
  change: StatusChange = {},
): Promise<void> {
  if (problemOf(outside) !== reason) record(context, outside, "Warning", reason, message);
  await write(context, outside, { state: "Degraded", reason, message }, change);
}

/** Returns the reason why an OutsideService is degraded; `undefined` if it is not. */
function problemOf({ status }: OutsideService): string | undefined {
  const condition = findCondition(status?.conditions, "Degraded");
  return condition?.status === "True" ? condition.reason : undefined;
}

/** The fields of an OutsideService's status that change; `null` removes a field. */
type StatusChange = { [F in keyof OutsideServiceStatus]: OutsideServiceStatus[F] | null };

async function write(
  context: ReconcileContext,
  outside: OutsideService,
  summary: Summary,
  change: StatusChange,
): Promise<void> {
  const conditions = conditionsOf(outside, summary, context.clock.now());
  await patchStatus(context, OutsideService, outside, { ...change, conditions });
}

function record(
  { events }: ReconcileContext,
  outside: OutsideService,
  type: "Normal" | "Warning",
  reason: string,
  note: string,
): void {
  events.record(OutsideService, outside, { type, reason, note });
}

/**
 * Returns the external source of the controller: it waits for changes of the registry, and queues
 * the OutsideServices of the changed services. While the registry is unreachable, the source
 * throws, and the controller calls it again.
 */
function changesOf(registry: Registry): ExternalSource {
  return async ({ enqueue, cache, signal, clock }) => {
    let known: Versions | undefined;
    try {
      while (!signal.aborted) {
        const earliestMs = clock.monotonicMs() + MIN_POLL_MS;
        const versions = await registry.changed(known, { signal, clock });
        if (versions) {
          const changed = known ? changedServices(known, versions) : undefined;
          for (const outside of await outsideOf(cache, changed)) enqueue(keyOf(outside));
          known = versions;
        }
        const pauseMs = earliestMs - clock.monotonicMs();
        if (pauseMs > 0) await delay(pauseMs, { signal, clock });
      }
    } catch (error) {
      // Each OutsideService reports the failure of the registry in a reconcile run; those that
      // report it already are not queued.
      for (const outside of await outsideOf(cache)) {
        if (problemOf(outside) !== "RegistryUnreachable") enqueue(keyOf(outside));
      }
      throw error;
    }
  };
}

/** Returns the names of the services that were added, changed or removed. */
function changedServices(known: Versions, { byService }: Versions): string[] {
  const names = new Set([...known.byService.keys(), ...byService.keys()]);
  return [...names].filter((name) => byService.get(name) !== known.byService.get(name));
}

/**
 * Returns the OutsideServices of the given services of the registry; all of them without a list.
 */
async function outsideOf(
  cache: CacheReader,
  services?: readonly string[],
): Promise<OutsideService[]> {
  if (!services) return await cache.list(OutsideService);
  const lists = services.map((name) => cache.byIndex(OutsideService, BY_SERVICE, name));
  return (await Promise.all(lists)).flat();
}

/** Returns the operator of OutsideServices for a registry. */
export function outsideServices(registry: Registry): Operator {
  return defineOperator({
    name: FIELD_MANAGER,
    controllers: [
      controllerFor(OutsideService, {
        indexes: { [BY_SERVICE]: (packed) => [packed.view().spec.service] },
      })
        .owns(Service, childSource)
        .owns(EndpointSlice, childSource)
        .reconcilesOn("registry", changesOf(registry))
        .options({ workers: 4, resyncPeriodMs: RESYNC_MS })
        .uses(Service, ["applyChild"])
        .uses(EndpointSlice, ["applyChild", "pruneChildren"])
        .uses(OutsideService, ["patchStatus", "recordEvents"])
        .reconcile((context) => reconcile(context, registry)),
    ],
  });
}

/** The operator of OutsideServices for the registry at `REGISTRY_URL`. */
export const operator: Operator = outsideServices(
  new Registry(Deno.env.get("REGISTRY_URL") ?? "http://registry.default.svc:8500"),
);

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
