/** Tests of how the workers of a controller share the event loop with timers and sockets. */
import assert from "node:assert/strict";
import { noteLoopTurn } from "@xca/apimachinery/internal/base";
import { ConfigMap } from "@xca/apimachinery/meta";
import {
  configMap,
  forMaps,
  type Harness,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";

/** Runs a controller of three objects whose runs take 10 ms each; returns the names of its runs. */
function runThree(h: Harness, afterWork: () => void): string[] {
  const seen: string[] = [];
  for (const name of ["a", "b", "c"]) h.cluster.put(ConfigMap, configMap(name));
  h.run(forMaps(({ name }) => {
    seen.push(name);
    h.clock.step(10);
    afterWork();
  }));
  return seen;
}

Deno.test("a worker lets timers and sockets run after a run that held the event loop", async () => {
  await using h = harness();
  const seen = runThree(h, () => {});
  await h.clock.settle();
  for (const names of [["a"], ["a", "b"], ["a", "b", "c"]]) {
    assert.deepEqual(seen, names);
    await h.clock.advance(0);
  }
});

Deno.test("a worker takes the next key at once when the event loop turned during the run", async () => {
  await using h = harness();
  const seen = runThree(h, noteLoopTurn);
  await h.clock.settle();
  assert.deepEqual(seen, ["a", "b", "c"]);
});
