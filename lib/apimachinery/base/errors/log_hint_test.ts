import assert from "node:assert/strict";
import { hintUnlessLogging } from "./log_hint.ts";
import { startLogging } from "./logging.ts";

Deno.test("a program without a log configuration gets one hint; a configured one gets none", async () => {
  const told: string[] = [];
  const write = (text: string): void => void told.push(text);
  {
    await using _logging = await startLogging({ write });
    hintUnlessLogging(write);
    assert.deepEqual(told, []);
  }
  hintUnlessLogging(write);
  hintUnlessLogging(write);
  assert.equal(told.length, 1);
  assert.match(told[0]!, /`await startLogging\(\)` from "@xca\/operator"/);
});
