import type { RawObject } from "../../client/decode/raw_event.ts";
import { keyOf, type KubeObject, type ObjectKey, type ResourceType } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { ExpectedKind, type ObjectOrigin } from "./expected_kind.ts";
import type { PackedObject, Packer } from "../packed/packed_object.ts";

/**
 * Options of the class {@linkcode ObjectIntake}, which converts received objects to packed objects.
 */
export interface ObjectIntakeOptions<T extends KubeObject> {
  /** The packer that converts the received objects to packed objects. */
  readonly packer: Packer<T>;
  /** The expected resource of received objects; without it every kind is accepted. */
  readonly type?: ResourceType<T> | undefined;
  /** Returns the newest known version of an object; see `ReflectorSink.lastKnown`. */
  readonly lastKnown?: ((key: ObjectKey) => PackedObject<T> | undefined) | undefined;
  /**
   * Called with the error for every received object that cannot be decoded or packed (an error of
   * the packer's `transform` included), or is of another kind than `type`.
   */
  readonly onLost: (error: unknown) => void;
}

/**
 * A received object that could not be packed, as {@linkcode ObjectIntake.pack} returns it in place
 * of a packed object.
 */
export interface LostObject {
  /**
   * The discriminator by which {@linkcode isLost} distinguishes a lost object from a packed one.
   */
  readonly lost: true;
  /**
   * The key of the received object that could not be packed; `undefined` if the key cannot be read
   * from the text.
   */
  readonly key: ObjectKey | undefined;
}

/**
 * The intake of a reflector: packs the objects of a list or a watch one by one, so that a bad
 * object is reported and left out and does not affect the others.
 */
export class ObjectIntake<T extends KubeObject> {
  readonly #options: ObjectIntakeOptions<T>;
  readonly #expected: ExpectedKind | undefined;

  constructor(options: ObjectIntakeOptions<T>) {
    this.#options = options;
    this.#expected = options.type && new ExpectedKind(options.type);
  }

  /**
   * Returns the newest version of an object that the reflector's sink knows; `undefined` if it
   * knows none, or does not provide known versions.
   */
  lastKnown(key: ObjectKey): PackedObject<T> | undefined {
    return this.#options.lastKnown?.(key);
  }

  /**
   * Returns the packed object of a received object. If packing fails, or the object is of another
   * kind, passes the error to `onLost` and returns a {@linkcode LostObject}. Never throws.
   *
   * @param reuse Sets whether the known packed object is returned, and nothing packed, if the
   * received object has the same UID and resourceVersion.
   */
  pack(raw: RawObject, origin: ObjectOrigin, reuse = false): PackedObject<T> | LostObject {
    const { packer, lastKnown, onLost } = this.#options;
    try {
      this.#expected?.check(raw, origin);
      return packer.pack(raw, reuse ? lastKnown : undefined);
    } catch (error) {
      onLost(error);
      const known = error instanceof DecodeError ? error.key : undefined;
      return { lost: true, key: known ?? salvageKey(raw) };
    }
  }
}

/** Reports whether a received object could not be packed. */
export function isLost(taken: PackedObject | LostObject): taken is LostObject {
  return "lost" in taken;
}

/**
 * Returns the key of an object whose text is damaged elsewhere, such as by invalid UTF-8 in an
 * annotation; `undefined` if the key cannot be read.
 */
function salvageKey(raw: RawObject): ObjectKey | undefined {
  try {
    const object: unknown = JSON.parse(new TextDecoder().decode(raw));
    return typeof object === "object" && object !== null ? keyOf(object as KubeObject) : undefined;
  } catch {
    return undefined;
  }
}
