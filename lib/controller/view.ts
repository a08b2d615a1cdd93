import { type CacheReader, createCacheReader } from "../cache/cache_reader.ts";
import type { InformerScope } from "../cache/informer_key.ts";
import { parseLabelSelector } from "../meta/label_selector.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { SourceDefinition } from "./controller_definition.ts";
import type { ControllerInformer, Informers } from "./informers.ts";

/** One informer that a controller listens to and reads, and which objects it holds. */
export interface View {
  /** The resource, namespace and selectors. */
  readonly scope: InformerScope;
  /** Its informer. */
  readonly informer: ControllerInformer;
}

/** The informers of one controller. */
export interface Views {
  /** By the resource's id, each informer once. All of them are read together. */
  readonly byType: ReadonlyMap<string, readonly View[]>;
  /** In the order of the sources. */
  readonly perSource: readonly View[];
}

/** Finds the informers of a controller's sources; `namespace` is the one that they watch, if not all. */
export function viewsOf(
  sources: readonly SourceDefinition[],
  informers: Informers,
  namespace = "",
): Views {
  const byType = new Map<string, View[]>();
  const perSource = sources.map((source): View => {
    const { type, labelSelector, fieldSelector } = source;
    const informer = informers.informer(type, { labelSelector, fieldSelector });
    const ofType = byType.get(type.id) ?? [];
    const known = ofType.find((view) => view.informer === informer);
    if (known) return known;
    const scope: InformerScope = {
      type,
      namespace: type.scope === "Cluster" ? "" : namespace,
      labelSelector: parseLabelSelector(labelSelector ?? ""),
      fieldSelector: fieldSelector ?? "",
    };
    const view = { scope, informer };
    byType.set(type.id, [...ofType, view]);
    return view;
  });
  return { byType, perSource };
}

/** Reads a controller's own views and nothing else. */
export function cacheReaderOf(controller: string, { byType }: Views): CacheReader {
  const none: readonly View[] = [];
  return createCacheReader({
    informersOf: (type: ResourceType) => byType.get(type.id) ?? none,
    what: `the cache of controller ${controller}`,
    unwatched: "it neither is for, nor owns, nor watches that resource; declare it with .owns() " +
      "or .watches(), or use the client",
  });
}
