import assert from "node:assert/strict";
import { Deployment, type KubeObject, Namespace, Pod } from "@xca/apimachinery/meta";
import { isNotFound, mergePatch } from "../../client/mod.ts";
import { recordedRun } from "../../../tests/support/in_process/recorded_run.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { deleteNamespace, deleteObjects } from "./delete_objects.ts";

const LABEL = "app.kubernetes.io/managed-by";

for (
  const [change, labels, action] of [
    ["loses the labels of the deployment", { [LABEL]: null }, "kept"],
    ["gets another label", { team: "blue" }, "deleted"],
  ] as const
) {
  Deno.test(`a namespace that ${change} just before its deletion is ${action}`, async () => {
    await using server = await ApiServer.start();
    using admin = clientOf(server);
    let deletions = 0;
    using client = clientOf(server, {
      through: (fetch) => async (request) => {
        if (request.method === "DELETE" && deletions++ === 0) {
          await admin.patch(Namespace, "shop", mergePatch({ metadata: { labels } } as never));
        }
        return await fetch(request);
      },
    });
    const namespace: KubeObject = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "shop", labels: { [LABEL]: "kubectl-xca" } },
    };
    await admin.create(Namespace, namespace);
    const { run, steps } = recordedRun(client);
    await deleteNamespace(run, namespace, 10_000);
    assert.deepEqual(steps, [`namespace/shop ${action}`]);
    if (action === "deleted") await assert.rejects(admin.get(Namespace, "shop"), isNotFound);
    else assert.equal((await admin.get(Namespace, "shop")).metadata.deletionTimestamp, undefined);
  });
}

Deno.test("the wait for the pods of a deleted Deployment leaves pods out that only matchExpressions exclude", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server);
  const labels = { app: "web" };
  const containers = [{ name: "app", image: "app:1" }];
  const deployment = await client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  for (const name of ["web", "other"]) {
    await client.create(Pod, {
      metadata: { name, namespace: "default", labels: { app: name } },
      spec: { containers },
    });
  }
  const { run, clock, steps } = recordedRun(client);
  const object = { ...deployment, apiVersion: "apps/v1", kind: "Deployment" } as KubeObject;
  const startMs = clock.monotonicMs();
  const deleted = deleteObjects(run, [object], () => Promise.resolve(Deployment));
  let isDone = false;
  const end = deleted.then(() => void (isDone = true));
  await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  while (!isDone) await clock.advance(1_000);
  await end;
  assert.deepEqual(steps, ["deployment.apps/web deleted"]);
  assert(clock.monotonicMs() - startMs < 60_000, "the wait lasted until its time limit");
  assert.equal((await client.get(Pod, "default/other")).metadata.deletionTimestamp, undefined);
});
