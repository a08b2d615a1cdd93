// Mirrors `controller/disruption/disruption.go, getExpectedScale`.
import {
  controllerOf,
  type DeepReadonly,
  Deployment,
  formatKey,
  type KubeObject,
  type OwnerReference,
  refersTo,
  ReplicaSet,
  ReplicationController,
  type ResourceType,
  resourceType,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { isNotFound } from "../../client/errors/api_error.ts";
import { getScale } from "../../client/subresources/scale.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** The number of pods that should exist according to the controllers of given pods. */
export interface ExpectedPods {
  readonly count: number;
  /** Reports whether at least one of the given pods has no controller. */
  readonly hasUnmanaged: boolean;
}

/** An entry of a resource in the discovery document of an API version. */
interface ListedResource {
  readonly name: string;
  readonly kind: string;
}

/** A resource outside the cache whose objects control pods, such as a custom resource. */
interface ScaledResource {
  readonly type: ResourceType;
  /** Reports whether the resource of the pods' controller has the scale subresource. */
  readonly hasScale: boolean;
}

/** The desired replicas of an object, such as a Deployment, that controls pods. */
interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

/** An object whose spec has a number of replicas. */
type WithReplicas = KubeObject & { readonly spec?: { readonly replicas?: number } };

const CACHED = [ReplicationController, StatefulSet] as readonly ResourceType<WithReplicas>[];

/**
 * The reader of the desired replicas of the objects that control pods: of ReplicationControllers,
 * ReplicaSets, Deployments and StatefulSets from the cache, and of other kinds from the scale
 * subresource.
 */
export class ExpectedScale {
  readonly #resources = new Map<string, ScaledResource>();

  /**
   * Returns the sum of the desired replicas of the objects that control the given pods, and whether
   * one of the pods has no controller.
   *
   * @throws {Error} When a pod has a controller that does not exist or has no scale.
   */
  async of(context: ReconcileContext, pods: readonly ReadPod[]): Promise<ExpectedPods> {
    const scales = new Map<string, number>();
    let hasUnmanaged = false;
    for (const { metadata } of pods) {
      const controller = controllerOf(metadata);
      if (!controller) {
        hasUnmanaged = true;
        continue;
      }
      if (scales.has(controller.uid)) continue;
      const { namespace = "", name } = metadata;
      const found = await this.#scaleOf(context, controller, namespace);
      if (!found) throw new Error(`found no controllers for pod ${JSON.stringify(name)}`);
      scales.set(found.uid, found.replicas);
    }
    const count = [...scales.values()].reduce((total, scale) => total + scale, 0);
    return { count, hasUnmanaged };
  }

  async #scaleOf(
    context: ReconcileContext,
    controller: OwnerReference,
    namespace: string,
  ): Promise<Scaled | undefined> {
    const type = CACHED.find((each) => refersTo(controller, each));
    if (type) return scaledOf(cached(context, type, controller, namespace));
    if (!refersTo(controller, ReplicaSet)) {
      return await this.#otherScale(context, controller, namespace);
    }
    const set = cached(context, ReplicaSet, controller, namespace);
    const owner = set && controllerOf(set.metadata);
    if (!owner || owner.kind !== Deployment.kind) return scaledOf(set);
    return scaledOf(cached(context, Deployment, owner, namespace));
  }

  async #otherScale(
    { client }: ReconcileContext,
    controller: OwnerReference,
    namespace: string,
  ): Promise<Scaled | undefined> {
    const { type, hasScale } = await this.#resourceOf(client, controller);
    const { group, plural } = type;
    const key = formatKey({ namespace, name: controller.name });
    try {
      const { metadata, spec } = await getScale(client, type, key);
      if (metadata.uid !== controller.uid) return undefined;
      return { uid: controller.uid, replicas: spec?.replicas ?? 0 };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (hasScale) return undefined;
      const name = group === "" ? plural : `${plural}.${group}`;
      throw new Error(`${name} does not implement the scale subresource`);
    }
  }

  /**
   * Returns the resource of the kind that an owner reference names, from the discovery document of
   * its API version, which is read once per kind.
   *
   * @throws {Error} When the API version has no resource of the kind.
   */
  async #resourceOf(
    client: ReconcileContext["client"],
    { apiVersion, kind }: OwnerReference,
  ): Promise<ScaledResource> {
    const id = `${apiVersion}/${kind}`;
    const known = this.#resources.get(id);
    if (known) return known;
    const path = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
    const list = await client.requestJson({ path }).catch((error) => {
      if (!isNotFound(error)) throw error;
      return {};
    });
    const { resources = [] } = list as { readonly resources?: readonly ListedResource[] };
    const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
    if (!found) {
      const where = `${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
      throw new Error(`no matches for kind ${where}`);
    }
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const resource = {
      type: resourceType({ group, version, kind, plural: found.name }),
      hasScale: resources.some(({ name }) => name === `${found.name}/scale`),
    };
    this.#resources.set(id, resource);
    return resource;
  }
}

function scaledOf(object: DeepReadonly<WithReplicas> | undefined): Scaled | undefined {
  return object && { uid: object.metadata.uid ?? "", replicas: object.spec?.replicas ?? 1 };
}

function cached<T extends WithReplicas>(
  { cache }: ReconcileContext,
  type: ResourceType<T>,
  { name, uid }: OwnerReference,
  namespace: string,
): DeepReadonly<T> | undefined {
  const found = cache.shared.get(type, formatKey({ namespace, name }));
  return found?.metadata.uid === uid ? found : undefined;
}
