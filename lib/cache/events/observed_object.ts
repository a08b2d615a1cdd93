import type { DeepReadonly, KubeObject, ObjectKey, OwnerReference } from "@xca/apimachinery/meta";
import { deepFreeze } from "../store/deep_freeze.ts";
import type { ObjectFacts, PackedObject } from "../packed/packed_object.ts";

/**
 * One version of one object, as event handlers get it: its facts at once, the object on demand.
 *
 * All handlers of one event share it, so no part of it is parsed more than once per event, and not at all
 * when none of them touches it. Who keeps it keeps that version in memory; keep the key instead.
 */
export interface ObservedObject<T extends KubeObject = KubeObject> extends ObjectFacts {
  /** The annotations, parsed from their place in the text at each call. */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * The object, shared by all handlers: do not change it. It is parsed when first touched; of an
   * object larger than 2 KB each top-level member by itself, so that a handler that reads `status`
   * does not pay for `spec`. It enumerates, spreads, clones and prints like any other. Who keeps it
   * keeps its text too: for keeping, take `read()`.
   *
   * @throws {DecodeError} When its text proves not to be JSON: of a larger object, at the touch of the
   * member that is not.
   */
  readonly object: DeepReadonly<T>;
  /**
   * Only with deletions: the object was deleted while the watch was away, and this is the last state
   * that was seen, not the last that was.
   */
  readonly finalStateUnknown: boolean;
  /**
   * The object, parsed anew: it belongs to the caller.
   *
   * @throws {DecodeError} When its text proves not to be JSON.
   */
  read(): T;
}

/** Options for {@linkcode observe}. */
export interface ObserveOptions {
  /** Whether it stands for a deletion whose last state was missed. @default {false} */
  readonly finalStateUnknown?: boolean;
  /** Whether the shared object is frozen, deeply. @default {false} */
  readonly freeze?: boolean;
}

/** Wraps a packed object for the handlers of one event. */
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
  /** The shared tree; `undefined` until a handler touches it. */
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
