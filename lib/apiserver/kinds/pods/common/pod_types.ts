/**
 * The types of pods before their validation: every field may be absent.
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
import type { Loose } from "../../../validation/fields.ts";

/** The metadata of an object or a pod template before its validation: every field may be absent. */
export type Meta = Loose<V1ObjectMeta>;

/** The fields of containers that the client's types do not have yet. */
interface NewContainerFields {
  restartPolicyRules?: {
    action?: string;
    exitCodes?: { operator?: string; values?: number[] };
  }[];
}

/** An environment variable of a container before its validation: every field may be absent. */
export type EnvVar = Loose<V1EnvVar>;

/**
 * A container of a pod before its validation: every field may be absent. With
 * `targetContainerName`, the container is an ephemeral one.
 */
export type Container = Loose<V1Container> & NewContainerFields & {
  targetContainerName?: string;
};

/** A probe of a container before its validation: every field may be absent. */
export type Probe = Loose<V1Probe>;
/** A volume of a pod before its validation: every field may be absent. */
export type Volume = Loose<V1Volume>;
/**
 * The resource requests, limits and claims of a container or pod before their validation: every
 * field may be absent.
 */
export type Resources = Loose<V1ResourceRequirements>;
/** A toleration of a pod before its validation: every field may be absent. */
export type Toleration = Loose<V1Toleration>;
/** The status of a container before its validation: every field may be absent. */
export type ContainerStatus = Loose<V1ContainerStatus>;
/** The status of a pod before its validation: every field may be absent. */
export type PodStatus = Loose<V1PodStatus>;

/** The spec of a pod before its validation: every field may be absent. */
export type PodSpec =
  & Omit<Loose<V1PodSpec>, "containers" | "initContainers" | "ephemeralContainers">
  & {
    containers?: Container[];
    initContainers?: Container[];
    ephemeralContainers?: Container[];
    hostnameOverride?: string;
    schedulingGroup?: { podGroupName?: string };
  };

/** The pod template of a workload before its validation: every field may be absent. */
export interface PodTemplate {
  metadata?: Meta;
  spec?: PodSpec;
}

/** A pod before its validation: every field of its metadata, spec and status may be absent. */
export interface Pod {
  metadata: Meta;
  spec?: PodSpec;
  status?: PodStatus;
}

/**
 * Yields all containers of a pod with their field paths: first the init containers, then the
 * regular ones, then the ephemeral ones.
 */
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

/** Reports whether an init container is a sidecar: one with `restartPolicy: Always`. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}
