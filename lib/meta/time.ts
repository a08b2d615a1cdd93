/** A date as `metav1.Time` writes it: RFC 3339, UTC, whole seconds. */
export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** A date as `metav1.MicroTime` writes it: RFC 3339, UTC, six digits of a second. */
export function formatMicroTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000Z`;
}
