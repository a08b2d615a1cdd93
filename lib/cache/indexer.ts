import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { PackedObject } from "./packed_object.ts";
import type { StoreReader } from "./store.ts";

/** The index by namespace, which every indexer has. */
export const NAMESPACE_INDEX = "namespace";

/**
 * Says under which values an object is filed; none files it nowhere. It must depend on the object
 * alone. It may call `read()`; that tree is dropped afterwards.
 */
export type IndexFunc<T extends KubeObject = KubeObject> = (
  object: PackedObject<T>,
) => readonly string[];

/** A store with named indexes, and its writer's side. */
export class Indexer<T extends KubeObject = KubeObject> implements StoreReader<T> {
  /** Makes an empty store with the namespace index and `indexers`. */
  constructor(_indexers: Record<string, IndexFunc<T>> = {}) {}
  get size(): number {
    throw new Error("not built yet");
  }
  get resourceVersion(): string {
    throw new Error("not built yet");
  }
  get(_key: ObjectKey): T | undefined {
    throw new Error("not built yet");
  }
  getPacked(_key: ObjectKey): PackedObject<T> | undefined {
    throw new Error("not built yet");
  }
  keys(): ObjectKey[] {
    throw new Error("not built yet");
  }
  packed(): IterableIterator<PackedObject<T>> {
    throw new Error("not built yet");
  }
  byIndex(_index: string, _value: string): PackedObject<T>[] {
    throw new Error("not built yet");
  }
  indexKeys(_index: string, _value: string): ObjectKey[] {
    throw new Error("not built yet");
  }
  listIndexFuncValues(_index: string): string[] {
    throw new Error("not built yet");
  }
  addIndexers(_indexers: Record<string, IndexFunc<T>>): void {
    throw new Error("not built yet");
  }
  upsert(_object: PackedObject<T>): PackedObject<T> | undefined {
    throw new Error("not built yet");
  }
  delete(_key: ObjectKey, _resourceVersion?: string): PackedObject<T> | undefined {
    throw new Error("not built yet");
  }
  replace(_objects: Iterable<PackedObject<T>>, _resourceVersion: string): void {
    throw new Error("not built yet");
  }
  noteResourceVersion(_resourceVersion: string): void {
    throw new Error("not built yet");
  }
}
