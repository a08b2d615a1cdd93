/**
 * Informers: the objects of a cluster that a program works on, kept in memory and up to date by one
 * list and one watch per resource, for any number of handlers and readers.
 *
 * A {@linkcode SharedInformer} caches one resource; an {@linkcode InformerFactory} creates one
 * informer per resource, namespace and selector. Both read from a {@linkcode ListerWatcher}, notify
 * each {@linkcode EventHandler} of changes, and are read by a {@linkcode Lister} or a
 * {@linkcode CacheReader}.
 *
 * @module
 */
export type {
  AddHandlerOptions,
  EventHandler,
  HandlerRegistration,
} from "./events/event_handler.ts";
export type { ObservedObject } from "./events/observed_object.ts";
export { newInformer, type PlainInformer } from "./informer/informer.ts";
export {
  type FactoryInformerOptions,
  InformerFactory,
  type InformerFactoryOptions,
} from "./informer/informer_factory.ts";
export {
  type IndexedStore,
  type InformerOptions,
  SharedInformer,
  type SharedInformerOptions,
} from "./informer/shared_informer.ts";
export type { ObjectFacts, PackedObject } from "./packed/packed_object.ts";
export { CacheReadError } from "./readers/cache_read_error.ts";
export type { CacheReader, SharedCacheReader } from "./readers/cache_reader.ts";
export type { Lister, NamespaceLister, SharedLister } from "./readers/lister.ts";
export type { ListerOptions } from "./readers/lister_options.ts";
export type { ReflectorTuning } from "./reflector/reflector_options.ts";
export type { WatchFailureRecord, WatchHealth } from "./reflector/watch_health.ts";
export { IndexError, type IndexFunc, NAMESPACE_INDEX } from "./store/indexer.ts";
export type { StoreReader } from "./store/store.ts";
export { type ListerWatcher, listWatch, type ListWatchOptions } from "./watch/list_watch.ts";
export { listWatchFrom, type ListWatchFunctions } from "./watch/list_watch_functions.ts";
export type { FailureKind } from "./watch/watch_failure.ts";
