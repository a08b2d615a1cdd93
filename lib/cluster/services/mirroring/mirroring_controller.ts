// Mirrors `controller/endpointslicemirroring/endpointslicemirroring_controller.go, Controller`.
import type { V1Endpoints, V1Service } from "@xca/apimachinery/kubernetes-types";
import {
  Endpoints,
  EndpointSlice,
  formatKey,
  keyOf,
  type ObjectKey,
  Service,
} from "@xca/apimachinery/meta";
import { hasStatusCause, ignoreNotFound } from "../../../client/errors/api_error.ts";
import { controllerFor } from "../../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../../controller/definition/controller_definition.ts";
import { type MapFunction, toSelf } from "../../../controller/definition/mapping.ts";
import type { Predicate } from "../../../controller/definition/predicate.ts";
import type { ReconcileContext } from "../../../controller/definition/reconciler.ts";
import { MANAGED_BY, type ReadSlice, SERVICE_NAME } from "../endpoint_slice/new_slice.ts";
import type { SliceChanges } from "../endpoint_slice/slice_changes.ts";
import { LEADER_ANNOTATION } from "../endpoints/leader_annotation.ts";
import {
  MAX_MIRRORED,
  mirrorChanges,
  MIRRORED_SLICES,
  type ReadEndpoints,
} from "./mirrored_slices.ts";

/** The name of the cache index of mirroring EndpointSlices by the key of their Endpoints. */
const MIRROR_INDEX = "endpoints";
/** The key of the label of Endpoints that are excluded from mirroring. */
const SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

/**
 * Creates the controller that mirrors the Endpoints of Services without a selector, which users
 * write, in EndpointSlices.
 */
export function endpointSliceMirroringController(): ControllerDefinition {
  return controllerFor(Endpoints)
    .named("endpointslice-mirroring-controller")
    .withPredicates(isMirroredChange)
    .watches(Service, toSelf, { predicates: [isSelectorChange] })
    .watches(EndpointSlice, toEndpoints, {
      indexes: {
        [MIRROR_INDEX]: ({ labels, namespace }) =>
          labels[MANAGED_BY] === MIRRORED_SLICES
            ? [`${namespace}/${labels[SERVICE_NAME] ?? ""}`]
            : [],
      },
    })
    .options({
      eventSource: "endpoint-slice-mirroring-controller",
      workers: 5,
      hotLoopRuns: Infinity,
    })
    .reconcile(reconcileEndpoints);
}

type Marked = Readonly<Record<"labels" | "annotations", Readonly<Record<string, string>>>>;

function isMirrored({ labels, annotations }: Marked): boolean {
  return labels[SKIP_MIRROR] !== "true" && annotations[LEADER_ANNOTATION] === undefined;
}

/** A predicate that passes the events of Endpoints that are mirrored, or were before the event. */
const isMirroredChange: Predicate<V1Endpoints> = (event) =>
  isMirrored(event.object) || event.type === "updated" && isMirrored(event.old);

/**
 * A predicate that passes the Service events after which the mirroring of its Endpoints starts or
 * stops.
 */
const isSelectorChange: Predicate<V1Service> = (event) => {
  const hasSelector = Boolean(event.object.object.spec?.selector);
  return event.type === "updated"
    ? hasSelector !== Boolean(event.old.object.spec?.selector)
    : !hasSelector;
};

/**
 * A mapping function that maps an EndpointSlice that this controller manages to the Endpoints that
 * it mirrors.
 */
const toEndpoints: MapFunction = ({ labels, namespace }): ObjectKey[] => {
  const name = labels[SERVICE_NAME];
  if (!name || labels[MANAGED_BY] !== MIRRORED_SLICES) return [];
  return [formatKey({ namespace, name })];
};

async function reconcileEndpoints(context: ReconcileContext): Promise<void> {
  const { cache, key } = context;
  const slices: readonly ReadSlice[] = await cache.shared.byIndex(EndpointSlice, MIRROR_INDEX, key);
  const existing = slices.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const endpoints: ReadEndpoints | undefined = cache.shared.get(Endpoints, key);
  const service = cache.shared.get(Service, key);
  const { labels = {}, annotations = {} } = endpoints?.metadata ?? {};
  if (!endpoints || !isMirrored({ labels, annotations }) || !service || service.spec?.selector) {
    await write(context, { create: [], update: [], remove: [...existing] });
    return;
  }
  const { invalid, skipped, ...changes } = mirrorChanges(endpoints, existing);
  reportSkipped(context, endpoints, invalid, skipped);
  const isDeleted = endpoints.metadata.deletionTimestamp !== undefined;
  await write(context, isDeleted ? { ...changes, create: [] } : changes);
}

function reportSkipped(
  { events }: ReconcileContext,
  endpoints: ReadEndpoints,
  invalid: number,
  skipped: number,
): void {
  if (invalid > 0) {
    events.record(Endpoints, endpoints, {
      type: "Warning",
      reason: "InvalidIPAddress",
      note: `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`,
    });
  }
  if (skipped <= invalid) return;
  events.record(Endpoints, endpoints, {
    type: "Warning",
    reason: "TooManyAddressesToMirror",
    note: `A max of ${MAX_MIRRORED} addresses can be mirrored to EndpointSlices per Endpoints ` +
      `subset. ${skipped} addresses were skipped`,
  });
}

async function write(
  { client }: ReconcileContext,
  { create, update, remove }: SliceChanges,
): Promise<void> {
  for (const slice of create) {
    try {
      await client.create(EndpointSlice, slice);
    } catch (error) {
      if (hasStatusCause(error, "NamespaceTerminating")) return;
      throw error;
    }
  }
  for (const slice of update) await client.update(EndpointSlice, slice);
  for (const slice of remove) await ignoreNotFound(client.delete(EndpointSlice, keyOf(slice)));
}
