import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";

/** Returns the answer to the creation of an object while a webhook answers with the given fields. */
async function create(
  failurePolicy: string,
  answer: Record<string, unknown>,
  { kind = "MutatingWebhookConfiguration", version = "v1" } = {},
): Promise<{ code: number; body: { code?: number; message?: string; data?: unknown } }> {
  await using server = await ApiServer.start({
    controllers: false,
    callWebhook: ({ review }) => {
      const { uid } = (review as { request: { uid: string } }).request;
      const response = { uid, ...answer };
      return Promise.resolve({
        apiVersion: `admission.k8s.io/${version}`,
        kind: "AdmissionReview",
        response,
      });
    },
  });
  await server.seed([{
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "strange" },
    webhooks: [{
      name: "strange.test.dev",
      admissionReviewVersions: [version],
      sideEffects: "None",
      failurePolicy,
      clientConfig: { url: "https://webhook.invalid" },
      rules: [{
        apiGroups: [""],
        apiVersions: ["v1"],
        resources: ["configmaps"],
        operations: ["*"],
      }],
    }],
  }]);
  const url = "https://server.invalid/api/v1/namespaces/default/configmaps";
  const body = JSON.stringify({ metadata: { name: "a" } });
  const headers = { "Content-Type": "application/json" };
  const answered = await server.fetch(new Request(url, { method: "POST", headers, body }));
  return { code: answered.status, body: await answered.json() };
}

Deno.test("a webhook may refuse with a code that a Response cannot have", async () => {
  for (const code of [600, 999, 100_000]) {
    const answered = await create("Fail", { allowed: false, status: { code, message: "no" } });
    assert.equal(answered.code, 500);
    assert.equal(answered.body.code, code);
  }
});

Deno.test("a webhook patch that is not base64 is a failed call, which may be ignored", async () => {
  const answer = { allowed: true, patchType: "JSONPatch", patch: "!!!" };
  const failed = await create("Fail", answer);
  assert.equal(failed.code, 500);
  assert.match(
    failed.body.message!,
    /failed calling webhook "strange.test.dev": failed to call webhook: illegal base64 data at input byte 0/,
  );
  assert.equal((await create("Ignore", answer)).code, 201);
});

Deno.test("a null in the response of a webhook counts as an absent field", async () => {
  const validating = { kind: "ValidatingWebhookConfiguration" };
  for (const options of [{}, validating]) {
    const allowed = { allowed: true, patch: null, patchType: null, status: null, warnings: null };
    assert.equal((await create("Fail", allowed, options)).code, 201);
    const denied = await create("Fail", { allowed: false, status: null }, options);
    assert.equal(denied.code, 400);
    assert.match(denied.body.message!, /denied the request without explanation/);
  }
  const untyped = { allowed: true, patch: btoa("[]"), patchType: null };
  const failed = await create("Fail", untyped);
  assert.match(failed.body.message!, /response.patch but not response.patchType/);
});

Deno.test("the patch type of a v1beta1 response is ignored", async () => {
  const operation = { op: "add", path: "/data", value: { a: "b" } };
  const answer = { allowed: true, patch: btoa(JSON.stringify([operation])), patchType: "Merge" };
  const answered = await create("Fail", answer, { version: "v1beta1" });
  assert.deepEqual(answered.body.data, { a: "b" });
  const failed = await create("Fail", answer);
  assert.match(failed.body.message!, /unsupported patch type "Merge"/);
});
