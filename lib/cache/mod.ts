/**
 * The part of a cluster that a program works on, kept in memory and up to date: one watch and one store
 * per resource, for any number of handlers and readers.
 *
 * From the bottom up: a {@linkcode ListerWatcher} asks the server; a {@linkcode Reflector} keeps a sink
 * equal to what it answers, whatever fails; a {@linkcode DeltaFifo} stands between it and the store; an
 * {@linkcode Indexer} stores objects as packed text; a {@linkcode SharedInformer} puts them together
 * and tells handlers; an {@linkcode InformerFactory} sees to it that there is one informer per resource.
 *
 * @module
 */
export { CacheReadError } from "./readers/cache_read_error.ts";
export type { CacheReader, SharedCacheReader } from "./readers/cache_reader.ts";
export {
  type BookmarkNote,
  type Delta,
  DeltaFifo,
  type FifoItem,
  type KeyDeltas,
  type KnownObjects,
  type ReplacedAll,
  type SyncAll,
} from "./feed/delta_fifo.ts";
export type { Differences } from "./store/differences.ts";
export type {
  AddHandlerOptions,
  AddInfo,
  EventHandler,
  HandlerRegistration,
} from "./events/event_handler.ts";
export {
  Indexer,
  type IndexerOptions,
  IndexError,
  type IndexFunc,
  NAMESPACE_INDEX,
  type ReplaceInSlicesOptions,
} from "./store/indexer.ts";
export {
  type InformerController,
  newInformer,
  type PlainInformer,
  type PlainInformerOptions,
} from "./informer/informer.ts";
export {
  type FactoryInformerOptions,
  InformerFactory,
  type InformerFactoryOptions,
} from "./informer/informer_factory.ts";
export {
  type ListCallOptions,
  type ListerWatcher,
  listWatch,
  type ListWatchOptions,
  type WatchCallOptions,
} from "./watch/list_watch.ts";
export {
  listWatchFrom,
  type ListWatchFunctions,
  type ListWatchFunctionsOptions,
} from "./watch/list_watch_functions.ts";
export {
  createLister,
  type CreateListerOptions,
  type IndexQuery,
  type Lister,
  type ListerOptions,
  type NamespaceLister,
  type NamespaceListOptions,
  type SharedLister,
} from "./readers/lister.ts";
export type { ObservedObject } from "./events/observed_object.ts";
export type { PackedList } from "./store/packed_list.ts";
export type { ObjectFacts, PackedObject, PackedObjects, Packer } from "./packed/packed_object.ts";
export { createPacker, type PackerOptions } from "./packed/packer.ts";
export { Reflector, type ReflectorOptions, type ReflectorSink } from "./reflector/reflector.ts";
export type { ReplaceOptions } from "./reflector/reflector_sink.ts";
export {
  type IndexedStore,
  type InformerOptions,
  type ReflectorTuning,
  SharedInformer,
  type SharedInformerOptions,
} from "./informer/shared_informer.ts";
export type { SharedReads, StoreReader } from "./store/store.ts";
export type { FailureKind } from "./watch/watch_failure.ts";
export type { WatchFailureRecord, WatchHealth, WatchState } from "./reflector/watch_health.ts";
