/** The events that a reconciler records by its context, from a run to the server. */
import assert from "node:assert/strict";
import { withCluster } from "../../../tests/support/in_process/helper_cluster.ts";
import { ConfigMap, EventsEvent } from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { defineOperator } from "../operator/operator.ts";
import { reconcileOnce } from "../operator/reconcile_once.ts";
import { runOperator } from "../operator/run_operator.ts";
import type { WriteGate } from "../ports/write_gate.ts";

/** A controller that records one event per run. */
const greeter: ControllerDefinition = controllerFor(ConfigMap, { labelSelector: "greet" })
  .named("greeter")
  .reconcile(({ key, cache, events }) => {
    const map = cache.get(ConfigMap, key);
    if (map) events.record(ConfigMap, map, { reason: "Greeted", note: `Hello, ${key}` });
  });
const labels = { greet: "" };

Deno.test("B72 what a reconciler records is written by the end of the operator, under the name of the controller", async () => {
  await withCluster(async ({ client }) => {
    for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name, labels } });
    const operator = runOperator(defineOperator({ name: "test", controllers: [greeter] }), {
      client,
    });
    await operator.settled();
    await operator.stop();
    const { items } = await client.list(EventsEvent, { namespace: "default" });
    assert.deepEqual(
      items.map(({ note, reportingController }) => [note, reportingController]).sort(),
      [["Hello, default/a", "greeter"], ["Hello, default/b", "greeter"]],
    );
  });
});

Deno.test("events name the source that the controller's option eventSource gives", async () => {
  await withCluster(async ({ client }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "a", labels } });
    const controller = controllerFor(ConfigMap).options({ eventSource: "example.org/greeter" })
      .reconcile(({ events }) => events.record(ConfigMap, map, { reason: "Greeted" }));
    await reconcileOnce(controller, "default/a", { client });
    const { items: [event] } = await client.list(EventsEvent, { namespace: "default" });
    assert.equal(event?.reportingController, "example.org/greeter");
  });
});

Deno.test("an event source that is no qualified name is refused", () => {
  for (const eventSource of ["", "a b", "example.org/", "a/b/c", 5]) {
    assert.throws(
      () => controllerFor(ConfigMap).options({ eventSource: eventSource as string }),
      {
        name: "RangeError",
        message: "Cannot run controller configmap: eventSource must be a qualified name, such as " +
          `example.org/greeter, is ${JSON.stringify(eventSource)}`,
      },
    );
  }
});

Deno.test("B72 events are refused by the gate of the operator as other writes are", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "a", labels } });
    const gate: WriteGate = {
      opened: () => Promise.resolve(),
      admit: () => {
        throw new Error("the lease may be lost");
      },
      closed: false,
      remainingMs: 0,
    };
    const operator = runOperator(defineOperator({ name: "test", controllers: [greeter] }), {
      client,
      gate,
    });
    const { failed } = await operator.settled();
    await operator.stop();
    assert.deepEqual(failed, []);
    assert.deepEqual((await client.list(EventsEvent, { namespace: "default" })).items, []);
  });
});

Deno.test("B72 one run writes its events before it ends", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "a", labels } });
    await reconcileOnce(greeter, "default/a", { client });
    const { items } = await client.list(EventsEvent, { namespace: "default" });
    assert.deepEqual(items.map(({ note }) => note), ["Hello, default/a"]);
  });
});
