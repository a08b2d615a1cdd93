// Mirrors `util/resourceversion/resourceversion.go, CompareResourceVersion`.

/**
 * Compares two resourceVersions of one resource: negative when `a` is older, 0 when equal, positive
 * when `a` is newer.
 *
 * KEP-5504 (stable in Kubernetes 1.35) makes resourceVersions comparable as decimal integers of any
 * length, within one resource only. Returns `undefined` for different versions of which one is not
 * decimal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareResourceVersions } from "@xca/apimachinery/meta";
 *
 * assert(compareResourceVersions("999", "1000")! < 0);
 * assert.equal(compareResourceVersions("999", "abc"), undefined);
 * ```
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!isDecimal(a) || !isDecimal(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

function isDecimal(version: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(version);
}
