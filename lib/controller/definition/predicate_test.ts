import assert from "node:assert/strict";
import { configMap, harness } from "../../../tests/support/in_process/controller_harness.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import { controllerFor } from "./controller_builder.ts";
import {
  and,
  annotationChanged,
  type ChangeEvent,
  generationChanged,
  labelChanged,
  not,
  or,
  type Predicate,
} from "./predicate.ts";

/** Returns a test object with metadata only; reading its content throws. */
function facts(fields: Partial<ObservedObject> = {}): ObservedObject {
  return {
    key: "default/a",
    namespace: "default",
    name: "a",
    uid: "1",
    resourceVersion: "1",
    generation: 1,
    deletionTimestamp: undefined,
    labels: {},
    annotations: {},
    ownerReferences: [],
    finalizers: [],
    finalStateUnknown: false,
    get object(): never {
      throw new Error("parsed");
    },
    read: () => {
      throw new Error("parsed");
    },
    ...fields,
  };
}

function updated(old: Partial<ObservedObject>, current: Partial<ObservedObject>): ChangeEvent {
  return { type: "updated", old: facts(old), object: facts(current) };
}

const added: ChangeEvent = { type: "added", object: facts(), isInInitialList: false };
const deleted: ChangeEvent = { type: "deleted", object: facts() };
const touched = updated({ resourceVersion: "1" }, { resourceVersion: "2" });

for (
  const [name, predicate, passes, drops] of [
    ["generationChanged", generationChanged, [
      updated({ generation: 1 }, { generation: 2 }),
      updated({ generation: 1 }, { generation: 1, uid: "2" }),
      updated({ generation: undefined }, { generation: undefined }),
    ], [touched, updated({ labels: { a: "1" } }, { labels: { a: "2" } })]],
    ["labelChanged", labelChanged, [
      updated({ labels: { a: "1" } }, { labels: { a: "2" } }),
      updated({ labels: { a: "1" } }, { labels: {} }),
      updated({ labels: { a: "1" } }, { labels: { b: "1" } }),
    ], [
      updated({ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }),
      updated({ annotations: { a: "1" } }, { annotations: {} }),
    ]],
    ["annotationChanged", annotationChanged, [
      updated({ annotations: { a: "1" } }, { annotations: { a: "2" } }),
    ], [touched, updated({ labels: { a: "1" } }, { labels: {} })]],
  ] as [string, Predicate, ChangeEvent[], ChangeEvent[]][]
) {
  Deno.test(`${name} passes its events, creations and deletions, and parses no object`, () => {
    for (const event of [...passes, added, deleted]) assert.equal(predicate(event), true);
    for (const event of drops) assert.equal(predicate(event), false);
  });
}

Deno.test("and(), or() and not() combine predicates, and call no more of them than needed", () => {
  const asked: string[] = [];
  const says = (name: string, answer: boolean): Predicate => () => {
    asked.push(name);
    return answer;
  };
  assert.equal(and(says("a", true), says("b", false), says("c", true))(added), false);
  assert.equal(or(says("d", false), says("e", true), says("f", true))(added), true);
  assert.equal(not(says("g", true))(added), false);
  assert.deepEqual(asked, ["a", "b", "d", "e", "g"]);
  assert.equal(and()(added), true);
  assert.equal(or()(added), false);
});

Deno.test("withPredicates() keeps dropped events out of the queue", async () => {
  await using h = harness();
  const runs: string[] = [];
  h.run(
    controllerFor(ConfigMap).withPredicates(labelChanged, ({ object }) => object.name !== "c")
      .reconcile(({ name }) => void runs.push(name)),
  );
  await h.clock.settle();
  for (const name of ["a", "c"]) h.cluster.put(ConfigMap, configMap(name));
  h.cluster.put(ConfigMap, configMap("a", { data: {} }));
  await h.clock.settle();
  assert.deepEqual(runs, ["a"]);
  h.cluster.put(ConfigMap, configMap("a", { metadata: { labels: { x: "1" } } }));
  await h.clock.settle();
  assert.deepEqual(runs, ["a", "a"]);
});

Deno.test("F35 an event passes a predicate that throws", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const runs: string[] = [];
  const broken: Predicate = () => {
    throw new Error("no");
  };
  h.run(
    controllerFor(ConfigMap).withPredicates(broken).reconcile(({ name }) => void runs.push(name)),
  );
  await h.clock.settle();
  assert.deepEqual(runs, ["a"]);
});

Deno.test("F35 an event passes a predicate that returns a promise, which is logged as a mistake", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const runs: string[] = [];
  const async = [() => Promise.resolve(false), () => Promise.reject(new Error("no"))];
  for (const predicate of async as unknown as Predicate[]) {
    h.run(
      controllerFor(ConfigMap).withPredicates(predicate)
        .reconcile(({ name }) => void runs.push(name)),
    );
  }
  await h.clock.settle();
  assert.deepEqual(runs, ["a", "a"]);
  assert.equal(log.messages("error").filter((line) => /returned a promise/.test(line)).length, 2);
});
