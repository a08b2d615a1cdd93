// Mirrors `controller/cronjob/utils.go, mostRecentScheduleTime`.
import type { V1CronJob } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { JobSchedule } from "./job_schedule.ts";

/**
 * The number of missed scheduled times above which the CronJob controller emits a warning event.
 */
const MANY = 100;

/**
 * Returns the latest scheduled time of a CronJob since its `lastScheduleTime` (or its creation) and
 * within its starting deadline, `undefined` if there is none, and whether more than 100 times were
 * missed. Earlier missed times are skipped.
 *
 * The number of missed times is estimated from the interval between the first two, and the search
 * for the latest starts from that estimate. A CronJob with irregular intervals may therefore get no
 * missed time, as in kube-controller-manager.
 *
 * @throws {RangeError} When the schedule has fewer than two times after the last handled one; the
 *   message is that of kube-controller-manager.
 */
export function missedTime(
  schedule: JobSchedule,
  { metadata, spec, status }: DeepReadonly<V1CronJob>,
  now: Date,
): { readonly time: Date | undefined; readonly tooMany: boolean } {
  const { startingDeadlineSeconds = Infinity } = spec ?? {};
  const handledMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const nowMs = now.getTime();
  const earliestMs = Math.max(handledMs, nowMs - startingDeadlineSeconds * 1000);
  const first = schedule.next(new Date(earliestMs));
  const second = first && schedule.next(first);
  if (!first || !second) {
    throw new RangeError("time difference between two schedules is less than 1 second");
  }
  if (first.getTime() > nowMs) return { time: undefined, tooMany: false };
  if (second.getTime() > nowMs) return { time: first, tooMany: false };
  const stepMs = Math.round((second.getTime() - first.getTime()) / 1000) * 1000;
  const count = Math.floor((nowMs - first.getTime()) / stepMs) + 1;
  let last: Date | undefined;
  let next = schedule.next(new Date(first.getTime() + (count - 2) * stepMs));
  while (next && next.getTime() <= nowMs) {
    last = next;
    next = schedule.next(next);
  }
  return { time: last, tooMany: last !== undefined && count > MANY };
}

/**
 * Returns a time as RFC 3339 text in whole seconds, with the offset of a time zone (`Z` for UTC).
 */
export function timeInZone(time: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "00", minutes = "00"] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return `${time.toISOString().slice(0, 19)}Z`;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const local = new Date(time.getTime() + offsetMs).toISOString().slice(0, 19);
  return `${local}${sign}${hours}:${minutes}`;
}
