import assert from "node:assert/strict";
import { Pod } from "@xca/apimachinery/meta";
import { ApiServer, expectObject } from "../../../testing/mod.ts";

/** Starts a cluster with a pod `web` that writes a line to its log every 50 milliseconds. */
async function talkingPod(): Promise<ApiServer> {
  const controllers = ["scheduler", "kubelet", "node-lifecycle-controller"];
  const server = await ApiServer.start({ controllers, nodes: 1 });
  await server.seed(`
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: default
  annotations:
    kubelet.xca.k8s.kb.cx/script: '{"web":{"logs":[{"text":"tick","afterMs":0,"everyMs":50}]}}'
spec: { containers: [{ name: web, image: "web:1" }] }
`);
  await expectObject(server, Pod, "default/web", { status: { phase: "Running" } });
  return server;
}

Deno.test("boolean parameters of a log request are true unless they are 0 or false", async () => {
  await using server = await talkingPod();
  const log = async (query: string): Promise<string> => {
    const url = `https://embedded.invalid/api/v1/namespaces/default/pods/web/log?${query}`;
    const response = await server.fetch(new Request(url));
    return `${response.status} ${await response.text()}`;
  };
  // The lines so far are left out, so that only a followed log has one.
  for (const follow of ["True", "TRUE", "t", "1", "true", "", "yes"]) {
    const text = await log(`follow=${follow}&tailLines=0&limitBytes=5`);
    assert.equal(text, "200 tick\n", follow);
  }
  for (const follow of ["False", "FALSE", "0", "false"]) {
    assert.equal(await log(`follow=${follow}&tailLines=0&limitBytes=5`), "200 ", follow);
  }
});

Deno.test("a number of a log request that is none is refused", async () => {
  await using server = await talkingPod();
  const url = "https://embedded.invalid/api/v1/namespaces/default/pods/web/log?tailLines=all";
  const response = await server.fetch(new Request(url));
  const { code, message } = await response.json();
  assert.deepEqual([code, message], [
    400,
    'strconv.ParseInt: parsing "all": invalid syntax',
  ]);
});
