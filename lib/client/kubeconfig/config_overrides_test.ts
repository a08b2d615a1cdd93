import assert from "node:assert/strict";
import {
  configErrorOf,
  FakeHost,
  hostWith,
  simpleKubeconfig,
} from "../../../tests/kubeconfig/fake_host.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { unreachable } from "../transport/network_error.ts";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { loadConfig } from "./load_config.ts";

const ca = await CertificateAuthority.create("test", new Date());
const alice = await ca.client("alice", []);
const bob = await ca.client("bob", []);
const FILES = { "/ca": ca.cert, "/bob.pem": bob.cert, "/bob.key": bob.key };

/** A test kubeconfig that sets every field that flags override. */
const FULL: string = simpleKubeconfig({
  context: { namespace: "from-file" },
  cluster: {
    "certificate-authority-data": btoa(alice.cert),
    "tls-server-name": "file-name",
  },
  user: {
    "client-certificate-data": btoa(alice.cert),
    "client-key-data": btoa(alice.key),
    token: "file-token",
    as: "file-as",
    "as-uid": "file-uid",
    "as-groups": ["file-group"],
    "as-user-extra": { reason: ["file-reason"] },
  },
});

/** A test kubeconfig with two clusters. */
const TWO: string = JSON.stringify({
  "current-context": "x",
  contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
  clusters: ["c", "d"].map((name) => ({ name, cluster: { server: `https://${name}` } })),
  users: [{ name: "u", user: {} }],
});

function load(overrides: ConfigOverrides, text: string = FULL): Promise<ClientConfig> {
  return loadConfig(overrides, hostWith(text, FILES));
}

Deno.test("without flags everything comes from the context", async () => {
  assert.deepEqual(JSON.parse(JSON.stringify({ ...await load({}) })), {
    server: "https://c.example:6443",
    namespace: "from-file",
    tls: {
      caData: alice.cert,
      serverName: "file-name",
      certData: alice.cert,
      keyData: "REDACTED",
    },
    credentials: { token: "REDACTED" },
    impersonate: {
      user: "file-as",
      uid: "file-uid",
      groups: ["file-group"],
      extra: { reason: ["file-reason"] },
    },
    source: 'context "x" in /home/me/.kube/config',
  });
  assert.equal((await load({})).tls?.keyData, alice.key);
});

Deno.test("--context, --cluster and --user choose among the names of the file", async () => {
  const text = simpleKubeconfig({
    top: {
      contexts: [
        { name: "x", context: { cluster: "c", user: "u" } },
        { name: "y", context: { cluster: "d", user: "v", namespace: "ny" } },
      ],
      clusters: ["c", "d", "e"].map((name) => ({ name, cluster: { server: `https://${name}` } })),
      users: ["u", "v", "w"].map((name) => ({ name, user: { token: `token-${name}` } })),
    },
  });
  const config = await load({ context: "y" }, text);
  assert.deepEqual(
    [config.server, config.credentials?.token, config.namespace],
    ["https://d", "token-v", "ny"],
  );
  const mixed = await load({ context: "y", cluster: "e", user: "w" }, text);
  assert.deepEqual(
    [mixed.server, mixed.credentials?.token, mixed.namespace],
    ["https://e", "token-w", "ny"],
  );
  assert.match(
    await configErrorOf(load({ cluster: "z" }, text)),
    /^Cannot use --cluster: there is no cluster "z" in .*; choose one of: c, d, e$/,
  );
  assert.match(await configErrorOf(load({ user: "z" }, text)), /--user: there is no user "z"/);
});

Deno.test("--cluster suffices without a current context; --user alone does not", async () => {
  const text = simpleKubeconfig({ top: { "current-context": "" } });
  assert.equal((await load({ cluster: "c" }, text)).server, "https://c.example:6443");
  assert.match(await configErrorOf(load({ user: "u" }, text)), /set --context, --cluster or --/);
});

Deno.test("--server replaces the server and drops the file's TLS server name, not its credentials", async () => {
  const config = await load({ server: "https://other:1" });
  assert.equal(config.server, "https://other:1");
  assert.equal(config.tls?.serverName, undefined);
  assert.equal(config.credentials?.token, "file-token");
  const named = await load({ server: "https://other:1", tlsServerName: "flag-name" });
  assert.equal(named.tls?.serverName, "flag-name");
});

Deno.test("the source of an address that a flag gives is the flag", async () => {
  const context = 'context "x" in /home/me/.kube/config';
  const sourceOf = async (overrides: ConfigOverrides, text: string = TWO): Promise<unknown> =>
    (await load(overrides, text)).source;
  assert.equal(await sourceOf({}), context);
  assert.equal(await sourceOf({ user: "u", token: "t" }), context);
  assert.equal(await sourceOf({ server: "https://other:1" }), `--server, with ${context}`);
  assert.equal(await sourceOf({ cluster: "d" }), `--cluster "d", with ${context}`);
  assert.equal(await sourceOf({ cluster: "d", server: "https://e" }), `--server, with ${context}`);
  const noCurrent = TWO.replace("current-context", "no-context");
  assert.equal(await sourceOf({ cluster: "d" }, noCurrent), '--cluster "d"');
  assert.equal(await sourceOf({ server: "https://other:1" }, noCurrent), "--server");
});

Deno.test("the error for an unreachable server of --server names the flag", async () => {
  const { message } = unreachable(new Error("refused"), await load({ server: "https://other:1" }));
  const from = '--server, with context "x" in /home/me/.kube/config';
  assert(
    message.startsWith(`Cannot reach the API server https://other:1 (from ${from}): `),
    message,
  );
});

Deno.test("--server works without any kubeconfig", async () => {
  const host = new FakeHost();
  const config = await loadConfig({ server: "https://other:1", token: "t" }, host);
  assert.deepEqual({ ...config, credentials: { ...config.credentials } }, {
    server: "https://other:1",
    namespace: "default",
    credentials: { token: "t" },
    source: "--server",
  });
});

Deno.test("over plain http the configuration has no credentials and no certificates, but impersonation", async () => {
  for (const server of ["http://localhost:8001", "localhost:8001", "[::1]:8001"]) {
    const config = await load({ server });
    assert.equal(config.server, `http://${server.replace("http://", "")}`);
    assert.equal(config.credentials, undefined);
    assert.equal(config.tls, undefined);
    assert.equal(config.impersonate?.user, "file-as");
  }
});

Deno.test("--token replaces every other credential in a header", async () => {
  for (const user of [{ tokenFile: "/gone" }, { username: "me", password: "p" }]) {
    const config = await load({ token: "flag" }, simpleKubeconfig({ user }));
    assert.deepEqual({ ...config.credentials }, { token: "flag" });
  }
  const basic = await load({ username: "me", password: "p" });
  assert.deepEqual({ ...basic.credentials }, { username: "me", password: "p" });
  assert.match(
    await configErrorOf(load({ token: "flag", username: "me" })),
    /--token: --username is set too/,
  );
});

Deno.test("--as, --as-uid and --as-group replace the file's; the first two alone, groups as a whole", async () => {
  const config = await load({ as: "flag-as", asGroups: ["g1", "g2"], asUid: "7" });
  assert.deepEqual(config.impersonate, {
    user: "flag-as",
    uid: "7",
    groups: ["g1", "g2"],
    extra: { reason: ["file-reason"] },
  });
  assert.match(
    await configErrorOf(load({ asGroups: ["g"] }, simpleKubeconfig())),
    /^Cannot use --as-group: no user to impersonate is set; set --as/,
  );
});

Deno.test("--certificate-authority replaces inline data and insecure-skip-tls-verify of the file", async () => {
  assert.equal((await load({ certificateAuthority: "/ca" })).tls?.caData, ca.cert);
  const insecure = simpleKubeconfig({ cluster: { "insecure-skip-tls-verify": true } });
  const config = await load({ certificateAuthority: "/ca" }, insecure);
  assert.deepEqual({ ...config.tls }, { caData: ca.cert, caFile: "/ca" });
});

Deno.test("--insecure-skip-tls-verify drops the file's certificate authority, not the flags'", async () => {
  const config = await load({ insecureSkipTlsVerify: true });
  assert.equal(config.tls?.insecureSkipVerify, true);
  assert.equal(config.tls?.caData, undefined);
  const both = load({ insecureSkipTlsVerify: true, certificateAuthority: "/ca" });
  assert.match(await configErrorOf(both), /--insecure-skip-tls-verify: it is true, and a cert/);
});

Deno.test("--client-certificate and --client-key replace inline data", async () => {
  const config = await load({ clientCertificate: "/bob.pem", clientKey: "/bob.key" });
  assert.deepEqual([config.tls?.certData, config.tls?.keyData], [bob.cert, bob.key]);
  const half = load({ clientCertificate: "/bob.pem" });
  assert.match(await configErrorOf(half), /--client-certificate .*is not this certificate's/);
  const gone = load({ clientCertificate: "/gone", clientKey: "/bob.key" });
  assert.match(await configErrorOf(gone), /Cannot read --client-certificate: \/gone: there is no/);
});

Deno.test("I21 a namespace that is not a DNS label is refused, from the flag and from the file", async () => {
  assert.equal((await load({ namespace: "team-a" })).namespace, "team-a");
  for (const namespace of ["a/b", "..", "%2f", "A", "a_b", "-a", "a".repeat(64), "a\nb"]) {
    assert.match(await configErrorOf(load({ namespace })), /^Cannot use --namespace: "/);
    const text = simpleKubeconfig({ context: { namespace } });
    assert.match(
      await configErrorOf(load({}, text)),
      /contexts\[name=x\].context.namespace in .*: ".*" is not a namespace's name; write lower-case/,
    );
    assert.equal((await load({ namespace: "ok" }, text)).namespace, "ok");
  }
});

Deno.test("I22 --request-timeout is checked before any file is read, and converted to milliseconds", async () => {
  assert.equal((await load({ requestTimeout: "1m30s" })).requestTimeoutMs, 90_000);
  assert.equal((await load({ requestTimeout: "0" })).requestTimeoutMs, undefined);
  const host = new FakeHost({ env: { HOME: "/home/me" } });
  const message = await configErrorOf(loadConfig({ requestTimeout: "-1s" }, host));
  assert.match(message, /^Cannot use --request-timeout: "-1s" is negative; write 0 for none/);
  assert.deepEqual(host.reads, []);
});

Deno.test("flags with an empty text are not set", async () => {
  const empty: ConfigOverrides = {
    kubeconfig: "",
    context: "",
    cluster: "",
    user: "",
    namespace: "",
    server: "",
    token: "",
    username: "",
    password: "",
    as: "",
    asGroups: [],
    asUid: "",
    certificateAuthority: "",
    clientCertificate: "",
    clientKey: "",
    insecureSkipTlsVerify: false,
    tlsServerName: "",
    requestTimeout: "",
  };
  assert.deepEqual(await load(empty), await load({}));
});
