/**
 * Random values, texts and objects of built-in kinds, mostly valid, for property tests.
 *
 * @module
 */
import { type Random, seededRandom } from "@xca/apimachinery/base";
import { isMap, setField } from "@xca/apimachinery/internal/values";
import type { BuiltinType } from "./types/builtin_type.ts";

/** Unusual field names for random objects, among them names of inherited properties. */
export const ODD_NAMES: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "a/b",
  "~0",
  "$patch",
  "é\u{1f600}",
];

const ODD_VALUES: readonly unknown[] = [
  ...[null, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, true, false],
  ...["", "x", "\u0000", "\ud800", "1Gi", "2020-01-01T00:00:00Z", "50%"],
  ...[[], {}, [null], [[]], [{}], { a: null }, { __proto__: null }, ["x", 1]],
];

/** A seeded source of random choices and values for property tests. */
export class Chance {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Runs a test many times, each with its own seed, which a failure reports. The seeds are fixed,
   * so that no build fails at random; `XCA_SEED` and `XCA_ROUNDS` try others.
   */
  static async runs(
    count: number,
    run: (chance: Chance) => void | Promise<void>,
  ): Promise<void> {
    const seed = Number(Deno.env.get("XCA_SEED") ?? 1);
    const rounds = Number(Deno.env.get("XCA_ROUNDS") ?? count);
    // deno-lint-ignore no-console -- a failure is repeated by its seed
    console.log(`seed=${seed}`);
    for (let number = 0; number < rounds; number++) {
      try {
        await run(new Chance(seededRandom(seed + number * 7919)));
      } catch (error) {
        throw new Error(`XCA_SEED=${seed}, run ${number}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
  }

  /** Returns a random integer from zero below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  happens(likelihood: number): boolean {
    return this.#random.next() < likelihood;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** Returns up to `most` random values, each made by a call of `make`. */
  several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Returns a random text that is made of up to `most` of the pieces. */
  text(pieces: readonly string[] | string, most: number): string {
    return this.several(most, () => this.pick([...pieces])).join("");
  }

  /** Returns up to `most` random bytes. */
  bytes(most: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: this.below(most + 1) }, () => this.below(256));
  }

  /** Returns the items in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const all = [...items];
    for (let at = all.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [all[at], all[other]] = [all[other]!, all[at]!];
    }
    return all;
  }

  /** Returns a random field name, sometimes an unusual one. */
  name(): string {
    return this.happens(0.1) ? this.pick(ODD_NAMES) : this.pick(["a", "b", "c", "name", "spec"]);
  }

  /** Returns a random JSON value. */
  json(depth = 3): unknown {
    if (depth === 0 || this.happens(0.3)) return structuredClone(this.pick(ODD_VALUES));
    if (this.happens(0.3)) return this.several(3, () => this.json(depth - 1));
    return this.fields(depth);
  }

  /** Returns a random JSON object. */
  fields(depth = 3): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const name of this.several(4, () => this.name())) {
      setField(fields, name, this.json(depth - 1));
    }
    return fields;
  }

  /**
   * Returns a random value of a built-in type; `oddity` is the probability of a value of another
   * type in each field.
   */
  valueOf(type: BuiltinType, oddity = 0.03, depth = 0): unknown {
    if (this.happens(oddity)) return structuredClone(this.pick(ODD_VALUES));
    switch (type.shape) {
      case "struct":
        return this.#structOf(type, oddity, depth);
      case "map":
        return Object.fromEntries(
          this.several(
            2,
            () => [this.pick(["a", "b", "c"]), this.valueOf(type.values!, oddity, depth + 1)],
          ),
        );
      case "list":
        return this.several(3, () => this.valueOf(type.items!, oddity, depth + 1));
      case "string":
        return this.pick(type.enum ?? ["", "a", "b", "text", "Always", "10.0.0.7"]);
      case "bytes":
        return this.pick(["YQ==", "", "!!"]);
      case "bool":
        return this.happens(0.5);
      case "float64":
        return 1.5;
      case "int32":
      case "int64":
        return this.pick([0, 1, 2, 80, -1]);
      case "custom":
        return this.pick(CUSTOM[type.format ?? ""] ?? ODD_VALUES);
      default:
        return this.json(2);
    }
  }

  #structOf(type: BuiltinType, oddity: number, depth: number): unknown {
    const made: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(type.fields!)) {
      if (name === "kind" || name === "apiVersion" || name === "metadata" || depth > 6) continue;
      if (this.happens(0.3)) made[name] = this.valueOf(field, oddity, depth + 1);
    }
    if (this.happens(oddity)) made.unknownField = 1;
    return made;
  }

  /** Returns a copy of an object with a random field changed, added or removed. */
  changed(value: unknown, type: BuiltinType): unknown {
    if (Array.isArray(value) && type.items && value.length > 0 && this.happens(0.8)) {
      const at = this.below(value.length);
      return value.map((item, index) => index === at ? this.changed(item, type.items!) : item);
    }
    if (!isMap(value) || this.happens(0.05)) return this.valueOf(type);
    const known = type.fields ?? Object.fromEntries(
      ["a", "b", ...Object.keys(value)].map((name) => [name, type.values!]),
    );
    const open = Object.keys(known).filter((name) => name !== "kind" && name !== "apiVersion");
    const used = open.filter((name) => Object.hasOwn(value, name));
    const name = this.pick(used.length > 0 && this.happens(0.7) ? used : open);
    if (name === undefined || !known[name]) return value;
    const changed = { ...value };
    if (this.happens(0.1)) delete changed[name];
    else setField(changed, name, this.changed(changed[name], known[name]));
    return changed;
  }

  /** Returns a copy of bytes with some changed, removed or inserted at random. */
  damaged(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    let damaged = bytes.slice();
    for (let times = 1 + this.below(3); times > 0 && damaged.length > 0; times--) {
      const at = this.below(damaged.length);
      const put = this.pick([this.below(256), 0x22, 0x5c, 0x7b, 0x5d, 0x2c, 0x3a, 0x3b, 0x0a]);
      if (this.happens(0.2)) damaged = damaged.slice(0, at);
      else if (this.happens(0.5)) damaged[at] = put;
      else damaged = Uint8Array.of(...damaged.slice(0, at), put, ...damaged.slice(at));
    }
    return damaged;
  }
}

const CUSTOM: Readonly<Record<string, readonly unknown[]>> = {
  "date-time": ["2020-01-02T03:04:05Z", null],
  "micro-time": ["2020-01-02T03:04:05.123456Z"],
  quantity: ["100m", "1Gi", 1, "0"],
  "int-or-string": ["50%", 1, "http"],
};
