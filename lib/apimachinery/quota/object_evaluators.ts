/**
 * Evaluators of the ResourceQuota usage of objects other than pods. Mirrors
 * `evaluator/core/services.go, serviceEvaluator` and `evaluator/core/persistent_volume_claims.go,
 * pvcEvaluator`.
 *
 * @module
 */
import { compareQuantities, isWholeQuantity, wholeValue } from "../values/quantity.ts";
import type { V1Service } from "../kubernetes_types/types/core_v1.ts";
import type { V1PersistentVolumeClaim } from "../kubernetes_types/types/core_v1_persistent_volumes.ts";
import { claimClass } from "./claim_class.ts";
import type { Amounts } from "./amounts.ts";
import {
  type Evaluator,
  meetsRequirement,
  objectCount,
  type ScopeRequirement,
} from "./evaluator.ts";

/**
 * Returns a quota evaluator that counts each object of a resource as 1 under each of the given
 * names.
 */
export function countedObjects(...names: readonly string[]): Evaluator {
  return {
    matching: (all) => all.filter((name) => names.includes(name)),
    usage: () => Object.fromEntries(names.map((name) => [name, "1"])),
  };
}

const SERVICE_NAMES = [
  objectCount("", "services"),
  "services",
  "services.nodeports",
  "services.loadbalancers",
];

/**
 * The quota evaluator that counts Services, Services of type LoadBalancer, and the node ports that
 * Services need.
 */
export const SERVICES: Evaluator = {
  matching: (names) => names.filter((name) => SERVICE_NAMES.includes(name)),
  usage: (object) => ({
    [objectCount("", "services")]: "1",
    services: "1",
    "services.nodeports": String(nodePorts(object as V1Service)),
    "services.loadbalancers": (object as V1Service).spec?.type === "LoadBalancer" ? "1" : "0",
  }),
};

/**
 * Returns the number of node ports that a Service needs, including those that the server has yet to
 * allocate.
 */
function nodePorts({ spec }: V1Service): number {
  const ports = spec?.ports ?? [];
  if (spec?.type === "NodePort") return ports.length;
  if (spec?.type !== "LoadBalancer") return 0;
  return spec.allocateLoadBalancerNodePorts === false
    ? ports.filter(({ nodePort }) => nodePort).length
    : ports.length;
}

const CLAIMS = "persistentvolumeclaims";
const STORAGE = "requests.storage";
const OF_CLASS = ".storageclass.storage.k8s.io/";

/**
 * The quota evaluator that counts PersistentVolumeClaims and their storage, in total and by class.
 */
export const VOLUME_CLAIMS: Evaluator = {
  matching: (names) =>
    names.filter((name) =>
      [objectCount("", CLAIMS), CLAIMS, STORAGE].includes(name) ||
      name.endsWith(OF_CLASS + CLAIMS) || name.endsWith(OF_CLASS + STORAGE)
    ),
  inScope: (object, requirement) => claimInScope(object as V1PersistentVolumeClaim, requirement),
  usage: (object) => claimUsage(object as V1PersistentVolumeClaim),
};

function claimUsage(claim: V1PersistentVolumeClaim): Amounts {
  const storage = storageOf(claim);
  const own = { [CLAIMS]: "1", ...(storage !== undefined && { [STORAGE]: storage }) };
  const className = claimClass(claim);
  const ofClass = className !== ""
    ? Object.entries(own).map(([name, quantity]) => [className + OF_CLASS + name, quantity])
    : [];
  return { [objectCount("", CLAIMS)]: "1", ...own, ...Object.fromEntries(ofClass) };
}

/**
 * Returns the requested storage of a PersistentVolumeClaim, or the allocated storage if it is
 * larger, rounded up to whole bytes; `undefined` if none is requested.
 */
function storageOf({ spec, status }: V1PersistentVolumeClaim): string | undefined {
  const asked = spec?.resources?.requests?.["storage"];
  if (asked === undefined) return undefined;
  const allocated = status?.allocatedResources?.["storage"];
  const more = allocated !== undefined && compareQuantities(allocated, asked) > 0;
  const storage = more ? allocated : asked;
  return isWholeQuantity(storage) ? storage : String(wholeValue(storage));
}

function claimInScope(
  { spec, status }: V1PersistentVolumeClaim,
  requirement: ScopeRequirement,
): boolean {
  if (requirement.scopeName !== "VolumeAttributesClass") return false;
  const classes = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name);
  if (classes.length === 0) return meetsRequirement(requirement, undefined);
  return classes.some((name) => meetsRequirement(requirement, name));
}
