// Mirrors `admission/priority/admission.go, Plugin.Admit`.

import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { concerns, forbiddenByAdmission } from "../attributes.ts";
import { Configured } from "../objects_of_kind.ts";

const GROUP = "scheduling.k8s.io";
const PODS = { group: "", resource: "pods" };
const CLASSES = { group: GROUP, resource: "priorityclasses" };

/**
 * The admission plugin that sets `priority` and `preemptionPolicy` of new pods from their
 * PriorityClass, or else from the default one; without either, the priority is 0. The plugin
 * refuses pods with other values or an unknown PriorityClass, and a second default PriorityClass.
 * An update of a pod that leaves the values out keeps the stored ones.
 */
export class Priority implements Admission {
  readonly name = "Priority";
  /** A cache of the default PriorityClasses, the one of lowest value first. */
  readonly #defaults = new Configured(
    GROUP,
    [CLASSES.resource],
    ([classes]) => defaultClasses(classes as unknown as readonly PriorityClassObject[]),
  );

  handles(request: AdmissionRequest): boolean {
    return (request.operation === "CREATE" || request.operation === "UPDATE") &&
      (concerns(request, PODS) || concerns(request, CLASSES));
  }

  mutate(request: AdmissionRequest, registry: Registry): void {
    if (concerns(request, PODS)) admitPod(request, registry, this.#defaults.of(registry)[0]);
  }

  validate(request: AdmissionRequest, registry: Registry): void {
    if (concerns(request, CLASSES)) validateClass(request, this.#defaults.of(registry)[0]);
  }
}

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
  readonly metadata: { readonly name: string };
  readonly globalDefault?: boolean;
}

/** Returns the default ones of the given PriorityClasses, the one of lowest value first. */
function defaultClasses(classes: readonly PriorityClassObject[]): PriorityClass[] {
  return classes.filter(({ globalDefault }) => globalDefault)
    .map(({ metadata: { name }, value, preemptionPolicy }) => ({
      name,
      value,
      ...(preemptionPolicy !== undefined && { preemptionPolicy }),
    }))
    .sort((a, b) => a.value - b.value);
}

function admitPod(
  request: AdmissionRequest,
  registry: Registry,
  byDefault: PriorityClass | undefined,
): void {
  const spec = (request.object!["spec"] ??= {}) as PodSpec;
  if (request.operation === "UPDATE") {
    const old = (request.old!["spec"] ?? {}) as PodSpec;
    if (old.priority !== undefined) spec.priority ??= old.priority;
    if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
    return;
  }
  const { name, value, preemptionPolicy } = spec.priorityClassName
    ? namedClass(request, registry, spec.priorityClassName)
    : byDefault ?? { name: "", value: 0, preemptionPolicy: "PreemptLowerPriority" };
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

function namedClass(request: AdmissionRequest, registry: Registry, name: string): PriorityClass {
  const found = registry.get(GROUP, CLASSES.resource, "", name);
  if (!found) {
    throw forbiddenByAdmission(request, `no PriorityClass with name ${name} was found`);
  }
  return { ...(found as unknown as PriorityClassObject), name };
}

function validateClass(request: AdmissionRequest, current: PriorityClass | undefined): void {
  if (!request.object!["globalDefault"] || !current) return;
  if (request.operation === "UPDATE" && current.name === request.object!.metadata.name) return;
  throw forbiddenByAdmission(
    request,
    `PriorityClass ${current.name} is already marked as default. Only one default can exist`,
  );
}
