import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import { type CacheReader, createCacheReader } from "../../cache/readers/cache_reader.ts";
import type { IndexFunc } from "../../cache/store/index_table.ts";
import type { InformerScope } from "../../cache/readers/informer_key.ts";
import { parseLabelSelector, type ResourceType } from "@xca/apimachinery/meta";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { ControllerInformer, Informers } from "../ports/informers.ts";

/** An informer of a controller, and the scope of its objects. */
export interface View {
  /** The resource, namespace and selectors of the informer's objects. */
  readonly scope: InformerScope;
  /** The informer that caches the objects of this scope. */
  readonly informer: ControllerInformer;
}

/** The informers of one controller. */
export interface Views {
  /**
   * The controller's informers by the id of their resource, each once, whole objects and metadata
   * alone under the same id. All informers of one form of a resource are read together.
   */
  readonly byType: ReadonlyMap<string, readonly View[]>;
  /**
   * The controller's informers by source, in the order of the sources: one per namespace of the
   * source, or one for a source without `namespaces`. Sources may share an informer.
   */
  readonly perSource: readonly (readonly View[])[];
  /** The index functions that the sources of a resource declare, by {@linkcode readKey}. */
  readonly indexes: ReadonlyMap<string, Readonly<Record<string, IndexFunc>>>;
}

/** Options of {@linkcode viewsOf}, which requests the informers of a controller's sources. */
export interface ViewsOptions {
  /** The name of the controller that uses the informers. */
  readonly controller: string;
  /** The sources of the controller that uses the informers. */
  readonly sources: readonly SourceDefinition[];
  /** The provider of the controller's informers. */
  readonly informers: Informers;
  /**
   * The namespace that the informers of sources without `namespaces` watch, as the provider applies
   * it by default.
   *
   * @default all
   */
  readonly namespace?: string | undefined;
}

/**
 * Requests the informers of a controller's sources from their provider, and returns them by
 * resource and by source.
 *
 * @throws {TypeError} When a selector cannot be parsed, two sources declare one index differently,
 * or two sources of a resource have different transforms.
 */
export function viewsOf(options: ViewsOptions): Views {
  const { controller, sources, informers, namespace = "" } = options;
  checkTransforms(controller, sources);
  const indexes = indexesOf(controller, sources);
  const byType = new Map<string, View[]>();
  const viewOf = (source: SourceDefinition, given: string | undefined): View => {
    const { type, labelSelector, fieldSelector, transform } = source;
    const informer = informers.informer(type, {
      labelSelector,
      fieldSelector,
      transform,
      ...(given !== undefined && { namespace: given }),
      indexers: namedFor(controller, indexes.get(readKey(type)) ?? {}),
    });
    const ofType = byType.get(type.id) ?? [];
    const known = ofType.find((view) => view.informer === informer);
    if (known) return known;
    const scope: InformerScope = {
      type,
      namespace: type.scope === "Cluster" ? "" : given ?? namespace,
      labelSelector: parseLabelSelector(labelSelector ?? ""),
      fieldSelector: fieldSelector ?? "",
    };
    const view = { scope, informer };
    byType.set(type.id, [...ofType, view]);
    return view;
  };
  const perSource = sources.map((source) =>
    (source.namespaces ?? [undefined]).map((each) => viewOf(source, each))
  );
  return { byType, perSource, indexes };
}

/**
 * Returns a reader of the caches of a controller's informers, with the index names that the sources
 * declare.
 */
export function cacheReaderOf(controller: string, { byType, indexes }: Views): CacheReader {
  const none: readonly View[] = [];
  const [whole, metadata] = [false, true].map((metadataOnly) =>
    new Map([...byType].map(([id, views]) => [
      id,
      views.filter(({ scope }) => (scope.type.metadataOnly ?? false) === metadataOnly),
    ]))
  ) as [Map<string, View[]>, Map<string, View[]>];
  return createCacheReader({
    informersOf: (type) => (type.metadataOnly ? metadata : whole).get(type.id) ?? none,
    what: `the cache of controller ${controller}`,
    unwatched: (type) =>
      byType.has(type.id)
        ? type.metadataOnly
          ? "it holds whole objects of that resource; read them without metadataOf()"
          : "it holds only the metadata of that resource; read it by metadataOf(), or use the client"
        : "it neither is for, nor owns, nor watches that resource; declare it with .owns() or " +
          ".watches(), or use the client",
    indexNameOf: (type, index) => {
      if (Object.hasOwn(indexes.get(readKey(type)) ?? {}, index)) {
        return indexName(controller, index);
      }
      throw new CacheReadError(
        `Cannot read index ${index} of ${type.id} from the cache of controller ${controller}: no source ` +
          `of the controller declares the index; give one { indexes: { ${index}: (object) => [...] } }`,
      );
    },
  });
}

/**
 * Returns a text that is equal for resource types whose caches are read together. Whole objects and
 * metadata alone have different texts.
 */
function readKey(type: ResourceType): string {
  return type.metadataOnly ? `${type.id} metadata` : type.id;
}

/**
 * Throws unless all sources of a resource have the same transform or none, since their caches are
 * read together.
 *
 * @throws {TypeError} When two sources have different transforms, or only one of two has a
 * transform.
 */
function checkTransforms(controller: string, sources: readonly SourceDefinition[]): void {
  const byType = new Map<string, SourceDefinition>();
  for (const source of sources) {
    const id = readKey(source.type);
    const first = byType.get(id) ?? source;
    byType.set(id, first);
    if (first.transform === source.transform) continue;
    throw new TypeError(
      `Cannot run controller ${controller}: two of its sources of ${source.type.id} have different ` +
        `transforms, or one has no transform, and their caches are read together; give both the same function`,
    );
  }
}

/**
 * Returns the index functions of a controller's sources by {@linkcode readKey}. Every informer of a
 * resource has all index functions of the resource, since the caches are read together.
 *
 * @throws {TypeError} When two sources declare one index differently.
 */
function indexesOf(
  controller: string,
  sources: readonly SourceDefinition[],
): Map<string, Readonly<Record<string, IndexFunc>>> {
  const byType = new Map<string, Readonly<Record<string, IndexFunc>>>();
  for (const { type, indexes = {} } of sources) {
    const known = byType.get(readKey(type)) ?? {};
    for (const [name, index] of Object.entries(indexes)) {
      if (!Object.hasOwn(known, name) || known[name] === index) continue;
      throw new TypeError(
        `Cannot run controller ${controller}: two of its sources of ${type.id} declare an index ` +
          `${name} with different functions; use one function, or two names`,
      );
    }
    byType.set(readKey(type), { ...known, ...indexes });
  }
  return byType;
}

function namedFor(
  controller: string,
  indexes: Readonly<Record<string, IndexFunc>>,
): Record<string, IndexFunc> {
  return Object.fromEntries(
    Object.entries(indexes).map(([name, index]) => [indexName(controller, name), index]),
  );
}

/**
 * Returns the name that a controller's index has in a shared informer, since two controllers may
 * declare different indexes with one name.
 */
function indexName(controller: string, index: string): string {
  return `${controller}/${index}`;
}
