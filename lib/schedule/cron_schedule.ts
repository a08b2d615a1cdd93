import { Cron } from "croner";

/** Options for {@linkcode CronSchedule}, the times of a cron expression. */
export interface CronScheduleOptions {
  /**
   * The IANA name of the time zone that the expression is in, such as `Europe/Berlin`.
   *
   * @default {"UTC"}
   */
  readonly timeZone?: string | undefined;
}

/**
 * The schedule of a cron expression in a time zone, for reconcilers that have to run at certain
 * times.
 *
 * The expression has the five fields of crontab (minute, hour, day of the month, month, day of the
 * week), in which `L` (the last day) and `#` (`MON#1`, the first Monday) are allowed too, or is
 * `@hourly`, `@daily` (`@midnight`), `@weekly`, `@monthly` or `@yearly` (`@annually`). If the day
 * of the month and the day of the week are both restricted (not `*`), a date that matches one of
 * them is enough, as in crontab and in a CronJob.
 *
 * When clocks are set forward, a time that does not exist becomes the first time after the gap.
 * When they are set back, a fixed time of day occurs once, and an interval such as every 30 minutes
 * continues through both hours.
 *
 * A schedule starts nothing: a reconciler returns {@linkcode CronSchedule.requeueAfter}. A run may
 * come late, or twice for one time, as every reconcile run may. A reconciler that must act once per
 * time keeps the last time in the status of its object, and compares it with
 * {@linkcode CronSchedule.last}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor } from "@xca/operator";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { CronSchedule } from "@xca/operator/schedule";
 *
 * const nightly = new CronSchedule("30 2 * * *", { timeZone: "Europe/Berlin" });
 * const controller = controllerFor(ConfigMap).reconcile(({ clock, log }) => {
 *   log.info("Last due at {at}", { at: nightly.last(clock.now()) });
 *   return nightly.requeueAfter(clock.now());
 * });
 * assert.equal(controller.name, "configmap");
 *
 *  // On the day on which the clocks are set forward there is no 2:30: the run is at 3:00.
 * const next = nightly.next(new Date("2026-03-29T00:00:00Z"));
 * assert.equal(next.toISOString(), "2026-03-29T01:00:00.000Z");
 * ```
 */
export class CronSchedule {
  /** The cron expression of the schedule. */
  readonly expression: string;
  /** The IANA name of the schedule's time zone. */
  readonly timeZone: string;
  readonly #cron: Cron;

  /**
   * Creates the schedule of a cron expression.
   *
   * @throws {RangeError} When the expression cannot be parsed, or no date matches it, such as 30
   * February; when the time zone is unknown.
   */
  constructor(expression: string, options: CronScheduleOptions = {}) {
    const { timeZone = "UTC" } = options;
    const what = `Cannot use the schedule ${JSON.stringify(expression)}`;
    try {
      new Intl.DateTimeFormat("en", { timeZone });
    } catch {
      throw new RangeError(
        `${what}: the time zone must be an IANA name such as Europe/Berlin, is ${
          JSON.stringify(timeZone)
        }`,
      );
    }
    this.expression = expression;
    this.timeZone = timeZone;
    this.#cron = parsed(expression, timeZone, what);
    if (!this.#cron.nextRun(new Date(0))) {
      throw new RangeError(`${what}: no date matches, as with 30 February`);
    }
  }

  /**
   * Returns the first time of the schedule after a date; the date itself does not count.
   *
   * @throws {RangeError} When the date is invalid, or no further time can be represented.
   */
  next(after: Date): Date {
    const next = this.#cron.nextRun(checked(after));
    if (next) return next;
    throw new RangeError(
      `Cannot find a time of the schedule ${JSON.stringify(this.expression)} after ` +
        after.toISOString(),
    );
  }

  /**
   * Returns the last time of the schedule up to a date, the date included; `undefined` when there
   * was none.
   *
   * @throws {RangeError} When the date is invalid.
   */
  last(until: Date): Date | undefined {
    const [last] = this.#cron.previousRuns(1, new Date(checked(until).getTime() + 1));
    return last;
  }

  /**
   * Returns the result with which a reconciler requests a run at the schedule's first time after a
   * date: the time until then, in milliseconds.
   *
   * @throws {RangeError} When the date is invalid, or no further time can be represented.
   */
  requeueAfter(now: Date): { readonly requeueAfterMs: number } {
    return { requeueAfterMs: this.next(now).getTime() - now.getTime() };
  }
}

/**
 * A regular expression that matches the short names of schedules, such as `@daily`. `@reboot` is
 * not supported, since an operator does not reboot.
 */
const SHORT_NAMES = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/i;

/**
 * Returns the parsed cron expression, whose timer is not started; `what` begins the messages of
 * errors.
 *
 * @throws {RangeError} When the expression cannot be parsed, or has an unknown short name.
 */
function parsed(expression: string, timeZone: string, what: string): Cron {
  if (typeof expression !== "string" || expression.trim() === "") {
    throw new RangeError(`${what}: it must be a cron expression such as "30 2 * * *"`);
  }
  if (expression.startsWith("@") && !SHORT_NAMES.test(expression)) {
    throw new RangeError(`${what}: its name must be @hourly, @daily, @weekly, @monthly or @yearly`);
  }
  try {
    return new Cron(expression, { timezone: timeZone, mode: "5-part", paused: true });
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /, "");
    throw new RangeError(`${what}: ${why}`, { cause: error });
  }
}

/**
 * Returns the date that a method of a schedule was given, if it is valid.
 *
 * @throws {RangeError} When the date is invalid.
 */
function checked(date: Date): Date {
  if (!Number.isNaN(date.getTime())) return date;
  throw new RangeError("Cannot use a schedule: the date is invalid");
}
