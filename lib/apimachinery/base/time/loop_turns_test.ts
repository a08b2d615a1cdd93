import assert from "node:assert/strict";
import { delay } from "./delay.ts";
import { loopTurns, noteLoopTurn } from "./loop_turns.ts";

Deno.test("loopTurns() differs after a timer has fired, and not after promises have settled", async () => {
  const before = loopTurns();
  for (let i = 0; i < 100; i++) await undefined;
  assert.equal(loopTurns(), before);
  await delay(0);
  assert.notEqual(loopTurns(), before);
});

Deno.test("loopTurns() differs after a turn was noted", () => {
  const before = loopTurns();
  noteLoopTurn();
  assert.notEqual(loopTurns(), before);
});
