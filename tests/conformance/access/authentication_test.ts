/** Tests of authentication: impersonation, tokens of service accounts, and the reviews of both. */
import assert from "node:assert/strict";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import { until } from "../../support/until.ts";
import { as, quiet } from "./access.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const V1 = "/apis/authentication.k8s.io/v1";

function whoAmI(t: Target, headers: Record<string, string>): Promise<Answer> {
  return t.post(`${V1}/selfsubjectreviews`, {}, { headers });
}

conformance("an impersonated user", async (t) => {
  await whoAmI(t, { "Impersonate-User": "jane" });
});

conformance("an impersonated user in a group", async (t) => {
  await whoAmI(t, { "Impersonate-User": "jane", "Impersonate-Group": "developers" });
});

conformance("an impersonated user with an identity and extra fields", async (t) => {
  await whoAmI(t, {
    "Impersonate-User": "jane",
    "Impersonate-Uid": "1234",
    "Impersonate-Extra-Scopes": "view",
    "Impersonate-Extra-Example.org%2Fteam": "blue",
  });
});

conformance("an impersonated service account is in the groups of its namespace", async (t) => {
  await whoAmI(t, { "Impersonate-User": `system:serviceaccount:${t.namespace}:robot` });
});

conformance("an impersonated service account with a group is in that alone", async (t) => {
  const user = `system:serviceaccount:${t.namespace}:robot`;
  await whoAmI(t, { "Impersonate-User": user, "Impersonate-Group": "robots" });
});

conformance("an impersonated nobody", async (t) => {
  await whoAmI(t, { "Impersonate-User": "system:anonymous" });
});

conformance("an impersonated user that is said not to be authenticated", async (t) => {
  await whoAmI(t, { "Impersonate-User": "jane", "Impersonate-Group": "system:unauthenticated" });
});

conformance("a group, an identity or an extra field without a user is refused", async (t) => {
  await whoAmI(t, { "Impersonate-Group": "developers" });
  await whoAmI(t, { "Impersonate-Uid": "1234" });
  await whoAmI(t, { "Impersonate-Extra-Scopes": "view" });
  await whoAmI(t, { "Impersonate-Group": "developers", "Impersonate-Extra-Scopes": "view" });
});

conformance("an impersonated user has their own rights", async (t) => {
  await t.get(t.path("secrets"), as("jane"));
});

conformance("what an impersonated user writes is theirs", async (t) => {
  t.managedFields = true;
  const admin = as("jane", "system:masters");
  const object = { metadata: { name: "a" }, data: { a: "b" } };
  const { code } = await t.post(t.path("configmaps?fieldManager=me"), object, admin);
  assert.equal(code, 201);
});

/** Creates a service account, and waits until the token authenticator knows it. */
async function robot(t: Target): Promise<void> {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "robot" } }, quiet);
}

function hideTokens(t: Target): void {
  t.mask(/\bey[\w-]+\.[\w-]+\.[\w-]+/g, "<token>");
}

async function tokenFor(t: Target, spec: Record<string, unknown> = {}): Promise<string> {
  const path = t.path("serviceaccounts/robot/token");
  const { code, body } = await t.post(path, { spec }, quiet);
  assert.equal(code, 201, JSON.stringify(body));
  return body.status.token;
}

async function review(t: Target, token: string, audiences?: string[]): Promise<Answer> {
  hideTokens(t);
  const spec = { token, ...(audiences && { audiences }) };
  return await t.post(`${V1}/tokenreviews`, { spec });
}

/** Reviews, unrecorded, until the real server has heard of what was made. */
async function untilKnown(t: Target, token: string, audiences?: string[]): Promise<void> {
  await until(() => holds(t, token, audiences), "that the token holds");
}

async function holds(t: Target, token: string, audiences?: string[]): Promise<boolean> {
  const spec = { token, ...(audiences && { audiences }) };
  const { body } = await t.post(`${V1}/tokenreviews`, { spec }, quiet);
  return body.status?.authenticated === true;
}

/**
 * Tokens of one kind, for a case in which they end: the real server keeps what it found of a token for
 * some seconds, so each is asked about once.
 */
async function manyTokens(t: Target, spec: Record<string, unknown> = {}): Promise<string[]> {
  return await Promise.all(Array.from({ length: 25 }, () => tokenFor(t, spec)));
}

/**
 * Reviews one token after the other until one is invalid, and returns a token that was not
 * reviewed. The pauses grow, so that the tokens last for most of a minute.
 */
async function untilOver(t: Target, tokens: string[]): Promise<string> {
  let pauseMs = 100;
  while (await holds(t, tokens.pop()!)) {
    assert(tokens.length > 1, "the tokens still hold");
    await delay(pauseMs);
    pauseMs *= 1.22;
  }
  return tokens.pop()!;
}

conformance("the token of a service account", async (t) => {
  await robot(t);
  const token = await tokenFor(t);
  await untilKnown(t, token);
  const { body } = await review(t, token);
  assert.equal(body.status.authenticated, true);
});

conformance("a token for another audience", async (t) => {
  await robot(t);
  const token = await tokenFor(t, { audiences: ["vault", "other"] });
  await untilKnown(t, token, ["vault"]);
  assert.equal((await review(t, token, ["vault", "mine"])).body.status.authenticated, true);
  assert.notEqual((await review(t, token)).body.status.authenticated, true);
  assert.notEqual((await review(t, token, ["mine"])).body.status.authenticated, true);
});

conformance("the token of a service account that is gone", async (t) => {
  await robot(t);
  const tokens = await manyTokens(t);
  await t.delete(t.path("serviceaccounts/robot"), undefined, quiet);
  const token = await untilOver(t, tokens);
  assert.notEqual((await review(t, token)).body.status.authenticated, true);
});

conformance("the token of a service account that was made anew", async (t) => {
  await robot(t);
  const tokens = await manyTokens(t);
  await t.delete(t.path("serviceaccounts/robot"), undefined, quiet);
  await robot(t);
  await untilKnown(t, await tokenFor(t));
  const token = await untilOver(t, tokens);
  assert.notEqual((await review(t, token)).body.status.authenticated, true);
});

conformance("a token that is bound to a secret ends with it", async (t) => {
  await robot(t);
  await t.post(t.path("secrets"), { metadata: { name: "s" } }, quiet);
  const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: "s" };
  const tokens = await manyTokens(t, { boundObjectRef });
  const first = tokens.pop()!;
  await untilKnown(t, first);
  assert.equal((await review(t, first)).body.status.authenticated, true);
  await t.delete(t.path("secrets/s"), undefined, quiet);
  const token = await untilOver(t, tokens);
  assert.notEqual((await review(t, token)).body.status.authenticated, true);
});

conformance("a token that is bound to a pod tells of it", async (t) => {
  await robot(t);
  const pod = {
    metadata: { name: "p" },
    spec: { serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] },
  };
  await t.post(t.path("pods"), pod, quiet);
  const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p" };
  const token = await tokenFor(t, { boundObjectRef });
  await untilKnown(t, token);
  assert.equal((await review(t, token)).body.status.authenticated, true);
});

conformance("a token that nobody here signed", async (t) => {
  const part = (value: unknown): string =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({
      alphabet: "base64url",
      omitPadding: true,
    });
  const claims = { iss: "https://kubernetes.default.svc", aud: ["x"], sub: "y" };
  await review(t, "opaque");
  await review(t, `${part({ alg: "ES256" })}.${part({ ...claims, iss: "x" })}.${part("")}`);
  await review(t, `${part({ alg: "ES256", kid: "none" })}.${part(claims)}.${part("")}`);
});

conformance("a token whose claims were changed", async (t) => {
  await robot(t);
  const token = await tokenFor(t);
  await untilKnown(t, token);
  const [header, , signature] = token.split(".");
  const claims = JSON.parse(atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")));
  const changed = btoa(JSON.stringify({ ...claims, exp: claims.exp + 1 })).replace(/=+$/, "");
  const forged = `${header}.${changed.replace(/\+/g, "-").replace(/\//g, "_")}.${signature}`;
  assert.notEqual((await review(t, forged)).body.status.authenticated, true);
});

conformance("a token that is encoded otherwise, or whose algorithm was changed", async (t) => {
  await robot(t);
  t.mask(/^\s?ey[^]*/g, "<token>");
  const token = await tokenFor(t);
  await untilKnown(t, token);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const { kid } = JSON.parse(new TextDecoder().decode(bytesOf(header)));
  const withHeader = (fields: unknown): string => `${base64Url(JSON.stringify(fields))}.${payload}`;
  const encodings = [
    `${token}=`,
    `${token}==`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}=.${signature}`,
    `${token}\n`,
    ` ${token}`,
    `${header}.${payload}.${broken(signature, "\n")}`,
    `${header}.${payload}.${broken(signature, "\t")}`,
    `${header}.${payload}.${broken(signature, " ")}`,
    `${header}.${broken(payload, "\n")}.${signature}`,
    `${header}.${broken(payload, "\t")}.${signature}`,
    `${broken(header, "\n")}.${payload}.${signature}`,
    `${header}.${payload}.${withOtherUnusedBits(signature)}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${token}.x`,
    `${withHeader({ alg: "none", kid })}.`,
    `${withHeader({ alg: "HS256", kid })}.${signature}`,
    `${withHeader({ kid })}.${signature}`,
    `${header}.${payload}.${base64Url("\0".repeat(bytesOf(signature).length))}`,
  ];
  for (const encoding of encodings) await review(t, encoding);
});

function broken(part: string, gap: string): string {
  return `${part.slice(0, 9)}${gap}${part.slice(9)}`;
}

function bytesOf(part: string): Uint8Array {
  return Uint8Array.fromBase64(part, { alphabet: "base64url" });
}

function base64Url(text: string): string {
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Returns base64 of the same bytes, which differs in the bits of the last digit that stand for none. */
function withOtherUnusedBits(part: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return part.slice(0, -1) + digits[digits.indexOf(part.at(-1)!) ^ 1];
}

conformance("a review of no token is refused", async (t) => {
  await t.post(`${V1}/tokenreviews`, { spec: {} });
});

conformance("a user without the right to review tokens", async (t) => {
  await t.post(`${V1}/tokenreviews`, { spec: { token: "x" } }, as("jane"));
});

conformance("who one is may be asked by everybody that is known", async (t) => {
  await t.get(`${V1}/selfsubjectreviews`, as("jane"));
  await t.post(`${V1}/selfsubjectreviews`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
  }, as("jane"));
});

conformance("the issuer of tokens says who it is and where its keys are", async (t) => {
  t.mask(/https:\/\/[^/]+(?=\/openid)/g, "https://<server>");
  t.mask(/^[\w-]{43}$/g, "<hash or coordinate>");
  const issuer = await t.get("/.well-known/openid-configuration");
  assert.equal(issuer.body.issuer, "https://kubernetes.default.svc");
  await t.get("/openid/v1/jwks");
});
