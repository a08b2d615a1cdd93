import assert from "node:assert/strict";
import { FakeCollection, InformerHarness, Recorder } from "./informer_fakes_test.ts";
import { records } from "./log_records_test.ts";

Deno.test("B58 handlers receive the initial objects once, then resyncs at their own periods, with one timer for all", async () => {
  await using harness = new InformerHarness();
  const { collection, informer, clock } = harness;
  collection.put("a");
  const [none, two, three] = [new Recorder(), new Recorder(), new Recorder()];
  informer.addHandler(none);
  informer.addHandler(two, { resyncPeriodMs: 2_000 });
  informer.addHandler(three, { resyncPeriodMs: 3_000 });
  assert.equal(informer.resyncCheckPeriodMs, 2_000);
  const idle = clock.pending;
  await harness.start();
  const timers = clock.pending;
  for (const recorder of [none, two, three]) {
    assert.deepEqual(recorder.take(), ["add a@101"]);
  }
  const told: string[] = [];
  for (let second = 1; second <= 6; second++) {
    await clock.advance(1_000);
    told.push([none, two, three].map((each) => each.take().length).join(""));
  }
  assert.deepEqual(told, ["000", "010", "001", "010", "000", "011"]);
  assert.equal(clock.pending, timers);
  assert.equal(idle, 0);
  informer.addHandler(none, { resyncPeriodMs: 1_500 });
  assert.equal(informer.resyncCheckPeriodMs, 1_500);
});

Deno.test("B58 a resync reports the stored version as old and current, for stored keys", async () => {
  await using harness = new InformerHarness({ resyncPeriodMs: 10_000 });
  const { collection, informer, clock } = harness;
  collection.put("a");
  collection.put("b");
  const recorder = new Recorder();
  informer.addHandler(recorder);
  await harness.start();
  collection.remove("a");
  await harness.settle();
  recorder.take();
  await clock.advance(10_000);
  assert.deepEqual(recorder.take(), ["sync b@102"]);
  assert.deepEqual(recorder.faults, []);
});

Deno.test("B58 a handler's own period 0 overrides the informer's; the timer of a removed handler is cleared", async () => {
  await using harness = new InformerHarness({ resyncPeriodMs: 10_000 });
  const { informer } = harness;
  informer.addHandler(new Recorder(), { resyncPeriodMs: 0 });
  assert.equal(informer.resyncCheckPeriodMs, 0);
  const registration = informer.addHandler(new Recorder());
  assert.equal(informer.resyncCheckPeriodMs, 10_000);
  registration.remove();
  assert.equal(informer.resyncCheckPeriodMs, 0);
});

Deno.test("a resync period below a second is raised to one second, with a warning", async () => {
  await using logs = await records();
  await using harness = new InformerHarness();
  const { informer, clock, collection } = harness;
  collection.put("a");
  const recorder = new Recorder();
  informer.addHandler(recorder, { resyncPeriodMs: 10, name: "hasty" });
  assert.equal(informer.resyncCheckPeriodMs, 1_000);
  assert.match(logs.text("warning"), /hasty.*raised from 10 ms to 1000 ms/);
  await harness.start();
  recorder.take();
  await clock.advance(999);
  assert.deepEqual(recorder.take(), []);
  await clock.advance(1);
  assert.deepEqual(recorder.take(), ["sync a@101"]);
});

Deno.test("a resync period that is negative or not a number is refused", () => {
  assert.throws(() => new InformerHarness({ resyncPeriodMs: -1 }), RangeError);
  const { informer } = new InformerHarness();
  assert.throws(() => informer.addHandler({}, { resyncPeriodMs: NaN }), /must be 0 or more.*NaN/);
  assert.equal(informer.handlerCount, 0);
  assert.throws(
    () => new InformerHarness({ coalesceAbove: NaN }),
    /coalesceAbove must be 0 or more/,
  );
});

Deno.test("B60 a late handler receives the whole cache, and is synced only once it has processed it", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  for (const name of ["a", "b", "c"]) collection.put(name);
  await harness.start();
  const gate = Promise.withResolvers<void>();
  const recorder = new Recorder();
  let calls = 0;
  const registration = informer.addHandler({
    onAdd: async (object, info) => {
      if (++calls === 3) await gate.promise;
      recorder.onAdd(object, info);
    },
    onUpdate: (old, current) => recorder.onUpdate(old, current),
  });
  collection.put("a");
  await harness.settle();
  assert.equal(calls, 3);
  assert.equal(registration.synced, false);
  let waited = false;
  const waiting = registration.whenSynced().then(() => waited = true);
  await harness.settle();
  assert.equal(waited, false);
  gate.resolve();
  await waiting;
  assert.equal(registration.synced, true);
  await harness.settle();
  assert.deepEqual(recorder.take(), ["add a@101", "add b@102", "add c@103", "update a@101>104"]);
  assert.deepEqual(recorder.initial, ["a", "b", "c"]);
});

Deno.test("B60 handlers added before, during and after the first list receive each object once", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  for (let count = 0; count < 50; count++) collection.put(`doc-${count}`);
  const recorders: Recorder[] = [];
  const join = () => {
    const recorder = new Recorder();
    recorders.push(recorder);
    informer.addHandler(recorder);
  };
  join();
  const starting = harness.start();
  for (let turn = 0; turn < 60; turn++) {
    join();
    await Promise.resolve();
  }
  await starting;
  join();
  await harness.settle();
  for (const recorder of recorders) {
    assert.equal(recorder.events.length, 50);
    assert.equal(recorder.initial.length, 50);
    assert.deepEqual(recorder.faults, []);
    assert.equal(recorder.text, harness.served);
  }
});

Deno.test("B61 the same handler may be added twice; removal is by registration, and harmless when repeated", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  await harness.start();
  const recorder = new Recorder();
  const first = informer.addHandler(recorder);
  const second = informer.addHandler(recorder);
  collection.put("a");
  await harness.settle();
  assert.deepEqual(recorder.take(), ["add a@101", "add a@101"]);
  first.remove();
  first.remove();
  await first.removeAndWait();
  assert.equal(informer.handlerCount, 1);
  collection.remove("a");
  await harness.settle();
  assert.deepEqual(recorder.take(), ["delete a@102"]);
  second[Symbol.dispose]();
  collection.put("b");
  await harness.settle();
  assert.deepEqual(recorder.take(), []);
});

Deno.test("B61 removing a handler from one informer does not affect another informer", async () => {
  await using one = new InformerHarness();
  await using other = new InformerHarness();
  const recorder = new Recorder();
  const registration = one.informer.addHandler(recorder);
  other.informer.addHandler(recorder);
  registration.remove();
  assert.deepEqual([one.informer.handlerCount, other.informer.handlerCount], [0, 1]);
});

Deno.test("B61 adding a handler after the stop throws; removing one is allowed", async () => {
  const harness = new InformerHarness({ name: "documents" });
  const registration = harness.informer.addHandler(new Recorder());
  await harness.start();
  await harness.stop();
  assert.throws(
    () => harness.informer.addHandler(new Recorder()),
    /Cannot add .* to informer documents: it was stopped/,
  );
  registration.remove();
  await registration.removeAndWait();
  assert.equal(harness.informer.handlerCount, 0);
});

Deno.test("B62 remove() returns while a call runs; removeAndWait() waits for its end", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  const gate = Promise.withResolvers<void>();
  const calls: string[] = [];
  const registration = informer.addHandler({
    onAdd: async ({ name }) => {
      calls.push(`${name} begins`);
      await gate.promise;
      calls.push(`${name} ends`);
    },
  });
  await harness.start();
  collection.put("a");
  collection.put("b");
  await harness.settle();
  assert.equal(registration.pending, 1);
  registration.remove();
  assert.deepEqual(calls, ["a begins"]);
  assert.equal(registration.pending, 0);
  let waited = false;
  const waiting = registration.removeAndWait().then(() => waited = true);
  await harness.settle();
  assert.equal(waited, false);
  gate.resolve();
  await waiting;
  assert.deepEqual(calls, ["a begins", "a ends"]);
});

Deno.test("B62 removeAndWait() returns at once if the informer never ran", async () => {
  const { informer } = new InformerHarness();
  const registration = informer.addHandler(new Recorder());
  const waiting = registration.whenSynced();
  await registration.removeAndWait();
  await assert.rejects(waiting, /Cannot sync handler handler-1: handler handler-1 was removed/);
  await using _ = informer.addHandler(new Recorder());
});

Deno.test("B63 F35 a handler that throws is logged once per event, pauses for a second, and delays no other", async () => {
  await using logs = await records();
  await using harness = new InformerHarness({ name: "documents" });
  const { collection, informer, clock } = harness;
  const healthy = new Recorder();
  const calls: string[] = [];
  const registration = informer.addHandler({
    onAdd: ({ name }) => {
      calls.push(name);
      throw new Error(`no ${name}`);
    },
  }, { name: "broken" });
  informer.addHandler(healthy);
  await harness.start();
  collection.put("a");
  collection.put("b");
  await harness.settle();
  assert.deepEqual(calls, ["a"]);
  assert.deepEqual(healthy.take(), ["add a@101", "add b@102"]);
  await clock.advance(999);
  assert.deepEqual(calls, ["a"]);
  await clock.advance(1);
  assert.deepEqual(calls, ["a", "b"]);
  assert.equal(registration.failures, 2);
  assert.deepEqual(logs.text("error").split("\n"), [
    "Handler broken of informer documents failed on add of default/a: no a",
    "Handler broken of informer documents failed on add of default/b: no b",
  ]);
});

Deno.test("F35 a handler that rejects is counted, and its later calls are made all the same", async () => {
  await using harness = new InformerHarness();
  const { collection, informer, clock } = harness;
  const calls: string[] = [];
  const registration = informer.addHandler({
    onAdd: async ({ name }) => {
      await Promise.resolve();
      calls.push(name);
      if (name === "a") throw new Error("no");
    },
  });
  collection.put("a");
  collection.put("b");
  await harness.start();
  assert.equal(registration.synced, false);
  await clock.advance(1_000);
  assert.deepEqual(calls, ["a", "b"]);
  assert.equal(registration.failures, 1);
  assert.equal(registration.synced, true);
});

Deno.test("the calls of a handler run one at a time, in order", async () => {
  await using harness = new InformerHarness();
  const { collection, informer, clock } = harness;
  const story: string[] = [];
  informer.addHandler({
    onAdd: ({ name }) =>
      new Promise((resolve) => {
        story.push(`${name} begins`);
        clock.after(100, () => (story.push(`${name} ends`), resolve()));
      }),
  });
  await harness.start();
  collection.put("a");
  collection.put("b");
  await clock.advance(300);
  assert.deepEqual(story, ["a begins", "a ends", "b begins", "b ends"]);
});

Deno.test("F34 the pending changes of a slow handler are bounded by the keys; other handlers miss nothing", async () => {
  await using logs = await records();
  await using harness = new InformerHarness({ coalesceAbove: 10 });
  const { collection, informer } = harness;
  collection.put("a");
  collection.put("b");
  const gate = Promise.withResolvers<void>();
  const slow = new Recorder();
  const registration = informer.addHandler({
    onAdd: async (object, info) => {
      await gate.promise;
      slow.onAdd(object, info);
    },
    onUpdate: (old, current) => slow.onUpdate(old, current),
    onDelete: (last) => slow.onDelete(last),
  });
  const quick = new Recorder();
  informer.addHandler(quick);
  await harness.start();
  for (let round = 0; round < 500; round++) {
    collection.put("a");
    collection.put("b");
    if (round % 50 === 0) {
      collection.put("passing");
      await harness.settle();
      collection.remove("passing");
    }
    await Promise.resolve();
    assert(registration.pending <= 12, `${registration.pending} are pending`);
  }
  await harness.settle();
  assert.equal(quick.events.filter((each) => each.startsWith("update a")).length, 500);
  gate.resolve();
  await harness.settle();
  assert.deepEqual(slow.faults, []);
  assert.equal(slow.text, harness.served);
  assert.match(logs.text("warning"), /^Handler handler-1 of informer \S+ is too slow: 11 changes/);
  assert.equal(logs.text("warning").split("\n").length, 1, "it is told once");
  assert(slow.events.length < 40, `${slow.events.length} events`);
});

Deno.test("ten handlers keep no memory once they have processed everything", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  const registrations = Array.from({ length: 10 }, () => informer.addHandler(new Recorder()));
  await harness.start();
  for (let count = 0; count < 300; count++) collection.put(`doc-${count}`);
  await harness.settle();
  assert.deepEqual(registrations.map(({ pending }) => pending), Array(10).fill(0));
  assert.deepEqual(collection.requests, ["WATCHLIST"]);
});

Deno.test("no handler is called once run() has resolved, which awaits a running call", async () => {
  const collection = new FakeCollection();
  const harness = new InformerHarness({ listerWatcher: collection });
  for (let count = 0; count < 20; count++) collection.put(`doc-${count}`);
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  let ended = false;
  harness.informer.addHandler({
    onAdd: async () => {
      calls++;
      await gate.promise;
      ended = true;
    },
  });
  await harness.start();
  const stopping = harness.stop();
  await harness.settle();
  assert.equal(ended, false);
  gate.resolve();
  await stopping;
  assert.deepEqual([ended, calls], [true, 1]);
});

Deno.test("a change reaches a thousand handlers within the slices that they need, not one in each turn", async () => {
  await using harness = new InformerHarness();
  const { collection, informer, clock } = harness;
  collection.put("a");
  let calls = 0;
  let turns = 0;
  let workedMs = 0;
  const after = clock.after.bind(clock);
  for (let n = 0; n < 1_000; n++) {
    informer.addHandler({
      onUpdate() {
        calls++;
        workedMs += 0.02;
      },
    });
  }
  await harness.start();
  const monotonicMs = clock.monotonicMs.bind(clock);
  Object.assign(clock, {
    monotonicMs: () => monotonicMs() + workedMs,
    after: (delayMs: number, callback: () => void) => {
      if (delayMs === 0) turns++;
      return after(delayMs, callback);
    },
  });
  collection.put("a");
  for (let n = 0; n < 100 && calls < 1_000; n++) await clock.advance(0);
  assert.equal(calls, 1_000);
  assert.ok(turns <= 12, `${turns} turns of the event loop for 20 ms of work`);
});
