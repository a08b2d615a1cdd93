import { asciiSlice, parseJson, stringAt, utf8Slice } from "@xca/apimachinery/internal/base";
import { formatKey, type ObjectKey, type OwnerReference } from "@xca/apimachinery/meta";
import type { ObjectLayout } from "../../client/decode/object_layout.ts";
import { InternTable } from "./intern_table.ts";

/**
 * The metadata of an object that readers get without parsing the object: the packer extracts it
 * from the object's text when the object arrives.
 */
export interface ObjectFacts {
  /** The key of the object: `namespace/name`, or `name` when cluster-scoped. */
  readonly key: ObjectKey;
  /** The namespace of the object; empty when cluster-scoped. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The UID of the object; empty when it has none. */
  readonly uid: string;
  /** The resourceVersion of the object; empty when it has none. */
  readonly resourceVersion: string;
  /**
   * The generation of the object, which counts the changes of the spec; `undefined` when the object
   * has none or it is not a number.
   */
  readonly generation: number | undefined;
  /** The deletionTimestamp of the object in RFC 3339; `undefined` unless deletion was requested. */
  readonly deletionTimestamp: string | undefined;
  /**
   * The labels of the object, shared and frozen, without those whose value is not a string; empty
   * when it has none.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** The owner references of the object, shared and frozen; empty when it has none. */
  readonly ownerReferences: readonly OwnerReference[];
  /** The finalizers of the object, shared and frozen; empty when it has none. */
  readonly finalizers: readonly string[];
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});
const NO_OWNERS: readonly OwnerReference[] = Object.freeze([]);
const NO_FINALIZERS: readonly string[] = Object.freeze([]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * An extractor of metadata (name, labels, owners and so on) from the JSON text of objects, at the
 * positions of an `ObjectLayout`.
 *
 * A member of the wrong type counts as absent, and so does a label whose value is not a string.
 * Values that related objects have in common are shared. The strings do not keep the text alive.
 */
export class FactExtractor {
  readonly #namespaces = new InternTable<string>((text) => text);
  readonly #labels = new InternTable(parseStrings);
  readonly #owners = new InternTable(parseOwners);
  readonly #finalizers = new InternTable(parseFinalizers);

  /**
   * Returns the value of `metadata.namespace` in the JSON text of an object; empty when there is
   * none or it is not a string.
   */
  namespace(raw: Uint8Array, layout: ObjectLayout): string {
    return this.#namespaces.get(textAt(raw, layout.namespace, layout.namespaceEnd, layout));
  }

  /**
   * Returns the value of `metadata.name` in the JSON text of an object; empty when there is none or
   * it is not a string.
   */
  name(raw: Uint8Array, layout: ObjectLayout): string {
    return textAt(raw, layout.name, layout.nameEnd, layout);
  }

  /** Returns the UID in the JSON text of an object; empty when there is none. */
  uid(raw: Uint8Array, layout: ObjectLayout): string {
    return textAt(raw, layout.uid, layout.uidEnd, layout);
  }

  /** Returns the resourceVersion in the JSON text of an object; empty when there is none. */
  resourceVersion(raw: Uint8Array, layout: ObjectLayout): string {
    return textAt(raw, layout.resourceVersion, layout.resourceVersionEnd, layout);
  }

  /**
   * Returns the value of `metadata.generation` in the JSON text of an object; `undefined` when
   * there is none or it is not a number.
   */
  generation(raw: Uint8Array, layout: ObjectLayout): number | undefined {
    const start = layout.generation;
    if (start === 0) return undefined;
    const first = raw[start]!;
    if (first !== MINUS && (first < DIGIT_0 || first > DIGIT_9)) return undefined;
    if (layout.generationEnd === start + 1) return first - DIGIT_0;
    const value = Number(asciiSlice(raw, start, layout.generationEnd));
    return Number.isNaN(value) ? undefined : value;
  }

  /** Returns the deletionTimestamp in the JSON text of an object; empty when there is none. */
  deletionTimestamp(raw: Uint8Array, layout: ObjectLayout): string {
    return textAt(raw, layout.deletionTimestamp, layout.deletionTimestampEnd, layout);
  }

  /**
   * Returns the labels in the JSON text of an object, frozen, without those whose value is not a
   * string; empty without any.
   *
   * @throws {SyntaxError} If the text at that position is not JSON.
   */
  labels(raw: Uint8Array, layout: ObjectLayout): Readonly<Record<string, string>> {
    const start = layout.labels;
    if (start === 0 || raw[start] !== OPEN_BRACE) return NO_LABELS;
    return this.#labels.get(sliceOf(raw, start, layout.labelsEnd, layout));
  }

  /**
   * Returns the owner references in the JSON text of an object, frozen; empty without any. Entries
   * that are not JSON objects are left out.
   *
   * @throws {SyntaxError} If the text at that position is not JSON.
   */
  ownerReferences(raw: Uint8Array, layout: ObjectLayout): readonly OwnerReference[] {
    const start = layout.ownerReferences;
    if (start === 0 || raw[start] !== OPEN_BRACKET) return NO_OWNERS;
    return this.#owners.get(sliceOf(raw, start, layout.ownerReferencesEnd, layout));
  }

  /**
   * Returns the finalizers in the JSON text of an object, frozen; empty without any. Entries that
   * are not strings are left out.
   *
   * @throws {SyntaxError} If the finalizers are not valid JSON.
   */
  finalizers(raw: Uint8Array, layout: ObjectLayout): readonly string[] {
    const start = layout.finalizers;
    if (start === 0 || raw[start] !== OPEN_BRACKET) return NO_FINALIZERS;
    return this.#finalizers.get(sliceOf(raw, start, layout.finalizersEnd, layout));
  }
}

/**
 * Returns the object key (`namespace/name` or `name`) of a namespace and a name; empty when there
 * is no name.
 */
export function keyAt(namespace: string, name: string): ObjectKey {
  return name === "" ? "" : formatKey({ namespace, name });
}

/**
 * Parses a JSON text and returns the members of its object whose values are strings, frozen;
 * returns an empty record for a JSON value that is not an object.
 *
 * @throws {SyntaxError} If the text is not JSON.
 */
export function parseStrings(text: string): Readonly<Record<string, string>> {
  const value: unknown = parseJson(text);
  if (!isRecord(value)) return NO_LABELS;
  const entries = Object.entries(value);
  if (entries.length === 0) return NO_LABELS;
  if (entries.every(([, each]) => typeof each === "string")) {
    return Object.freeze(value as Record<string, string>);
  }
  const strings = entries.filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
  return Object.freeze(Object.fromEntries(strings));
}

function parseOwners(text: string): readonly OwnerReference[] {
  const value = (parseJson(text) as unknown[]).filter(isRecord);
  if (value.length === 0) return NO_OWNERS;
  for (const owner of value) Object.freeze(owner);
  return Object.freeze(value as unknown as OwnerReference[]);
}

function parseFinalizers(text: string): readonly string[] {
  const value = (parseJson(text) as unknown[]).filter((each) => typeof each === "string");
  return value.length === 0 ? NO_FINALIZERS : Object.freeze(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sliceOf(raw: Uint8Array, start: number, end: number, layout: ObjectLayout): string {
  return layout.encoding === "ascii" ? asciiSlice(raw, start, end) : utf8Slice(raw, start, end);
}

function textAt(raw: Uint8Array, start: number, end: number, layout: ObjectLayout): string {
  if (start === 0 || raw[start] !== QUOTE) return "";
  for (let at = start + 1; at < end; at++) {
    if (raw[at] === BACKSLASH) return stringAt(raw, start, end) ?? "";
  }
  return sliceOf(raw, start + 1, end - 1, layout);
}
