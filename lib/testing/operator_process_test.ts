import assert from "node:assert/strict";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import {
  controllerFor,
  defineOperator,
  type OperatorHandle,
  runOperator,
} from "../controller/mod.ts";
import { ApiServer } from "./api_server.ts";
import { clientOf } from "./embedded_client.ts";
import { FakeClock } from "./fake_clock.ts";
import { type Crash, crashesAt, OperatorProcess } from "./operator_process.ts";

const copier = defineOperator({
  name: "copier",
  controllers: [
    controllerFor(Secret).reconcile(async ({ cache, client, key, name, namespace }) => {
      if (!cache.get(Secret, key)) return;
      await client.apply(ConfigMap, { metadata: { name, namespace }, data: { of: name } });
      await client.apply(ConfigMap, { metadata: { name: `${name}-2`, namespace } });
    }),
  ],
});

/** Copies a Secret by a process that crashes; returns the steps, and the names of the copies. */
async function play(crash?: Crash): Promise<{ steps: readonly string[]; copies: string[] }> {
  const clock = new FakeClock();
  using server = await ApiServer.start({ clock });
  using client = clientOf(server);
  await client.create(Secret, { metadata: { name: "a", namespace: "default" } });
  const run = (client: Client): OperatorHandle => runOperator(copier, { client, clock });
  await using process = new OperatorProcess({ server, run });
  process.start(crash);
  await process.advance(3_000);
  assert.equal(process.crashed, false);
  const { items } = await client.list(ConfigMap, { namespace: "default" });
  const copies = items.map(({ metadata }) => metadata!.name!)
    .filter((name) => name !== "kube-root-ca.crt");
  return { steps: process.steps, copies };
}

Deno.test("OperatorProcess runs an operator and names its steps, each of which may crash", async () => {
  const STEPS = ["patch configmaps/a", "patch configmaps/a-2"];
  const { steps, copies } = await play();
  assert.deepEqual([steps, copies], [STEPS, ["a", "a-2"]]);
  assert.equal(crashesAt(steps).length, 4);
  for (const crash of crashesAt(steps)) {
    const expected = [...STEPS.slice(0, crash.step), ...STEPS];
    assert.deepEqual(await play(crash), { steps: expected, copies }, JSON.stringify(crash));
  }
});

Deno.test("OperatorProcess executes the step before the crash or not, and fails each later call", async () => {
  using server = await ApiServer.start();
  let client: Client;
  const ended = { stop: () => Promise.resolve() } as OperatorHandle;
  await using process = new OperatorProcess({
    server,
    run: (given) => {
      client = given;
      return ended;
    },
  });
  const create = (name: string) =>
    client.create(ConfigMap, { metadata: { name, namespace: "default" } });
  using other = clientOf(server);
  for (const moment of ["before", "after"] as const) {
    process.start({ step: process.steps.length + 1, moment });
    assert.throws(() => process.start(), /runs; stop it first/);
    await assert.rejects(create(moment), /crashed/);
    assert.equal(process.crashed, true);
    await assert.rejects(client!.get(ConfigMap, `default/${moment}`), /crashed/);
    await assert.rejects(process.step("call", () => 1), /crashed/);
    const gone = client!;
    await process.restartIfCrashed();
    await assert.rejects(gone.get(ConfigMap, `default/${moment}`), "of the crashed process");
    assert.equal(await process.step("call", () => 1), 1);
    await process.stop();
  }
  const { items } = await other.list(ConfigMap, { namespace: "default" });
  assert.deepEqual(items.map(({ metadata }) => metadata!.name), ["after"]);
  await assert.rejects(process.advance(1000), /no FakeClock/);
});
