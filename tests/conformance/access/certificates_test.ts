import assert from "node:assert/strict";
import { untilAllowed } from "./access.ts";
import { REQUEST } from "../kinds/every_kind_bodies.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);
const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const as = (user: string, group = "system:authenticated") => ({
  headers: { "impersonate-user": user, "impersonate-group": group },
});
const SOMEBODY = as("somebody", "system:masters");
/** A request of the group `system:masters`. */
const MASTER_REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZ01JR0hBZ0VBTUNVeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFEREFGaApNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVkMmtYcmVXK01yZFlPUStGU2ZjZ1JoQWNMSGE1CmQrRHY5TDNYb3JFdEZtSlR3d0F2WU9uR0Evd0RLNldwYytFN1I1VlBsNEd4MmhVUVk2L1ZYTUdjb2FBQU1Bb0cKQ0NxR1NNNDlCQU1DQTBnQU1FVUNJUUM4NTB1amNWYTh2anVjQ3lZVmdybkZoclcxMVRyNk95c2owZ2VXWlgxTgpKQUlnSVY0dUxCN0U5eWdjNXZJRHNZVGZLVW5XVWVJRHo5RXhWTm1EQmppcW9DWT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
/** The request {@linkcode REQUEST} with one changed byte of its signature. */
const FORGED_REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJIZHBGNjNsdmpLM1dEa1BoVW4zSUVZUUhDeDJ1WGZnNy9TOTE2S3hMUlppVThNQUwyRHB4Z1A4QXl1bHFYUGhPMGVWVDVlQnNkb1ZFR092MVZ6Qm5LR2dBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBanludDFKUlVGcEpNTnZUR0RIOFRmalZ3UHlMNWk5R2l4c0EwQTlDR2Z3RUNJQXZUQk45ZHB4NkFReVZZc3Q5bkIyemRrUWZKMUVYY09hcUtuRm5lRHBkOAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
/** A certificate that signs itself. */
const CERTIFICATE =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJiakNDQVJXZ0F3SUJBZ0lVRngzQnkyYm91RVdzN3BiMGlhVzRUemZGZkk4d0NnWUlLb1pJemowRUF3SXcKRERFS01BZ0dBMVVFQXd3QllUQWdGdzB5TmpFeE1qRXhORFUzTVRaYUdBOHlNVEkyTVRBeU9ERTBOVGN4TmxvdwpEREVLTUFnR0ExVUVBd3dCWVRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBMElBQkhkcEY2M2x2akszCldEa1BoVW4zSUVZUUhDeDJ1WGZnNy9TOTE2S3hMUlppVThNQUwyRHB4Z1A4QXl1bHFYUGhPMGVWVDVlQnNkb1YKRUdPdjFWekJuS0dqVXpCUk1CMEdBMVVkRGdRV0JCUmNKZ1doRjI4dUdUYy8rRGtxeDlXM3BEZUpzREFmQmdOVgpIU01FR0RBV2dCUmNKZ1doRjI4dUdUYy8rRGtxeDlXM3BEZUpzREFQQmdOVkhSTUJBZjhFQlRBREFRSC9NQW9HCkNDcUdTTTQ5QkFNQ0EwY0FNRVFDSUFEWXMwVEVjeEpaT01XZTl4MFJzUlRjRG1MSW9hdmFZelZTNkFjeHk1QVoKQWlBbmdOOWU3Tk5QU09OaHFuK0VpR3pDVVFjQUU4UkFvUUFMUVB2K1pZS2VaQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";
/** A time far from the present, which no time of the run equals. */
const THEN = "2020-01-02T03:04:05Z";

function request(name: string, spec: Record<string, unknown> = {}): Record<string, unknown> {
  const usual = { request: REQUEST, signerName: "example.com/a", usages: ["digital signature"] };
  return { metadata: { name }, spec: { ...usual, ...spec } };
}

/** Creates a request, and deletes it at the end of the case. */
async function made(t: Target, spec?: Record<string, unknown>): Promise<string> {
  const name = t.unique("csr");
  const { code, body } = await t.post(REQUESTS, request(name, spec), SOMEBODY);
  assert.equal(code, 201, body.message);
  return `${REQUESTS}/${name}`;
}

/** Changes the status by one endpoint. */
async function change(
  t: Target,
  path: string,
  endpoint: "approval" | "status",
  status: Record<string, unknown>,
  options = {},
): Promise<Answer> {
  return await t.patch("merge", `${path}/${endpoint}`, { status }, options);
}

const approved = { type: "Approved", status: "True", reason: "a", message: "m" };
const denied = { ...approved, type: "Denied" };
const failed = { ...approved, type: "Failed" };

conformance("a certificate request says who made it, whatever it says itself", async (t) => {
  const path = await made(t, { username: "other", uid: "1", groups: ["g"], extra: { a: ["b"] } });
  const { body } = await t.get(path);
  assert.equal(body.spec.username, "somebody");
  await t.patch("merge", path, { spec: { usages: ["any"] }, status: { conditions: [approved] } });
  await t.delete(path);
});

conformance("a certificate request is approved by its own endpoint", async (t) => {
  t.managedFields = true;
  const path = await made(t);
  const { body } = await change(t, path, "approval", { conditions: [approved], certificate: "" });
  assert.ok(body.status.conditions[0].lastTransitionTime);
  await t.get(`${path}/approval`);
  await t.get(`${path}/status`);
  const later = { ...approved, message: "n" };
  await change(t, path, "approval", { conditions: [later] });
  await t.delete(path);
});

conformance("a decision on a certificate request stays", async (t) => {
  const path = await made(t);
  await change(t, path, "approval", { conditions: [{ ...approved, lastUpdateTime: THEN }] });
  await change(t, path, "approval", { conditions: [] });
  await change(t, path, "approval", { conditions: [approved, denied] });
  await change(t, path, "status", { conditions: [] });
  await change(t, path, "status", { conditions: [{ ...approved, message: "other" }] });
  await t.delete(path);
});

conformance("who writes the status of a certificate request decides nothing", async (t) => {
  const path = await made(t);
  assert.equal((await change(t, path, "status", { conditions: [approved] })).code, 422);
  await change(t, path, "status", { conditions: [{ type: "Other", status: "Unknown" }] });
  await change(t, path, "status", { conditions: [failed] });
  await change(t, path, "status", { conditions: [] });
  await t.delete(path);
});

conformance("a certificate is issued once", async (t) => {
  const path = await made(t);
  assert.equal((await change(t, path, "approval", { certificate: CERTIFICATE })).code, 200);
  await change(t, path, "status", { certificate: btoa("nothing") });
  await change(t, path, "status", { certificate: REQUEST });
  const { body } = await change(t, path, "status", { certificate: CERTIFICATE });
  assert.equal(body.status.certificate, CERTIFICATE);
  await change(t, path, "status", { certificate: null });
  await t.delete(path);
});

conformance("conditions of certificate requests have a status", async (t) => {
  const path = await made(t);
  const conditions = [
    { ...approved, status: "False" },
    { type: "Other" },
    { type: "Other", status: "X" },
    { type: "", status: "True" },
  ];
  assert.equal((await change(t, path, "approval", { conditions })).code, 422);
  await t.delete(path);
});

conformance("a certificate request is signed by the key in it", async (t) => {
  for (const each of [FORGED_REQUEST, CERTIFICATE, btoa("nothing"), ""]) {
    const name = t.unique("csr");
    const { code } = await t.post(REQUESTS, request(name, { request: each }), SOMEBODY);
    assert.equal(code, 422);
  }
});

conformance("what a certificate request asks for is known", async (t) => {
  const wrong = [
    { usages: [] },
    { usages: ["any", "other", "any"] },
    { signerName: "kubernetes.io/legacy-unknown" },
    { signerName: "example" },
    { signerName: "example/A.b" },
    { signerName: "" },
    { expirationSeconds: 599 },
  ];
  for (const spec of wrong) {
    const { code } = await t.post(REQUESTS, request(t.unique("csr"), spec), SOMEBODY);
    assert.equal(code, 422);
  }
});

conformance("certificate requests are selected by their signer", async (t) => {
  const signer = t.unique("signer");
  const path = await made(t, { signerName: `example.com/${signer}` });
  const { body } = await t.get(`${REQUESTS}?fieldSelector=spec.signerName=example.com/${signer}`);
  assert.equal(body.items.length, 1);
  await t.delete(path);
});

conformance("no certificate makes a master", async (t) => {
  const spec = { request: MASTER_REQUEST, signerName: "kubernetes.io/kube-apiserver-client" };
  const { code } = await t.post(REQUESTS, request(t.unique("csr"), spec), SOMEBODY);
  assert.equal(code, 403);
});

conformance("who decides may do so for the signer", async (t) => {
  const path = await made(t);
  const role = t.unique("role");
  const user = t.unique("user");
  const rules = [{
    apiGroups: ["certificates.k8s.io"],
    resources: ["certificatesigningrequests/approval", "certificatesigningrequests/status"],
    verbs: ["patch", "update"],
  }];
  await t.post(`${RBAC}/clusterroles`, { metadata: { name: role }, rules }, { unrecorded: true });
  await t.post(`${RBAC}/clusterrolebindings`, {
    metadata: { name: role },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
  }, { unrecorded: true });
  const resource = "certificatesigningrequests";
  const asked = { group: "certificates.k8s.io", resource, namespace: "" };
  for (const subresource of ["approval", "status"]) {
    for (const verb of ["patch", "update"]) {
      await untilAllowed(t, user, { ...asked, subresource, verb });
    }
  }
  const refused = await change(t, path, "approval", { conditions: [approved] }, as(user));
  assert.equal(refused.code, 403);
  await change(t, path, "status", { certificate: CERTIFICATE }, as(user));
  await change(t, path, "status", {}, as(user));
  await t.delete(`${RBAC}/clusterrolebindings/${role}`, undefined, { unrecorded: true });
  await t.delete(`${RBAC}/clusterroles/${role}`, undefined, { unrecorded: true });
  await t.delete(path);
});
