// Mirrors `controller/endpointslice/endpointslice_controller.go, Controller`.
import {
  EndpointSlice,
  formatKey,
  labelSelectorOf,
  Node,
  type ObjectKey,
  Pod,
  Service,
} from "@xca/apimachinery/meta";
import { errorText } from "@xca/apimachinery/base";
import { controllerFor } from "../../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../../controller/definition/controller_definition.ts";
import type { MapFunction } from "../../../controller/definition/mapping.ts";
import type { ReconcileContext } from "../../../controller/definition/reconciler.ts";
import { toSelectingServices } from "./selecting_services.ts";
import { MANAGED_BY, POD_SLICES, type ReadSlice, SERVICE_NAME } from "./new_slice.ts";
import { addressTypesOf } from "./pod_endpoints.ts";
import { addDistributionHints, slicesOfFamily, writeSlices } from "./service_slices.ts";
import { isShareChange, TopologyHints } from "./topology_hints.ts";
import { TriggerTimes } from "./trigger_time.ts";

/** The name of the cache index of EndpointSlices by the key of their Service. */
const SERVICE_INDEX = "service";

/**
 * Creates the EndpointSlice controller: it keeps the addresses, ports and conditions of the pods of
 * each Service with a selector in EndpointSlices of at most 100 endpoints.
 */
export function endpointSliceController(): ControllerDefinition {
  const memory: Memory = { times: new TriggerTimes(), hints: new TopologyHints() };
  return controllerFor(Service)
    .named("endpointslice-controller")
    .watches(Pod, toSelectingServices)
    .watches(Node, memory.hints.toOverloaded, { predicates: [isShareChange] })
    .watches(EndpointSlice, toService, {
      indexes: {
        [SERVICE_INDEX]: ({ labels, namespace }) => [`${namespace}/${labels[SERVICE_NAME] ?? ""}`],
      },
    })
    .options({ eventSource: "endpoint-slice-controller", workers: 5, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileService(context, memory));
}

/** A mapping function that maps an EndpointSlice that this controller manages to its Service. */
const toService: MapFunction = ({ labels, namespace }): ObjectKey[] => {
  const name = labels[SERVICE_NAME];
  if (!name || labels[MANAGED_BY] !== POD_SLICES) return [];
  return [formatKey({ namespace, name })];
};

/**
 * The facts about Services that the controller keeps between two runs: the trigger times, and the
 * topology-aware hints.
 */
interface Memory {
  readonly times: TriggerTimes;
  readonly hints: TopologyHints;
}

async function reconcileService(context: ReconcileContext, memory: Memory): Promise<void> {
  const { times, hints } = memory;
  const { cache, events, key, namespace } = context;
  const service = cache.shared.get(Service, key);
  if (!service) {
    hints.forget(key);
    return times.forget(key);
  }
  const { selector, type } = service.spec ?? {};
  if (type === "ExternalName" || !selector) return;
  const labelSelector = labelSelectorOf({ matchLabels: selector });
  const pods = await cache.shared.list(Pod, { namespace, labelSelector });
  const found: readonly ReadSlice[] = await cache.shared.byIndex(EndpointSlice, SERVICE_INDEX, key);
  const slices = found.filter(({ metadata }) =>
    metadata.labels?.[MANAGED_BY] === POD_SLICES && metadata.deletionTimestamp === undefined
  );
  const triggerTime = times.next(key, service, pods);
  const failures: string[] = [];
  try {
    const families = addressTypesOf(service);
    for (const family of families) {
      const ofFamily = slices.filter(({ addressType }) => addressType === family);
      const desired = slicesOfFamily(cache, service, pods, ofFamily, family);
      failures.push(...desired.problems);
      const event = await hints.update(cache, service, family, desired);
      addDistributionHints(service, desired);
      if (event) events.record(Service, service, event);
      await writeSlices(context, service, desired.changes, triggerTime);
    }
    const remove = slices.filter(({ addressType }) =>
      !families.some((each) => each === addressType)
    );
    await writeSlices(context, service, { create: [], update: [], remove }, triggerTime);
  } catch (error) {
    failures.push(errorText(error));
  }
  if (failures.length === 0) return;
  const note = `Error updating Endpoint Slices for Service ${key}: ${failures.join(", ")}`;
  events.record(Service, service, {
    type: "Warning",
    reason: "FailedToUpdateEndpointSlices",
    note,
  });
  throw new Error(note);
}
