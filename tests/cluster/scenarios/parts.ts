/**
 * The objects and steps that scenarios are built from.
 *
 * @module
 */
import type {
  V1Deployment,
  V1Pod,
  V1PodTemplateSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { type KubeObject, Pod, type ResourceType } from "../../../lib/apimachinery/meta/mod.ts";
import type { Stage } from "../world.ts";

/** The annotation with the script of the simulated containers. */
export const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** A step of a scenario. */
export type Step = (stage: Stage) => Promise<unknown>;

/** Returns a pod template with one container and the label `app: web`. */
export function podTemplate(): V1PodTemplateSpec {
  return {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "app", image: "app:1" }] },
  };
}

/** Returns a Deployment of three pods. */
export function deployment(spec: Partial<V1Deployment["spec"]> = {}): V1Deployment {
  const labels = { app: "web" };
  return {
    metadata: { name: "web", labels },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: podTemplate(), ...spec },
  };
}

/** Creates an object in the namespace of a stage. */
export async function create<T extends KubeObject>(
  { client, namespace }: Stage,
  type: ResourceType<T>,
  object: T,
): Promise<T> {
  return await client.create(type, {
    ...object,
    metadata: { ...object.metadata, namespace },
  });
}

/** Returns a strategic merge patch that sets the image of a template's first container. */
export function image(text: string): unknown {
  return { spec: { template: { spec: { containers: [{ name: "app", image: text }] } } } };
}

/** Waits until a namespace has a number of pods. @throws {Error} When it has not after two minutes. */
export async function untilPods(stage: Stage, count: number): Promise<void> {
  await untilPodsAre(stage, (pods) => pods.length === count, `${count} pods`);
}

/** Waits until a number of pods are ready. @throws {Error} When they are not after two minutes. */
export async function untilReady(stage: Stage, count: number): Promise<void> {
  const isReady = ({ status }: V1Pod): boolean =>
    status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  await untilPodsAre(stage, (pods) => pods.filter(isReady).length === count, `${count} ready pods`);
}

async function untilPodsAre(
  { client, namespace, pass }: Stage,
  isSo: (pods: readonly V1Pod[]) => boolean,
  what: string,
): Promise<void> {
  for (let second = 0; second < 120; second++) {
    if (isSo((await client.list(Pod, { namespace })).items)) return;
    await pass(1000);
  }
  throw new Error(`Namespace ${namespace} does not get to ${what}`);
}
