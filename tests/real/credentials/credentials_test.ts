/** Every way to prove who one is, against a real API server, held against kubectl's answer. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { join } from "node:path";
import type { Client } from "../../../lib/client/typed/client.ts";
import { isUnauthorized } from "../../../lib/client/errors/api_error.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import { loadConfig } from "../../../lib/client/kubeconfig/load_config.ts";
import type { ConfigOverrides } from "../../../lib/client/config/config.ts";
import { CertificateAuthority, type PemPair } from "../../../lib/apimachinery/pki/mod.ts";
import type { ControlPlane } from "../../../lib/testing/plane/control_plane.ts";
import { FakeClock } from "../../../lib/testing/fake_clock.ts";
import { PluginScript } from "../../client/plugin_script.ts";
import { realSuite } from "../suite.ts";

/** The user that the server authenticates. */
interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const STATIC_TOKEN = "static-token-of-carol";
const folder = Deno.makeTempDirSync();
const issuerKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const issuerCa = await CertificateAuthority.create("issuer", new Date());
const issuer = startIssuer(await issuerCa.serving("idp", [], ["127.0.0.1"]));
Deno.writeTextFileSync(join(folder, "tokens.csv"), `${STATIC_TOKEN},carol,7,"singers,dancers"\n`);
Deno.writeTextFileSync(join(folder, "authentication.yaml"), authenticationConfig());
Deno.test.afterAll(async () => {
  await issuer.server.shutdown();
  Deno.removeSync(folder, { recursive: true });
});

const suite = realSuite({
  apiserverFlags: [
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    `--authentication-config=${join(folder, "authentication.yaml")}`,
  ],
});

suite.test("a static token, from kubeconfig, flag and file: kubectl's user", async (plane) => {
  await Deno.writeTextFile(join(folder, "token"), `${STATIC_TOKEN}\n`);
  for (const user of [{ token: STATIC_TOKEN }, { tokenFile: join(folder, "token") }]) {
    const info = await bothSay(plane, user);
    assert.equal(info.username, "carol");
    assert.deepEqual(info.groups, ["singers", "dancers", "system:authenticated"]);
  }
  const admin = {
    "client-certificate-data": btoa(plane.admin.cert),
    "client-key-data": btoa(plane.admin.key),
  };
  assert.equal((await bothSay(plane, admin)).username, "admin");
});

suite.test("F53 a token from an exec plugin: kubectl's user", async (plane) => {
  await using plugin = await PluginScript.printing({ token: STATIC_TOKEN });
  const info = await bothSay(plane, { exec: execOf(plugin) });
  assert.equal(info.username, "carol");
});

suite.test("a client certificate from an exec plugin: kubectl's user, and its successor without a restart", async (plane) => {
  const [alice, bob] = [await plane.addUser("alice", ["a"]), await plane.addUser("bob", ["b"])];
  const status = ({ cert, key }: PemPair) => ({ clientCertificateData: cert, clientKeyData: key });
  const clock = new FakeClock();
  await using plugin = await PluginScript.printing({
    ...status(alice),
    expirationTimestamp: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const user = { exec: execOf(plugin) };
  assert.equal((await bothSay(plane, user)).username, "alice");
  await plugin.print({
    ...status(alice),
    expirationTimestamp: new Date(clock.now().getTime() + 3_600_000).toISOString(),
  });
  using client = await clientOf(plane, user, {}, clock);
  assert.equal((await whoAmI(client)).username, "alice");
  await plugin.print(status(bob));
  clock.step(3_600_001);
  const info = await whoAmI(client);
  assert.deepEqual([info.username, info.groups], ["bob", ["b", "system:authenticated"]]);
});

suite.test("F52 a replaced service account token file: the next request after a 401 has the new token", async (plane) => {
  const account = `xca-${crypto.randomUUID().slice(0, 8)}`;
  using admin = createClient(plane.config);
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const post = <T>(path: string, body: unknown) =>
    admin.requestJson<T>({ method: "POST", path, body: body as Record<string, unknown> });
  const create = () => post(accounts, { metadata: { name: account } });
  const request = async (): Promise<string> =>
    (await post<{ status: { token: string } }>(`${accounts}/${account}/token`, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 600 },
    })).status.token;
  await create();
  const path = join(folder, "service-account-token");
  await Deno.writeTextFile(path, await request());
  const name = `system:serviceaccount:default:${account}`;
  assert.equal((await bothSay(plane, { tokenFile: path })).username, name);
  using client = await clientOf(plane, { tokenFile: path });
  assert.equal((await whoAmI(client)).username, name);
  // The account is made anew: tokens of the old one are refused from now on.
  await admin.requestJson({ method: "DELETE", path: `${accounts}/${account}` });
  await create();
  await untilRefused(plane, { tokenFile: path });
  await assert.rejects(whoAmI(client), (error) => isUnauthorized(error));
  await Deno.writeTextFile(path, await request());
  assert.equal((await whoAmI(client)).username, name);
});

suite.test("F52 a client certificate and key replaced on disk are used without a restart", async (plane) => {
  const [alice, bob] = [await plane.addUser("alice2", ["a"]), await plane.addUser("bob2", ["b"])];
  const write = ({ cert, key }: PemPair) =>
    Promise.all([
      Deno.writeTextFile(join(folder, "client.crt"), cert),
      Deno.writeTextFile(join(folder, "client.key"), key),
    ]);
  await write(alice);
  const user = {
    "client-certificate": join(folder, "client.crt"),
    "client-key": join(folder, "client.key"),
  };
  assert.equal((await bothSay(plane, user)).username, "alice2");
  const clock = new FakeClock();
  using client = await clientOf(plane, user, {}, clock);
  assert.equal((await whoAmI(client)).username, "alice2");
  await write(bob);
  clock.step(60_000);
  assert.equal((await whoAmI(client)).username, "bob2");
});

suite.test("a JSON Web Token of an issuer that the server is configured for: kubectl's user", async (plane) => {
  const info = await bothSay(plane, { token: webToken(issuer.url) });
  assert.equal(info.username, "oidc:dora");
  assert.deepEqual(info.groups, ["oidc:painters", "system:authenticated"]);
});

suite.test("I16 a legacy oidc login: kubectl's user", async (plane) => {
  const config = {
    "idp-issuer-url": issuer.url,
    "client-id": "kubernetes",
    "id-token": webToken(issuer.url),
  };
  const user = { "auth-provider": { name: "oidc", config } };
  const info = await kubectlSays(plane, user, []);
  assert.equal(info.username, "oidc:dora");
  assert.deepEqual(await saidInChild(plane, user), withoutChance(info));
});

suite.test("impersonation: user, groups apart, UID and extras, as with kubectl auth whoami", async (plane) => {
  const admin = {
    "client-certificate-data": btoa(plane.admin.cert),
    "client-key-data": btoa(plane.admin.key),
  };
  const overrides = { as: "jane", asGroups: ["one", "two, three", "four"], asUid: "42" };
  const flags = [
    "--as=jane",
    "--as-group=one",
    "--as-group=two, three",
    "--as-group=four",
    "--as-uid=42",
  ];
  const info = await bothSay(plane, admin, overrides, flags);
  assert.equal(info.username, "jane");
  assert.equal(info.uid, "42");
  assert.deepEqual(info.groups, ["one", "two, three", "four", "system:authenticated"]);
  const file = {
    ...admin,
    as: "joe",
    "as-groups": ["g"],
    "as-uid": "7",
    "as-user-extra": { "example.org/Role %": ["x", "y, z"], plain: ["p"] },
  };
  const extra = await bothSay(plane, file);
  assert.equal(extra.username, "joe");
  assert.deepEqual(extra.extra?.["example.org/role %"], ["x", "y, z"]);
});

suite.test("wrong credentials are refused for kubectl and this client, and never printed", async (plane) => {
  const canary = "c4n4ry-t0ken-nobody-knows";
  await using plugin = await PluginScript.printing({ token: canary });
  for (const user of [{ token: canary }, { exec: execOf(plugin) }]) {
    await assert.rejects(kubectlSays(plane, user, []));
    using client = await clientOf(plane, user);
    await assert.rejects(whoAmI(client), (error) => {
      assert.ok(isUnauthorized(error));
      assert.ok(!Deno.inspect(error, { depth: 20 }).includes(canary));
      return true;
    });
  }
});

/** Our answer, which must be kubectl's too. */
async function bothSay(
  plane: ControlPlane,
  user: Record<string, unknown>,
  overrides: ConfigOverrides = {},
  flags: readonly string[] = [],
): Promise<UserInfo> {
  using client = await clientOf(plane, user, overrides);
  const ours = await whoAmI(client);
  assert.deepEqual(withoutChance(ours), withoutChance(await kubectlSays(plane, user, flags)));
  return ours;
}

/** Returns the user of a program that may load the code of legacy logins. */
async function saidInChild(plane: ControlPlane, user: Record<string, unknown>): Promise<UserInfo> {
  const program = new URL("../../client_node/who_am_i.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, await kubeconfigOf(plane, user)],
    stderr: "inherit",
  }).output();
  return withoutChance(JSON.parse(new TextDecoder().decode(stdout)));
}

/** Returns user information without the fields that differ between connections or tokens. */
function withoutChance({ extra = {}, ...info }: UserInfo): UserInfo {
  const kept = Object.entries(extra).filter(([key]) => !key.includes("credential-id"));
  return { ...info, extra: Object.fromEntries(kept) };
}

async function whoAmI(client: Client): Promise<UserInfo> {
  const review = await client.requestJson<{ status: { userInfo: UserInfo } }>({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  return review.status.userInfo;
}

async function kubectlSays(
  plane: ControlPlane,
  user: Record<string, unknown>,
  flags: readonly string[],
): Promise<UserInfo> {
  const path = await kubeconfigOf(plane, user);
  const { success, stdout, stderr } = await new Deno.Command("kubectl", {
    args: [
      `--kubeconfig=${path}`,
      `--cache-dir=${folder}/cache`,
      "auth",
      "whoami",
      "-ojson",
      ...flags,
    ],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)).status.userInfo;
}

async function clientOf(
  plane: ControlPlane,
  user: Record<string, unknown>,
  overrides: ConfigOverrides = {},
  clock?: FakeClock,
): Promise<Client> {
  const config = await loadConfig({ ...overrides, kubeconfig: await kubeconfigOf(plane, user) });
  return createClient(config, { clock });
}

async function kubeconfigOf(plane: ControlPlane, user: Record<string, unknown>): Promise<string> {
  const cluster = { server: plane.url, "certificate-authority-data": btoa(plane.caData) };
  const path = join(folder, "kubeconfig");
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
    }),
  );
  return path;
}

function execOf(plugin: PluginScript): Record<string, unknown> {
  const { apiVersion, command, interactiveMode } = plugin.config();
  return { apiVersion, command, interactiveMode };
}

/** The server remembers for some seconds that a token was good. */
async function untilRefused(plane: ControlPlane, user: Record<string, unknown>): Promise<void> {
  for (;;) {
    using client = await clientOf(plane, user);
    const refused = await whoAmI(client).then(() => false, isUnauthorized);
    if (refused) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** An issuer of JSON Web Tokens: where its keys are, and its keys. */
function startIssuer(
  pair: PemPair,
): { readonly url: string; readonly server: Deno.HttpServer<Deno.NetAddr> } {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, cert: pair.cert, key: pair.key },
    (request) => {
      const { pathname, origin } = new URL(request.url);
      if (pathname === "/keys") {
        const key = issuerKeys.publicKey.export({ format: "jwk" });
        return Response.json({ keys: [{ ...key, kid: "one", alg: "RS256", use: "sig" }] });
      }
      return Response.json({ issuer: origin, jwks_uri: `${origin}/keys` });
    },
  );
  return { url: `https://127.0.0.1:${server.addr.port}`, server };
}

function authenticationConfig(): string {
  return JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthenticationConfiguration",
    jwt: [{
      issuer: {
        url: issuer.url,
        certificateAuthority: issuerCa.cert,
        audiences: ["kubernetes"],
      },
      claimMappings: {
        username: { claim: "sub", prefix: "oidc:" },
        groups: { claim: "groups", prefix: "oidc:" },
      },
    }],
  });
}

function webToken(iss: string): string {
  const part = (value: unknown): string =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({
      alphabet: "base64url",
      omitPadding: true,
    });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss,
    aud: "kubernetes",
    sub: "dora",
    groups: ["painters"],
    iat: now,
    exp: now + 3600,
  };
  const text = `${part({ alg: "RS256", kid: "one" })}.${part(claims)}`;
  const signature: Uint8Array = sign(
    "sha256",
    new TextEncoder().encode(text),
    issuerKeys.privateKey as KeyObject,
  );
  return `${text}.${
    new Uint8Array(signature).toBase64({ alphabet: "base64url", omitPadding: true })
  }`;
}
