import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";
import {
  cacheSyncCheck,
  type HealthCheck,
  leaderElectionCheck,
  watchHealthCheck,
} from "./health_check.ts";
import { healthServer, type HealthServerOptions } from "./health_server.ts";

const signal = new AbortController().signal;

/** Returns the status and text of a path of a server with the given checks. */
async function answers(
  options: Omit<HealthServerOptions, "bindAddress">,
  ...paths: string[]
): Promise<[number, string][]> {
  await using server = healthServer({ bindAddress: "127.0.0.1:0", ...options });
  await server.setUp(signal);
  const found: [number, string][] = [];
  for (const path of paths) {
    const answer = await fetch(server.url + path);
    found.push([answer.status, await answer.text()]);
  }
  return found;
}

Deno.test("health: ok in one word, every check with ?verbose, one check under its name", async () => {
  const ready: Record<string, HealthCheck> = { caches: () => undefined, webhook: () => undefined };
  assert.deepEqual(
    await answers({ ready }, "/readyz", "/readyz?verbose", "/readyz/caches", "/healthz?verbose"),
    [
      [200, "ok"],
      [200, "[+]caches ok\n[+]webhook ok\nreadyz check passed\n"],
      [200, "ok"],
      [200, "[+]ping ok\nhealthz check passed\n"],
    ],
  );
});

Deno.test("health: a failure names the check and its cause; excluded checks do not fail it", async () => {
  const ready: Record<string, HealthCheck> = {
    caches: () => "not synced:\n pods.v1",
    database: () => Promise.reject(new Error("no connection")),
    good: () => undefined,
  };
  const failed = "[-]caches failed: not synced: pods.v1\n[-]database failed: no connection\n" +
    "[+]good ok\nreadyz check failed\n";
  const excluded = "[+]caches excluded: ok\n[+]database excluded: ok\n[+]good ok\n" +
    'warn: some health checks cannot be excluded: no matches for "other"\nreadyz check passed\n';
  assert.deepEqual(
    await answers(
      { ready },
      "/readyz",
      "/readyz?exclude=caches&exclude=database&exclude=other&verbose",
      "/readyz?exclude=caches&exclude=database",
      "/readyz/database",
      "/readyz/other",
      "/readyz/__proto__",
      "/readyz/%E0%A4%A",
    ),
    [
      [500, failed],
      [200, excluded],
      [200, "ok"],
      [500, "database failed: no connection\n"],
      [404, "/readyz has no check other; it has caches, database, good\n"],
      [404, "/readyz has no check __proto__; it has caches, database, good\n"],
      [404, "/readyz has no check %E0%A4%A; it has caches, database, good\n"],
    ],
  );
});

Deno.test("health: a check that gives no answer fails after five seconds, and its signal is aborted", async () => {
  const clock = new FakeClock();
  const asked = Promise.withResolvers<AbortSignal>();
  const ready: Record<string, HealthCheck> = {
    slow: (signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    },
  };
  const answer = answers({ ready, clock }, "/readyz");
  const given = await asked.promise;
  clock.step(5_000);
  assert.deepEqual(await answer, [
    [500, "[-]slow failed: the check gave no answer in 5 s\nreadyz check failed\n"],
  ]);
  assert(given.aborted);
});

/** Returns the health of a watch that is synced and works, with changes. */
function watch(changes: Partial<WatchHealth>): WatchHealth {
  const health = { state: "watching", synced: true, failing: undefined, lastHeardMs: 0 };
  return { ...health, ...changes } as WatchHealth;
}

const failing = { kind: "network", message: "connection refused", at: new Date(0) } as const;

Deno.test("health: caches that are not synced are named with their cause", async () => {
  const informers = [
    { name: "pods.v1", health: watch({ synced: false, failing }) },
    { name: "secrets.v1", health: watch({ synced: false, state: "listing" }) },
    { name: "nodes.v1", health: watch({}) },
  ];
  assert.equal(
    await cacheSyncCheck(() => informers)(signal),
    "not synced: pods.v1 (connection refused), secrets.v1 (listing)",
  );
});

Deno.test("health: a watch that fails for longer than a minute is named; a silent one is not", async () => {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const informers = [
    { name: "pods.v1", health: watch({ failing, lastHeardMs: startMs }) },
    { name: "nodes.v1", health: watch({ lastHeardMs: startMs }) },
  ];
  const check = watchHealthCheck(() => informers, { clock });
  clock.step(60_000);
  assert.equal(await check(signal), undefined);
  clock.step(1_000);
  assert.equal(
    await check(signal),
    "watches fail: pods.v1 (not heard for 61 s: connection refused)",
  );
});

Deno.test("health: the check of an election asks the elector with its tolerance", async () => {
  const check = leaderElectionCheck({ problem: (toleranceMs) => `late by ${toleranceMs}` }, 7);
  assert.equal(await check(signal), "late by 7");
});
