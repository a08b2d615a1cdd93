import assert from "node:assert/strict";
import { Deployment } from "@xca/apimachinery/meta";
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
