import assert from "node:assert/strict";
import { scheduleProblem, timeZoneProblem } from "./cron_schedule.ts";

Deno.test("schedules of five fields and descriptors are valid", () => {
  const schedules = [
    "* * * * *",
    "*/5 0-23/2 1,15 jan-MAR sun",
    "? * ? * ?",
    "5/15 * * * *",
    "@hourly",
    "@every 1h30m",
    "CRON_TZ=Europe/Zurich 0 0 * * *",
  ];
  for (const schedule of schedules) assert.equal(scheduleProblem(schedule), undefined, schedule);
});

Deno.test("the error about an invalid schedule states the reason", () => {
  assert.equal(scheduleProblem("* * *"), "expected exactly 5 fields, found 3: [* * *]");
  assert.equal(scheduleProblem("60 * * * *"), "end of range (60) above maximum (59): 60");
  assert.equal(
    scheduleProblem("a * * * *"),
    'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
  );
  assert.equal(
    scheduleProblem("@every 1x"),
    'failed to parse duration @every 1x: time: unknown unit "x" in duration "1x"',
  );
});

Deno.test("a name that every object inherits is no number", () => {
  const detail = 'strconv.Atoi: parsing "constructor": invalid syntax';
  for (const schedule of ["constructor * * * *", "*/constructor * * * *", "* * * constructor *"]) {
    assert.equal(scheduleProblem(schedule), `failed to parse int from constructor: ${detail}`);
  }
});

Deno.test("names of time zones are case-sensitive", () => {
  assert.equal(timeZoneProblem("Europe/Berlin"), undefined);
  assert.equal(timeZoneProblem("EST5EDT"), undefined);
  assert.equal(timeZoneProblem("europe/berlin"), "unknown time zone europe/berlin");
  assert.equal(timeZoneProblem("EUROPE/Berlin"), "unknown time zone EUROPE/Berlin");
  assert.equal(timeZoneProblem("+01:00"), "unknown time zone +01:00");
});
