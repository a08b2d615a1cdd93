import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { container, pod, type Some } from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url, {
  apiserverFlags: ["--disable-admission-plugins="],
  enableAdmissionPlugins: ["ServiceAccount"],
});

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const ENFORCED = { "kubernetes.io/enforce-mountable-secrets": "true" };
const MIRROR = { "kubernetes.io/config.mirror": "abc" };

function createAccount(t: Target, name: string, more: Some = {}): Promise<Answer> {
  const { metadata = {}, ...fields } = more as { readonly metadata?: Some };
  return t.post(t.path("serviceaccounts"), { metadata: { name, ...metadata }, ...fields });
}

/** Creates a pod; the random name of its token volume is hidden. */
async function createPod(t: Target, spec: Some = {}, metadata: Some = {}): Promise<Answer> {
  t.mask(/kube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-#####");
  return await t.post(t.path("pods"), pod(spec, metadata));
}

/** Creates a pod, and checks that it is refused with a text. */
async function assertRefused(t: Target, why: RegExp, spec: Some, metadata?: Some): Promise<void> {
  const { code, body } = await createPod(t, spec, metadata);
  assert.equal(code, 403, JSON.stringify(body));
  assert.match(body.message, why);
}

conformance("a pod gets the account default and a volume with its token", async (t) => {
  await createAccount(t, "default");
  const { code, body } = await createPod(t, { initContainers: [container({ name: "i" })] });
  assert.equal(code, 201, JSON.stringify(body));
  assert.equal(body.spec.serviceAccountName, "default");
  assert.equal(body.spec.containers[0].volumeMounts[0].mountPath, MOUNT_PATH);
});

conformance("a pod without a name gets a token too", async (t) => {
  await createAccount(t, "default");
  t.mask(/\bp-[a-z0-9]{5}\b/g, "p-#####");
  const { code } = await createPod(t, {}, { name: "", generateName: "p-" });
  assert.equal(code, 201);
});

conformance("a dry run of a pod gets an account and stores nothing", async (t) => {
  await createAccount(t, "default");
  t.mask(/kube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-#####");
  const { code, body } = await t.post(`${t.path("pods")}?dryRun=All`, pod());
  assert.equal(code, 201);
  assert.equal(body.spec.serviceAccountName, "default");
  assert.equal((await t.get(t.path("pods"))).body.items.length, 0);
});

conformance("a pod of an account that does not exist is refused", async (t) => {
  await createAccount(t, "default");
  await assertRefused(t, /serviceaccount "robot" not found$/, { serviceAccountName: "robot" });
});

conformance("a pod in a namespace without the account default is refused", async (t) => {
  await assertRefused(t, /serviceaccount "default" not found$/, {});
});

conformance("the deprecated field of the account's name counts", async (t) => {
  await createAccount(t, "robot");
  const { body } = await createPod(t, { serviceAccount: "robot" });
  assert.equal(body.spec.serviceAccountName, "robot");
});

conformance("an account or a pod opts out of the token, and the pod decides", async (t) => {
  await createAccount(t, "default", { automountServiceAccountToken: false });
  const { body } = await createPod(t);
  assert.equal(body.spec.volumes, undefined);
  const mounted = await createPod(t, { automountServiceAccountToken: true }, { name: "q" });
  assert.equal(mounted.body.spec.volumes.length, 1);
  await createAccount(t, "robot");
  const spec = { serviceAccountName: "robot", automountServiceAccountToken: false };
  const bare = await createPod(t, spec, { name: "r" });
  assert.equal(bare.body.spec.volumes, undefined);
});

conformance("a container that mounts something at the token's path keeps it", async (t) => {
  await createAccount(t, "default");
  const volumeMounts = [{ name: "own", mountPath: MOUNT_PATH }];
  const volumes = [{ name: "own", emptyDir: {} }];
  const { body } = await createPod(t, { containers: [container({ volumeMounts })], volumes });
  assert.equal(body.spec.volumes.length, 1);
  const containers = [container({ volumeMounts }), container({ name: "d" })];
  const both = await createPod(t, { containers, volumes }, { name: "q" });
  assert.equal(both.body.spec.volumes.length, 2);
});

conformance("a volume whose name has the prefix of token volumes is mounted", async (t) => {
  await createAccount(t, "default");
  const { body } = await createPod(t, { volumes: [{ name: "kube-api-access-own", emptyDir: {} }] });
  assert.equal(body.spec.volumes.length, 1);
  assert.equal(body.spec.containers[0].volumeMounts[0].name, "kube-api-access-own");
});

conformance("a pod without image pull secrets gets those of its account", async (t) => {
  await createAccount(t, "default", { imagePullSecrets: [{ name: "a" }, { name: "b" }] });
  const { body } = await createPod(t);
  assert.equal(body.spec.imagePullSecrets.length, 2);
  const own = await createPod(t, { imagePullSecrets: [{ name: "c" }] }, { name: "q" });
  assert.deepEqual(own.body.spec.imagePullSecrets, [{ name: "c" }]);
});

conformance("a mirror pod gets no account, and may not refer to one", async (t) => {
  await createAccount(t, "default");
  const onNode = { nodeName: "n" };
  const metadata = { annotations: MIRROR };
  const { code, body } = await createPod(t, onNode, metadata);
  assert.equal(code, 201, JSON.stringify(body));
  assert.equal(body.spec.serviceAccountName, undefined);
  const account = { ...onNode, serviceAccountName: "default" };
  await assertRefused(t, /a mirror pod may not reference service accounts$/, account, metadata);
});

conformance("a mirror pod may not refer to Secrets and tokens", async (t) => {
  const metadata = { annotations: MIRROR };
  const secretRef = { name: "a" };
  const token = { sources: [{ serviceAccountToken: { path: "token" } }] };
  for (
    const spec of [
      { imagePullSecrets: [secretRef] },
      { containers: [container({ envFrom: [{ secretRef }] })] },
      { initContainers: [container({ name: "i", envFrom: [{ secretRef }] })] },
      { volumes: [{ name: "v", secret: { secretName: "a" } }] },
      { volumes: [{ name: "v", projected: { sources: [{ secret: secretRef }] } }] },
      { volumes: [{ name: "v", projected: token }] },
      { volumes: [{ name: "v", csi: { driver: "d", nodePublishSecretRef: secretRef } }] },
    ]
  ) {
    await assertRefused(t, /a mirror pod may not/, { nodeName: "n", ...spec }, metadata);
  }
});

conformance("an account that enforces mountable secrets limits its pods to them", async (t) => {
  await createAccount(t, "default", {
    metadata: { annotations: ENFORCED },
    secrets: [{ name: "known" }],
    imagePullSecrets: [{ name: "pull" }],
  });
  const key = (name: string) => ({
    env: [{ name: "E", valueFrom: { secretKeyRef: { name, key: "k" } } }],
  });
  const from = (name: string) => ({ envFrom: [{ secretRef: { name } }] });
  const volume = (secretName: string) => ({ name: "v", secret: { secretName } });
  const known = {
    containers: [container({ ...key("known"), ...from("known") })],
    volumes: [volume("known")],
    imagePullSecrets: [{ name: "pull" }],
  };
  assert.equal((await createPod(t, known, { name: "known" })).code, 201);
  for (
    const spec of [
      { containers: [container(key("other"))] },
      { containers: [container(from("other"))] },
      { initContainers: [container({ name: "i", ...key("other") })] },
      { initContainers: [container({ name: "i", ...from("other") })] },
      { volumes: [volume("other")] },
      { imagePullSecrets: [{ name: "pull" }, { name: "other" }] },
    ]
  ) {
    await assertRefused(t, /because service account default does not reference that/, spec);
  }
});

conformance("an ephemeral container is limited to mountable secrets", async (t) => {
  await createAccount(t, "default", { metadata: { annotations: ENFORCED } });
  await createPod(t);
  const ephemeral = { name: "e", image: "nginx:1.29", envFrom: [{ secretRef: { name: "other" } }] };
  const patch = { spec: { ephemeralContainers: [ephemeral] } };
  const path = t.path("pods/p/ephemeralcontainers");
  const { code, body } = await t.patch("strategic", path, patch);
  assert.equal(code, 500, JSON.stringify(body));
  assert.match(body.message, /^ephemeral container e with envFrom/);
});

conformance("a change of a pod whose account is gone is accepted", async (t) => {
  await createAccount(t, "default");
  await createPod(t);
  await t.delete(t.path("serviceaccounts/default"));
  const labels = { a: "b" };
  assert.equal((await t.patch("merge", t.path("pods/p"), { metadata: { labels } })).code, 200);
});
