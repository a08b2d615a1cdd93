import assert from "node:assert/strict";
import { livingCluster } from "../../../tests/support/in_process/living_cluster.ts";
import { CustomResourceDefinition, ResourceQuota, resourceType } from "@xca/apimachinery/meta";

const Widget = resourceType({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
});

Deno.test("custom resources are counted, those of a definition that comes later too, and free their quota", async () => {
  await using cluster = await livingCluster({ nodes: 0 });
  const { client } = cluster;
  const used = async (): Promise<unknown> =>
    (await client.get(ResourceQuota, "default/quota")).status?.used;
  await client.create(ResourceQuota, {
    metadata: { name: "quota", namespace: "default" },
    spec: { hard: { "count/widgets.example.com": "2" } },
  });
  await cluster.pass(1);
  assert.equal(await used(), undefined);
  await client.create(CustomResourceDefinition, {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      }],
    },
  });
  await cluster.pass(31);
  assert.deepEqual(await used(), { "count/widgets.example.com": "0" });
  for (const name of ["a", "b"]) {
    await client.create(Widget, { metadata: { name, namespace: "default" } });
  }
  const third = client.create(Widget, { metadata: { name: "c", namespace: "default" } });
  await assert.rejects(third, /exceeded quota: quota, requested: count\/widgets.example.com=1/);
  await client.delete(Widget, "default/a");
  await cluster.pass(31);
  assert.deepEqual(await used(), { "count/widgets.example.com": "1" });
  await client.create(Widget, { metadata: { name: "c", namespace: "default" } });
});
