/**
 * Prepares and validates writes of the pod subresources `ephemeralcontainers` and `resize`
 * (registry/core/pod, `ResizeStrategy`).
 *
 * @module
 */
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach, subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import { sameValue } from "../../validation/immutable.ts";
import { internalForm } from "./common/internal_form.ts";
import { MIRROR_POD, validateAnnotationsUpdate } from "./pod_annotations.ts";
import { dropDisabledFields } from "./dropped_fields.ts";
import { defaultPodLevelResources } from "./pod_level_resources.ts";
import { updatePodGeneration } from "./pod_preparation.ts";
import { podQosClass } from "@xca/apimachinery/internal/resources";
import type { PodRules } from "./common/pod_rules.ts";
import {
  type Container,
  isSidecar,
  type Pod,
  type PodSpec,
  type Resources,
} from "./common/pod_types.ts";
import { validatePodParts } from "./pod_validation.ts";
import { unifiedDiff } from "./common/unified_diff.ts";

const SPEC = FieldPath.of("spec");
/** The field path of a whole pod, which kube-apiserver writes as an empty text. */
const POD = FieldPath.of("");

/** Restores the stored metadata of a pod, except the managed fields and the resourceVersion. */
function keepMetadata(pod: Pod, old: Pod): void {
  const { managedFields } = pod.metadata;
  const { resourceVersion } = pod.metadata;
  pod.metadata = structuredClone(old.metadata);
  if (managedFields) pod.metadata.managedFields = managedFields;
  if (resourceVersion) pod.metadata.resourceVersion = resourceVersion;
}

/**
 * Restores all fields of a pod except the ephemeral containers, the managed fields and the
 * resourceVersion, in place, for a write of `pods/ephemeralcontainers`. Increments the generation
 * if the spec changed.
 */
export function prepareEphemeralContainers(pod: Pod, old: Pod): void {
  const containers = pod.spec?.ephemeralContainers;
  pod.spec = structuredClone(old.spec ?? {});
  delete pod.spec.ephemeralContainers;
  if (containers) pod.spec.ephemeralContainers = containers;
  pod.status = structuredClone(old.status ?? {});
  keepMetadata(pod, old);
  dropDisabledFields(pod.spec, old.spec);
  updatePodGeneration(pod, old);
}

/**
 * Validates a write of a pod's ephemeral containers, which may only be added, not changed or
 * removed. A mirror pod cannot have any.
 */
export function validateEphemeralUpdate(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  if (old.metadata.annotations?.[MIRROR_POD] !== undefined) {
    return [forbiddenField(POD, "static pods do not support ephemeral containers")];
  }
  const annotations = FieldPath.of("metadata", "annotations");
  const errors = [
    ...validatePodParts(pod, rules),
    ...validateAnnotationsUpdate(pod.metadata, old.metadata, pod.spec ?? {}, annotations, rules),
  ];
  const path = SPEC.child("ephemeralContainers");
  for (const previous of old.spec?.ephemeralContainers ?? []) {
    const next = pod.spec?.ephemeralContainers?.findLast(({ name }) => name === previous.name);
    const what = `existing ephemeral containers ${goQuote(previous.name ?? "")}`;
    if (!next) errors.push(forbiddenField(path, `${what} may not be removed\n`));
    else if (!sameValue(previous, next)) {
      const [before, after] = [previous, next].map((each) =>
        JSON.stringify(internalForm("EphemeralContainer", each), null, 1)
      );
      const detail = `${what} may not be changed\n${unifiedDiff(before!, after!)}`;
      errors.push(forbiddenField(path, detail));
    }
  }
  return errors;
}

/**
 * Restores all fields of a pod except the resources, the resize policies, the `generateName`, the
 * managed fields and the resourceVersion, in place, for a write of `pods/resize`. If the number of
 * containers changed, nothing is restored, and if a name changed, its list of containers is not;
 * the validation rejects such a pod. Increments the generation if the spec changed.
 */
export function prepareResize(pod: Pod, old: Pod): void {
  const spec = pod.spec ?? {};
  const before = old.spec ?? {};
  const lists = ["containers", "initContainers"] as const;
  const sameLength = lists.every((list) =>
    (spec[list] ?? []).length === (before[list] ?? []).length
  );
  if (sameLength) {
    const next = structuredClone(before);
    // A client that does not know the resources of pods omits them, and so leaves them unchanged.
    if (spec.resources) next.resources = spec.resources;
    for (const list of lists) {
      if (spec[list]) next[list] = resized(spec[list], before[list] ?? []);
    }
    pod.spec = next;
    pod.status = structuredClone(old.status ?? {});
    const { generateName } = pod.metadata;
    keepMetadata(pod, old);
    // `ResetObjectMetaForStatus` keeps the `generateName` of the request.
    delete pod.metadata.generateName;
    if (generateName) pod.metadata.generateName = generateName;
  }
  pod.spec ??= {};
  dropDisabledFields(pod.spec, old.spec);
  defaultPodLevelResources(pod.spec);
  updatePodGeneration(pod, old);
}

function resized(next: Container[], previous: readonly Container[]): Container[] {
  if (next.some(({ name }, index) => name !== previous[index]!.name)) return next;
  return next.map(({ resources, resizePolicy }, index) => {
    const container = structuredClone(previous[index]!);
    container.resources = resources ?? {};
    delete container.resizePolicy;
    if (resizePolicy) container.resizePolicy = resizePolicy;
    return container;
  });
}

/** Validates the `generateName` of a pod, the only metadata that a resize can change. */
function validatePrefix({ metadata: { generateName } }: Pod): FieldError[] {
  if (!generateName) return [];
  const problems = subdomainNameProblems(generateName, true);
  return invalidForEach(FieldPath.of("metadata", "generateName"), generateName, problems);
}

/**
 * Validates a resize of a pod, which may change only CPU and memory requests and limits, but not
 * the QoS class. Static pods and Windows pods cannot be resized.
 */
export function validateResize(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  if (old.metadata.annotations?.[MIRROR_POD] !== undefined) {
    return [forbiddenField(POD, "static pods cannot be resized")];
  }
  if (old.spec?.os?.name === "windows") {
    return [forbiddenField(POD, "windows pods cannot be resized")];
  }
  const spec = pod.spec ?? {};
  const before = old.spec ?? {};
  const errors = [...validatePrefix(pod), ...validatePodParts(pod, rules)];
  if ((old.status?.qosClass ?? podQosClass(before)) !== podQosClass(spec)) {
    const detail = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalid(SPEC, pod.status?.qosClass ?? "", detail));
  }
  const running = (old.status?.containerStatuses ?? []).find(({ state }) => state?.running);
  if (running && !running.resources) {
    errors.push(forbiddenField(SPEC, "Pod running on node without support for resize"));
  }
  const rest = structuredClone(spec);
  errors.push(...validatePodLevel(rest, spec, before));
  const order = [
    ...validateOrder(spec, before, "containers"),
    ...validateOrder(spec, before, "initContainers"),
  ];
  errors.push(...order);
  if (order.length > 0) return errors;
  errors.push(...validateNothingRemoved(spec, before, "initContainers"));
  errors.push(...validateNothingRemoved(spec, before, "containers"));
  errors.push(...validateContainersUnchanged(rest, spec, before));
  if (errors.length > 0 || sameValue(rest, before)) return errors;
  return [forbiddenField(SPEC, "only cpu and memory resources are mutable")];
}

type ContainerList = "containers" | "initContainers";

function validateOrder(spec: PodSpec, old: PodSpec, list: ContainerList): FieldError[] {
  const next = spec[list] ?? [];
  const previous = old[list] ?? [];
  const path = SPEC.child(list);
  if (next.length !== previous.length) {
    return [forbiddenField(path, `${list} may not be added or removed on resize`)];
  }
  return previous.flatMap(({ name }, index) =>
    next[index]!.name === name ? [] : [
      forbiddenField(
        path.index(index).child("name"),
        `${list} may not be renamed or reordered on resize`,
      ),
    ]
  );
}

function validateNothingRemoved(spec: PodSpec, old: PodSpec, list: ContainerList): FieldError[] {
  return (old[list] ?? []).flatMap(({ resources }, index) => {
    const path = SPEC.child(list).index(index).child("resources");
    return validateKept(spec[list]![index]!.resources, resources, path, "resource");
  });
}

function validateKept(
  next: Resources | undefined,
  old: Resources | undefined,
  path: FieldPath,
  what: string,
): FieldError[] {
  return (["requests", "limits"] as const).filter((field) =>
    Object.keys(old?.[field] ?? {}).some((name) => next?.[field]?.[name] === undefined)
  ).map((field) => forbiddenField(path.child(field), `${what} ${field} cannot be removed`));
}

function validatePodLevel(rest: PodSpec, spec: PodSpec, old: PodSpec): FieldError[] {
  const isSet = ({ resources }: PodSpec) =>
    Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
  if (!isSet(spec) && !isSet(old)) return [];
  const path = SPEC.child("resources");
  if (old.resources && !spec.resources) {
    return [forbiddenField(path, "pod-level resources cannot be removed")];
  }
  const errors = old.resources
    ? validateKept(spec.resources, old.resources, path, "pod-level resource")
    : [];
  rest.resources = withOldAmounts(spec.resources ?? {}, old.resources ?? {});
  if (!old.resources && Object.keys(rest.resources).length === 0) delete rest.resources;
  if (!sameValue(rest.resources, old.resources)) {
    errors.push(forbiddenField(SPEC, "only cpu and memory resources are mutable at pod-level"));
  }
  return errors;
}

/** Returns the resources of a resized container or pod with the old amounts of CPU and memory. */
function withOldAmounts(next: Resources, old: Resources): Resources {
  const result: Resources = next.claims ? { claims: next.claims } : {};
  for (const field of ["limits", "requests"] as const) {
    const amounts: Record<string, string> = { ...next[field] };
    for (const name of ["cpu", "memory"]) {
      delete amounts[name];
      const amount = old[field]?.[name];
      if (amount !== undefined) amounts[name] = amount;
    }
    if (Object.keys(amounts).length > 0) result[field] = amounts;
  }
  return result;
}

function validateContainersUnchanged(rest: PodSpec, spec: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const restore = (container: Container, previous: Container) => {
    container.resources = withOldAmounts(container.resources ?? {}, previous.resources ?? {});
    return sameValue(container, previous);
  };
  for (const [index, container] of (rest.containers ?? []).entries()) {
    if (restore(container, old.containers![index]!)) continue;
    errors.push(forbiddenField(SPEC, "only cpu and memory resources are mutable"));
  }
  for (const [index, container] of (rest.initContainers ?? []).entries()) {
    const at = SPEC.child("initContainers").index(index);
    const previous = old.initContainers![index]!;
    const isChanged = !sameValue(spec.initContainers![index], previous);
    if (!restore(container, previous)) {
      const detail = "only cpu and memory resources for init or sidecar containers are mutable";
      errors.push(forbiddenField(at, detail));
    }
    if (!isChanged || isSidecar(container)) continue;
    const restarting = (container.resizePolicy ?? [])
      .filter(({ restartPolicy }) => restartPolicy === "RestartContainer");
    const detail = "non-sidecar init containers with a resize policy of RestartContainer cannot " +
      "be resized";
    errors.push(...restarting.map(() => forbiddenField(at, detail)));
  }
  return errors;
}
