/** Tests of the log records of controllers. */
import { configure, type LogRecord, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  type Harness,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { ApiError } from "../../client/errors/api_error.ts";
import { UnreachableError } from "../../client/errors/unreachable_error.ts";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerOptions } from "../definition/controller_definition.ts";
import { and, generationChanged, type Predicate } from "../definition/predicate.ts";
import { terminal } from "../definition/terminal_error.ts";

/** Runs `act` and returns the log records at `info` or above, as text. */
async function logged(act: (h: Harness) => Promise<void>): Promise<string[]> {
  return (await recorded("info", act)).map(({ level, message, properties }) => {
    const { key, name = key } = properties;
    return `${level}${name ? ` [${name}]` : ""} ${message.join("").replaceAll('"', "")}`;
  });
}

/** Runs `act` and returns the log records at a level or above. */
async function recorded(
  lowestLevel: "info" | "debug",
  act: (h: Harness) => Promise<void>,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  await configure({
    sinks: { records: (record) => void records.push(record) },
    loggers: [
      { category: ["xca", "controller"], lowestLevel, sinks: ["records"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
  try {
    await using h = harness();
    await act(h);
  } finally {
    await reset();
  }
  return records;
}

/** Returns the log records of one reconcile run that throws. */
function recordsOf(error: unknown, lowestLevel: "info" | "debug" = "info"): Promise<LogRecord[]> {
  return recorded(lowestLevel, async (h) => {
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(forMaps(({ attempt }) => {
      if (attempt === 1) throw error;
    }));
    await h.clock.advance(1_000);
  }).then((records) => records.filter(({ properties }) => properties.name === "a"));
}

/** Returns the ApiError of a call that the server forbids. */
function forbidden(): ApiError {
  const message = 'configmaps is forbidden: User "system:serviceaccount:n:op" cannot create ' +
    'resource "configmaps" in API group "" in the namespace "n"';
  return new ApiError({
    status: { kind: "Status", apiVersion: "v1", code: 403, reason: "Forbidden", message },
    method: "POST",
    path: "/api/v1/namespaces/n/configmaps",
  });
}

Deno.test("start and stop are logged", async () => {
  const lines = await logged(async (h) => {
    const handle = h.run(forMaps(() => {}));
    await handle.ready;
    await handle.stop();
  });
  assert.deepEqual(lines, [
    "info Operator test starts",
    "info Controller configmap waits for its caches",
    "info Controller configmap works",
    "info Controller configmap stops",
    "info Controller configmap has stopped",
    "info Operator test has stopped",
  ]);
});

Deno.test("B68 a cache sync that takes too long is logged as an error with the resource", async () => {
  const lines = await logged(async (h) => {
    h.cluster.holdSync();
    h.run(forMaps(() => {}));
    await h.clock.advance(120_000);
  });
  const errors = lines.filter((line) => line.startsWith("error"));
  assert.equal(errors.length, 1);
  assert.match(
    errors[0]!,
    /Controller configmap cannot run: .* no complete cache of configmaps\.v1/,
  );
});

Deno.test("F28 conflicts are not logged as errors; failures, terminal errors and stuck runs are", async () => {
  const lines = await logged(async (h) => {
    for (const name of ["rival", "failing", "terminal", "stuck"]) {
      h.cluster.put(ConfigMap, configMap(name));
    }
    let tries = 0;
    const handle = h.run(
      forMaps(({ name }) => {
        if (name === "terminal") throw terminal("never");
        if (name === "stuck") return new Promise(() => {});
        if (++tries > 2) return;
        if (name === "failing") throw new Error("no");
        throw new Error("Cannot write", { cause: refusal(409, "Conflict", "it changed") });
      }, { workers: 4, timeoutMs: 1_000, abortGraceMs: 1_000 }),
      { gracePeriodMs: 0 },
    );
    await h.clock.advance(2_000);
    await handle.stop();
  });
  const about = lines.filter((line) => line.includes("[") && !line.includes("[configmap]"));
  assert.deepEqual(about.map((line) => line.replace(/\d+ ms/g, "N ms")), [
    "info [rival] Reconcile met a conflict, retrying in N ms: Cannot write: it changed",
    "error [failing] Reconcile failed (attempt 1), retrying in N ms: no",
    "error [terminal] Reconcile failed and will not be retried: never",
    "error [stuck] Reconcile is stuck: it runs for N ms and ignores its aborted signal. Its worker " +
    "goes on; default/stuck is not reconciled again until it ends",
    "error [default/stuck] The run of default/stuck ignores its aborted signal and is left behind",
  ]);
});

Deno.test("F22 a run on a stale cache is logged as a warning", async () => {
  const lines = await logged(async (h) => {
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.lagging = true;
    let runs = 0;
    h.run(forMaps(async ({ client }) => {
      if (++runs > 1) return;
      await client.create(ConfigMap, configMap("b"));
      return { requeueAfterMs: 1 };
    }));
    await h.clock.advance(40_000);
  });
  assert.deepEqual(lines.filter((line) => line.startsWith("warn")), [
    "warning [default/a] default/a runs although the cache has not shown its own write of " +
    "configmaps.v1 default/b for 30000 ms",
  ]);
});

Deno.test("a refusal is logged without a stack: the call, the server's message, and the remedy", async () => {
  const refused = forbidden();
  for (const error of [refused, new Error("Cannot create the child", { cause: refused })]) {
    const [{ level, message, properties }] = await recordsOf(error) as [LogRecord];
    assert.equal(level, "error");
    assert.match(
      message.join(""),
      / cannot create resource .* in the namespace "n"; grant that right, then check: kubectl auth can-i create configmaps -n n --as=system:serviceaccount:n:op$/,
    );
    assert.equal(properties.stack, undefined);
    assert.equal(properties.call, "POST /api/v1/namespaces/n/configmaps");
  }
  const [last] = await recordsOf(terminal("never", { cause: refused })) as [LogRecord];
  assert.match(last.message.join(""), /will not be retried: never: .*; grant that right, then/);
  assert.equal(last.properties.stack, undefined);
});

Deno.test("a conflict, and an unreachable server, are logged without a stack", async () => {
  for (
    const error of [
      refusal(409, "Conflict", "it changed"),
      new UnreachableError("Cannot reach the API server", { server: "https://example.invalid" }),
    ]
  ) {
    const [{ properties }] = await recordsOf(error) as [LogRecord];
    assert.equal(properties.stack, undefined, error.name);
  }
});

Deno.test("a conflict about fields of another manager is an error with its remedy", async () => {
  const message = 'Apply failed with 1 conflict: conflict with "person": .data.k';
  const error = refusal(409, "Conflict", message, { cause: "FieldManagerConflict" });
  const [{ level, message: text }] = await recordsOf(error) as [LogRecord];
  assert.equal(level, "error");
  assert.match(text.join(""), /conflict with "person": .data.k; .* leave .* or take them over by/);
});

Deno.test("a conflict that repeats for ten seconds becomes an error with advice", async () => {
  const records = await recorded("info", async (h) => {
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(forMaps(() => {
      throw refusal(409, "Conflict", "it changed");
    }));
    await h.clock.advance(20_000);
  });
  const conflicts = records.filter(({ properties }) => properties.name === "a");
  const levels = conflicts.map(({ level }) => level);
  assert.deepEqual(levels, [...new Array(11).fill("info"), "error"]);
  assert.match(conflicts.at(-1)!.message.join(""), /attempt 12.* it changed; the conflict repeats/);
});

Deno.test("the stack of a refusal is logged at debug level", async () => {
  const records = await recordsOf(forbidden(), "debug");
  const stacks = records.filter(({ properties }) => properties.stack !== undefined);
  assert.deepEqual(stacks.map(({ level }) => level), ["debug"]);
  assert.match(String(stacks[0]!.properties.stack), /^ApiError: .*\n +at forbidden /);
});

Deno.test("an unexpected error is logged with its stack", async () => {
  const [{ properties }] = await recordsOf(new TypeError("undefined is not an object")) as [
    LogRecord,
  ];
  assert.match(String(properties.stack), /^TypeError: undefined .*\n +at .*log_test\.ts/);
  assert.equal(properties.call, undefined);
});

Deno.test("a terminal error is logged without a stack, its cause with one", async () => {
  const [{ properties }] = await recordsOf(terminal("no name")) as [LogRecord];
  assert.deepEqual([properties.error, properties.stack], ["no name", undefined]);
  const [failed] = await recordsOf(terminal("no name", { cause: new TypeError("oh") }));
  assert.match(String(failed?.properties.stack), /^TerminalError: no name\n +at /);
});

Deno.test("a run that exceeds its time is logged without a stack, which would show a timer", async () => {
  const records = await recorded("info", async (h) => {
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(
      forMaps(
        ({ signal }) =>
          new Promise<void>((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))
          ),
        { timeoutMs: 1_000 },
      ),
    );
    await h.clock.advance(1_000);
  });
  const failed = records.find(({ level }) => level === "error");
  assert.equal(failed?.properties.error, "the run took longer than 1000 ms");
  assert.equal(failed.properties.stack, undefined);
});

/** Returns the log of reconcile runs that never end, over ten minutes. */
async function endless(options: ControllerOptions): Promise<string[]> {
  const lines = await logged(async (h) => {
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(forMaps(() => new Promise(() => {}), options), { gracePeriodMs: 0 });
    await h.clock.advance(599_999);
  });
  return lines.filter((line) => line.startsWith("warn"));
}

Deno.test("a long run is logged as a warning once, with its duration and the time of its abort", async () => {
  assert.deepEqual(await endless({}), [
    "warning [a] Reconcile of default/a is still running after 30000 ms; it will be aborted in " +
    "570000 ms",
  ]);
  assert.deepEqual(await endless({ timeoutMs: Infinity, warnAfterMs: 5_000 }), [
    "warning [a] Reconcile of default/a is still running after 5000 ms; nothing ends it, since " +
    "timeoutMs is Infinity",
  ]);
});

Deno.test("a run is not logged as long when its time ends before, or the warning is disabled", async () => {
  assert.deepEqual(await endless({ timeoutMs: 30_000 }), []);
  assert.deepEqual(await endless({ warnAfterMs: Infinity }), []);
});

Deno.test("a long run is aborted when its time is up", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let aborted = false;
  h.run(
    forMaps(
      ({ signal }) =>
        new Promise<void>((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          })
        ),
      { timeoutMs: 100_000 },
    ),
  );
  await h.clock.advance(99_999);
  assert.equal(aborted, false);
  await h.clock.advance(1);
  assert.equal(aborted, true);
});

Deno.test("at a stop the keys of runs in progress are logged at once, except stuck ones", async () => {
  const end = Promise.withResolvers<void>();
  const waiting = (lines: readonly string[]): string[] =>
    lines.filter((line) => line.includes("waits for its runs"));
  const lines = await logged(async (h) => {
    const handle = h.run(
      forMaps(({ name }) => name === "stuck" ? new Promise(() => {}) : end.promise, {
        workers: 12,
        timeoutMs: 1_000,
        abortGraceMs: 0,
      }),
    );
    h.cluster.put(ConfigMap, configMap("stuck"));
    await h.clock.advance(1_000);
    for (let index = 0; index < 12; index++) h.cluster.put(ConfigMap, configMap(`map-${index}`));
    await h.clock.settle();
    const stopped = handle.stop();
    end.resolve();
    await stopped;
  });
  assert.deepEqual(waiting(lines), [
    "info Controller configmap waits for its runs of default/map-0, default/map-1, default/map-2, " +
    "default/map-3, default/map-4, default/map-5, default/map-6, default/map-7, default/map-8, " +
    "default/map-9 and 2 more; runs that have not ended in 30000 ms will be aborted",
  ]);
  const idle = await logged(async (h) => {
    const handle = h.run(forMaps(() => {}));
    h.cluster.put(ConfigMap, configMap("a"));
    await h.clock.settle();
    await handle.stop();
  });
  assert.deepEqual(waiting(idle), []);
});

Deno.test("at debug level each event is logged as dropped by a predicate, or as queued and run", async () => {
  const paused: Predicate = ({ object }) => object.labels.paused !== "true";
  const small = [({ name }: { name: string }) => name !== "big"] as const;
  const records = await recorded("debug", async (h) => {
    const labels = { paused: "true" };
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.put(ConfigMap, configMap("b", { metadata: { labels } }));
    for (const name of ["s", "lonely", "big"]) h.cluster.put(Secret, configMap(name));
    h.run(
      controllerFor(ConfigMap).withPredicates(and(generationChanged, paused))
        .watches(Secret, ({ name }) => name === "s" ? ["default/a", "default/c"] : [], {
          predicates: [generationChanged, ({ object }) => small[0](object)],
        })
        .reconcile(() => {}),
    );
    await h.clock.settle();
  });
  const lines = records.filter(({ level }) => level === "debug")
    .map(({ message }) => message.join(""));
  assert.deepEqual(lines, [
    "Saw default/a of configmaps.v1 added: queues default/a",
    "Saw default/b of configmaps.v1 added: dropped by predicate and(generationChanged, paused)",
    "Saw default/big of secrets.v1 added: dropped by predicate number 2",
    "Saw default/s of secrets.v1 added: queues default/a, default/c",
    "Saw default/lonely of secrets.v1 added: mapped to no key",
    "Reconcile of default/a began",
    "Reconcile of default/a ended: done",
    "Reconcile of default/c began",
    "Reconcile of default/c ended: done",
  ]);
});
