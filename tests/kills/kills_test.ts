import assert from "node:assert/strict";
import { runKills } from "./kills.ts";

Deno.test("a server killed under writers and watchers loses no state that a client saw", async () => {
  const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  const { seen, lost } = await runKills({ kills: 6, seed });
  assert.deepEqual(lost, [], `seed=${seed}`);
  assert.ok(seen > 0);
});
