import { deflateRawSync, inflateRawSync } from "node:zlib";
import {
  LzDictionary,
  MAX_DICTIONARY_BYTES,
  MAX_PACKED_TEXT_BYTES,
} from "@xca/apimachinery/internal/base";
import type { TextCodec } from "./text_codec.ts";

/**
 * The ordinals of encoded texts, from 1, at which the codec makes a new compression dictionary:
 * early, so that few texts are compressed without a good dictionary, and repeatedly, so that one
 * unusual text does not determine the dictionary for all.
 */
const DICTIONARY_AT: ReadonlySet<number> = new Set([1, 4, 16, 64, 256]);
/**
 * The largest number of bytes of one text that the codec adds to a compression dictionary, which
 * thus has room for the beginnings of at least two texts.
 */
const SAMPLE_BYTES = MAX_DICTIONARY_BYTES / 2;
/**
 * Ratio of compressed to original size above which a text counts as unlike earlier ones; deflate is
 * then tried too.
 */
const POOR_SHARE = 0.5;
/**
 * The first byte of a text stored by deflate. A text stored as differences begins with the number
 * of its dictionary (the first is 1).
 */
const DEFLATED = 0;
const EMPTY = new Uint8Array(0);

/**
 * A text codec that stores each object's text as its differences from earlier ones (see {@linkcode
 * LzDictionary}), or deflated: a text of more than `MAX_PACKED_TEXT_BYTES`, and a text unlike
 * earlier ones if deflate makes it shorter. The dictionaries are made from the first texts and kept
 * as long as the codec: up to 250 KB, which for 20 000 pods is half a percent of the saving.
 */
export class SiblingCodec implements TextCodec {
  readonly #dictionaries: LzDictionary[] = [];
  /** The beginnings of object texts in the newest compression dictionary, the newest last. */
  #samples: Uint8Array = EMPTY;
  #texts = 0;

  encode(text: Uint8Array): Uint8Array {
    if (DICTIONARY_AT.has(++this.#texts)) this.#learn(text);
    if (text.length > MAX_PACKED_TEXT_BYTES) return deflated(text);
    const number = this.#dictionaries.length;
    const packed = this.#dictionaries[number - 1]!.pack(text, number);
    if (packed.length <= text.length * POOR_SHARE) return packed;
    const other = deflated(text);
    return other.length < packed.length ? other : packed;
  }

  decode(kept: Uint8Array): Uint8Array {
    const mark = kept[0]!;
    if (mark === DEFLATED) return inflateRawSync(kept.subarray(1));
    return this.#dictionaries[mark - 1]!.unpack(kept);
  }

  #learn(text: Uint8Array): void {
    const sample = text.subarray(0, SAMPLE_BYTES);
    const room = MAX_DICTIONARY_BYTES - sample.length;
    const before = this.#samples.subarray(Math.max(0, this.#samples.length - room));
    this.#samples = new Uint8Array(before.length + sample.length);
    this.#samples.set(before);
    this.#samples.set(sample, before.length);
    this.#dictionaries.push(new LzDictionary(this.#samples));
  }
}

/**
 * Returns a text compressed by raw deflate, after the byte {@linkcode DEFLATED}. Level 3 packs a
 * pod of 6.2 KB to 2.05 KB; level 1 takes half the time and leaves 2.75 KB.
 */
function deflated(text: Uint8Array): Uint8Array {
  const bytes = deflateRawSync(text, { level: 3 });
  const marked = new Uint8Array(bytes.length + 1);
  marked[0] = DEFLATED;
  marked.set(bytes, 1);
  return marked;
}
