/** Faults of handlers, reconcilers and rival writers, under the Xca operator on a real API server. */
import assert from "node:assert/strict";
import type { Fetch } from "../../../lib/client/transport/fetch.ts";
import { mergePatch } from "../../../lib/client/typed/patch.ts";
import { terminal } from "../../../lib/controller/definition/terminal_error.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { Xca } from "../../../lib/xca/xca.ts";
import { reconcileXca } from "../../../lib/xca/xca_reconciler.ts";
import { FaultRig } from "../../support/faults/fault_rig.ts";
import { isStatusWrite } from "../../support/faults/faulty_fetch.ts";
import { CollectedLog } from "../../support/faults/collected_log.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
/** The option of a rig that wraps its network. */
type Wrap = (fetch: Fetch) => Fetch;

const NAMES = Array.from({ length: 20 }, (_, index) => `n${index}`);

suite.test("F35 handlers that throw or reject: counted and logged; other handlers and the operator continue", async (plane) => {
  await using log = await CollectedLog.start();
  await using rig = await FaultRig.start(plane);
  const heard: string[] = [];
  const throwing = rig.informer.addHandler({
    onAdd: ({ name }) => {
      heard.push(name);
      throw new Error("thrown at once");
    },
  }, { name: "throwing" });
  const rejecting = rig.informer.addHandler({
    onAdd: () => Promise.reject(new Error("rejected later")),
  }, { name: "rejecting" });
  for (const name of ["a", "b"]) await rig.create(name);
  await rig.converges();
  await until(() => throwing.failures === 2 && rejecting.failures === 2, "both failed twice");
  assert.deepEqual(heard, ["a", "b"]);
  const said = log.messages("error").map((text) => text.replaceAll('"', ""));
  for (const words of ["throwing", "rejecting", "thrown at once", "rejected later"]) {
    assert(said.some((text) => text.includes(words)), `${words} in ${said.join("\n")}`);
  }
});

suite.test("F35 a reconciler that throws: its key backs off until it works, the others do not wait for it", async (plane) => {
  let failures = 6;
  let othersDone = 0;
  await using rig = await FaultRig.start(plane, {
    controller: { workers: 1, rateLimiter: quickly },
    reconcile: async (context) => {
      if (context.name === "n0" && failures > 0) {
        failures--;
        if (failures % 2 === 0) throw new TypeError("thrown at once");
        await Promise.reject(new Error("rejected later"));
      }
      if (context.name !== "n0") othersDone++;
      await reconcileXca(context);
    },
  });
  for (const name of NAMES) await rig.create(name);
  await rig.converges();
  assert.equal(failures, 0);
  assert(othersDone >= NAMES.length - 1);
  await until(() => rig.operator.progress().failing.length === 0, "no key is failing");
});

suite.test("F35 a terminal error is not retried; a change of the object runs it again", async (plane) => {
  let forbidden = true;
  await using rig = await FaultRig.start(plane, {
    controller: { rateLimiter: quickly },
    reconcile: async (context) => {
      if (forbidden && context.name === "bad") throw terminal("Cannot take foo: it is forbidden");
      await reconcileXca(context);
    },
  });
  await rig.create("bad");
  await rig.create("good");
  await until(() => rig.informer.indexer.get(rig.key("good"))?.status?.active === true);
  await until(() => rig.operator.progress().failing.length === 1, "it failed");
  const [failing] = rig.operator.progress().failing;
  assert.deepEqual([failing!.key, failing!.nextTryInMs], [rig.key("bad"), undefined]);
  assert.equal(rig.runs.began.get(rig.key("bad")), 1);
  forbidden = false;
  await rig.change("bad", "allowed");
  await rig.converges();
});

suite.test("F36 a reconciler that never returns: timed out, aborted, reported as stuck; its worker and other keys continue; no second run", async (plane) => {
  const release = Promise.withResolvers<void>();
  let hung: AbortSignal | undefined;
  await using rig = await FaultRig.start(plane, {
    controller: { workers: 1, timeoutMs: 1_500, abortGraceMs: 500, rateLimiter: quickly },
    reconcile: async (context) => {
      if (context.name === "stuck" && !hung) {
        hung = context.signal;
        await release.promise;
      }
      await reconcileXca(context);
    },
  });
  await rig.create("stuck");
  await until(() => hung !== undefined, "it hangs");
  for (const name of NAMES) await rig.create(name);
  await until(() => rig.operator.progress().stuck.length === 1, "it is shown as stuck");
  assert(hung!.aborted);
  assert.equal(rig.operator.progress().stuck[0]!.key, rig.key("stuck"));
  const active = (name: string): boolean =>
    rig.informer.indexer.get(rig.key(name))?.status?.active === true;
  await until(() => NAMES.every(active), "the others are active");
  await rig.change("stuck", "changed meanwhile");
  await until(() => rig.informer.indexer.get(rig.key("stuck"))?.spec?.foo === "changed meanwhile");
  assert.equal(rig.runs.began.get(rig.key("stuck")), 1);
  assert.equal(active("stuck"), false);
  release.resolve();
  await rig.converges();
  assert.deepEqual(rig.operator.progress().stuck, []);
});

suite.test("F36 a stop does not wait for a reconciler that never returns", async (plane) => {
  const release = Promise.withResolvers<void>();
  let hung = false;
  await using rig = await FaultRig.start(plane, {
    controller: { timeoutMs: 100, abortGraceMs: 50 },
    reconcile: async () => {
      hung = true;
      await release.promise;
    },
  });
  await rig.create("stuck");
  await until(() => hung, "it hangs");
  await rig.stop();
  release.resolve();
});

suite.test("F28 a rival's write before each first status write: a real 409, one retry, no ERROR, no change lost", async (plane) => {
  await using log = await CollectedLog.start();
  const met = new Set<string>();
  const writes = new Map<string, number>();
  const conflicting = new Set<string>();
  await using rig: FaultRig = await FaultRig.start(plane, {
    wrap: (fetch) => async (request) => {
      if (!isStatusWrite(request)) return await fetch(request);
      const name = new URL(request.url).pathname.split("/").at(-2)!;
      writes.set(name, (writes.get(name) ?? 0) + 1);
      if (!met.has(name)) {
        met.add(name);
        await rig.direct.patch(Xca, rig.key(name), mergePatch({ spec: { foo: "rival's" } }));
      }
      const response = await fetch(request);
      if (response.status === 409) conflicting.add(name);
      return response;
    },
  });
  for (const name of NAMES) await rig.create(name);
  await rig.converges();
  for (const name of NAMES) {
    const { spec, status } = rig.informer.indexer.get(rig.key(name))!;
    assert.deepEqual([spec?.foo, status?.active], ["rival's", true]);
  }
  assert.deepEqual([...conflicting].sort(), [...NAMES].sort());
  // A try that begins before the cache has the rival's write meets its own 409 and is paced: no storm.
  for (const [name, count] of writes) assert(count <= 10, `${name}: ${count} writes`);
  assert.deepEqual(log.messages("error"), []);
});

suite.test("F28 a rival that writes all the time: retries are paced, and succeed once the rival pauses", async (plane) => {
  let rivalWrites = 0;
  await using rig: FaultRig = await FaultRig.start(plane, {
    wrap: (fetch) => async (request) => {
      if (isStatusWrite(request) && rivalWrites < 5) {
        await rig.change("one", `rival's ${++rivalWrites}`);
      }
      return await fetch(request);
    },
  });
  await rig.create("one");
  await rig.converges();
  assert.equal(rig.informer.indexer.get(rig.key("one"))?.spec?.foo, "rival's 5");
});

suite.test("F27 status writes whose response is lost: none is written twice", async (plane) => {
  const lost = new Set<string>();
  const committed: string[] = [];
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => async (request) => {
      const response = await fetch(request);
      if (!isStatusWrite(request) || response.status !== 200) return response;
      const name = new URL(request.url).pathname.split("/").at(-2)!;
      committed.push(name);
      if (lost.has(name)) return response;
      lost.add(name);
      await response.body?.cancel();
      throw new TypeError("the connection was reset");
    },
  });
  for (const name of NAMES) await rig.create(name);
  await rig.converges();
  // The watch may tell of the last write before its answer is lost.
  await until(() => lost.size >= NAMES.length, "every name has lost an answer");
  assert.deepEqual([...lost].sort(), [...NAMES].sort());
  assert.deepEqual(committed.sort(), [...NAMES].sort());
});

for (const when of ["before a status write is sent", "before its answer is heard"] as const) {
  suite.test(`F44 the operator ends ${when}: the next operator finishes the work, nothing is written twice`, async (plane) => {
    const committed: string[] = [];
    const counted: Wrap = (fetch) => async (request) => {
      const response = await fetch(request);
      if (isStatusWrite(request) && response.status === 200) {
        committed.push(new URL(request.url).pathname.split("/").at(-2)!);
      }
      return response;
    };
    let namespace = "";
    let hanging = 0;
    {
      const hangs: Wrap = (fetch) => async (request) => {
        if (!isStatusWrite(request) || committed.length < 5) return await counted(fetch)(request);
        if (when === "before its answer is heard") {
          await (await counted(fetch)(request)).body?.cancel();
        }
        hanging++;
        return await new Promise<Response>((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        });
      };
      await using rig = await FaultRig.start(plane, { wrap: hangs, gracePeriodMs: 0 });
      namespace = rig.namespace;
      for (const name of NAMES) await rig.create(name);
      await until(() => hanging === 4, "all workers wait");
      await rig.stop();
    }
    await using rig = await FaultRig.start(plane, { wrap: counted, namespace });
    await rig.converges();
    // The watch may tell of the last write before its answer is heard.
    await until(() => committed.length >= NAMES.length, "all answers are heard");
    assert.deepEqual(committed.sort(), [...NAMES].sort());
  });
}

suite.test("F34 a handler that never returns: others continue, and its waiting changes are merged per key", async (plane) => {
  const release = Promise.withResolvers<void>();
  await using rig = await FaultRig.start(plane, { coalesceAbove: 10 });
  const told: string[] = [];
  const slow = rig.informer.addHandler({
    onAdd: () => release.promise,
    onUpdate: (_, { resourceVersion }) => void told.push(resourceVersion),
  });
  for (const name of ["a", "b"]) await rig.create(name);
  await rig.converges();
  for (let index = 0; index < 50; index++) {
    await rig.change("a", `${index}`);
    await rig.change("b", `${index}`);
  }
  await rig.converges();
  assert(slow.pending <= 12, `${slow.pending} wait`);
  release.resolve();
  await until(() => slow.pending === 0, "it catches up");
  const last = [...await rig.listed()].map(([, { metadata }]) => metadata.resourceVersion!);
  for (const version of last) assert(told.includes(version));
});

/** Fails fast and often, so that a test need not wait. */
function quickly(): ItemExponentialLimiter<string> {
  return new ItemExponentialLimiter({ baseMs: 1, maxMs: 50 });
}
