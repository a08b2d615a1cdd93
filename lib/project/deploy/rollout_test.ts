import assert from "node:assert/strict";
import { Deployment, type KubeObject, Pod } from "@xca/apimachinery/meta";
import { recordedRun } from "../../../tests/support/in_process/recorded_run.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { untilRolledOut } from "./rollout.ts";

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;

for (const when of ["before the first read", "during the watch"]) {
  Deno.test(`a Deployment that is deleted while its rollout is awaited is an error in one line: ${when}`, async () => {
    await using server = await ApiServer.start();
    await server.seed(DEPLOYMENT);
    using admin = clientOf(server);
    const object = await admin.get(Deployment, "default/web");
    using client = clientOf(server, {
      through: (fetch) => async (request) => {
        const isWatch = new URL(request.url).searchParams.has("watch");
        if (isWatch || when === "before the first read") {
          await admin.delete(Deployment, "default/web").catch(() => {});
        }
        return await fetch(request);
      },
    });
    const { run, steps } = recordedRun(client);
    await assert.rejects(untilRolledOut(run, object, 60_000), {
      name: "ClusterError",
      message: "Cannot roll out default/web: the Deployment was deleted meanwhile; deploy again",
    });
    assert.deepEqual(steps, []);
  });
}

Deno.test("the error about a rollout names the pods that matchExpressions select, and no others", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server);
  const containers = [{ name: "web", image: "web:1" }];
  const deployment = await client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] },
      template: { metadata: { labels: { app: "web" } }, spec: { containers } },
    },
  });
  for (const name of ["web", "other"]) {
    await client.create(Pod, {
      metadata: { name, namespace: "default", labels: { app: name } },
      spec: { containers },
    });
  }
  const { run, clock } = recordedRun(client);
  let error: unknown;
  untilRolledOut(run, deployment as KubeObject, 5_000)
    .then(() => error = "resolved", (reason) => error = reason);
  while (error === undefined) await clock.advance(1_000);
  assert.match((error as Error).message, / 1 pods, without a reported reason; see: /);
});
