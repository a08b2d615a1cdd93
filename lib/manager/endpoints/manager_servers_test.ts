import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import { managerHealthServer, type ReportedManager } from "./manager_servers.ts";

Deno.test("F40 /readyz names a candidate that observes no leader, and /healthz stays ok: a restart would not help", async () => {
  const elector = {
    problem: () => undefined,
    candidateProblem: (toleranceMs: number) =>
      `no leader of the lease shop/web was observed for ${toleranceMs} ms`,
  };
  const manager = {
    elector,
    operators: [],
    informers: [],
    health: { stage: "warm", caches: [] },
  } as unknown as ReportedManager;
  await using server = managerHealthServer(
    manager,
    { bindAddress: "127.0.0.1:0" },
    new FakeClock(),
  );
  await server.setUp(new AbortController().signal);
  const ready = await fetch(`${server.url}/readyz`);
  assert.equal(ready.status, 500);
  assert.match(await ready.text(), /leader failed: no leader of the lease shop\/web was observed/);
  const live = await fetch(`${server.url}/healthz`);
  assert.equal(live.status, 200);
  await live.body?.cancel();
});
