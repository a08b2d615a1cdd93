import assert from "node:assert/strict";
import { ConfigMap, type KubeObject } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/mod.ts";
import { recordedRun } from "../../../tests/support/in_process/recorded_run.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { applyObject } from "./apply_objects.ts";
import { ApplySet, PART_OF_LABEL } from "./apply_set.ts";

function config(name: string): KubeObject & { metadata: { name: string } } {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } };
}

Deno.test("prune() leaves a member alone that leaves the set just before its deletion", async () => {
  await using server = await ApiServer.start();
  using admin = clientOf(server);
  const changes = new Map([
    ["released", { labels: { [PART_OF_LABEL]: null } }],
    ["changed", { labels: { colour: "blue" } }],
  ]);
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      const name = request.method === "DELETE"
        ? new URL(request.url).pathname.split("/").at(-1)!
        : "";
      const change = changes.get(name);
      changes.delete(name);
      if (change) {
        await admin.patch(ConfigMap, `default/${name}`, mergePatch({ metadata: change }));
      }
      return await fetch(request);
    },
  });
  const { run, steps } = recordedRun(client);
  const place = { name: "shop", namespace: "default" };
  const first = await ApplySet.read(run, place);
  const objects = ["kept", "released", "changed", "plain"].map(config);
  await first.begin(objects);
  for (const object of first.labelled(objects)) await applyObject(run, object, ConfigMap, true);
  steps.length = 0;

  await (await ApplySet.read(run, place)).prune(objects.slice(0, 1));
  assert.equal(changes.size, 0);
  assert.deepEqual(steps, ["configmap/changed pruned", "configmap/plain pruned"]);
  const { items } = await admin.list(ConfigMap, { namespace: "default" });
  const names = items.map(({ metadata }) => metadata!.name);
  assert.deepEqual(names.filter((name) => name !== "kube-root-ca.crt"), [
    "kept",
    "released",
    "shop-applyset",
  ]);
});

Deno.test("delete() keeps the parent of a set to which another deployment has just added kinds", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server);
  const { run } = recordedRun(client);
  const place = { name: "shop", namespace: "default" };
  await (await ApplySet.read(run, place)).begin([config("a")]);
  const set = await ApplySet.read(run, place);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: config("b").metadata };
  await (await ApplySet.read(run, place)).begin([secret]);
  await assert.rejects(set.delete(), /another deployment/);
  const { metadata } = await client.get(ConfigMap, "default/shop-applyset");
  const kinds = metadata.annotations?.["applyset.kubernetes.io/contains-group-kinds"];
  assert.equal(kinds, "ConfigMap,Secret");

  const later = await ApplySet.read(run, place);
  await client.patch(
    ConfigMap,
    "default/shop-applyset",
    mergePatch({ metadata: { labels: { a: "b" } } }),
  );
  await later.delete();
  assert.equal((await ApplySet.read(run, place)).exists, false);
});
