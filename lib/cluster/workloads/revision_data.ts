// Mirrors `controller/daemon/update.go, getPatch`.
import type { V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";

/** The characters that Go's `encoding/json` writes as escapes, beside those of every encoder. */
const ESCAPED = /[<>&\u2028\u2029]/g;

/** The part of `JSON` that gives a value the text with which it is written. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/**
 * Returns the data of a revision that keeps a pod template: a strategic merge patch that restores it.
 *
 * It is written as Go writes it, with sorted fields and Go's escapes. kube-apiserver keeps the text of
 * the data and takes another text for another value, which must not change; after a patch of the
 * metadata, such as that of an adoption, it compares the text with one that Go has written.
 */
export function revisionData(template: V1PodTemplateSpec): Record<string, unknown> {
  const data = { spec: { template: { ...template, $patch: "replace" } } };
  return asGoWrites(data) as Record<string, unknown>;
}

function asGoWrites(value: unknown): unknown {
  if (typeof value === "string") {
    const text = JSON.stringify(value);
    const escaped = text.replace(ESCAPED, escapeOf);
    return escaped === text ? value : (JSON as unknown as RawJson).rawJSON(escaped);
  }
  if (Array.isArray(value)) return value.map(asGoWrites);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => a < b ? -1 : 1).map(([name, item]) => [name, asGoWrites(item)]),
  );
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
