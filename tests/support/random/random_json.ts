import { type Random, seededRandom } from "../../../lib/apimachinery/base/time/random.ts";

/**
 * A generator of random JSON text in every form of the grammar: white space anywhere, keys and strings
 * with and without escapes, duplicate keys, lone surrogates, characters of several bytes, numbers of
 * every form, deep nesting, and similar keys.
 */
export class JsonTextMaker {
  readonly #random: Random;

  /** Creates a generator that writes the same texts for the same seed. */
  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Returns a random integer below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** Returns one of some values. */
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** Reports whether an event of a probability happens. */
  happens(likelihood: number): boolean {
    return this.#random.next() < likelihood;
  }

  /** Returns white space, mostly none. */
  space(): string {
    return this.happens(0.85) ? "" : this.pick([" ", "\n", "\t", "\r", "  ", " \r\n\t "]);
  }

  /** Returns the token of a string, sometimes with needless escapes. */
  string(text: string): string {
    const escapes = this.happens(0.2);
    let token = '"';
    for (const character of text) {
      if (character.isWellFormed() && !(escapes && this.happens(0.3))) {
        token += JSON.stringify(character).slice(1, -1);
        continue;
      }
      for (const unit of character.split("")) {
        const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
        token += `\\u${this.happens(0.5) ? hex : hex.toUpperCase()}`;
      }
    }
    return `${token}"`;
  }

  /** Returns random text. */
  text(): string {
    let text = "";
    for (let length = this.below(8); length > 0; length--) text += this.pick(PIECES);
    return text;
  }

  /** Returns the token of a value with a maximum depth. */
  value(depth = 4): string {
    switch (this.below(depth > 0 ? 9 : 6)) {
      case 0:
        return this.pick(["true", "false", "null"]);
      case 1:
      case 2:
        return this.pick(NUMBERS);
      case 3:
      case 4:
      case 5:
        return this.string(this.text());
      case 6:
        return this.array(Array.from({ length: this.below(5) }, () => this.value(depth - 1)));
      case 7:
        return this.object(
          Array.from({ length: this.below(6) }, () => [this.pick(KEYS), this.value(depth - 1)]),
        );
      default:
        return this.happens(0.98)
          ? this.array([])
          : "[".repeat(200) + this.value(0) + "]".repeat(200);
    }
  }

  /** Returns the token of an array. */
  array(items: readonly string[]): string {
    return `[${this.space()}${
      items.map((item) => `${this.space()}${item}${this.space()}`).join(",")
    }]`;
  }

  /**
   * Returns the token of an object with members in the given order. No key contains a backslash:
   * with one, the `JSON.parse` of V8 15.0 sometimes misreads an escape in another key, and is no
   * oracle.
   */
  object(members: readonly (readonly [key: string, value: string])[]): string {
    const tokens = members.map(([key, value]) =>
      [this.space(), this.string(key.replaceAll("\\", "|")), this.space(), ":", this.space(), value]
        .join("") + this.space()
    );
    return `{${this.space()}${tokens.join(",")}}`;
  }

  /** Returns the values in random order, some left out, few repeated. */
  shuffle<T>(things: readonly T[]): T[] {
    const some = things.filter(() => this.happens(0.9));
    while (things.length > 0 && this.happens(0.1)) some.push(this.pick(things));
    for (let i = some.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [some[i], some[j]] = [some[j]!, some[i]!];
    }
    return some;
  }

  /**
   * Returns the text of a Kubernetes object, including members of wrong types and odd or repeated
   * keys.
   */
  kubeObject(): string {
    const other = (value: string): string => this.happens(0.04) ? this.value(2) : value;
    const text = (of: string): [string, string] => [of, other(this.string(`${of}-${this.text()}`))];
    const pairs = (): string =>
      this.object(
        Array.from({ length: this.below(5) }, () => [
          this.happens(0.5) ? this.text() : this.pick(KEYS),
          other(this.string(this.text())),
        ]),
      );
    const owner = (): string =>
      this.object(
        this.shuffle([text("apiVersion"), text("kind"), text("name"), text("uid"), [
          "controller",
          "true",
        ]]),
      );
    const metadata = (): string =>
      this.object(this.shuffle<readonly [string, string]>([
        text("name"),
        text("namespace"),
        text("uid"),
        ["resourceVersion", other(this.string(String(this.below(1e6))))],
        ["generation", other(this.pick(["1", "0", "12", "3456", "1e3", "-0", "2.5"]))],
        ["deletionTimestamp", other(this.pick(["null", '"2026-01-01T00:00:00Z"']))],
        ["creationTimestamp", "null"],
        ["labels", other(pairs())],
        ["annotations", other(pairs())],
        ["ownerReferences", other(this.array(Array.from({ length: this.below(3) }, owner)))],
        [
          "finalizers",
          other(this.array(Array.from({ length: this.below(3) }, () => this.string(this.text())))),
        ],
        ["managedFields", other(this.array([this.value(3)]))],
        [this.pick(KEYS), this.value(2)],
      ]));
    return this.object(this.shuffle<readonly [string, string]>([
      text("apiVersion"),
      text("kind"),
      ["metadata", other(metadata())],
      ["spec", this.value()],
      [this.pick(KEYS), this.value(3)],
      ["status", this.value()],
    ]));
  }

  /** Returns the bytes with a few of them changed, cut off or inserted. */
  mutate(bytes: Uint8Array): Uint8Array {
    let mutated = bytes.slice();
    for (let times = 1 + this.below(3); times > 0 && mutated.length > 0; times--) {
      const at = this.below(mutated.length);
      const kind = this.below(4);
      if (kind === 0) mutated[at] = this.below(256);
      else if (kind === 1) mutated = mutated.slice(0, at);
      else if (kind === 2) {
        mutated[at] = this.pick([0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a]);
      } else {mutated = Uint8Array.from([
          ...mutated.slice(0, at),
          this.below(256),
          ...mutated.slice(at),
        ]);}
    }
    return mutated;
  }

  /** Returns the bytes in random pieces. */
  chunks(bytes: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    const largest = this.pick([1, 3, 17, 200, 5000]);
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + this.below(largest);
      pieces.push(bytes.slice(at, end));
      at = end;
    }
    return pieces;
  }
}

const PIECES = [
  "a",
  "metadata",
  "Z9",
  "-",
  ".",
  "/",
  " ",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '","metadata":{',
  "\n",
  "\u0000",
  "\u007f",
  "é",
  "漢字",
  "😀",
  "\ud800",
  "\udc00",
  "\u2028",
  "﻿",
  "\\u0041",
];
const KEYS = [
  "metadata",
  "name",
  "namespace",
  "items",
  "labels",
  "annotations",
  "managedFields",
  "kind",
  "type",
  "object",
  "",
  "__proto__",
  "constructor",
  "metadat",
  "metadata ",
  "Metadata",
  "f:metadata",
  '"metadata"',
  "é",
  "😀",
];
const NUMBERS = [
  "0",
  "-0",
  "7",
  "-1",
  "1234567890123456789",
  "1.5",
  "1e5",
  "1E-7",
  "-2.25e+3",
  "1e400",
];
