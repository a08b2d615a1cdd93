import assert from "node:assert/strict";
import { configMap, harness } from "../../../tests/support/in_process/controller_harness.ts";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import {
  ConfigMap,
  Namespace,
  resourceType,
  type ResourceTypeInit,
  Secret,
} from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { xcaOperator } from "../../xca/mod.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "./operator.ts";
import { checkResources, ResourceMismatchError } from "./resource_check.ts";
import { runOperator } from "./run_operator.ts";

const GROUP = "apps.xca.k8s.kb.cx";
const right: ResourceTypeInit = { group: GROUP, version: "v1beta1", kind: "Xca", plural: "xcas" };

Deno.test("runOperator() refuses a resource whose kind, scope or plural differs from the server's", async () => {
  using server = await ApiServer.start();
  await server.seed(xcaOperator.crds);
  using client = clientOf(server);
  for (
    const [wrong, difference] of [
      [
        { kind: "xca" },
        /serves it with kind Xca, not xca; correct what resourceType\(\) was given/,
      ],
      [{ scope: "Cluster" }, /serves it with scope Namespaced, not Cluster/],
      [{ kind: "Xtls", scope: "Cluster" }, /with kind Xca, not Xtls, and scope Namespaced, not/],
      [{ plural: "xcae" }, /serves kind Xca with plural xcas, not xcae/],
    ] as const
  ) {
    const operator = defineOperator({
      name: "test",
      controllers: [
        controllerFor(ConfigMap).watches(resourceType({ ...right, ...wrong }), () => [])
          .reconcile(() => {}),
      ],
    });
    const handle = runOperator(operator, { client });
    await assert.rejects(handle.done, ResourceMismatchError);
    await assert.rejects(handle.done, difference);
    await assert.rejects(handle.ready);
  }
});

Deno.test("checkResources() returns the resources that are not served yet", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const types = [ConfigMap, Namespace, resourceType(right), resourceType({ ...right, group: "" })];
  const unchecked = await checkResources(client, types);
  assert.deepEqual(unchecked.map(({ type, reason }) => [type.id, reason]), [
    [`xcas.v1beta1.${GROUP}`, "missing"],
    ["xcas.v1beta1", "missing"],
  ]);
  await server.seed(xcaOperator.crds);
  assert.deepEqual(await checkResources(client, [resourceType(right)]), []);
  await assert.rejects(
    checkResources(client, types, { signal: AbortSignal.abort(new Error("enough")) }),
    /enough/,
  );
});

Deno.test("a resource that is not served at the start is compared before anything runs", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.holdSync();
  h.cluster.served = [ConfigMap];
  let runs = 0;
  const handle = h.run(controllerFor(ConfigMap).owns(Secret).reconcile(() => void runs++));
  await h.clock.advance(60_000);
  h.cluster.served = [ConfigMap, { ...Secret, kind: "Sicret" }];
  h.cluster.sync();
  await assert.rejects(handle.ready, /serves it with kind Sicret, not Secret/);
  assert.equal(runs, 0);
});

Deno.test("where discovery is forbidden, or does not answer, the operator runs with a warning", async () => {
  for (const hangs of [false, true]) {
    await using log = await CollectedLog.start();
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.onDiscovery = () => {
      throw refusal(403, "Forbidden", "you may not");
    };
    if (hangs) {
      h.cluster.onDiscovery = (signal) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    }
    let runs = 0;
    const handle = h.run(controllerFor(ConfigMap).reconcile(() => void runs++));
    await h.clock.advance(20_000);
    await handle.ready;
    await h.clock.settle();
    assert.equal(runs, 1);
    const [warning] = log.messages("warning");
    assert.match(
      warning!,
      /^Operator test cannot tell whether kind and scope of configmaps\.v1 are right: /,
    );
    assert.match(
      warning!,
      hangs ? /no answer within 10 s/ : /you may not; allow its user discovery/,
    );
  }
});
