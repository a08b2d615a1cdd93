// Mirrors `util/validation/validation.go, IsDNS1123Label`.
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Reports whether a text is a DNS-1123 label (RFC 1123) of at most 63 characters, as names of
 * namespaces are.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isDnsLabel } from "@xca/apimachinery/meta";
 *
 * assert(isDnsLabel("kube-system"));
 * assert(!isDnsLabel("Kube_System"));
 * ```
 */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text);
}

/**
 * Reports whether a text may be a segment of an API path: not empty, `.` or `..`, and without `/`
 * and `%`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isPathSegment } from "@xca/apimachinery/meta";
 *
 * assert(isPathSegment("system:node-proxier"));
 * assert(!isPathSegment("../secrets"));
 * ```
 */
export function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text);
}
