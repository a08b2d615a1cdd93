import { type CacheReader, CacheReadError } from "../cache/cache_reader.ts";
import type { KubeObject } from "../meta/object.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { SourceDefinition } from "./controller_definition.ts";
import type { ControllerInformer, Informers } from "./informers.ts";

/** One informer that a controller listens to, and whether it stands for the whole resource. */
export interface View {
  /** The resource. */
  readonly type: ResourceType;
  /** Its informer. */
  readonly informer: ControllerInformer;
  /** Whether selectors leave objects out. */
  readonly selective: boolean;
}

/**
 * Per resource (by id) the informer that the controller reads: one without selectors if a source has
 * none, else that of the first source.
 */
export type Views = ReadonlyMap<string, View>;

/** Finds the informers of a controller's sources, and among them the one to read per resource. */
export function viewsOf(
  sources: readonly SourceDefinition[],
  informers: Informers,
): { readonly views: Views; readonly perSource: readonly View[] } {
  const views = new Map<string, View>();
  const perSource = sources.map((source): View => {
    const { type, labelSelector, fieldSelector } = source;
    const selective = Boolean(labelSelector || fieldSelector);
    const informer = informers.informer(type, { labelSelector, fieldSelector });
    const known = views.get(type.id);
    if (known?.informer === informer) return known;
    const view = { type, informer, selective };
    if (!known || (known.selective && !selective)) views.set(type.id, view);
    return view;
  });
  return { views, perSource };
}

/** Reads a controller's own views and nothing else. */
export function cacheReaderOf(controller: string, views: Views): CacheReader {
  const informerOf = <T extends KubeObject>(type: ResourceType<T>): ControllerInformer<T> => {
    const view = views.get(type.id);
    if (view) return view.informer as unknown as ControllerInformer<T>;
    throw new CacheReadError(
      `Cannot read ${type.id} from the cache of controller ${controller}: it neither is for, nor ` +
        `owns, nor watches that resource; declare it with .owns() or .watches(), or use the client`,
    );
  };
  return {
    get: (type, key) => informerOf(type).indexer.get(key),
    // deno-lint-ignore require-await -- a resource that is not there is a rejection too
    list: async (type, options) => informerOf(type).lister.list(options),
    shared: {
      get: (type, key) => informerOf(type).lister.shared.get(key),
      // deno-lint-ignore require-await -- a resource that is not there is a rejection too
      list: async (type, options) => informerOf(type).lister.shared.list(options),
    },
  };
}
