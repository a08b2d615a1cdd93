import assert from "node:assert/strict";
import { ClusterTrustBundle } from "@xca/apimachinery/meta";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { livingCluster } from "../../../tests/support/in_process/living_cluster.ts";
import { TRUST_BUNDLE_PUBLISHER } from "./trust_bundle_publisher.ts";

const START = new Date("2025-12-31T00:00:00Z");
const SIGNER = "kubernetes.io/kube-apiserver-serving";

Deno.test("the bundle of the current certificates takes the place of the one of older ones", async () => {
  const [older, current] = await Promise.all(
    ["a", "b"].map((name) => CertificateAuthority.create(name, START, { days: 3650 })),
  );
  const controllers = [TRUST_BUNDLE_PUBLISHER];
  await using cluster = await livingCluster({ controllers, rootCa: current!.cert, nodes: 0 });
  const { client } = cluster;
  await client.create(ClusterTrustBundle, {
    metadata: { name: `${SIGNER.replace("/", ":")}:older` },
    spec: { signerName: SIGNER, trustBundle: older!.cert },
  });
  await cluster.pass(1);
  const specs = (await client.list(ClusterTrustBundle)).items.map(({ spec }) => spec);
  assert.deepEqual(specs, [{ signerName: SIGNER, trustBundle: current!.cert }]);
});

Deno.test("the trust bundle is not published without certificates", async () => {
  await using cluster = await livingCluster({ nodes: 0 });
  assert.deepEqual((await cluster.client.list(ClusterTrustBundle)).items, []);
});
