import { type JobSchedule, jobSchedule } from "./job_schedule.ts";

/** The maximum number of parsed CronJob schedules in the cache. */
const MOST = 1000;

/**
 * A least-recently-used cache of parsed CronJob schedules: parsing a schedule takes longer than the
 * rest of a CronJob's reconcile run.
 */
export class ParsedSchedules {
  readonly #schedules = new Map<string, JobSchedule>();

  /**
   * Returns the parsed schedule of a cron expression in a time zone.
   *
   * @throws {RangeError} When the expression cannot be parsed.
   */
  parsed(expression: string, timeZone: string | undefined): JobSchedule {
    const key = JSON.stringify([expression, timeZone]);
    const schedule = this.#schedules.get(key) ?? jobSchedule(expression, timeZone);
    this.#schedules.delete(key);
    this.#schedules.set(key, schedule);
    if (this.#schedules.size > MOST) this.#schedules.delete(this.#schedules.keys().next().value!);
    return schedule;
  }
}
