import type { InformerScope } from "../../cache/readers/informer_key.ts";
import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";

/**
 * The condition of an informer.
 *
 * - `synced`: its cache is complete and its watch works.
 * - `syncing`: the first list is not complete yet.
 * - `missing`: the server lacks the resource, for example because its CustomResourceDefinition is
 *   not installed or was deleted. The informer retries with pauses.
 * - `failing`: the last list or watch failed for another reason, such as a missing permission; the
 *   informer retries.
 */
export type CacheCondition = "synced" | "syncing" | "missing" | "failing";

/** The health of one informer of a manager. */
export interface CacheHealth {
  /** The name of the informer, such as `pods.v1 (kube-system)`. */
  readonly informer: string;
  /** The id of the resource that the informer watches. */
  readonly type: string;
  /** The namespace that the informer watches; empty for all namespaces. */
  readonly namespace: string;
  /**
   * Reports whether an operator uses the informer, so that the manager is ready only when the
   * informer is in sync; `false` for an informer that only reads of the manager's cache started.
   */
  readonly required: boolean;
  /** The condition of the informer. */
  readonly condition: CacheCondition;
  /** The reason of the informer's condition, in one line; absent for `synced` and `syncing`. */
  readonly message?: string | undefined;
  /** The number of objects in the informer's store at the time of the report. */
  readonly objects: number;
  /** The health of the informer's watch: a live view, unlike the other fields. */
  readonly watch: WatchHealth;
}

/** Returns the health of an informer of a manager; `required` is that of the health. */
export function cacheHealthOf(
  { scope, informer }: { readonly scope: InformerScope; readonly informer: SharedInformer },
  required: boolean,
): CacheHealth {
  const { failing, synced } = informer.health;
  const { type } = scope;
  const reason = failing?.kind === "missing"
    ? `the server has no ${type.plural} in ${type.apiVersion}; install their CustomResourceDefinition`
    : failing?.message;
  const condition = failing
    ? failing.kind === "missing" ? "missing" : "failing"
    : synced
    ? "synced"
    : "syncing";
  return {
    informer: informer.name,
    type: type.id,
    namespace: scope.namespace,
    required,
    condition,
    ...(reason !== undefined && { message: reason }),
    objects: informer.indexer.size,
    watch: informer.health,
  };
}

/**
 * Reports whether an informer has its first list, or cannot get it by retries: the server lacks the
 * resource, or refuses the list or watch.
 */
export function isFilledOrCannotBe(informer: Pick<SharedInformer, "synced" | "health">): boolean {
  const kind = informer.health.failing?.kind;
  return informer.synced || kind === "missing" || kind === "refused";
}
