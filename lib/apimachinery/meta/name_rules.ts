// Mirrors `util/validation/validation.go, IsDNS1123Label`, `IsDNS1123Subdomain` and
// `IsQualifiedName`.
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * Reports whether a text is a DNS-1123 label (RFC 1123) of at most 63 characters, such as the name
 * of a namespace.
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
 * Reports whether a text is a DNS-1123 subdomain (RFC 1123), as the name of an object of most kinds
 * must be: at most 253 characters. As in Kubernetes, a part between dots may be longer than 63.
 */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text);
}

/**
 * Reports whether a text is a qualified name, such as the key of a label: a name of at most 63
 * letters, digits, `-`, `_` and `.` that begins and ends with a letter or digit, perhaps after a
 * DNS subdomain and `/`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isQualifiedName } from "@xca/apimachinery/meta";
 *
 * assert(isQualifiedName("example.org/greeter"));
 * assert(!isQualifiedName("example.org/"));
 * ```
 */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf("/");
  const prefix = text.slice(0, Math.max(slash, 0));
  const prefixIsRight = slash < 0 || isDnsSubdomain(prefix);
  return prefixIsRight && isLabelText(text.slice(slash + 1));
}

/**
 * Reports whether a string is valid as the name part of a qualified name, and as a nonempty label
 * value.
 */
export function isLabelText(text: string): boolean {
  return NAME.test(text);
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
