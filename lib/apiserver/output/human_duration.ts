const DAY_HOURS = 24;
const YEAR_DAYS = 365;

/**
 * Formats a duration in milliseconds to two or three significant figures: `5s`, `3m20s`, `2d4h`,
 * `1y30d` (`util/duration/duration.go, HumanDuration`). A negative duration gives `0s` above -2 s,
 * and otherwise `<invalid>`.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / DAY_HOURS);
  if (days < 8) return two(days, "d", hours % DAY_HOURS, "h");
  if (days < YEAR_DAYS * 2) return `${days}d`;
  const years = Math.trunc(days / YEAR_DAYS);
  return days < YEAR_DAYS * 8 ? two(years, "y", days % YEAR_DAYS, "d") : `${years}y`;
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;
}

/**
 * Formats the age of a timestamp at `now`; `<unknown>` for an absent or empty timestamp,
 * `<invalid>` for a timestamp two seconds or more in the future.
 */
export function ageOf(time: string | null | undefined, now: Date): string {
  if (!time) return "<unknown>";
  return humanDuration(now.getTime() - Date.parse(time));
}
