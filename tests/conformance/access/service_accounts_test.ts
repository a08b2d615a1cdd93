import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("of a service account's secrets only the names are kept", async (t) => {
  const secrets = [{ name: "a", namespace: "b", kind: "Secret" }, { uid: "c" }];
  const imagePullSecrets = [{ name: "d" }];
  const body = { metadata: { name: "a" }, secrets, imagePullSecrets };
  const { body: made } = await t.post(t.path("serviceaccounts"), body);
  assert.deepEqual(made.secrets, [{ name: "a" }, {}]);
  await t.patch("strategic", t.path("serviceaccounts/a"), { secrets: [{ name: "e", uid: "f" }] });
});

conformance("a service account that limits its secrets is warned of, once", async (t) => {
  const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a", annotations } });
  await t.patch("merge", t.path("serviceaccounts/a"), { automountServiceAccountToken: false });
});

conformance("a service account whose name is no DNS subdomain answers 422", async (t) => {
  const { code } = await t.post(t.path("serviceaccounts"), { metadata: { name: "A_b" } });
  assert.equal(code, 422);
});
