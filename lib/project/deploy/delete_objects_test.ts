import assert from "node:assert/strict";
import { type KubeObject, Namespace } from "@xca/apimachinery/meta";
import { isNotFound, mergePatch } from "../../client/mod.ts";
import { recordedRun } from "../../../tests/support/in_process/recorded_run.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { deleteNamespace } from "./delete_objects.ts";

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
