import { KubeConfig } from "@kubernetes/client-node";
import assert from "node:assert/strict";
import { configErrorOf, FakeHost } from "../kubeconfig/fake_host.ts";
import { CertificateAuthority } from "../../lib/apimachinery/pki/mod.ts";
import {
  configFromKubeConfigLike,
  type KubeConfigLike,
} from "../../lib/client/kubeconfig/kube_config_like.ts";

const ca = await CertificateAuthority.create("test", new Date());
const alice = await ca.client("alice", []);

/** Returns a KubeConfig of client-node with one context. */
function kubeConfig(
  user: Record<string, unknown>,
  cluster: Record<string, unknown> = {},
): KubeConfig {
  const kc = new KubeConfig();
  kc.loadFromOptions({
    clusters: [{ name: "c", server: "https://c.example:6443", skipTLSVerify: false, ...cluster }],
    users: [{ name: "u", ...user }],
    contexts: [{ name: "x", cluster: "c", user: "u", namespace: "team-a" }],
    currentContext: "x",
  });
  return kc;
}

const load = (kc: KubeConfigLike, files: Record<string, string> = {}) =>
  configFromKubeConfigLike(kc, {}, new FakeHost({ files }));

Deno.test("a KubeConfig of @kubernetes/client-node is a configuration", async () => {
  const typed: KubeConfigLike = kubeConfig({ token: "t", impersonateUser: "boss" }, {
    caData: btoa(ca.cert),
    tlsServerName: "api",
    proxyUrl: "http://proxy:3128",
  });
  const config = await load(typed);
  assert.deepEqual(JSON.parse(JSON.stringify(config)), {
    server: "https://c.example:6443",
    namespace: "team-a",
    tls: { caData: ca.cert, serverName: "api" },
    credentials: { token: "REDACTED" },
    impersonate: { user: "boss" },
    proxyUrl: "http://proxy:3128",
    source: 'context "x" of a KubeConfig',
  });
  assert.equal(config.credentials?.token, "t");
});

Deno.test("a KubeConfig's kubeconfig text gives the configuration that loadConfig() gives", async () => {
  const kc = new KubeConfig();
  kc.loadFromString(JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{
      name: "c",
      cluster: { server: "https://c.example", "insecure-skip-tls-verify": true },
    }],
    users: [{
      name: "u",
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "aws",
          args: ["eks"],
          env: [{ name: "A", value: "b" }],
          interactiveMode: "Never",
        },
      },
    }],
  }));
  const config = await load(kc);
  assert.equal(config.tls?.insecureSkipVerify, true);
  assert.equal(config.namespace, "default");
  assert.deepEqual({ ...config.credentials?.exec }, {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "aws",
    args: ["eks"],
    env: [{ name: "A", value: "b" }],
    interactiveMode: "Never",
    place: 'exec in user "u" of the KubeConfig',
  });
});

Deno.test("a KubeConfig's files, certificates, token file and legacy login", async () => {
  const files = { "/ca": ca.cert, "/cert": alice.cert, "/key": alice.key, "/token": "t" };
  const pair = kubeConfig({ certFile: "/cert", keyFile: "/key" }, { caFile: "/ca" });
  assert.deepEqual({ ...(await load(pair, files)).tls }, {
    caData: ca.cert,
    caFile: "/ca",
    certData: alice.cert,
    certFile: "/cert",
    keyData: alice.key,
    keyFile: "/key",
  });
  const file = kubeConfig({ authProvider: { name: "tokenFile", config: { tokenFile: "/token" } } });
  assert.equal((await load(file, files)).credentials?.tokenFile, "/token");
  const oidc = kubeConfig({ authProvider: { name: "oidc", config: { "id-token": "x" } } });
  assert.equal((await load(oidc)).credentials?.authProvider?.name, "oidc");
});

Deno.test("a KubeConfig without a current cluster, or with an unusable value: an error with the field path", async () => {
  assert.match(
    await configErrorOf(load(new KubeConfig())),
    /^Cannot use the KubeConfig: its context .* has no cluster; load it first/,
  );
  assert.match(
    await configErrorOf(load(kubeConfig({}, { server: "ftp://x" }))),
    /server of cluster "c" of the KubeConfig/,
  );
  assert.match(
    await configErrorOf(load(kubeConfig({ exec: { command: 7 } }))),
    /exec.command in user "u" of the KubeConfig: it must be text, and is a number; put it in quotes/,
  );
});
