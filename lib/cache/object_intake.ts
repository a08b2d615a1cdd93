import type { RawObject } from "../client/raw.ts";
import type { KubeObject } from "../meta/object.ts";
import { keyOf, type ObjectKey } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import { DecodeError } from "../client/decode/errors.ts";
import type { PackedObject, Packer } from "./packed_object.ts";

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

  /** Makes an intake. */
  constructor(options: ObjectIntakeOptions<T>) {
    this.#options = options;
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
      this.#expectKind(raw);
      return packer.pack(raw, reuse ? lastKnown : undefined);
    } catch (error) {
      onLost(error);
      const known = error instanceof DecodeError ? error.key : undefined;
      return { lost: true, key: known ?? salvageKey(raw) };
    }
  }

  #expectKind(raw: RawObject): void {
    const { type } = this.#options;
    const found = type && leadingKind(raw);
    if (!found || (found.kind === type.kind && found.apiVersion === type.apiVersion)) return;
    throw new DecodeError(
      `Cannot take in an object among ${type.id}: it is a ${found.kind} of ${found.apiVersion}, ` +
        `not a ${type.kind} of ${type.apiVersion}`,
    );
  }
}

/** Whether an object was lost. */
export function isLost(taken: PackedObject | LostObject): taken is LostObject {
  return "lost" in taken;
}

/** Servers write kind and apiVersion first, in either order; items of lists have neither. */
const LEADING_KIND =
  /^\s*\{\s*"(kind|apiVersion)"\s*:\s*"([^"]*)"\s*,\s*"(kind|apiVersion)"\s*:\s*"([^"]*)"/;
const LATIN = new TextDecoder("latin1");

/** The kind and apiVersion, when the text begins with them. */
function leadingKind(raw: RawObject): { kind: string; apiVersion: string } | undefined {
  const match = LEADING_KIND.exec(LATIN.decode(raw.subarray(0, 320)));
  if (!match || match[1] === match[3]) return undefined;
  const [, first, one = "", , two = ""] = match;
  return first === "kind" ? { kind: one, apiVersion: two } : { kind: two, apiVersion: one };
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
