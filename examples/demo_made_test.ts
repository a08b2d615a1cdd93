import assert from "node:assert/strict";
import { ApiError, type Client } from "@xca/operator/client";
import { ConfigMap, type KubeObject, Namespace, type ResourceType } from "@xca/operator/meta";
import { ApiServer, clientOf } from "@xca/operator/testing";
import { Made } from "./demo_made.ts";

/**
 * Returns a client of a cluster that accepts every object, and never deletes objects of one type.
 */
function clusterThatKeeps(kept: ResourceType | undefined): Client {
  return {
    create: (_type: ResourceType, object: KubeObject) => Promise.resolve(object),
    delete: (type: ResourceType) =>
      type === kept
        ? Promise.reject(new ApiError({ status: { code: 403, message: "no" } }))
        : Promise.resolve(),
  } as unknown as Client;
}

async function madeOn(client: Client): Promise<Made> {
  const made = new Made(client);
  await made.create(Namespace, { metadata: { name: "shop" } });
  await made.create(ConfigMap, { metadata: { name: "a", namespace: "shop" } });
  await made.create(ConfigMap, { metadata: { name: "b", namespace: "shop" } });
  return made;
}

Deno.test("objects that could not be removed are named: a namespace for all its objects, else each object", async () => {
  const all = await madeOn(clusterThatKeeps(undefined));
  assert.equal(all.remedy, "kubectl delete namespaces/shop");
  await all.takeAway();
  assert(all.isEmpty);
  const objects = await madeOn(clusterThatKeeps(ConfigMap));
  await assert.rejects(objects.takeAway(), AggregateError);
  assert.equal(objects.remedy, "kubectl delete -n shop configmaps/b configmaps/a");
});

Deno.test("an object that takes the name of a created one is not removed", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server);
  const made = new Made(client);
  const metadata = { name: "a", namespace: "default" };
  await made.create(ConfigMap, { metadata });
  await client.delete(ConfigMap, "default/a");
  const { metadata: { uid } } = await client.create(ConfigMap, { metadata });
  await made.takeAway();
  assert(made.isEmpty);
  assert.equal((await client.get(ConfigMap, "default/a")).metadata.uid, uid);
});
