import assert from "node:assert/strict";
import { call } from "../../../../tests/support/in_process/call_server.ts";
import { ApiServer } from "../../server.ts";

Deno.test("the length of the ID of a node is counted in bytes, as in Kubernetes", async () => {
  using server = await ApiServer.start({ controllers: false });
  const create = async (name: string, nodeID: string): Promise<number> => {
    const spec = { drivers: [{ name: "csi.example.org", nodeID, topologyKeys: null }] };
    const object = { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name }, spec };
    return (await call(server, "POST", "/apis/storage.k8s.io/v1/csinodes", object)).code;
  };
  assert.equal(await create("a", "\u00e9".repeat(96)), 201);
  assert.equal(await create("b", "\u00e9".repeat(97)), 422);
});
