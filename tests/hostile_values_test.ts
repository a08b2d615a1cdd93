/**
 * For every value that an operator's code throws or returns, from every callback: the key's lease
 * is returned, other keys continue, the first pass ends, and a stop ends.
 */
import assert from "node:assert/strict";
import { errorText, startLogging } from "../lib/apimachinery/base/mod.ts";
import { InformerFactory } from "../lib/cache/mod.ts";
import { controllerFor } from "../lib/controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../lib/controller/definition/controller_definition.ts";
import { and, not, or, type Predicate } from "../lib/controller/definition/predicate.ts";
import type { Reconciler } from "../lib/controller/definition/reconciler.ts";
import type { RunOperatorOptions } from "../lib/controller/operator/run_operator.ts";
import type { V1ConfigMap } from "../lib/apimachinery/kubernetes_types/types/core_v1.ts";
import { ConfigMap, Secret } from "../lib/apimachinery/meta/builtin.ts";
import {
  createManager,
  type Runnable,
  RunnableError,
  type RunnableGroup,
} from "../lib/manager/mod.ts";
import { ApiServer, clientOf } from "../lib/testing/mod.ts";
import { admit, webhookFor } from "../lib/webhook/mod.ts";
import { until } from "./support/until.ts";
import { configMap, harness } from "./support/in_process/controller_harness.ts";
import { HOSTILE_VALUES } from "./support/random/hostile_values.ts";

/** The ways in which user code hands over a hostile value. */
const WAYS: Record<string, (make: () => unknown) => unknown> = {
  returns: (make) => make(),
  throws: (make) => {
    throw make();
  },
  "rejects with": (make) => Promise.reject(make()),
  "resolves with": (make) => new Promise((resolve) => resolve(make())),
};

/** A hostile act of user code, given an object's name. */
type Act = (name: string) => never;

/** An operator whose code meets each value with the object of that name. */
interface Place {
  readonly controller: (act: Act, seen: Reconciler) => ControllerDefinition;
  readonly options?: (act: Act) => Partial<RunOperatorOptions>;
  readonly ways: readonly (keyof typeof WAYS)[];
}

const PLACES: Record<string, Place> = {
  "a reconciler": {
    controller: (act, seen) =>
      controllerFor(ConfigMap).reconcile((context) => {
        void seen(context);
        return act(context.name);
      }),
    ways: Object.keys(WAYS),
  },
  "a mapping function": {
    controller: (act, seen) =>
      controllerFor(Secret).watches(ConfigMap, ({ name }) => act(name))
        .watches(ConfigMap, ({ key }) => [key]).reconcile(seen),
    ways: Object.keys(WAYS),
  },
  "a predicate": {
    controller: (act, seen) =>
      controllerFor(ConfigMap, { predicates: [({ object }) => act(object.name)] })
        .watches(ConfigMap, ({ key }) => [key]).reconcile(seen),
    ways: Object.keys(WAYS),
  },
  "a combination of predicates": {
    controller: (act, seen) => {
      const odd: Predicate = ({ object }) => act(object.name);
      return controllerFor(ConfigMap, { predicates: [or(and(odd, not(odd)), not(odd))] })
        .watches(ConfigMap, ({ key }) => [key]).reconcile(seen);
    },
    ways: Object.keys(WAYS),
  },
  "fairBy": {
    controller: (act, seen) =>
      controllerFor(ConfigMap).options({ fairBy: (key) => act(key.split("/")[1]!) })
        .reconcile(seen),
    ways: Object.keys(WAYS),
  },
  "a rate limiter": {
    controller: (act, seen) => {
      const ask = (key: string): never => act(key.split("/")[1]!);
      return controllerFor(ConfigMap).options({
        rateLimiter: () => ({ whenMs: ask, forget: ask, numRequeues: ask }),
      }).reconcile((context) => {
        void seen(context);
        if (context.attempt < 3) throw new Error("no");
      });
    },
    ways: Object.keys(WAYS),
  },
  "external sources": {
    controller: (act, seen) => {
      const names = NAMES.slice(1);
      const sources = names.reduce(
        (builder, name) => builder.reconcilesOn(name, () => act(name)),
        controllerFor(ConfigMap),
      );
      return sources.reconcile(seen);
    },
    ways: Object.keys(WAYS),
  },
  "metrics": {
    controller: (_, seen) => controllerFor(ConfigMap).reconcile(seen),
    options: (act) => {
      let calls = 0;
      const next = (): never => act(`value-${calls++ % HOSTILE_VALUES.length}`);
      return { metrics: { increment: next, set: next, observe: next } };
    },
    ways: Object.keys(WAYS),
  },
  "a log message": {
    controller: (act, seen) =>
      controllerFor(ConfigMap).reconcile((context) => {
        void seen(context);
        if (context.name === "good") return;
        const values: { value?: unknown } = { value: act(context.name) };
        context.log.info("Look at {value}, {name}", { ...values, name: context.name });
      }),
    ways: ["returns"],
  },
};

const NAMES = ["good", ...HOSTILE_VALUES.keys().map((index) => `value-${index}`)];

function whatOf(name: string): string {
  return HOSTILE_VALUES[Number(name.slice("value-".length))]?.what ?? "nothing odd";
}

for (const [place, { controller, options, ways }] of Object.entries(PLACES)) {
  for (const [index, way] of ways.entries()) {
    const format = index % 2 === 0 ? "text" : "json";
    Deno.test(`F35 code that ${way} hostile values from ${place}: no lease is lost, and everything stops`, async () => {
      const lines: string[] = [];
      await using _log = await startLogging({
        verbosity: 1,
        format,
        write: (line) => void lines.push(line),
      });
      await using h = harness();
      let runs: Record<string, number> = {};
      const act: Act = (name) => {
        const value = HOSTILE_VALUES[Number(name.slice("value-".length))];
        return (value && WAYS[way]!(value.make)) as never;
      };
      const seen: Reconciler = ({ name }) => void (runs[name] = (runs[name] ?? 0) + 1);
      const put = (): void => NAMES.forEach((name) => h.cluster.put(ConfigMap, configMap(name)));
      const haveRun = (): void => {
        const missing = NAMES.filter((name) => !runs[name]);
        assert.deepEqual(missing.map(whatOf), [], "these have not run");
        runs = {};
      };
      put();
      const handle = h.run(controller(act, seen), options?.(act));
      const settled = handle.settled().then(() => "settled");
      await h.clock.advance(20_000);
      assert.equal(await Promise.race([settled, "hangs"]), "settled");
      haveRun();
      put();
      await h.clock.advance(2_000);
      haveRun();
      const stopped = handle.stop().then(() => "stopped");
      await h.clock.settle();
      assert.equal(await Promise.race([stopped, "hangs"]), "stopped");
      if (place !== "a log message") {
        assert(Math.max(...lines.map(({ length }) => length)) < 40_000, "a line of any length");
      } else {
        const lost = NAMES.slice(1).filter((name) => !lines.some((line) => line.includes(name)));
        assert.deepEqual(lost.map(whatOf), [], "their lines are lost");
      }
    });
  }
}

for (const way of Object.keys(WAYS)) {
  Deno.test(`F35 code that ${way} hostile values where a cache calls it: other objects are stored, indexed and notified`, async () => {
    await using _log = await startLogging({ verbosity: 1, format: "json", write: () => {} });
    const act: Act = (name) => {
      const value = HOSTILE_VALUES[Number(name.slice("value-".length))];
      return (value && WAYS[way]!(value.make)) as never;
    };
    using server = await ApiServer.start();
    using client = clientOf(server);
    for (const name of NAMES) await client.create(ConfigMap, configMap(name) as V1ConfigMap);
    const factory = new InformerFactory(client, { onError: () => act("value-0") });
    const indexed = factory.informer(ConfigMap, {
      namespace: "default",
      indexers: { hostile: ({ name }) => name === "good" ? ["good"] : act(name) },
    });
    const transformed = factory.informer(ConfigMap, {
      labelSelector: "!absent",
      transform: (map) => map.metadata.name === "good" ? map : act(map.metadata.name!),
    });
    const told = new Set<string>();
    const handlers = [indexed, transformed].map((informer) =>
      informer.addHandler({ onAdd: ({ name }) => void told.add(name) })
    );
    const stop = new AbortController();
    factory.start(stop.signal);
    await factory.whenSynced();
    await Promise.all(handlers.map((handler) => handler.whenSynced()));
    assert.equal(indexed.indexer.size, NAMES.length);
    assert.deepEqual(indexed.indexer.indexKeys("hostile", "good"), ["default/good"]);
    assert.deepEqual([...told].sort(), [...NAMES].sort());
    assert.equal(transformed.lister.get("default/good")?.metadata.name, "good");
    await client.delete(ConfigMap, "default/good");
    await until(() =>
      indexed.indexer.size < NAMES.length && !transformed.lister.get("default/good")
    );
    stop.abort();
    await factory.done;
  });
}

/** A part of a runnable that meets a hostile value, and the groups in which a manager calls it. */
const PARTS: Record<string, { groups: readonly RunnableGroup[]; isLate?: boolean }> = {
  setUp: { groups: ["others", "leader"] },
  warmUp: { groups: ["leader"] },
  run: { groups: ["others", "leader"] },
  ready: { groups: ["others", "leader"] },
  dispose: { groups: ["others", "leader"], isLate: true },
};

/** Returns a runnable, a part of which acts. */
function runnableWith(part: string, group: RunnableGroup, act: () => never): Runnable {
  const run = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  if (part === "ready") {
    const ready = new Promise<void>((resolve) => resolve(act()));
    ready.catch(() => {}); // A manager that is not started does not look at it.
    return { name: "odd", group, run, ready };
  }
  const name = part === "dispose" ? Symbol.asyncDispose : part;
  return { name: "odd", group, run, [name]: act };
}

for (const [part, { groups, isLate = false }] of Object.entries(PARTS)) {
  for (const way of ["throws", "rejects with"]) {
    Deno.test(`F35 a runnable whose ${part} ${way} hostile values: its manager ends, and names it`, async () => {
      const lines: string[] = [];
      const write = (line: string): void => void lines.push(line);
      await using _log = await startLogging({ verbosity: 1, write });
      using server = await ApiServer.start();
      using client = clientOf(server);
      for (const { what, make } of HOSTILE_VALUES) {
        for (const group of groups) {
          const manager = createManager({ client, check: false });
          manager.add(runnableWith(part, group, () => WAYS[way]!(make) as never));
          const running = manager.start();
          if (isLate) {
            await running.ready;
            lines.length = 0;
            await running.stop();
            assert(lines.some((line) => /odd failed while it was stopping/.test(line)), what);
            continue;
          }
          await assert.rejects(running.done, (error: unknown) => {
            assert(error instanceof RunnableError, what);
            assert.equal(error.runnable, "odd", what);
            return true;
          });
          assert(!manager.health.ready, what);
        }
      }
    });
  }
}

for (const way of Object.keys(WAYS)) {
  Deno.test(`F35 handlers of a webhook from which code ${way} hostile values: each request is answered`, async () => {
    await using _log = await startLogging({ verbosity: 1, format: "json", write: () => {} });
    const object = configMap("a") as V1ConfigMap;
    for (const { what, make } of HOSTILE_VALUES) {
      const act = (): never => WAYS[way]!(make) as never;
      const webhooks = [
        webhookFor(ConfigMap).defaulter(act),
        webhookFor(ConfigMap).validator({ create: act }),
      ];
      for (const webhook of webhooks) {
        const { allowed, code, message } = await admit(webhook, { object });
        assert.equal(typeof message, "string", what);
        if (way === "throws" || way === "rejects with") {
          assert.deepEqual([allowed, code], [false, 500], what);
          assert(message.length < 10_000 && message.includes("failed"), `${what}: ${message}`);
        }
      }
    }
  });
}

Deno.test("F35 errorText() returns a text of bounded length for every hostile value", () => {
  for (const { what, make } of HOSTILE_VALUES) {
    const text = errorText(make());
    assert.equal(typeof text, "string", what);
    assert(text.length < 10_000, what);
    assert(!text.includes("\n"), what);
  }
});
