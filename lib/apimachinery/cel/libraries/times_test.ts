import { testTable } from "../expressions_fakes_test.ts";

testTable("times and durations", {
  "duration('1h30m').getMinutes()": "90",
  "duration('1.5s').getMilliseconds()": "1500",
  "duration('x')": "ERROR: <input>:1:10: invalid duration argument",
  "duration('1h') + duration('1m')": "3660s",
  "timestamp('2020-02-28T00:00:00Z') + duration('24h')": "2020-02-29T00:00:00Z",
  "timestamp('2020-03-01T00:00:00Z') - timestamp('2020-02-01T00:00:00Z')": "2505600s",
  "timestamp('x')": "ERROR: <input>:1:11: invalid timestamp argument",
  "timestamp('2020-01-02T03:04:05.678Z').getDayOfWeek()": "4",
  "timestamp('2020-01-02T03:04:05.678Z').getDayOfYear()": "1",
  "timestamp('2020-01-02T03:04:05.678Z').getDate()": "2",
  "timestamp('2020-01-02T03:04:05.678Z').getDayOfMonth()": "1",
  "timestamp('2020-01-02T03:04:05.678Z').getMonth()": "0",
  "timestamp('2020-01-02T03:04:05.678Z').getFullYear()": "2020",
  "timestamp('2020-01-02T03:04:05.678Z').getHours('+02:00')": "5",
  "timestamp('2020-07-02T03:04:05.678Z').getHours('America/New_York')": "23",
  "timestamp('2020-01-02T03:04:05.678Z').getMilliseconds()": "678",
  "timestamp('2020-01-02T03:04:05Z').getHours('Nowhere/X')": "error: unknown time zone Nowhere/X",
  "timestamp('2020-01-02T03:04:05Z').getHours('+0100')": "error: unknown time zone +0100",
  "timestamp('2020-01-02T03:04:05Z').getHours('1:')":
    'error: strconv.Atoi: parsing "": invalid syntax',
  "timestamp('2020-01-02T03:04:05Z').getHours(':30')":
    'error: strconv.Atoi: parsing "": invalid syntax',
  "timestamp('2020-01-02T03:04:05Z').getHours('1e1:00')":
    'error: strconv.Atoi: parsing "1e1": invalid syntax',
  "timestamp('2020-01-02T03:04:05Z').getHours('9223372036854775808:00')":
    'error: strconv.Atoi: parsing "9223372036854775808": value out of range',
  "timestamp('2020-01-02T03:04:05Z').getMinutes('-02:30')": "34",
  "timestamp('2020-01-02T03:04:05Z').getHours('02:60')":
    "error: timezone offset minutes out of range [0, 59]: 02:60",
  "timestamp('9999-12-31T23:59:59Z') + duration('1s')": "error: timestamp overflow",
  "duration('-1h') < duration('0s')": "true",
  "timestamp('2020-01-01T00:00:00Z') < timestamp('2020-01-01T00:00:00.1Z')": "true",
});
