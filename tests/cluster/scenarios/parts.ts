/**
 * The objects and steps of which scenarios are made.
 *
 * @module
 */
import type {
  V1Deployment,
  V1PodTemplateSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { type KubeObject, Pod, type ResourceType } from "../../../lib/apimachinery/meta/mod.ts";
import type { Stage } from "../world.ts";

/** The annotation with the script of the pretended containers. */
export const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** A step of a scenario. */
export type Step = (stage: Stage) => Promise<void>;

/** Returns the template of pods of one container, with the label `app: web`. */
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

/** Returns a strategic merge patch that gives the first container of a template an image. */
export function image(text: string): unknown {
  return { spec: { template: { spec: { containers: [{ name: "app", image: text }] } } } };
}

/** Waits until a namespace has a number of pods. @throws {Error} When it has not after two minutes. */
export async function untilPods(
  { client, namespace, pass }: Stage,
  count: number,
): Promise<void> {
  for (let second = 0; second < 120; second++) {
    if ((await client.list(Pod, { namespace })).items.length === count) return;
    await pass(1000);
  }
  throw new Error(`Namespace ${namespace} does not get to ${count} pods`);
}
