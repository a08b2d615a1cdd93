// Mirrors `apis/meta/v1/time.go, Time`.

/**
 * Formats a date as `metav1.Time` does: RFC 3339, UTC, whole seconds.
 *
 * @throws {RangeError} When the date is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatTime } from "@xca/apimachinery/meta";
 *
 * assert.equal(formatTime(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678))), "2026-01-02T03:04:05Z");
 * ```
 */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/**
 * Formats a date as `metav1.MicroTime` does: RFC 3339, UTC, six digits of a second (the last three
 * are 0).
 *
 * @throws {RangeError} When the date is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatMicroTime } from "@xca/apimachinery/meta";
 *
 * const date = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
 * assert.equal(formatMicroTime(date), "2026-01-02T03:04:05.678000Z");
 * ```
 */
export function formatMicroTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000Z`;
}
