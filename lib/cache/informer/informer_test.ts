import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import { newInformer } from "./informer.ts";
import { Doc, FakeCollection, Recorder } from "./informer_fakes_test.ts";

Deno.test("newInformer() returns a store, and a controller that fills it and notifies one handler", async () => {
  const collection = new FakeCollection();
  collection.put("a");
  const handler = new Recorder();
  const clock = new FakeClock();
  const { store, controller } = newInformer({
    type: Doc,
    listerWatcher: collection,
    handler,
    clock,
    indexers: { byName: ({ name }) => [name] },
    resyncPeriodMs: 5_000,
  });
  assert.equal(controller.synced, false);
  const abort = new AbortController();
  const running = controller.run(abort.signal);
  await controller.whenSynced(abort.signal);
  assert.equal(controller.synced, true);
  assert.deepEqual(handler.take(), ["add a@101"]);
  collection.remove("a");
  collection.put("b");
  await clock.settle();
  assert.deepEqual(handler.take(), ["delete a@102", "add b@103"]);
  assert.deepEqual(store.indexKeys("byName", "b"), ["default/b"]);
  await clock.advance(5_000);
  assert.deepEqual(handler.take(), ["sync b@103"]);
  assert.equal(controller.health.state, "watching");
  abort.abort();
  await running;
  assert.equal(store.get("default/b")?.metadata.name, "b");
  await assert.rejects(
    controller.run(abort.signal),
    /Cannot run informer docs.v1.example.org twice/,
  );
});

Deno.test("newInformer() is synced only once its handler has processed the first list", async () => {
  const collection = new FakeCollection();
  collection.put("a");
  const gate = Promise.withResolvers<void>();
  const clock = new FakeClock();
  const { store, controller } = newInformer({
    type: Doc,
    listerWatcher: collection,
    handler: { onAdd: () => gate.promise },
    clock,
  });
  const abort = new AbortController();
  const running = controller.run(abort.signal);
  await clock.settle();
  assert.deepEqual([store.size, controller.synced], [1, false]);
  gate.resolve();
  await controller.whenSynced();
  assert.equal(controller.synced, true);
  abort.abort();
  await running;
});
