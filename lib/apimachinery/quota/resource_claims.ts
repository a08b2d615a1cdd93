// Mirrors `evaluator/core/resource_claims.go, claimEvaluator`.
import type { ApiObject } from "../values/api_object.ts";
import { nanosOf } from "../values/quantity.ts";
import type { V1Pod } from "../kubernetes_types/types/core_v1_pods.ts";
import type { V1ResourceClaim } from "../kubernetes_types/types/resource_v1.ts";
import type { Quantities } from "../resources/pod_resources.ts";
import { subtractQuantities } from "../resources/quantity_sum.ts";
import type { Amounts } from "./amounts.ts";
import { type Evaluator, objectCount, type QuotaReader, type UsageContext } from "./evaluator.ts";
import { isOfExtendedResource } from "./pod_evaluator.ts";
import { DEVICE_CLASS_PREFIX, podUsage } from "./pod_usage.ts";

type DeviceRequest = NonNullable<
  NonNullable<NonNullable<V1ResourceClaim["spec"]>["devices"]>["requests"]
>[number];

interface Counted {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

const GROUP = "resource.k8s.io";
const COUNT = objectCount(GROUP, "resourceclaims");
const OF_CLASS = ".deviceclass.resource.k8s.io/devices";
const OF_POD = "resource.kubernetes.io/extended-resource-claim";
/** Maximum number of devices that can be allocated to a ResourceClaim. */
const MOST_DEVICES = 32;

/** The quota evaluator that counts ResourceClaims and their requested devices by class. */
export const RESOURCE_CLAIMS: Evaluator = {
  matching: (names, registry) =>
    names.filter((name) =>
      name === COUNT || name.endsWith(OF_CLASS) || isOfDevices(name, registry)
    ),
  usage: (object, context) => claimUsage(object as unknown as V1ResourceClaim, context),
};

/**
 * Reports whether a quota's resource name counts devices that pods request as an extended resource.
 */
function isOfDevices(name: string, registry: QuotaReader): boolean {
  const prefix = `requests.${DEVICE_CLASS_PREFIX}`;
  if (name.startsWith(prefix) && extendedResource(name.slice(prefix.length), registry)) return true;
  return isOfExtendedResource(name) &&
    [...registry.list(GROUP, "deviceclasses")].some((each) =>
      extendedName(each) === name.slice("requests.".length)
    );
}

function extendedName(deviceClass: ApiObject): string | undefined {
  return (deviceClass["spec"] as { extendedResourceName?: string } | undefined)
    ?.extendedResourceName;
}

/**
 * Returns the name of the extended resource by which pods can request devices of a DeviceClass;
 * `undefined` if there is none.
 */
function extendedResource(className: string, registry: QuotaReader): string | undefined {
  const found = registry.get(GROUP, "deviceclasses", "", className);
  return found && extendedName(found);
}

function claimUsage(claim: V1ResourceClaim, context: UsageContext): Amounts {
  const devices: Record<string, number> = {};
  for (const request of claim.spec?.devices?.requests ?? []) {
    for (const [name, count] of Object.entries(devicesOf(request))) {
      devices[name] = (devices[name] ?? 0) + count;
    }
  }
  const usage: Quantities = { [COUNT]: "1" };
  const ofPod = ownerUsage(claim, context);
  for (const [name, count] of Object.entries(devices)) {
    usage[name + OF_CLASS] = String(count);
    if (name === "") continue;
    const resource = extendedResource(name, context.registry);
    for (const each of [DEVICE_CLASS_PREFIX + name, ...(resource ? [resource] : [])]) {
      const rest = subtractQuantities(String(count), ofPod[`requests.${each}`] ?? "0");
      if (nanosOf(rest) > 0n) usage[`requests.${each}`] = rest;
    }
  }
  return usage;
}

/**
 * Returns, by DeviceClass, the number of devices that may be allocated to a request of a
 * ResourceClaim. Of alternatives (`firstAvailable`) with the same DeviceClass, the largest number
 * counts.
 */
function devicesOf({ exactly, firstAvailable = [] }: DeviceRequest): Record<string, number> {
  if (firstAvailable.length === 0) {
    return exactly ? { [exactly.deviceClassName]: countOf(exactly) } : {};
  }
  const most: Record<string, number> = {};
  for (const each of firstAvailable) {
    const count = countOf(each);
    if (count > (most[each.deviceClassName] ?? 0)) most[each.deviceClassName] = count;
  }
  return most;
}

function countOf({ allocationMode, count = 0 }: Counted): number {
  if (allocationMode === "ExactCount") return count;
  return allocationMode === "All" ? MOST_DEVICES : 0;
}

/**
 * Returns the quota usage that is already counted for the pod for whose extended resources a
 * ResourceClaim was generated; empty for other ResourceClaims.
 */
function ownerUsage({ metadata }: V1ResourceClaim, { registry, now }: UsageContext): Amounts {
  if (metadata?.annotations?.[OF_POD] !== "true") return {};
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner?.kind !== "Pod" || owner.apiVersion !== "v1") return {};
  const pod = registry.get("", "pods", metadata.namespace ?? "", owner.name) as V1Pod | undefined;
  if (!pod || pod.metadata.uid !== owner.uid) return {};
  const named = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  const isOther = named !== undefined
    ? named !== metadata.name
    : hasEarlierClaim(metadata, owner.uid, registry);
  return isOther ? {} : podUsage(pod, now);
}

/**
 * Reports whether a ResourceClaim earlier than the given one was generated for the extended
 * resources of the same pod.
 */
function hasEarlierClaim(
  { namespace = "", name = "", creationTimestamp = "" }: ApiObject["metadata"],
  owner: string,
  registry: QuotaReader,
): boolean {
  return [...registry.list(GROUP, "resourceclaims", namespace)].some(({ metadata: other }) => {
    if (other.annotations?.[OF_POD] !== "true") return false;
    if (!other.ownerReferences?.some(({ uid, controller }) => controller && uid === owner)) {
      return false;
    }
    const created = other.creationTimestamp ?? "";
    return created < creationTimestamp || created === creationTimestamp && other.name! < name;
  });
}
