import type { DeepReadonly, KubeObject, ObjectKey, OwnerReference } from "@xca/apimachinery/meta";
import { deepFreeze } from "../store/deep_freeze.ts";
import type { ObjectFacts, PackedObject } from "../packed/packed_object.ts";

/**
 * One version of one object, as event handlers receive it: name, labels and other metadata
 * immediately, the parsed object on demand.
 *
 * All handlers of one event share the observed object, so {@linkcode ObservedObject.object} is
 * parsed at most once per event, and not at all if no handler reads it. A reference to the observed
 * object keeps the text of that version in memory; a program that needs the object later should
 * keep its key.
 */
export interface ObservedObject<T extends KubeObject = KubeObject> extends ObjectFacts {
  /**
   * The annotations of the observed object, without those whose value is not a string, parsed from
   * the text at each access; empty when it has none.
   *
   * @throws {DecodeError} If the text of the annotations is not JSON.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * The parsed object of an event, shared by all handlers: they must not change it. It is parsed
   * when it is first read; of an object whose JSON text has 2048 bytes or more each top-level
   * member is parsed when it is first read, so that a handler that reads only `status` does not
   * parse `spec` (unless the informer freezes objects, which parses all). It enumerates, spreads,
   * clones and prints like any other object. A reference to the parsed object may keep its text in
   * memory too; `read()` returns an object without such a reference.
   *
   * @throws {DecodeError} If the text is not JSON; for a larger object, when the member concerned
   * is read.
   */
  readonly object: DeepReadonly<T>;
  /**
   * A flag that is true if the event that carried the final state of the deleted object was missed,
   * for example while the watch was interrupted, so that this is the last state that was seen.
   * Always false except for deletions.
   */
  readonly finalStateUnknown: boolean;
  /**
   * Returns a copy of the observed object, parsed anew: the caller may change it.
   *
   * @throws {DecodeError} If the text is not JSON.
   */
  read(): T;
}

/** Options of {@linkcode observe}, which wraps an object for event handlers. */
export interface ObserveOptions {
  /**
   * Sets whether the object counts as deleted without a received final state, because the event
   * that carried that state was missed.
   *
   * @default {false}
   */
  readonly finalStateUnknown?: boolean;
  /** Sets whether the parsed object that event handlers share is deeply frozen. @default {false} */
  readonly freeze?: boolean;
}

/** Wraps a packed object as the {@linkcode ObservedObject} that the handlers of one event share. */
export function observe<T extends KubeObject>(
  packed: PackedObject<T>,
  options: ObserveOptions = {},
): ObservedObject<T> {
  return new Observed(packed, options.finalStateUnknown ?? false, options.freeze ?? false);
}

class Observed<T extends KubeObject> implements ObservedObject<T> {
  readonly finalStateUnknown: boolean;
  readonly #packed: PackedObject<T>;
  readonly #freeze: boolean;
  /** The parsed object that the event handlers share; `undefined` until a handler reads it. */
  #object: DeepReadonly<T> | undefined;

  constructor(packed: PackedObject<T>, finalStateUnknown: boolean, freeze: boolean) {
    this.#packed = packed;
    this.finalStateUnknown = finalStateUnknown;
    this.#freeze = freeze;
  }

  get key(): ObjectKey {
    return this.#packed.key;
  }
  get namespace(): string {
    return this.#packed.namespace;
  }
  get name(): string {
    return this.#packed.name;
  }
  get uid(): string {
    return this.#packed.uid;
  }
  get resourceVersion(): string {
    return this.#packed.resourceVersion;
  }
  get generation(): number | undefined {
    return this.#packed.generation;
  }
  get deletionTimestamp(): string | undefined {
    return this.#packed.deletionTimestamp;
  }
  get labels(): Readonly<Record<string, string>> {
    return this.#packed.labels;
  }
  get ownerReferences(): readonly OwnerReference[] {
    return this.#packed.ownerReferences;
  }
  get finalizers(): readonly string[] {
    return this.#packed.finalizers;
  }
  get annotations(): Readonly<Record<string, string>> {
    return this.#packed.annotations;
  }

  get object(): DeepReadonly<T> {
    if (this.#object === undefined) {
      const tree = this.#freeze ? this.#packed.read() : this.#packed.view();
      if (this.#freeze) deepFreeze(tree);
      this.#object = tree as DeepReadonly<T>;
    }
    return this.#object;
  }

  read(): T {
    return this.#packed.read();
  }
}
