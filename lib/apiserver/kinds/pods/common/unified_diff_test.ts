import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { unifiedDiff } from "./unified_diff.ts";

Deno.test("the difference of equal texts is empty", () => {
  assert.equal(unifiedDiff("a\nb", "a\nb"), "");
});

Deno.test("a change is shown with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9";
  const expected = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n";
  assert.equal(unifiedDiff(before, before.replace("5", "x")), expected);
});

Deno.test("distant changes are in separate groups", () => {
  const lines = Array.from({ length: 30 }, (_, index) => String(index));
  const after = lines.with(3, "x").with(20, "y");
  const diff = unifiedDiff(lines.join("\n"), after.join("\n"));
  assert.deepEqual(diff.match(/^@@.*$/gm), ["@@ -1,7 +1,7 @@", "@@ -18,7 +18,7 @@"]);
});

/** Applies a unified difference to its first text. */
function patched(before: readonly string[], diff: string): string[] {
  const result = [...before];
  let shift = 0;
  for (const part of diff.split(/^(?=@@ )/m).filter((text) => text !== "")) {
    const [head, ...rest] = part.split("\n").slice(0, -1);
    const [, from, length = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(head!)!;
    const start = Number(from) - (length === "0" ? 0 : 1);
    const kept = rest.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    result.splice(start + shift, Number(length), ...kept);
    shift += kept.length - Number(length);
  }
  return result;
}

Deno.test("applying the difference to the first text gives the second", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const letters = 2 + Math.floor(random.next() * 8);
    const text = (): string[] =>
      Array.from(
        { length: 1 + Math.floor(random.next() * 40) },
        () => String.fromCharCode(97 + Math.floor(random.next() * letters)),
      );
    const [before, after] = [text(), text()];
    const diff = unifiedDiff(before.join("\n"), after.join("\n"));
    assert.deepEqual(patched(before, diff), after, `seed=${seed}`);
  }
});
