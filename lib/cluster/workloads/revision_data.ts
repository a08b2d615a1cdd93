// Mirrors `controller/daemon/update.go, getPatch`.
import type { V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";

/** The characters that Go's `encoding/json` escapes and `JSON.stringify` does not. */
const ESCAPED = /[<>&\u2028\u2029]/g;

/** The functions of the object `JSON` that determine the exact text of a serialized value. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/**
 * Returns the data of a ControllerRevision that stores a pod template: a strategic merge patch that
 * restores the template.
 *
 * The text is that of Go's encoder, with sorted fields and Go's escapes. kube-apiserver stores the
 * text of the data and treats a different text as a change of the immutable data; after a patch of
 * the metadata, such as an adoption, it compares the stored text with one that Go has encoded.
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
