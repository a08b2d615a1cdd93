import assert from "node:assert/strict";
import { generateSigningKey } from "@xca/apimachinery/pki";
import type { V1Secret, V1TokenReview } from "@xca/apimachinery/kubernetes-types";
import { Secret, ServiceAccount, TokenReview } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { isNotFound } from "../../client/errors/api_error.ts";
import {
  type LivingCluster,
  livingCluster,
} from "../../../tests/support/in_process/living_cluster.ts";

const { privateKey } = await generateSigningKey();
const AUTHORITY = "certificates";
const NAME = "kubernetes.io/service-account.name";
const KEY = "default/token";

function startTokens(): Promise<LivingCluster> {
  return livingCluster({
    controllers: ["serviceaccount-token-controller", "serviceaccount-controller"],
    serviceAccountKey: privateKey,
    rootCa: AUTHORITY,
    nodes: 0,
  });
}

function tokenSecret(account = "default"): V1Secret {
  return {
    metadata: { name: "token", namespace: "default", annotations: { [NAME]: account } },
    type: "kubernetes.io/service-account-token",
  };
}

function textOf({ data }: V1Secret, name: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(data?.[name] ?? ""));
}

/**
 * Returns the name of the user that a token authenticates; `undefined` for a token that is refused.
 */
async function userOf({ client }: LivingCluster, token: string): Promise<string | undefined> {
  const review: V1TokenReview = { metadata: {}, spec: { token } };
  const { status } = await client.create(TokenReview, review);
  return status?.authenticated ? status.user?.username : undefined;
}

Deno.test("a Secret of a service account gets a token that authenticates while the Secret exists", async () => {
  await using cluster = await startTokens();
  const { client } = cluster;
  await client.create(Secret, tokenSecret());
  await cluster.pass(1);
  const secret = await client.get(Secret, KEY);
  const account = await client.get(ServiceAccount, "default/default");
  assert.equal(textOf(secret, "namespace"), "default");
  assert.equal(textOf(secret, "ca.crt"), AUTHORITY);
  assert.equal(
    secret.metadata.annotations?.["kubernetes.io/service-account.uid"],
    account.metadata.uid,
  );
  const token = textOf(secret, "token");
  assert.equal(await userOf(cluster, token), "system:serviceaccount:default:default");
  await client.delete(Secret, KEY);
  assert.equal(await userOf(cluster, token), undefined);
});

Deno.test("token, namespace and certificates of a Secret are written again when they are removed", async () => {
  await using cluster = await startTokens();
  const { client } = cluster;
  await client.create(Secret, tokenSecret());
  await cluster.pass(1);
  const { data } = await client.get(Secret, KEY);
  const emptied = { token: null, namespace: null, "ca.crt": "QUFB" };
  await client.patch(Secret, KEY, mergePatch({ data: emptied } as never));
  await cluster.pass(1);
  const again = await client.get(Secret, KEY);
  assert.deepEqual({ ...again.data, token: "" }, { ...data, token: "" });
  assert.equal(
    await userOf(cluster, textOf(again, "token")),
    "system:serviceaccount:default:default",
  );
});

Deno.test("a Secret of a service account that does not exist is deleted", async () => {
  await using cluster = await startTokens();
  const { client } = cluster;
  await client.create(Secret, tokenSecret("nobody"));
  await cluster.pass(1);
  await assert.rejects(client.get(Secret, KEY), isNotFound);
  await client.create(ServiceAccount, { metadata: { name: "robot", namespace: "default" } });
  await client.create(Secret, tokenSecret("robot"));
  await cluster.pass(1);
  assert.notEqual(textOf(await client.get(Secret, KEY), "token"), "");
  await client.delete(ServiceAccount, "default/robot");
  await cluster.pass(1);
  await assert.rejects(client.get(Secret, KEY), isNotFound);
});

Deno.test("the reference to a deleted token Secret is removed from its service account", async () => {
  await using cluster = await startTokens();
  const { client } = cluster;
  const metadata = { name: "robot", namespace: "default" };
  await client.create(ServiceAccount, { metadata, secrets: [{ name: "token" }, { name: "x" }] });
  await client.create(Secret, tokenSecret("robot"));
  await cluster.pass(1);
  await client.delete(Secret, KEY);
  await cluster.pass(1);
  const { secrets } = await client.get(ServiceAccount, "default/robot");
  assert.deepEqual(secrets, [{ name: "x" }]);
});
