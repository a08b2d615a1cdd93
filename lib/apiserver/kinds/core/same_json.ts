/**
 * Whether two values of an object mean the same: absent, empty list and empty map are equal, as for
 * the real server's semantic comparison.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, at) => sameJson(item, b[at]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .every((key) => sameMember(left[key], right[key]));
}

/** An empty struct below is not the same as none: it may be a pointer. */
function sameMember(a: unknown, b: unknown): boolean {
  if (a === undefined || a === null) return isAbsentOrList(b);
  if (b === undefined || b === null) return isAbsentOrList(a);
  return sameJson(a, b);
}

function isAbsentOrList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
