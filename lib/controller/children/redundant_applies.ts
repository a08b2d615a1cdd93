import process from "node:process";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import { appliedFields } from "./applied_fields.ts";

/**
 * The maximum number of server-side applies that are remembered per cache reader; the oldest are
 * forgotten.
 */
const MOST_REMEMBERED = 10_000;

/**
 * The remembered server-side applies that changed nothing, per cache reader: one digest of the
 * applied fields and of the object's content, by the UID of the object.
 */
const remembered = new WeakMap<CacheReader, Map<string, string>>();

/**
 * A record of whether the server answered an earlier server-side apply without a change although
 * the fields looked different, because the server stores another form of a value. As long as the
 * apply and the content of the object stay the same, the apply need not be sent again. A record
 * that is missing costs one request.
 */
export interface RedundantApply {
  /**
   * A flag that is true if an earlier apply of the same fields to the same object, with the same
   * content, changed nothing.
   */
  readonly isKnown: boolean;
  /**
   * Remembers the apply if it changed nothing: the server's response `answer` has the content that
   * the object had before. Otherwise forgets the apply that is remembered for the object.
   */
  note(answer: KubeObject): void;
}

/**
 * Returns the record of whether a server-side apply of the fields `wanted` to the object `current`
 * is known to change nothing.
 */
export function redundantApply(
  cache: CacheReader,
  current: KubeObject,
  wanted: KubeObject,
  manager: string,
): RedundantApply {
  const records = remembered.get(cache) ?? new Map<string, string>();
  remembered.set(cache, records);
  const { uid = "" } = current.metadata;
  const content = contentOf(current, manager);
  const digest = digestOf(`${canonicalJson(wanted)}\n${content}`);
  return {
    isKnown: records.get(uid) === digest,
    note(answer) {
      records.delete(uid);
      if (answer.metadata.uid !== uid || contentOf(answer, manager) !== content) return;
      records.set(uid, digest);
      for (const [oldest] of records) {
        if (records.size <= MOST_REMEMBERED) break;
        records.delete(oldest);
      }
    },
  };
}

/**
 * Returns the content of an object that an apply may change, as canonical JSON: without status,
 * resourceVersion and generation, and with the fields that the field manager owns by apply in place
 * of `managedFields`.
 */
function contentOf(object: KubeObject, manager: string): string {
  const { status: _status, ...rest } = object as KubeObject & { status?: unknown };
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _fields,
    ...metadata
  } = object.metadata;
  const owned = appliedFields(object, manager, object.apiVersion) ?? null;
  return canonicalJson({ ...rest, metadata, owned });
}

/**
 * Returns the SHA-256 digest of a text in hexadecimal, synchronously, since a digest in another
 * thread would make runs on a virtual clock differ.
 */
function digestOf(text: string): string {
  // An import would make the start of every program slower by some ten milliseconds.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
