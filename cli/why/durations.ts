/**
 * Formats a duration, given in milliseconds, for users, rounded: `250 ms`, `3.2 s`, `4 min`, `2 h`;
 * a negative one as `0 ms`.
 */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
