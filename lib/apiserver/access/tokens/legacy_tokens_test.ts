import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { LEGACY_ISSUER, signLegacyToken, TokenKey } from "@xca/apimachinery/internal/pki";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { generateSigningKey } from "@xca/apimachinery/pki";
import { Access, type AdmitNotes } from "../access.ts";
import { FakeRegistry } from "../fake_registry_test.ts";

const { privateKey } = await generateSigningKey();
const key = TokenKey.fromPem(privateKey);

const CLAIMS = {
  namespace: "shop",
  secretName: "robot-token",
  accountName: "robot",
  accountUid: "u1",
};
const TOKEN = signLegacyToken(key, CLAIMS);

const ACCOUNT = { group: "", resource: "serviceaccounts", namespace: "shop", name: "robot" };
const SECRET = { group: "", resource: "secrets", namespace: "shop", name: "robot-token" };

function account(more: object = {}): ApiObject {
  return { metadata: { name: "robot", namespace: "shop", uid: "u1" }, ...more };
}

function secret(token: string, labels: Record<string, string> = {}): ApiObject {
  const data = { token: new TextEncoder().encode(token).toBase64() };
  return { metadata: { name: "robot-token", namespace: "shop", uid: "u2", labels }, data };
}

/** Returns the access of a server that stores an account and the Secret of its token. */
async function fixture(
  { ofAccount = account(), ofSecret = secret(TOKEN) } = {},
): Promise<{ access: Access; registry: FakeRegistry }> {
  const registry = new FakeRegistry();
  const access = new Access({
    registry: () => registry,
    clock: new FakeClock(),
    random: seededRandom(1),
    signingKey: privateKey,
  });
  await registry.create(ACCOUNT, ofAccount);
  await registry.create(SECRET, ofSecret);
  return { access, registry };
}

Deno.test("a token that is stored in a Secret authenticates its service account", async () => {
  const { access, registry } = await fixture();
  const { user, audiences } = access.byToken(TOKEN);
  assert.deepEqual(user, {
    name: "system:serviceaccount:shop:robot",
    uid: "u1",
    groups: ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"],
  });
  assert.deepEqual(audiences, ["https://kubernetes.default.svc"]);
  assert.match(access.byToken(TOKEN, ["vault"]).error ?? "", /is invalid for the target audiences/);
  await registry.delete(SECRET);
  assert.match(access.byToken(TOKEN).error ?? "", /Token has been invalidated/);
});

Deno.test("the day of a stored token's last use is a label of its Secret", async () => {
  const { access, registry } = await fixture();
  access.byToken(TOKEN);
  await Promise.resolve();
  const { metadata } = (await registry.read(SECRET))!;
  assert.match(
    metadata.labels?.["kubernetes.io/legacy-token-last-used"] ?? "",
    /^\d{4}-\d\d-\d\d$/,
  );
});

Deno.test("a stored token that the service account lists is used with a warning", async () => {
  const { access } = await fixture({ ofAccount: account({ secrets: [{ name: "robot-token" }] }) });
  const notes: AdmitNotes = {};
  const headers = { authorization: `Bearer ${TOKEN}` };
  const request = new Request("https://server.invalid/api", { headers });
  assert.equal(access.authenticate(request, {}, notes).uid, "u1");
  assert.match(notes.warning ?? "", /^Use tokens from the TokenRequest API/);
});

Deno.test("a stored token is refused with kube-apiserver's reasons", async () => {
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const isDeleted = ({ metadata, ...fields }: ApiObject): ApiObject => ({
    ...fields,
    metadata: { ...metadata, deletionTimestamp },
  });
  const otherUid = { ...account(), metadata: { ...account().metadata, uid: "u3" } };
  const stored: [Parameters<typeof fixture>[0], RegExp][] = [
    [{ ofSecret: secret("other") }, /Token does not match server's copy/],
    [{ ofSecret: isDeleted(secret(TOKEN)) }, /Token has been invalidated/],
    [{ ofAccount: isDeleted(account()) }, /ServiceAccount shop\/robot has been deleted/],
    [{ ofAccount: otherUid }, /ServiceAccount UID \(u3\) does not match claim \(u1\)/],
    [
      { ofSecret: secret(TOKEN, { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" }) },
      /^\[invalid bearer token, the token in secret shop\/robot-token .* has been marked invalid\./,
    ],
  ];
  for (const [objects, reason] of stored) {
    const { access } = await fixture(objects);
    assert.match(access.byToken(TOKEN).error ?? "", reason);
  }
  const { access, registry } = await fixture();
  await registry.delete(ACCOUNT);
  assert.match(access.byToken(TOKEN).error ?? "", /serviceaccounts "robot" not found/);
});

Deno.test("the claims of a stored token must be complete texts", async () => {
  const { access } = await fixture();
  const prefix = "kubernetes.io/serviceaccount/";
  const full: Record<string, unknown> = {
    iss: LEGACY_ISSUER,
    sub: "system:serviceaccount:shop:robot",
    [`${prefix}namespace`]: "shop",
    [`${prefix}secret.name`]: "robot-token",
    [`${prefix}service-account.name`]: "robot",
    [`${prefix}service-account.uid`]: "u1",
  };
  const refused: [string, unknown, RegExp][] = [
    ["sub", "", /sub claim is missing/],
    ["sub", "system:serviceaccount:shop:other", /sub claim is invalid/],
    [`${prefix}namespace`, "", /namespace claim is missing/],
    [`${prefix}secret.name`, "", /secretName claim is missing/],
    [`${prefix}service-account.name`, "", /serviceAccountName claim is missing/],
    [`${prefix}service-account.uid`, "", /serviceAccountUID claim is missing/],
    [`${prefix}service-account.uid`, 1, /service-account.uid has another type/],
  ];
  for (const [claim, value, reason] of refused) {
    const token = key.sign({ ...full, [claim]: value } as never);
    assert.match(access.byToken(token).error ?? "", reason);
  }
  const { privateKey: strange } = await generateSigningKey();
  const forged = signLegacyToken(TokenKey.fromPem(strange), CLAIMS);
  assert.match(access.byToken(forged).error ?? "", /invalid signature, no keys found/);
});
