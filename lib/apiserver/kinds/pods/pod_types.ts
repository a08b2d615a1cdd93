/**
 * The types of pods as they come over the wire: nothing is sure to be there.
 *
 * @module
 */
import type { FieldPath } from "@xca/apimachinery/internal/errors";
import type {
  V1Container,
  V1ContainerStatus,
  V1EnvVar,
  V1ObjectMeta,
  V1PodSpec,
  V1PodStatus,
  V1Probe,
  V1ResourceRequirements,
  V1Toleration,
  V1Volume,
} from "@xca/apimachinery/kubernetes-types";
import type { Loose } from "../../validation/fields.ts";

/** Metadata, of an object or of a template. */
export type Meta = Loose<V1ObjectMeta>;

/** What the client's models do not have yet. */
interface NewContainerFields {
  restartPolicyRules?: {
    action?: string;
    exitCodes?: { operator?: string; values?: number[] };
  }[];
}

/** A variable of a container's environment. */
export type EnvVar = Loose<V1EnvVar>;

/** A container; an ephemeral one when it has `targetContainerName`. */
export type Container = Loose<V1Container> & NewContainerFields & {
  targetContainerName?: string;
};

/** A probe. */
export type Probe = Loose<V1Probe>;
/** A volume. */
export type Volume = Loose<V1Volume>;
/** Requests, limits and claims. */
export type Resources = Loose<V1ResourceRequirements>;
/** A toleration. */
export type Toleration = Loose<V1Toleration>;
/** A status of one container. */
export type ContainerStatus = Loose<V1ContainerStatus>;
/** The status of a pod. */
export type PodStatus = Loose<V1PodStatus>;

/** What a pod shall be. */
export type PodSpec =
  & Omit<Loose<V1PodSpec>, "containers" | "initContainers" | "ephemeralContainers">
  & {
    containers?: Container[];
    initContainers?: Container[];
    ephemeralContainers?: Container[];
    hostnameOverride?: string;
    schedulingGroup?: { podGroupName?: string };
  };

/** A pod within an object that makes pods. */
export interface PodTemplate {
  metadata?: Meta;
  spec?: PodSpec;
}

/** A pod. */
export interface Pod {
  metadata: Meta;
  spec?: PodSpec;
  status?: PodStatus;
}

/** All containers with their paths: those for the start first, ephemeral ones last. */
export function* containersOf(
  spec: PodSpec,
  path: FieldPath,
): Generator<readonly [Container, FieldPath]> {
  for (const list of ["initContainers", "containers", "ephemeralContainers"] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      yield [container, path.child(list).index(index)];
    }
  }
}

/** Whether a container starts before the others and then stays beside them. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}
