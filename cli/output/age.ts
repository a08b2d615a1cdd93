const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * Returns the time since a date in the form of kubectl's AGE column: two units while the larger one
 * is small, otherwise one (`119s`, `5m30s`, `47h`, `2d3h`, `2y40d`). A date in the future counts as
 * now; for an absent or invalid date, returns `<unknown>`.
 */
export function ageText(since: string | undefined, now: Date): string {
  if (since === undefined) return "<unknown>";
  const ageMs = now.getTime() - Date.parse(since);
  return Number.isNaN(ageMs) ? "<unknown>" : durationText(Math.max(0, ageMs));
}

function durationText(ms: number): string {
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return units(ms, MINUTE, "m", SECOND, "s");
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return units(ms, HOUR, "h", MINUTE, "m");
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return units(ms, DAY, "d", HOUR, "h");
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return units(ms, YEAR, "y", DAY, "d");
  return `${Math.floor(ms / YEAR)}y`;
}

function units(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const first = Math.floor(ms / big);
  const second = Math.floor((ms % big) / small);
  return second === 0 ? `${first}${bigName}` : `${first}${bigName}${second}${smallName}`;
}
