import { type JobSchedule, jobSchedule } from "./job_schedule.ts";

/** The number of schedules that are kept. */
const MOST = 1000;

/**
 * The schedules that were parsed before, since parsing one takes longer than the rest of a
 * CronJob's reconcile run. The one that was not used for the longest time is dropped first.
 */
export class ParsedSchedules {
  readonly #schedules = new Map<string, JobSchedule>();

  /** Returns the schedule of an expression. @throws {RangeError} When it cannot be parsed. */
  parsed(expression: string, timeZone: string | undefined): JobSchedule {
    const key = JSON.stringify([expression, timeZone]);
    const schedule = this.#schedules.get(key) ?? jobSchedule(expression, timeZone);
    this.#schedules.delete(key);
    this.#schedules.set(key, schedule);
    if (this.#schedules.size > MOST) this.#schedules.delete(this.#schedules.keys().next().value!);
    return schedule;
  }
}
