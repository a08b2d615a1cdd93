/** What a controller tells its operator's people. */
import { configure, type LogRecord, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  type Harness,
  harness,
} from "../../tests/support/controller_harness.ts";
import { refusal } from "../../tests/support/fake_cluster.ts";
import { ConfigMap } from "../meta/builtin.ts";
import { terminal } from "./terminal_error.ts";

/** Runs `act` and returns what was logged at `info` or above, as text. */
async function logged(act: (h: Harness) => Promise<void>): Promise<string[]> {
  const records: LogRecord[] = [];
  await configure({
    sinks: { records: (record) => void records.push(record) },
    loggers: [
      { category: ["xca", "controller"], lowestLevel: "info", sinks: ["records"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
  try {
    await using h = harness();
    await act(h);
  } finally {
    await reset();
  }
  return records.map(({ level, message, properties }) => {
    const { key, name = key } = properties;
    return `${level}${name ? ` [${name}]` : ""} ${message.join("").replaceAll('"', "")}`;
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

Deno.test("B68 a sync that takes too long is logged as an error that says which resource", async () => {
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

Deno.test("F28 conflicts are no errors in the log; failures, terminal ones and stuck runs are", async () => {
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

Deno.test("F22 a run on a cache that is known to be old is warned of", async () => {
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
