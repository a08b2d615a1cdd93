import type { RawObject } from "../../client/decode/raw_event.ts";
import { keyOf, type KubeObject, type ObjectKey, type ResourceType } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { ExpectedKind } from "./expected_kind.ts";
import type { PackedObject, Packer } from "../packed/packed_object.ts";

/** What {@linkcode ObjectIntake} needs. */
export interface ObjectIntakeOptions<T extends KubeObject> {
  /** What packs. */
  readonly packer: Packer<T>;
  /** The resource that is expected; without it every kind passes. */
  readonly type?: ResourceType<T> | undefined;
  /** See `ReflectorSink.lastKnown`. */
  readonly lastKnown?: ((key: ObjectKey) => PackedObject<T> | undefined) | undefined;
  /** Told of every object that is lost. */
  readonly onLost: (error: unknown) => void;
}

/** An object that could not be packed. */
export interface LostObject {
  /** Tells it from a packed one. */
  readonly lost: true;
  /** Its key, as far as its text still tells it. */
  readonly key: ObjectKey | undefined;
}

/**
 * Takes in the objects of a list or a watch one by one, so that one bad object spoils nothing else:
 * it is reported and left out.
 */
export class ObjectIntake<T extends KubeObject> {
  readonly #options: ObjectIntakeOptions<T>;
  readonly #expected: ExpectedKind | undefined;

  /** Makes an intake. */
  constructor(options: ObjectIntakeOptions<T>) {
    this.#options = options;
    this.#expected = options.type && new ExpectedKind(options.type);
  }

  /** The newest version known of a key, where the sink tells. */
  lastKnown(key: ObjectKey): PackedObject<T> | undefined {
    return this.#options.lastKnown?.(key);
  }

  /**
   * Packs an object, or reports why it cannot.
   *
   * @param reuse Whether a version known already may be returned instead of packing it again.
   */
  pack(raw: RawObject, reuse: boolean): PackedObject<T> | LostObject {
    const { packer, lastKnown, onLost } = this.#options;
    try {
      this.#expected?.check(raw);
      return packer.pack(raw, reuse ? lastKnown : undefined);
    } catch (error) {
      onLost(error);
      const known = error instanceof DecodeError ? error.key : undefined;
      return { lost: true, key: known ?? salvageKey(raw) };
    }
  }
}

/** Whether an object was lost. */
export function isLost(taken: PackedObject | LostObject): taken is LostObject {
  return "lost" in taken;
}

/** The key of an object whose text is bad somewhere else, as invalid UTF-8 in an annotation. */
function salvageKey(raw: RawObject): ObjectKey | undefined {
  try {
    const object: unknown = JSON.parse(new TextDecoder().decode(raw));
    return typeof object === "object" && object !== null ? keyOf(object as KubeObject) : undefined;
  } catch {
    return undefined;
  }
}
