import assert from "node:assert/strict";
import { certificationRequest } from "../../../tests/support/network/certification_request.ts";
import { livingCluster } from "../../../tests/support/in_process/living_cluster.ts";
import { CertificateSigningRequest } from "@xca/apimachinery/meta";

const HOUR_S = 3600;

Deno.test("requests are deleted an hour after their decision, and after a day without one", async () => {
  await using cluster = await livingCluster({ nodes: 0 });
  const { client } = cluster;
  const names = async (): Promise<(string | undefined)[]> =>
    (await client.list(CertificateSigningRequest)).items.map(({ metadata }) => metadata.name);
  for (const [name, type] of [["approved", "Approved"], ["denied", "Denied"], ["pending", ""]]) {
    const { request } = await certificationRequest({ commonName: "jane" });
    const made = await client.create(CertificateSigningRequest, {
      metadata: { name: name! },
      spec: {
        request: btoa(request),
        signerName: "example.com/own",
        usages: ["client auth"],
      },
    });
    if (type === "") continue;
    const condition = { type, status: "True", reason: "Test", message: "decided" };
    await client.requestJson({
      method: "PUT",
      path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}/approval`,
      body: { ...made, status: { conditions: [condition] } },
    });
  }
  await cluster.clock.advance((HOUR_S - 10) * 1000);
  assert.deepEqual(await names(), ["approved", "denied", "pending"]);
  await cluster.clock.advance((20) * 1000);
  assert.deepEqual(await names(), ["approved", "pending"], "no certificate has followed yet");
  await cluster.clock.advance((23 * HOUR_S - 30) * 1000);
  assert.deepEqual(await names(), ["approved", "pending"]);
  await cluster.clock.advance((40) * 1000);
  assert.deepEqual(await names(), []);
});
