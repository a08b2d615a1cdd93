import assert from "node:assert/strict";
import { ConfigMap, Namespace, ServiceAccount } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { isNotFound } from "../../client/errors/api_error.ts";
import { startCluster } from "../cluster.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { livingCluster } from "../../../tests/support/in_process/living_cluster.ts";

const PUBLISHER = "root-ca-certificate-publisher-controller";
const SIGNER = "certificatesigningrequest-signing-controller";
const CERTIFICATES = "kube-root-ca.crt";
const rootCa = "certificates";

Deno.test("each namespace has the certificates of the authority, also after changes", async () => {
  await using cluster = await livingCluster({ controllers: [PUBLISHER], rootCa, nodes: 0 });
  const { client } = cluster;
  await client.create(Namespace, { metadata: { name: "shop" } });
  await cluster.pass(1);
  const key = `shop/${CERTIFICATES}`;
  const published = await client.get(ConfigMap, key);
  assert.deepEqual(published.data, { "ca.crt": rootCa });
  const annotations = { "kubernetes.io/description": "" };
  const changed = { metadata: { annotations }, data: { "ca.crt": "other", more: "x" } };
  await client.patch(ConfigMap, key, mergePatch(changed));
  await cluster.pass(1);
  const { metadata, data } = await client.get(ConfigMap, key);
  assert.deepEqual([metadata.annotations, data], [published.metadata.annotations, published.data]);
  await client.delete(ConfigMap, key);
  await cluster.pass(1);
  assert.deepEqual((await client.get(ConfigMap, key)).data, { "ca.crt": rootCa });
  await client.get(ConfigMap, `kube-system/${CERTIFICATES}`);
});

Deno.test("each namespace has a service account default, until the namespace is deleted", async () => {
  const controllers = ["serviceaccount-controller"];
  await using cluster = await livingCluster({ controllers, nodes: 0 });
  const { client } = cluster;
  const finalizers = ["example.com/hold"];
  await client.create(Namespace, { metadata: { name: "shop" } });
  await cluster.pass(1);
  const { metadata } = await client.get(ServiceAccount, "shop/default");
  await client.delete(ServiceAccount, "shop/default");
  await cluster.pass(1);
  const again = await client.get(ServiceAccount, "shop/default");
  assert.notEqual(again.metadata.uid, metadata.uid);
  const held = { metadata: { name: "held", namespace: "shop", finalizers } };
  await client.create(ConfigMap, held);
  await client.delete(Namespace, "shop");
  await cluster.pass(20);
  assert.equal((await client.get(Namespace, "shop")).status?.phase, "Terminating");
  await assert.rejects(client.get(ServiceAccount, "shop/default"), isNotFound);
});

Deno.test("a controller that is named, but lacks an option, is refused", async () => {
  await using cluster = await livingCluster({ nodes: 0 });
  const { client } = cluster;
  await assert.rejects(
    startCluster({ client, controllers: [PUBLISHER] }),
    /^RangeError: Cannot start controller "root-ca-.*": it needs the certificates of .* give .*rootCa/,
  );
  await assert.rejects(
    startCluster({ client, controllers: ["serviceaccount-token-controller"] }),
    /^RangeError: Cannot start controller "service.*": it needs the key .* give .*serviceAccountKey/,
  );
  await assert.rejects(
    startCluster({ client, controllers: [SIGNER] }),
    /^RangeError: Cannot start controller "certificate.*": it needs the authority .* give .*clusterSigning/,
  );
});

Deno.test("a controller that is one of all, but lacks an option, is named in the log", async () => {
  await using log = await CollectedLog.start();
  await using _cluster = await livingCluster({ nodes: 0 });
  const texts = log.messages("info");
  for (const name of [PUBLISHER, SIGNER, "serviceaccount-token-controller"]) {
    assert(
      texts.some((text) => text.startsWith(`Controller ${name} does not run: it needs`)),
    );
  }
});
