const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Whether a text is a DNS-1123 label (RFC 1123): what namespaces are named by, at most 63 characters.
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
 * Whether a text may stand as one segment of an API path: not empty, not `.` or `..`, no `/` or `%`.
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
