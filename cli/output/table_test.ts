import assert from "node:assert/strict";
import { ageText } from "./age.ts";
import { TableLayout, tableLines } from "./table.ts";

Deno.test("tableLines() pads to the widest cell without trailing spaces", () => {
  assert.deepEqual(tableLines([["NAME", "AGE"], ["a-long-name", "5s"]]), [
    "NAME          AGE",
    "a-long-name   5s",
  ]);
});

Deno.test("TableLayout keeps its widths for later rows and widens for longer cells", () => {
  const layout = new TableLayout();
  layout.lines([["NAME", "AGE"], ["long-name", "5s"]]);
  assert.deepEqual(layout.lines([["a", "1s"]]), ["a           1s"]);
  assert.deepEqual(layout.lines([["a-much-longer-name", "1s"]]), ["a-much-longer-name   1s"]);
});

Deno.test("ageText() formats ages like kubectl", () => {
  const now = new Date("2026-01-10T00:00:00Z");
  const ago = (seconds: number): string =>
    ageText(new Date(now.getTime() - seconds * 1000).toISOString(), now);
  const cases: [number, string][] = [
    [-5, "0s"],
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [330, "5m30s"],
    [600, "10m"],
    [10_799, "179m"],
    [10_800, "3h"],
    [12_660, "3h31m"],
    [28_800, "8h"],
    [172_799, "47h"],
    [172_800, "2d"],
    [183_600, "2d3h"],
    [691_200, "8d"],
    [31_536_000 * 2 + 86_400 * 40, "2y40d"],
    [31_536_000 * 9, "9y"],
  ];
  for (const [seconds, text] of cases) assert.equal(ago(seconds), text, `${seconds} s`);
  assert.equal(ageText(undefined, now), "<unknown>");
  assert.equal(ageText("yesterday", now), "<unknown>");
});
