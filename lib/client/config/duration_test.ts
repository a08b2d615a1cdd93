import assert from "node:assert/strict";
import { ConfigError } from "./config.ts";
import { parseGoDuration, parseRequestTimeout } from "./duration.ts";

Deno.test("parseGoDuration() parses durations as Go writes them", () => {
  const cases: [string, number][] = [
    ["0", 0],
    ["5s", 5_000],
    ["1m30s", 90_000],
    ["1h0m0.5s", 3_600_500],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["5.s", 5_000],
    ["+3ms", 3],
    ["100us", 0.1],
    ["100\u00b5s", 0.1],
    ["100\u03bcs", 0.1],
    ["7ns", 7e-6],
  ];
  for (const [text, ms] of cases) assert.equal(parseGoDuration(text), ms, text);
});

Deno.test("parseGoDuration() refuses other texts", () => {
  const cases = [
    "",
    "+",
    "5",
    "s",
    "-5s",
    "5 s",
    "5d",
    "5s3",
    "1e3s",
    "0x5s",
    ".s",
    "5S",
    "\u0665s",
  ];
  for (const text of cases) assert.equal(parseGoDuration(text), undefined, text);
});

Deno.test("I22 parseRequestTimeout() accepts whole seconds and durations; zero is no limit", () => {
  const cases: [string, number | undefined][] = [
    ["", undefined],
    ["0", undefined],
    ["0s", undefined],
    ["5", 5_000],
    ["1m30s", 90_000],
    ["1us", 1],
    ["2147483647ms", 2_147_483_647],
  ];
  for (const [text, ms] of cases) assert.equal(parseRequestTimeout(text, "--f"), ms, text);
});

Deno.test("I22 parseRequestTimeout() names a flag that is negative, too long or not a duration", () => {
  const cases: [string, RegExp][] = [
    ["-1s", /^Cannot use --f: "-1s" is negative; write 0 for none/],
    ["-1", /"-1" is negative/],
    ["abc", /"abc" is not a duration; write 0 for none, whole seconds, or e.g. 30s/],
    ["1.5", /is not a duration/],
    ["2147483648ms", /is longer than 24 days; write 0 for none/],
    ["9".repeat(400), /is longer than 24 days/],
    [`${"9".repeat(400)}h`, /is longer than 24 days/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseRequestTimeout(text, "--f"), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      return true;
    });
  }
});
