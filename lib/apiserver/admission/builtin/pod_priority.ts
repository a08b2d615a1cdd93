// Mirrors `admission/priority/admission.go, Plugin.Admit`.

import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { concerns, forbiddenByAdmission } from "../attributes.ts";

const GROUP = "scheduling.k8s.io";
const PODS = { group: "", resource: "pods" };
const CLASSES = { group: GROUP, resource: "priorityclasses" };

/**
 * The admission plugin that sets `priority` and `preemptionPolicy` of new pods from their
 * PriorityClass, or else from the default one; without either, the priority is 0. The plugin
 * refuses pods with other values or an unknown PriorityClass, and a second default PriorityClass.
 * An update of a pod that leaves the values out keeps the stored ones.
 */
export const PRIORITY: Admission = {
  name: "Priority",
  handles: (request) =>
    (request.operation === "CREATE" || request.operation === "UPDATE") &&
    (concerns(request, PODS) || concerns(request, CLASSES)),
  mutate: (request, registry) => {
    if (concerns(request, PODS)) admitPod(request, registry);
  },
  validate: (request, registry) => {
    if (concerns(request, CLASSES)) validateClass(request, registry);
  },
};

interface PodSpec {
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
}

interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy?: string;
}

interface PriorityClassObject extends Omit<PriorityClass, "name"> {
  readonly globalDefault?: boolean;
}

function admitPod(request: AdmissionRequest, registry: Registry): void {
  const spec = (request.object!["spec"] ??= {}) as PodSpec;
  if (request.operation === "UPDATE") {
    const old = (request.old!["spec"] ?? {}) as PodSpec;
    if (old.priority !== undefined) spec.priority ??= old.priority;
    if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
    return;
  }
  const { name, value, preemptionPolicy } = establish(request, registry, spec.priorityClassName);
  if (name !== "") spec.priorityClassName = name;
  if (spec.priority !== undefined && spec.priority !== value) {
    throw forbiddenByAdmission(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; ` +
        `priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  if (preemptionPolicy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw forbiddenByAdmission(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ` +
        `pod spec; priority admission controller computed ${preemptionPolicy} from the given ` +
        "PriorityClass name",
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}

function establish(
  request: AdmissionRequest,
  registry: Registry,
  name: string | undefined,
): PriorityClass {
  if (!name) {
    return defaultClass(registry) ??
      { name: "", value: 0, preemptionPolicy: "PreemptLowerPriority" };
  }
  const found = registry.get(GROUP, CLASSES.resource, "", name);
  if (!found) {
    throw forbiddenByAdmission(request, `no PriorityClass with name ${name} was found`);
  }
  return { ...(found as unknown as PriorityClassObject), name };
}

/**
 * Returns the name, value and preemption policy of the default PriorityClass, the one of lowest
 * value if there are several; `undefined` if there is none.
 */
function defaultClass(registry: Registry): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const object of registry.list(GROUP, CLASSES.resource)) {
    const { globalDefault, value, preemptionPolicy } = object as unknown as PriorityClassObject;
    if (!globalDefault || (lowest && lowest.value <= value)) continue;
    lowest = {
      name: object.metadata.name!,
      value,
      ...(preemptionPolicy !== undefined && { preemptionPolicy }),
    };
  }
  return lowest;
}

function validateClass(request: AdmissionRequest, registry: Registry): void {
  if (!request.object!["globalDefault"]) return;
  const current = defaultClass(registry);
  if (!current) return;
  if (request.operation === "UPDATE" && current.name === request.object!.metadata.name) return;
  throw forbiddenByAdmission(
    request,
    `PriorityClass ${current.name} is already marked as default. Only one default can exist`,
  );
}
