import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import type { Client } from "../client/client.ts";
import type { LabelSelector } from "../meta/label_selector.ts";
import type { KubeObject } from "../meta/object.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { CacheReader } from "./cache_reader.ts";
import type { InformerOptions, SharedInformer } from "./shared_informer.ts";

/** Options for {@linkcode InformerFactory}: what its informers have unless they say otherwise. */
export interface InformerFactoryOptions {
  /** The namespace watched. @default all namespaces */
  readonly namespace?: string | undefined;
  /** See {@linkcode InformerOptions.resyncPeriodMs}. @default {0} */
  readonly resyncPeriodMs?: number | undefined;
  /** See {@linkcode InformerOptions.compress}. @default {false} */
  readonly compress?: boolean | undefined;
  /** See {@linkcode InformerOptions.dropManagedFields}. @default {false} */
  readonly dropManagedFields?: boolean | undefined;
  /** See {@linkcode InformerOptions.freeze}. @default {false} */
  readonly freeze?: boolean | undefined;
  /** Told of each error of any list and watch. */
  readonly onError?: ((error: unknown, type: ResourceType) => void) | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** Options of {@linkcode InformerFactory.informer}. */
export interface FactoryInformerOptions<T extends KubeObject = KubeObject>
  extends Omit<InformerOptions<T>, "clock" | "random" | "onError"> {
  /** The namespace watched; empty for all. Ignored for cluster-scoped resources. @default the factory's */
  readonly namespace?: string | undefined;
  /** Only objects whose labels match. @default all */
  readonly labelSelector?: string | LabelSelector | undefined;
  /** Only objects whose fields match, as `spec.nodeName=n1`. @default all */
  readonly fieldSelector?: string | undefined;
}

/** One informer per resource, namespace and selectors, however many ask for it. */
export class InformerFactory {
  /** Makes a factory without informers. */
  constructor(_client: Pick<Client, "raw">, _options: InformerFactoryOptions = {}) {}
  /** The informers, read by resource. */
  get cacheReader(): CacheReader {
    throw new Error("not built yet");
  }
  /** The informer of a resource, namespace and selectors; made when first asked for. */
  informer<T extends KubeObject>(
    _type: ResourceType<T>,
    _options: FactoryInformerOptions<T> = {},
  ): SharedInformer<T> {
    throw new Error("not built yet");
  }
  /** Starts the informers that do not run yet, until the signal is aborted. */
  start(_signal: AbortSignal): void {
    throw new Error("not built yet");
  }
  /** Resolves once every informer that was started has synced. */
  whenSynced(_signal?: AbortSignal): Promise<void> {
    throw new Error("not built yet");
  }
  /** Resolves once every informer that was started has ended. */
  get done(): Promise<void> {
    throw new Error("not built yet");
  }
}
