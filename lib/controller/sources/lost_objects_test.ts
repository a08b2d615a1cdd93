/** Tests of objects that a transform refuses: they count as failed, and end no wait. */
import assert from "node:assert/strict";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";

/** A transform that fails for an object without data. */
function needsData<T extends Pick<V1ConfigMap, "data">>(object: T): T {
  return { ...object, data: Object.fromEntries(Object.entries(object.data!)) };
}

Deno.test("F35 an object that a transform refuses counts as failed until it can be stored", async () => {
  await using _log = await CollectedLog.start();
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { name: "whole" }, data: { a: "" } });
  await client.create(ConfigMap, { metadata: { name: "bare" } });
  await client.create(Secret, { metadata: { name: "bare" } });
  const ran: string[] = [];
  const controller = controllerFor(ConfigMap, { transform: needsData })
    .owns(Secret, { transform: needsData }).reconcile(({ name }) => void ran.push(name));
  const operator = defineOperator({ name: "test", controllers: [controller] });
  await using handle = runOperator(operator, { client, namespace: "default" });
  const { failed } = await handle.settled();
  assert.deepEqual(ran, ["whole"]);
  assert.deepEqual(failed.map(({ key, mapping, nextTryInMs }) => [key, mapping, nextTryInMs]), [
    ["default/bare", undefined, undefined],
    ["default/bare", "secrets.v1", undefined],
  ]);
  assert.match(failed[0]!.error, /configmaps\.v1 could not be decoded or transformed/);
  assert.equal((await handle.idle()).failed.length, 2, "idle() ends, and reports the same");
  const body = { data: { a: "eA==" } };
  await client.patch(ConfigMap, "default/bare", { type: "merge", body });
  await client.patch(Secret, "default/bare", { type: "merge", body });
  assert.deepEqual((await handle.idle()).failed, []);
  assert.deepEqual(ran, ["whole", "bare"]);
});
