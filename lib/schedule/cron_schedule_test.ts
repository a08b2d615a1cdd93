import assert from "node:assert/strict";
import { printedRandom } from "../../tests/support/seed.ts";
import { CronSchedule } from "./cron_schedule.ts";

/** Returns the next times of a schedule, to the minute. */
function times(expression: string, timeZone: string, from: string, count: number): string[] {
  const schedule = new CronSchedule(expression, { timeZone });
  const found: string[] = [];
  for (let at = new Date(from); found.length < count;) {
    at = schedule.next(at);
    found.push(at.toISOString().slice(5, 16));
  }
  return found;
}

Deno.test("a fixed time comes once on the days on which clocks are set forward and back", () => {
  assert.deepEqual(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2), [
    "03-29T01:00", // 3:00, since there is no 2:30
    "03-30T00:30",
  ]);
  assert.deepEqual(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2), [
    "10-25T00:30", // the first 2:30 of two
    "10-26T01:30",
  ]);
});

Deno.test("an interval goes on through the days on which clocks are set forward and back", () => {
  assert.deepEqual(times("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:10:00Z", 3), [
    "03-29T00:30",
    "03-29T01:00",
    "03-29T01:30",
  ]);
  assert.deepEqual(times("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:10:00Z", 4), [
    "10-25T00:30",
    "10-25T01:00",
    "10-25T01:30",
    "10-25T02:00",
  ]);
});

Deno.test("a restricted day of the month and of the week are alternatives, as in crontab", () => {
  assert.deepEqual(times("0 0 13 * 5", "UTC", "2026-03-06T00:00:00Z", 3), [
    "03-13T00:00",
    "03-20T00:00",
    "03-27T00:00",
  ]);
  assert.deepEqual(times("0 0 15 * 1", "UTC", "2026-03-10T00:00:00Z", 2), [
    "03-15T00:00",
    "03-16T00:00",
  ]);
  assert.deepEqual(times("0 0 29 2 *", "UTC", "2026-03-01T00:00:00Z", 1), ["02-29T00:00"]);
});

Deno.test("next() is after the date, last() is at the date or before it", () => {
  const daily = new CronSchedule("@daily");
  const midnight = new Date("2026-01-02T00:00:00Z");
  assert.equal(daily.next(midnight).toISOString(), "2026-01-03T00:00:00.000Z");
  assert.deepEqual(daily.last(midnight), midnight);
  assert.deepEqual(daily.last(new Date("2026-01-02T23:59:59.999Z")), midnight);
  assert.deepEqual(daily.next(new Date("2026-01-01T23:59:59.999Z")), midnight);
  assert.deepEqual(daily.requeueAfter(new Date("2026-01-01T23:59:59.250Z")), {
    requeueAfterMs: 750,
  });
});

Deno.test("next() and last() of random dates enclose the date, with no time between them", () => {
  const { seed, random } = printedRandom();
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"];
  for (let round = 0; round < 200; round++) {
    const expression = [
      pick(["0", "30", "*/15", "5,50"]),
      pick(["*", "2", "1-4", "*/6"]),
      pick(["*", "1", "31"]),
      pick(["*", "3,10"]),
      pick(["*", "0", "1-5"]),
    ].join(" ");
    const schedule = new CronSchedule(expression, { timeZone: pick(zones) });
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random.next() * 365 * 86_400_000));
    const about = `seed ${seed}: ${expression} in ${schedule.timeZone} at ${at.toISOString()}`;
    const next = schedule.next(at);
    const last = schedule.last(at)!;
    assert(last <= at && at < next, about);
    assert.deepEqual(schedule.last(new Date(next.getTime() - 1)), last, about);
    assert.deepEqual(schedule.last(next), next, about);
  }
});

Deno.test("a schedule that cannot be is refused, with the expression and the cause", () => {
  for (
    const [expression, cause] of [
      ["0 0 30 2 *", /no date matches/],
      ["0 0 31 4 *", /no date matches/],
      ["60 * * * *", /Invalid value for minute: 60/],
      ["* * * *", /five/],
      ["* * * * * *", /exactly 5 parts/],
      ["*/0 * * * *", /stepping: 0/],
      ["", /must be a cron expression/],
      ["@reboot", /its name must be @hourly/],
      ["@every 5m", /its name must be @hourly/],
    ] as const
  ) {
    assert.throws(() => new CronSchedule(expression), (error) => {
      assert(error instanceof RangeError);
      assert(error.message.startsWith(`Cannot use the schedule ${JSON.stringify(expression)}: `));
      assert.match(error.message, cause);
      return true;
    });
  }
  assert.throws(
    () => new CronSchedule("@daily", { timeZone: "Mars/Olympus" }),
    /time zone must be an IANA name such as Europe\/Berlin, is "Mars\/Olympus"/,
  );
  assert.throws(() => new CronSchedule("@daily").next(new Date(NaN)), /the date is invalid/);
});
