import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import type { ApiError } from "../../client/errors/api_error.ts";
import { delay } from "@xca/apimachinery/base";
import type { ControllerOptions } from "../definition/controller_definition.ts";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { CacheSyncError } from "../sources/cache_sync.ts";
import { recorderOf } from "./recorder_of.ts";
import { Controller } from "./controller.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerMetrics } from "../ports/controller_metrics.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { retryAfter, RetryAfterError } from "../definition/retry_after_error.ts";
import { terminal, TerminalError } from "../definition/terminal_error.ts";

const steadily = (): { rateLimiter: () => ItemExponentialLimiter<string> } => ({
  rateLimiter: () => new ItemExponentialLimiter<string>({ baseMs: 1_000, maxMs: 100_000 }),
});

/** Never settles, whatever happens to its signal. */
const never = (): Promise<void> => new Promise(() => {});

Deno.test("B67 a failed run is retried with a back-off that doubles", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  h.run(forMaps(() => {
    at.push(h.clock.monotonicMs());
    throw new Error("no");
  }, steadily()));
  await h.clock.advance(15_000);
  assert.deepEqual(at, [0, 1_000, 3_000, 7_000, 15_000]);
});

Deno.test("B67 requeueAfterMs forgets earlier failures, then waits that long", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  h.run(forMaps(({ attempt }) => {
    at.push(h.clock.monotonicMs());
    if (at.length === 1 || at.length === 3) throw new Error("no");
    assert.equal(attempt, at.length === 4 ? 2 : at.length === 2 ? 2 : 1);
    if (at.length === 2) return { requeueAfterMs: 60_000 };
  }, steadily()));
  await h.clock.advance(200_000);
  // The second failure waits as long as the first one did.
  assert.deepEqual(at, [0, 1_000, 61_000, 62_000]);
});

Deno.test("B67 a run that succeeds forgets earlier failures", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  const handle = h.run(forMaps(() => {
    at.push(h.clock.monotonicMs());
    if (at.length !== 3) throw new Error("no");
  }, steadily()));
  await h.clock.advance(10_000);
  assert.deepEqual(at, [0, 1_000, 3_000]);
  assert.deepEqual(handle.progress().failing, []);
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.advance(1_000);
  assert.deepEqual(at, [0, 1_000, 3_000, 10_000, 11_000]);
});

Deno.test("B67 a terminal error is not retried until something changes", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let runs = 0;
  const handle = h.run(forMaps(() => {
    runs++;
    throw terminal("spec.size must be at least 0");
  }));
  await h.clock.advance(3_600_000);
  assert.equal(runs, 1);
  assert.deepEqual(handle.progress().failing, [{
    controller: "configmap",
    key: "default/a",
    error: "spec.size must be at least 0",
    attempts: 1,
    nextTryInMs: undefined,
  }]);
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.settle();
  assert.equal(runs, 2);
});

Deno.test("B67 a retryAfter error is retried after its delay, and other failures keep their back-off", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  const handle = h.run(forMaps(({ attempt }) => {
    at.push(h.clock.monotonicMs());
    if (attempt === 2 || attempt === 4) throw new Error("no");
    if (attempt < 6) throw retryAfter("no address yet", { delayMs: 30_000 });
  }, steadily()));
  await h.clock.advance(10_000);
  assert.deepEqual(handle.progress().failing, [{
    controller: "configmap",
    key: "default/a",
    error: "no address yet",
    attempts: 1,
    nextTryInMs: 20_000,
  }]);
  await h.clock.advance(200_000);
  assert.deepEqual(at, [0, 30_000, 31_000, 61_000, 63_000, 93_000]);
  assert.deepEqual(handle.progress().failing, []);
});

Deno.test("B67 an event runs a key before the time of its retryAfter error", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  h.run(forMaps(({ attempt }) => {
    at.push(h.clock.monotonicMs());
    if (attempt === 1) throw retryAfter("not yet", { delayMs: 30_000 });
  }));
  await h.clock.advance(10_000);
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.settle();
  assert.deepEqual(at, [0, 10_000]);
});

Deno.test("B67 retryAfter() refuses invalid delays, and its errors are recognized across copies of the library", async () => {
  for (const delayMs of [-1, NaN, Infinity, 2 ** 31, "30s", undefined] as number[]) {
    assert.throws(() => retryAfter("no", { delayMs }), /Cannot retry after delayMs/);
  }
  const copy = `../definition/retry_after_error.ts?copy`;
  const other = await import(copy) as typeof import("../definition/retry_after_error.ts");
  assert.notEqual(other.RetryAfterError, RetryAfterError);
  assert(other.retryAfter("later", { delayMs: 1 }) instanceof RetryAfterError);
});

Deno.test("B67 a terminal error of another copy of the library is recognized", async () => {
  const other = await import(
    `../definition/terminal_error.ts?copy`
  ) as typeof import("../definition/terminal_error.ts");
  assert.notEqual(other.TerminalError, TerminalError);
  assert(other.terminal("never") instanceof TerminalError);
  assert(!(new Error("never") instanceof TerminalError));
});

Deno.test("B67 an invalid requeueAfterMs is an error", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(forMaps(() => ({ requeueAfterMs: NaN })));
  await h.clock.settle();
  assert.match(handle.progress().failing[0]!.error, /requeueAfterMs must be a number/);
});

Deno.test("B68 no run starts before the initial objects of every source are handled", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, configMap("s"));
  const mapped = Promise.withResolvers<string[]>();
  const runs: string[] = [];
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => mapped.promise)
      .reconcile(({ key }) => void runs.push(key)),
  );
  await h.clock.advance(60_000);
  assert.deepEqual(runs, []);
  mapped.resolve(["default/b"]);
  await handle.ready;
  await h.clock.settle();
  assert.deepEqual(runs, ["default/a", "default/b"]);
  assert.equal(handle.progress().initialKeys, 2);
});

Deno.test("B68 a cache that does not sync in time fails the start and is named", async () => {
  await using h = harness();
  h.cluster.holdSync();
  const handle = h.run(controllerFor(ConfigMap).owns(Secret).reconcile(never));
  h.cluster.fakeInformer(Secret).lastError = {
    kind: "missing",
    message: "the server could not find the requested resource",
    at: h.clock.now(),
  };
  h.cluster.fakeInformer(ConfigMap).sync();
  await h.clock.advance(119_999);
  const errors: unknown[] = [];
  handle.done.catch((error) => errors.push(error));
  await h.clock.settle();
  assert.equal(errors.length, 0);
  await h.clock.advance(1);
  const [failed] = errors;
  assert(failed instanceof CacheSyncError);
  assert.deepEqual(failed.types, ["secrets.v1"]);
  assert.match(failed.message, /^Cannot start controller configmap: within 120 s .* secrets\.v1: /);
  assert.match(failed.message, /install their CustomResourceDefinition/);
  await assert.rejects(handle.ready, CacheSyncError);
  assert.equal(h.clock.pending, 0);
});

Deno.test("B68 a second start is an error", async () => {
  await using h = harness();
  const { cluster: informers, clock } = h;
  const controller = new Controller(forMaps(never), {
    client: informers.client,
    events: recorderOf({ name: "configmap", options: {} }, { client: informers.client, clock }),
    informers,
    clock,
  });
  const stop = new AbortController();
  const first = controller.run(stop.signal);
  await assert.rejects(
    () => controller.run(stop.signal),
    /Cannot start controller configmap twice/,
  );
  stop.abort();
  await first;
});

Deno.test("B68 the timeout metric counts only runs that exceed their own deadline", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("slow"));
  h.cluster.put(ConfigMap, configMap("wrong"));
  const counts: Record<string, number> = {};
  const metrics: ControllerMetrics = {
    increment: (name, { result = "" }) => {
      const id = `${name} ${result}`.trim();
      counts[id] = (counts[id] ?? 0) + 1;
    },
    set: () => {},
    observe: () => {},
  };
  h.run(
    forMaps(({ name, signal }) => {
      if (name === "wrong") {
        throw terminal("somebody else's", { cause: new DOMException("", "TimeoutError") });
      }
      return new Promise<void>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    }, { workers: 2, timeoutMs: 1_000, ...steadily() }),
    { metrics },
  );
  await h.clock.advance(1_000);
  assert.deepEqual(counts, {
    "controller_runtime_terminal_reconcile_errors_total": 1,
    "controller_runtime_reconcile_timeouts_total": 1,
    "controller_runtime_reconcile_errors_total": 2,
    "controller_runtime_reconcile_total error": 2,
  });
});

for (
  const [how, fail] of [
    ["throws at once", () => {
      throw new Error("boom");
    }],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["throws what is no error", () => {
      // deno-lint-ignore no-throw-literal -- a user may
      throw "boom";
    }],
    ["rejects with nothing", () => Promise.reject(undefined)],
  ] as const
) {
  Deno.test(`F35 a reconciler that ${how}: counted, backed off, and others run`, async () => {
    await using h = harness();
    for (const name of ["a", "bad", "c"]) h.cluster.put(ConfigMap, configMap(name));
    const done: string[] = [];
    const handle = h.run(forMaps(({ name }) => {
      if (name === "bad") return fail();
      done.push(name);
    }, steadily()));
    await h.clock.settle();
    assert.deepEqual(done, ["a", "c"]);
    const [failing] = handle.progress().failing;
    assert.equal(failing!.key, "default/bad");
    assert.equal(failing!.nextTryInMs, 1_000);
    await h.clock.advance(1_000);
    assert.equal(handle.progress().failing[0]!.attempts, 2);
  });
}

Deno.test("F36 a run that never settles is aborted and reported as stuck, and its worker continues", async () => {
  await using h = harness();
  for (const name of ["a", "b", "c"]) h.cluster.put(ConfigMap, configMap(name));
  const signals: AbortSignal[] = [];
  const done: string[] = [];
  const handle = h.run(
    forMaps(({ name, signal }) => {
      if (name === "a") {
        signals.push(signal);
        return never();
      }
      done.push(name);
    }, { timeoutMs: 10_000, abortGraceMs: 5_000 }),
    { gracePeriodMs: 1_000 },
  );
  await h.clock.advance(9_999);
  assert.deepEqual([signals[0]!.aborted, done], [false, []]);
  await h.clock.advance(1);
  assert.equal(signals[0]!.aborted, true);
  assert.equal(signals[0]!.reason.name, "TimeoutError");
  assert.deepEqual(handle.progress().stuck, []);
  await h.clock.advance(5_000);
  assert.deepEqual(done, ["b", "c"]);
  const { stuck, processing } = handle.progress();
  assert.deepEqual(stuck.map(({ key, forMs }) => [key, forMs]), [["default/a", 15_000]]);
  assert.equal(processing, 1);
  // A change meanwhile does not start a second run.
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.advance(3_600_000);
  assert.equal(signals.length, 1);
});

Deno.test("F36 the signal that a run asks for after its timeout is aborted, with the reason", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const reasons: unknown[] = [];
  h.run(
    forMaps(async (context) => {
      await delay(1_500, { clock: context.clock });
      reasons.push(context.signal.reason, context.signal === context.signal);
      await assert.rejects(context.client.create(ConfigMap, configMap("b")), {
        name: "TimeoutError",
      });
      reasons.push("refused");
    }, { timeoutMs: 1_000, abortGraceMs: 5_000 }),
  );
  await h.clock.advance(1_500);
  assert.equal((reasons[0] as Error).name, "TimeoutError");
  assert.deepEqual(reasons.slice(1), [true, "refused"]);
});

Deno.test("F36 a stuck run that settles later releases its key", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const first = Promise.withResolvers<void>();
  let runs = 0;
  const handle = h.run(
    forMaps(() => ++runs === 1 ? first.promise : undefined, { timeoutMs: 1_000, abortGraceMs: 0 }),
  );
  await h.clock.advance(1_000);
  assert.equal(handle.progress().stuck.length, 1);
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.settle();
  assert.equal(runs, 1);
  first.resolve();
  await h.clock.settle();
  assert.equal(runs, 2);
  const { stuck, failing, processing } = handle.progress();
  assert.deepEqual([stuck, failing, processing], [[], [], 0]);
});

Deno.test("F36 a run starts no write after its signal is aborted", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const refused: unknown[] = [];
  const resume = Promise.withResolvers<void>();
  h.run(forMaps(async ({ client, signal }) => {
    await resume.promise;
    for (
      const write of [
        () => client.create(ConfigMap, configMap("child")),
        () => client.updateStatus(ConfigMap, configMap("a")),
        () => client.delete(ConfigMap, "default/a"),
        () => client.request({ method: "POST", path: "/api/v1/namespaces" }),
      ]
    ) await write().catch((error) => refused.push(error === signal.reason));
  }, { timeoutMs: 1_000 }));
  await h.clock.advance(1_000);
  resume.resolve();
  await h.clock.settle();
  assert.deepEqual(refused, [true, true, true, true]);
  assert.deepEqual(h.cluster.writes, []);
});

Deno.test("F36 a call that hangs ends with the time of its run", async () => {
  for (const given of [{}, { signal: undefined }]) {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.client.get = (_type, _key, options) =>
      new Promise((_, reject) =>
        options!.signal!.addEventListener("abort", () => reject(options!.signal!.reason))
      );
    const handle = h.run(forMaps(async ({ key, client }) => {
      await client.get(ConfigMap, key, given);
    }, { timeoutMs: 1_000, ...steadily() }));
    await h.clock.advance(1_000);
    const [failing] = handle.progress().failing;
    assert.equal(failing!.error, "the run took longer than 1000 ms");
    assert.equal(failing!.nextTryInMs, 1_000);
  }
});

Deno.test("metrics of workers, stuck runs and durations have controller-runtime's names", async () => {
  await using h = harness();
  for (const name of ["a", "b"]) h.cluster.put(ConfigMap, configMap(name));
  const gauges: Record<string, number[]> = {};
  const seconds: number[] = [];
  const metrics: ControllerMetrics = {
    increment: () => {},
    set: (name, value) => void (gauges[name] ??= []).push(value),
    observe: (_name, value) => void seconds.push(value),
  };
  const end = Promise.withResolvers<void>();
  h.run(
    forMaps(({ name }) => name === "a" ? end.promise : undefined, {
      timeoutMs: 1_000,
      abortGraceMs: 1_000,
    }),
    { metrics },
  );
  await h.clock.advance(2_000);
  end.resolve();
  await h.clock.settle();
  assert.deepEqual(gauges, {
    "controller_runtime_max_concurrent_reconciles": [1],
    "controller_runtime_active_workers": [0, 1, 0, 1, 0],
    "xca_stuck_reconciles": [1, 0],
  });
  assert.deepEqual(seconds, [0, 2]);
});

Deno.test("F28 conflicts are retried, and the write succeeds once the rival pauses", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let rivals = 3;
  h.cluster.onWrite = ({ verb }) => {
    if (verb === "updateStatus" && rivals-- > 0) {
      h.cluster.put(ConfigMap, h.cluster.read(ConfigMap, "default/a")!);
    }
  };
  const handle = h.run(forMaps(async ({ key, cache, client }) => {
    const map = cache.get(ConfigMap, key)!;
    if (map.data?.done) return;
    await client.updateStatus(ConfigMap, { ...map, data: { done: "yes" } });
  }));
  await h.clock.advance(1_000);
  assert.equal(h.cluster.read(ConfigMap, "default/a")!.data?.done, "yes");
  assert.deepEqual(handle.progress().failing, []);
  assert.equal(h.cluster.writes.length, 4);
});

/** The refusal of a write in a namespace that is being deleted. */
function terminating(namespace: string): ApiError {
  const message = `namespace ${namespace} is being terminated`;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  return refusal(403, "Forbidden", message, { cause: "NamespaceTerminating", path });
}

Deno.test("F31 a write that is refused because its namespace is being deleted is not retried", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.onWrite = () => {
    throw terminating("default");
  };
  let runs = 0;
  const handle = h.run(forMaps(async ({ client }) => {
    runs++;
    try {
      await client.create(ConfigMap, configMap("child"));
    } catch (cause) {
      throw new Error("Cannot create the child", { cause });
    }
  }));
  await h.clock.advance(3_600_000);
  assert.equal(runs, 1);
  assert.deepEqual(handle.progress().failing, []);
});

Deno.test("F31 a write that is refused because another namespace is being deleted is retried", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let refusals = 3;
  h.cluster.onWrite = () => {
    if (refusals-- > 0) throw terminating("shop");
  };
  const handle = h.run(forMaps(async ({ client }) => {
    await client.create(Secret, { metadata: { namespace: "shop", name: "child" } });
  }));
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/a"]);
  await h.clock.advance(60_000);
  assert.deepEqual(handle.progress().failing, []);
  assert.ok(h.cluster.read(Secret, "shop/child"));
});

Deno.test("F38 events do not drive a failing key faster than its back-off", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const at: number[] = [];
  const handle = h.run(forMaps(() => {
    at.push(h.clock.monotonicMs());
    throw new Error("no");
  }, steadily()));
  await h.clock.settle();
  for (let event = 0; event < 5; event++) {
    h.cluster.put(ConfigMap, configMap("a"));
    await h.clock.settle();
  }
  assert.equal(handle.progress().failing[0]!.nextTryInMs, 1_000);
  assert.equal(at.length, 1);
  await h.clock.advance(1_000);
  assert.equal(at.length, 2);
});

Deno.test("F38 an event runs a failing key at most a second after the failure, however long its back-off", async () => {
  for (const error of [new Error("no"), terminal("no")]) {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    const at: number[] = [];
    h.run(forMaps(() => {
      at.push(h.clock.monotonicMs());
      throw error;
    }, { rateLimiter: () => new ItemExponentialLimiter({ baseMs: 60_000, maxMs: 60_000 }) }));
    await h.clock.settle();
    h.cluster.put(ConfigMap, configMap("a"));
    await h.clock.advance(999);
    assert.equal(at.length, 1);
    await h.clock.advance(1);
    assert.equal(at.length, 2);
    await h.clock.advance(5_000);
    h.cluster.put(ConfigMap, configMap("a"));
    await h.clock.settle();
    assert.equal(at.length, 3, "the failure is long past");
  }
});

Deno.test("F38 a run that writes what it watches, and then fails, does not drive itself", async () => {
  for (const error of [new Error("no"), terminal("no")]) {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    let runs = 0;
    h.run(forMaps(async () => {
      runs++;
      h.cluster.put(ConfigMap, configMap("a", { metadata: { annotations: { runs: `${runs}` } } }));
      for (let turn = 0; turn < 50; turn++) await undefined; // The event arrives meanwhile.
      throw error;
    }, { rateLimiter: () => new ItemExponentialLimiter({ baseMs: 5, maxMs: 1_000_000 }) }));
    await h.clock.advance(20_000);
    assert(runs > 10 && runs < 35, `${runs} runs in 20 s`);
  }
});

Deno.test("F38 keys that failed together in an outage recover together, and not ten a second", async () => {
  await using h = harness();
  let away = true;
  let runs = 0;
  for (let name = 0; name < 1_000; name++) h.cluster.put(ConfigMap, configMap(`m-${name}`));
  const handle = h.run(forMaps(() => {
    runs++;
    if (away) throw new Error("away");
  }, { workers: 4 }));
  await h.clock.advance(10_000);
  assert.equal(handle.progress().failing.length, 1_000);
  assert(runs < 1_000 + 100 + 110, `${runs} runs`);
  away = false;
  await h.clock.advance(2_000);
  assert.equal(handle.progress().failing.length, 0);
});

Deno.test("the option workers limits the number of keys that run at once", async () => {
  await using h = harness();
  for (let index = 0; index < 5; index++) h.cluster.put(ConfigMap, configMap(`map-${index}`));
  const ends: (() => void)[] = [];
  const handle = h.run(
    forMaps(() => new Promise<void>((resolve) => ends.push(resolve))),
    { workers: 3 },
  );
  await h.clock.settle();
  assert.equal(handle.progress().processing, 3);
  assert.equal(handle.progress().queued, 2);
  while (ends.length > 0) {
    ends.shift()!();
    await h.clock.settle();
  }
  assert.equal(handle.progress().ran, 5);
});

Deno.test("a key that changes during its run runs once more", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const ends: (() => void)[] = [];
  h.run(forMaps(() => new Promise<void>((resolve) => ends.push(resolve)), { workers: 4 }));
  await h.clock.settle();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.settle();
  assert.equal(ends.length, 1);
  ends[0]!();
  await h.clock.settle();
  assert.equal(ends.length, 2);
  ends[1]!();
  await h.clock.settle();
  assert.equal(ends.length, 2);
});

Deno.test("the context has the key, the name, the attempt and a unique run id", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const seen: ReconcileContext[] = [];
  h.run(forMaps((context) => {
    seen.push(context);
    if (seen.length === 1) throw new Error("no");
  }));
  await h.clock.advance(1_000);
  assert.deepEqual(
    seen.map(({ key, namespace, name, attempt }) => [key, namespace, name, attempt]),
    [["default/a", "default", "a", 1], ["default/a", "default", "a", 2]],
  );
  assert.notEqual(seen[0]!.reconcileID, seen[1]!.reconcileID);
});

Deno.test("the cache of the context refuses a resource that the controller does not watch", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(forMaps(({ cache }) => void cache.get(Secret, "default/s")));
  await h.clock.settle();
  assert.match(
    handle.progress().failing[0]!.error,
    /^Cannot read default\/s of secrets\.v1 from the cache of controller configmap: .*\.watches\(\)/,
  );
});

Deno.test("an option that is undefined has its default", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let runs = 0;
  const undefinedOptions = {
    workers: undefined,
    timeoutMs: undefined,
    warnAfterMs: undefined,
    abortGraceMs: undefined,
    syncTimeoutMs: undefined,
    staleCacheTimeoutMs: undefined,
    resyncPeriodMs: undefined,
    agingMs: undefined,
    hotLoopRuns: undefined,
  } as unknown as ControllerOptions;
  const handle = h.run(forMaps(async ({ clock, signal }) => {
    runs++;
    await delay(100, { clock, signal });
  }, undefinedOptions));
  await h.clock.advance(1_000);
  assert.equal(runs, 1);
  assert.deepEqual(handle.progress().failing, []);
});
