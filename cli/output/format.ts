import type { KubeObject } from "@xca/apimachinery/meta";

/** The output formats of `kubectl xca status`, which its flag `-o` selects. */
export const OUTPUT_FORMATS = ["table", "wide", "json", "yaml", "name"] as const;

/** An output format of `kubectl xca status`, which its flag `-o` selects. */
export type OutputFormat = typeof OUTPUT_FORMATS[number];

/** Returns several objects as one document as kubectl prints them: a `List` of `v1`. */
export function listDocument(items: readonly KubeObject[]): Record<string, unknown> {
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}

/** Returns a copy of an object without managedFields, as kubectl prints objects. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _left, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Formats a document as JSON or YAML, with a line end. */
export async function documentText(document: unknown, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify(document, null, 4)}\n`;
  const { dump } = await import("js-yaml");
  return dump(document, { noRefs: true, lineWidth: -1 });
}
