import assert from "node:assert/strict";
import { ScalingHistory } from "./scaling_history.ts";

Deno.test("a scaling history forgets scalings that no policy can include any more", () => {
  const history = new ScalingHistory();
  const minute = 60_000;
  for (let at = 0; at < 1_000; at++) {
    history.changed(at % 2 ? 3 : 2, at % 2 ? 2 : 3, at * minute);
    assert(history.scalings <= 30, `${history.scalings} are recorded`);
  }
  assert.equal(history.scalings, 30);
});
