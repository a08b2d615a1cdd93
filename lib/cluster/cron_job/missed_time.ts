// Mirrors `controller/cronjob/utils.go, mostRecentScheduleTime`.
import type { V1CronJob } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { CronSchedule } from "../../schedule/cron_schedule.ts";

/** The number of missed times from which a CronJob warns. */
const MANY = 100;

/**
 * Returns the last scheduled time that no Job was created for; none within the starting deadline is no
 * time. Of several missed times the last one counts alone.
 */
export function missedTime(
  schedule: CronSchedule,
  { metadata, spec, status }: DeepReadonly<V1CronJob>,
  now: Date,
): { readonly time: Date | undefined; readonly tooMany: boolean } {
  const { startingDeadlineSeconds = Infinity } = spec ?? {};
  const handledMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const earliestMs = Math.max(handledMs, now.getTime() - startingDeadlineSeconds * 1000);
  const last = schedule.last(now);
  if (!last || last.getTime() <= earliestMs) return { time: undefined, tooMany: false };
  let count = 0;
  for (let time = new Date(earliestMs); count <= MANY; count++) {
    time = schedule.next(time);
    if (time.getTime() > now.getTime()) break;
  }
  return { time: last, tooMany: count > MANY };
}

/** Returns a time as RFC 3339 in whole seconds, with the offset of a time zone. */
export function timeInZone(time: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "00", minutes = "00"] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return `${time.toISOString().slice(0, 19)}Z`;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const local = new Date(time.getTime() + offsetMs).toISOString().slice(0, 19);
  return `${local}${sign}${hours}:${minutes}`;
}
