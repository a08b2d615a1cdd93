// Mirrors `controller/endpoint/endpoints_controller.go, Controller`.
import { errorText } from "@xca/apimachinery/base";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import type { V1Endpoints } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  Endpoints,
  labelSelectorOf,
  Pod,
  Service,
} from "@xca/apimachinery/meta";
import { hasStatusCause, ignoreNotFound } from "../../../client/errors/api_error.ts";
import { controllerFor } from "../../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../../controller/definition/controller_definition.ts";
import { toSelf } from "../../../controller/definition/mapping.ts";
import type { Predicate } from "../../../controller/definition/predicate.ts";
import type { ReconcileContext } from "../../../controller/definition/reconciler.ts";
import { LEADER_ANNOTATION } from "./leader_annotation.ts";
import type { ReadService } from "../endpoint_slice/pod_endpoints.ts";
import { toSelectingServices } from "../endpoint_slice/selecting_services.ts";
import { TRIGGER_TIME, TriggerTimes } from "../endpoint_slice/trigger_time.ts";
import { type ReadSubset, repackSubsets, type Subset } from "./repack_subsets.ts";
import { subsetsOf } from "./service_subsets.ts";
import { countAddresses, MAX_ADDRESSES, truncateSubsets } from "./truncate_subsets.ts";

type ReadEndpoints = DeepReadonly<V1Endpoints>;
type Labels = Readonly<Record<string, string>>;

/** The key of the Endpoints label with the name of the controller that manages the object. */
const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
/** The value of {@linkcode MANAGED_BY} for the Endpoints controller. */
const POD_ENDPOINTS = "endpoint-controller";
/** The key of the label of the Endpoints of headless Services. */
const HEADLESS = "service.kubernetes.io/headless";
/** The key of the annotation of Endpoints whose addresses were truncated to the maximum. */
const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";

/**
 * Creates the Endpoints controller: it keeps the addresses and ports of the pods of each Service
 * with a selector in an Endpoints object of the same name, with at most 1000 addresses, and deletes
 * the Endpoints of deleted Services.
 */
export function endpointsController(): ControllerDefinition {
  const times = new TriggerTimes();
  return controllerFor(Service)
    .named("endpoints-controller")
    .watches(Pod, toSelectingServices)
    .watches(Endpoints, toSelf, { predicates: [isDeletionOrLeftover] })
    .options({ eventSource: "endpoint-controller", workers: 5, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileService(context, times));
}

/**
 * A predicate that passes deletions of Endpoints, and the Endpoints that exist at the start and are
 * no lock of a leader election, since their Service may have been deleted.
 */
const isDeletionOrLeftover: Predicate<V1Endpoints> = (event) =>
  event.type === "deleted" ||
  event.type === "added" && event.isInInitialList &&
    event.object.annotations[LEADER_ANNOTATION] === undefined;

async function reconcileService(context: ReconcileContext, times: TriggerTimes): Promise<void> {
  const { cache, client, key, namespace } = context;
  const service = cache.shared.get(Service, key);
  if (!service) {
    times.forget(key);
    if (cache.shared.get(Endpoints, key)) await ignoreNotFound(client.delete(Endpoints, key));
    return;
  }
  const { selector, type } = service.spec ?? {};
  if (type === "ExternalName" || !selector) return;
  const labelSelector = labelSelectorOf({ matchLabels: selector });
  const pods = await cache.shared.list(Pod, { namespace, labelSelector });
  const triggerTime = times.next(key, service, pods);
  const subsets = subsetsOf(service, pods);
  const current: ReadEndpoints | undefined = cache.shared.get(Endpoints, key);
  if (current && isCurrent(current, service, subsets)) return;
  await write(context, service, current, endpointsOf(service, current, subsets, triggerTime));
}

/**
 * Reports whether an Endpoints object has the desired subsets and labels, and the annotation of
 * truncated addresses if and only if addresses are left out.
 */
function isCurrent(
  { metadata, subsets }: ReadEndpoints,
  service: ReadService,
  wanted: readonly Subset[],
): boolean {
  const { labels, annotations } = metadata;
  return labels?.[MANAGED_BY] === POD_ENDPOINTS &&
    canonicalJson(ownLabels(labels)) === canonicalJson(ownLabels(service.metadata.labels)) &&
    (annotations?.[OVER_CAPACITY] === "truncated") === (countAddresses(wanted) > MAX_ADDRESSES) &&
    packedText(subsets ?? []) === packedText(truncateSubsets(wanted));
}

function packedText(subsets: readonly ReadSubset[]): string {
  return canonicalJson(repackSubsets(subsets));
}

function ownLabels(labels: Labels = {}): Labels {
  const { [MANAGED_BY]: _, [HEADLESS]: __, ...own } = labels;
  return own;
}

/** Returns the desired Endpoints of a Service, with the annotations of other writers. */
function endpointsOf(
  { metadata, spec }: ReadService,
  current: ReadEndpoints | undefined,
  subsets: readonly Subset[],
  triggerTime: string | undefined,
): V1Endpoints {
  const { [TRIGGER_TIME]: _, [OVER_CAPACITY]: __, ...others } = current?.metadata.annotations ?? {};
  const isTruncated = countAddresses(subsets) > MAX_ADDRESSES;
  const isHeadless = !spec?.clusterIP || spec.clusterIP === "None";
  return {
    metadata: {
      ...current?.metadata as V1Endpoints["metadata"],
      name: metadata.name!,
      namespace: metadata.namespace!,
      labels: {
        ...ownLabels(metadata.labels),
        ...(isHeadless && { [HEADLESS]: "" }),
        [MANAGED_BY]: POD_ENDPOINTS,
      },
      annotations: {
        ...others,
        ...(triggerTime && { [TRIGGER_TIME]: triggerTime }),
        ...(isTruncated && { [OVER_CAPACITY]: "truncated" }),
      },
    },
    subsets: truncateSubsets(subsets),
  };
}

async function write(
  { client, events, key }: ReconcileContext,
  service: ReadService,
  current: ReadEndpoints | undefined,
  endpoints: V1Endpoints,
): Promise<void> {
  try {
    await (current ? client.update(Endpoints, endpoints) : client.create(Endpoints, endpoints));
  } catch (error) {
    if (!current && hasStatusCause(error, "NamespaceTerminating")) return;
    const why = errorText(error);
    const [reason, note] = current
      ? ["FailedToUpdateEndpoint", `Failed to update endpoint ${key}: ${why}`]
      : ["FailedToCreateEndpoint", `Failed to create endpoint for service ${key}: ${why}`];
    events.record(Endpoints, current ?? named(service), { type: "Warning", reason, note });
    throw error;
  }
}

/**
 * Returns an Endpoints object with only a name and namespace, by which an event refers to Endpoints
 * that do not exist yet.
 */
function named({ metadata: { name, namespace } }: ReadService): V1Endpoints {
  return { metadata: { name: name!, namespace: namespace! } };
}
