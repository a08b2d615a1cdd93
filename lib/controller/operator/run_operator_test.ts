import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { FakeCluster } from "../../../tests/support/in_process/fake_cluster.ts";
import type { Client } from "../../client/typed/client.ts";
import { VERSION } from "../../client/transport/user_agent.ts";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { webhookFor } from "../../webhook/mod.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "./operator.ts";
import { isOperator, OPERATOR, type Operator } from "../definition/operator_definition.ts";
import type { OnceReport } from "../ports/operator_progress.ts";
import { runOperator } from "./run_operator.ts";
import { runtimeOf } from "./runtime_of.ts";
import { retryAfter } from "../definition/retry_after_error.ts";
import { terminal } from "../definition/terminal_error.ts";

const steadily = {
  rateLimiter: () => new ItemExponentialLimiter<string>({ baseMs: 1_000, maxMs: 100_000 }),
};

/** Returns an object that shows the result or error of a promise once it has settled. */
function follow<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const seen: { value?: T; error?: unknown } = {};
  promise.then((value) => seen.value = value, (error) => seen.error = error);
  return seen;
}

Deno.test("settled() resolves right after the sync when there are no keys", async () => {
  await using h = harness();
  h.cluster.holdSync();
  const seen = follow(h.run(forMaps(() => {})).settled());
  await h.clock.advance(1_000);
  assert.deepEqual(seen, {});
  h.cluster.sync();
  await h.clock.settle();
  assert.deepEqual(seen.value, { initialKeys: 0, failed: [], scheduled: [] });
});

Deno.test("settled() waits for every initial key, its retries, and what they lead to", async () => {
  await using h = harness();
  for (const name of ["a", "b", "c"]) h.cluster.put(ConfigMap, configMap(name));
  let failures = 2;
  const handle = h.run(forMaps(({ name }) => {
    if (name === "b" && failures-- > 0) throw new Error("no");
    if (name === "c") return { requeueAfterMs: 3_600_000 };
  }, steadily));
  const seen = follow(handle.settled());
  await h.clock.advance(2_999);
  assert.deepEqual(seen, {});
  const { ran, delayed, failing } = handle.progress();
  assert.deepEqual([ran, delayed, failing.length], [3, 2, 1]);
  await h.clock.advance(1);
  const report: OnceReport = seen.value!;
  assert.deepEqual([report.initialKeys, report.failed], [3, []]);
  assert.deepEqual(report.scheduled, [
    { controller: "configmap", key: "default/c", inMs: 3_600_000 - 3_000 },
  ]);
});

Deno.test("settled() does not wait for the scheduled run of a key that an event made run again", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const runs: number[] = [];
  const handle = h.run(forMaps(() => {
    runs.push(h.clock.monotonicMs());
    return runs.length === 1 ? { requeueAfterMs: 3_600_000 } : undefined;
  }));
  await h.clock.settle();
  h.cluster.put(ConfigMap, configMap("a", { labels: { changed: "yes" } }));
  await h.clock.settle();
  assert.equal(runs.length, 2);
  const seen = follow(handle.settled());
  await h.clock.settle();
  assert.deepEqual(seen.value?.failed, []);
  assert.deepEqual(seen.value?.scheduled.map(({ key }) => key), ["default/a"]);
});

Deno.test("settled() counts a key as failed after five failures in a row, or a terminal error", async () => {
  await using h = harness();
  for (const name of ["a", "bad", "never"]) h.cluster.put(ConfigMap, configMap(name));
  const handle = h.run(forMaps(({ name }) => {
    if (name === "bad") throw new Error("no");
    if (name === "never") throw terminal("never");
  }, steadily));
  const seen = follow(handle.settled());
  await h.clock.advance(14_999);
  assert.deepEqual(seen, {});
  await h.clock.advance(1);
  assert.deepEqual(
    seen.value!.failed.map((
      { key, error, attempts, nextTryInMs },
    ) => [key, error, attempts, nextTryInMs]),
    [["default/bad", "no", 5, 16_000], ["default/never", "never", 1, undefined]],
  );
});

Deno.test("settled() counts a key as failed that asks for a retry in more than five seconds", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("hour"));
  h.cluster.put(ConfigMap, configMap("soon"));
  const handle = h.run(forMaps(({ name, attempt }) => {
    if (name === "hour") throw retryAfter("no address", { delayMs: 3_600_000 });
    if (attempt < 3) throw retryAfter("not yet", { delayMs: 5_000 });
  }));
  const seen = follow(handle.settled());
  await h.clock.advance(9_999);
  assert.deepEqual(seen, {});
  await h.clock.advance(1);
  assert.deepEqual(seen.value!.failed.map(({ key }) => key), ["default/hour"]);
});

Deno.test("settled() ends although runs request to run again at once, and immediate retries back off", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("again"));
  h.cluster.put(ConfigMap, configMap("bad"));
  let runs = 0;
  const handle = h.run(forMaps(({ name }) => {
    if (name === "again") return { requeueAfterMs: 0 };
    runs++;
    throw retryAfter("no", { delayMs: 0 });
  }, steadily));
  const seen = follow(handle.settled());
  await h.clock.advance(14_999);
  assert.equal(runs, 4);
  assert.deepEqual(seen, {});
  await h.clock.advance(1);
  assert.deepEqual(seen.value!.failed.map(({ key, attempts }) => [key, attempts]), [
    ["default/bad", 5],
  ]);
  assert.deepEqual(seen.value!.scheduled.map(({ key }) => key), ["default/again"]);
});

Deno.test("a stop while resources are compared with discovery is no failure", async () => {
  const cluster = new FakeCluster();
  const asked = Promise.withResolvers<void>();
  const client: Client = {
    ...cluster.client,
    requestJson: ({ signal }) =>
      new Promise((_, reject) => {
        asked.resolve();
        signal!.addEventListener("abort", () => reject(signal!.reason));
      }),
  };
  const operator = defineOperator({ name: "op", controllers: [forMaps(() => {})] });
  const clock = new FakeClock();
  const handle = runOperator(operator, { client, informers: cluster, clock });
  await asked.promise;
  await handle.stop();
});

Deno.test("F36 settled() counts a stuck key as failed instead of waiting for it", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(forMaps(() => new Promise(() => {}), { timeoutMs: 1_000 }), {
    gracePeriodMs: 0,
  });
  const seen = follow(handle.settled());
  await h.clock.advance(6_000);
  assert.match(seen.value!.failed[0]!.error, /stuck/);
});

Deno.test("settled() spans every controller", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, configMap("s"));
  const end = Promise.withResolvers<void>();
  const controllers = [
    forMaps(() => {}),
    controllerFor(Secret).reconcile(() => end.promise),
  ];
  const first = h.run(controllers);
  const seen = follow(first.settled());
  await h.clock.settle();
  assert.deepEqual(seen, {});
  end.resolve();
  await h.clock.settle();
  assert.equal(seen.value!.initialKeys, 2);
});

Deno.test("settled() rejects when the operator stops before everything was done", async () => {
  await using h = harness();
  h.cluster.holdSync();
  const handle = h.run(forMaps(() => {}));
  const seen = follow(handle.settled());
  await handle.stop();
  await h.clock.settle();
  assert.match((seen.error as Error).message, /stopped before everything was done/);
  await assert.rejects(handle.ready, { name: "AbortError" });
});

Deno.test("a stop starts no run, lets runs in progress end, and then resolves done", async () => {
  await using h = harness();
  for (const name of ["a", "b"]) h.cluster.put(ConfigMap, configMap(name));
  const end = Promise.withResolvers<void>();
  const runs: AbortSignal[] = [];
  const handle = h.run(forMaps(({ signal }) => {
    runs.push(signal);
    return end.promise;
  }));
  await h.clock.settle();
  const seen = follow(handle.stop().then(() => "stopped"));
  await h.clock.advance(29_999);
  assert.deepEqual([runs.length, runs[0]!.aborted, seen.value], [1, false, undefined]);
  end.resolve();
  await h.clock.settle();
  assert.deepEqual([runs.length, seen.value], [1, "stopped"]);
  assert.equal(h.clock.pending, 0);
});

Deno.test("a stop aborts runs that outlive the grace period, and abandons those that ignore it", async () => {
  await using h = harness();
  for (const name of ["polite", "rude"]) h.cluster.put(ConfigMap, configMap(name));
  const aborted: string[] = [];
  const stop = new AbortController();
  const handle = h.run(
    forMaps(({ name, signal }) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted.push(name);
          if (name === "polite") reject(signal.reason);
        });
      }), { workers: 2 }),
    { signal: stop.signal, gracePeriodMs: 10_000 },
  );
  await h.clock.settle();
  const seen = follow(handle.done.then(() => "stopped"));
  stop.abort();
  await h.clock.advance(9_999);
  assert.deepEqual(aborted, []);
  await h.clock.advance(1);
  assert.deepEqual(aborted, ["polite", "rude"]);
  assert.equal(seen.value, undefined);
  await h.clock.advance(5_000);
  assert.equal(seen.value, "stopped");
  assert.equal(h.clock.pending, 0);
});

Deno.test("a stop with an infinite grace period aborts no run, and waits for the runs", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const end = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const handle = h.run(
    forMaps((context) => {
      signal = context.signal;
      return end.promise;
    }, { timeoutMs: Infinity }),
    { gracePeriodMs: Infinity },
  );
  await h.clock.settle();
  const seen = follow(handle.stop().then(() => "stopped"));
  await h.clock.advance(3_600_000);
  assert.deepEqual([signal!.aborted, seen.value], [false, undefined]);
  end.resolve();
  await h.clock.settle();
  assert.equal(seen.value, "stopped");
});

Deno.test("an operator with an aborted signal sends no request", async () => {
  const requests: string[] = [];
  const client = {
    raw: () => ({
      list: () => requests.push("list"),
      watch: () => requests.push("watch"),
    }),
  } as unknown as Client;
  const operator = defineOperator({ name: "x", controllers: [forMaps(() => {})] });
  const handle = runOperator(operator, {
    client,
    signal: AbortSignal.abort(),
    clock: new FakeClock(),
  });
  await handle.done;
  await assert.rejects(handle.ready, { name: "AbortError" });
  assert.deepEqual(requests, []);
});

for (
  const [how, startWhen] of Object.entries({
    "throws": () => {
      throw new Error("no leader");
    },
    "rejects": () => Promise.reject(new Error("no leader")),
  })
) {
  Deno.test(`a startWhen that ${how} ends the operator with its error, and leaves no promise pending`, async () => {
    await using h = harness();
    const handle = h.run(forMaps(() => {}), { startWhen });
    const [ready, settled] = [follow(handle.ready), follow(handle.settled())];
    await assert.rejects(handle.done, /^Error: no leader$/);
    await h.clock.settle();
    assert.match(String(ready.error), /no leader/);
    assert.match(String((settled.error as Error).cause), /no leader/);
  });
}

Deno.test("a stop at the moment of the sync starts no run", async () => {
  const clock = new FakeClock();
  for (let turns = 0; turns < 12; turns++) {
    const next = new FakeCluster();
    next.holdSync();
    next.put(ConfigMap, configMap("a"));
    let late = 0;
    const stop = new AbortController();
    const operator = defineOperator({
      name: "x",
      controllers: [forMaps(() => void (late += stop.signal.aborted ? 1 : 0))],
    });
    const running = runOperator(operator, {
      client: next.client,
      informers: next,
      clock,
      signal: stop.signal,
    });
    await clock.settle();
    next.sync();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    stop.abort();
    await running.done;
    assert.equal(late, 0, `${turns} turns after the sync`);
  }
});

Deno.test("disposing the handle stops the operator", async () => {
  await using h = harness();
  let handle;
  {
    await using running = h.run(forMaps(() => {}));
    await running.ready;
    handle = running;
  }
  await handle.done;
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 0);
});

Deno.test("when one controller cannot start, the others stop too", async () => {
  await using h = harness();
  h.cluster.holdSync();
  const handle = h.run([forMaps(() => {}), controllerFor(Secret).reconcile(() => {})]);
  h.cluster.fakeInformer(ConfigMap).sync();
  const seen = follow(handle.done);
  await h.clock.advance(120_000);
  assert.match((seen.error as Error).message, /^Cannot start controller secret: /);
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 0);
});

Deno.test("the operator's number of workers overrides each controller's", async () => {
  await using h = harness();
  for (let index = 0; index < 4; index++) h.cluster.put(ConfigMap, configMap(`map-${index}`));
  const handle = h.run(
    forMaps(({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    ),
    { workers: 3 },
  );
  await h.clock.settle();
  assert.equal(handle.progress().processing, 3);
  assert.throws(() => h.run(forMaps(() => {}), { workers: 0 }), RangeError);
});

Deno.test("an operator with webhooks and no controller runs until it is stopped", async () => {
  const webhooks = [webhookFor(ConfigMap).validator({ create: () => {} })];
  const operator = defineOperator({ name: "guard", controllers: [], webhooks });
  using server = await ApiServer.start();
  using client = clientOf(server);
  const handle = runOperator(operator, { client });
  let ended = false;
  handle.done.finally(() => ended = true);
  assert.deepEqual(await handle.idle(), { initialKeys: 0, failed: [], scheduled: [] });
  assert.equal(ended, false);
  await handle.stop();
  await handle.done;
});

Deno.test("defineOperator() refuses neither controllers nor webhooks, and two of one name", () => {
  const one = forMaps(() => {});
  assert.throws(
    () => defineOperator({ name: "x", controllers: [] }),
    /without a controller and without a webhook/,
  );
  assert.throws(
    () => defineOperator({ name: "x", controllers: [one, one] }),
    /two controllers are named configmap; give one of them another name/,
  );
  assert.equal(isOperator(defineOperator({ name: "x", controllers: [one] })), true);
  for (const other of [undefined, null, {}, "operator", one]) {
    assert.equal(isOperator(other), false);
  }
});

Deno.test("an operator is run by the copy of the library that defined it, else by the caller's", async () => {
  const operator = defineOperator({ name: "x", controllers: [forMaps(() => {})] });
  assert.deepEqual(await runtimeOf(operator), {
    runtime: await import("./operator_runtime.ts"),
    version: VERSION,
    isOperatorsOwn: true,
  });
  const runtime = { runOperator, createClient: () => assert.fail() };
  const library = { version: "9.9.9", load: () => Promise.resolve(runtime) };
  const foreign: Operator = { ...operator, [OPERATOR]: library };
  assert.deepEqual(await runtimeOf(foreign), { runtime, version: "9.9.9", isOperatorsOwn: true });
  const silent = { ...operator, [OPERATOR]: true } as unknown as Operator;
  assert(isOperator(silent));
  const { version, isOperatorsOwn } = await runtimeOf(silent);
  assert.deepEqual({ version, isOperatorsOwn }, { version: VERSION, isOperatorsOwn: false });
});

Deno.test("a builder refuses options out of range, and invalid names", () => {
  const nothing = controllerFor(ConfigMap);
  for (
    const options of [
      { workers: 0 },
      { workers: 1.5 },
      { timeoutMs: 0 },
      { timeoutMs: 2 ** 31 },
      { warnAfterMs: 0 },
      { warnAfterMs: NaN },
      { abortGraceMs: -1 },
      { syncTimeoutMs: NaN },
      { staleCacheTimeoutMs: Infinity },
    ]
  ) assert.throws(() => nothing.options(options), RangeError, JSON.stringify(options));
  nothing.options({ timeoutMs: Infinity, warnAfterMs: Infinity });
  assert.throws(() => nothing.named("Not A Name"), RangeError);
});
