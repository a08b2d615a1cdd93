// Mirrors `controller/resourcequota/resource_quota_monitor.go, QuotaMonitor`.
import type { QuotaReader } from "@xca/apimachinery/internal/quota";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import {
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  type KubeObject,
  metadataOf,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  type ResourceType,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from "@xca/apimachinery/meta";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { type DiscoveryClient, discoveryClient } from "../../client/discovery/discovery_client.ts";
import { NoMatchError } from "../../client/discovery/rest_mapping_error.ts";

/**
 * The resources whose objects are counted in the cache, and whose deletions cause a recount of the
 * quotas.
 */
export const WATCHED: readonly ResourceType[] = [
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
];

/** The group and plural of ResourceClaims, whose usage depends on other objects. */
const CLAIMS = { group: "resource.k8s.io", plural: "resourceclaims" };
const CLASSES = { group: "resource.k8s.io", plural: "deviceclasses" };

/**
 * A kind of object that ResourceQuotas take into account, such as pods, by its API group and
 * plural.
 */
export interface CountedResource {
  readonly group: string;
  readonly plural: string;
}

/**
 * A reader of the objects that a ResourceQuota counts, for one reconcile run. Objects of
 * {@linkcode WATCHED} resources are read from the cache; others, such as custom resources, are
 * listed from the API server.
 */
export class CountedObjects implements QuotaReader {
  readonly #context: ReconcileContext;
  readonly #discovery: DiscoveryClient;
  readonly #listed = new Map<string, readonly ApiObject[]>();
  /**
   * Reports whether this reader has listed a resource outside {@linkcode WATCHED}, so that the
   * quota must be recounted more often: no events report changes of such a resource.
   */
  hasUnwatched = false;

  constructor(context: ReconcileContext) {
    this.#context = context;
    this.#discovery = discoveryClient(context.client);
  }

  /**
   * Returns the objects of a resource in the namespace of the quota; `undefined` when the API
   * server does not serve the resource. Objects that are listed from the server consist of metadata
   * only, except ResourceClaims.
   *
   * @throws {ApiError} When the objects cannot be listed.
   */
  async of(resource: CountedResource): Promise<readonly ApiObject[] | undefined> {
    const { cache, namespace } = this.#context;
    const type = WATCHED.find(({ group, plural }) =>
      group === resource.group && plural === resource.plural
    );
    if (type) {
      return await cache.shared.list(type, { namespace }) as unknown as readonly ApiObject[];
    }
    this.hasUnwatched = true;
    if (resource.plural === CLAIMS.plural && resource.group === CLAIMS.group) {
      // The usage of claims depends on the DeviceClasses, and on the pods that the claims belong
      // to.
      await this.#list(CLASSES);
      return await this.#list(CLAIMS);
    }
    return await this.#list(resource, metadataOf);
  }

  async #list(
    { group, plural }: CountedResource,
    as: (type: ResourceType) => ResourceType<KubeObject> = (type) => type,
  ): Promise<readonly ApiObject[] | undefined> {
    const { client, namespace } = this.#context;
    try {
      const type = await this.#discovery.resourceFor(group === "" ? plural : `${plural}.${group}`);
      const isNamespaced = type.scope === "Namespaced";
      const { items } = await client.list(as(type), isNamespaced ? { namespace } : {});
      this.#listed.set(`${group}/${plural}`, items as unknown as ApiObject[]);
      return items as unknown as ApiObject[];
    } catch (error) {
      if (error instanceof NoMatchError) return undefined;
      throw error;
    }
  }

  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined {
    if (group === "" && resource === Pod.plural) {
      return this.#context.cache.get(Pod, `${namespace}/${name}`) as ApiObject | undefined;
    }
    return this.#all(group, resource).find(({ metadata }) => metadata.name === name);
  }

  list(group: string, resource: string): Iterable<ApiObject> {
    return this.#all(group, resource);
  }

  #all(group: string, resource: string): readonly ApiObject[] {
    return this.#listed.get(`${group}/${resource}`) ?? [];
  }
}
