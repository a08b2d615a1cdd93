import assert from "node:assert/strict";
import { type Host, systemHost } from "../../lib/apimachinery/base/host.ts";
import type { Random } from "../../lib/apimachinery/base/time/random.ts";
import { type ClientConfig, ConfigError } from "../../lib/client/config/config.ts";
import { loadConfig } from "../../lib/client/kubeconfig/load_config.ts";
import { CertificateAuthority } from "../../lib/apimachinery/pki/mod.ts";
import { printedRandom } from "../support/seed.ts";

const kubectl = await findKubectl();
if (kubectl === undefined) {
  // deno-lint-ignore no-console -- why the tests below are skipped
  console.warn("skipped: no kubectl on PATH to compare with");
}

/** The outcomes of kubectl and of the client for one connection. */
interface Facts {
  readonly server: string;
  readonly namespace: string;
  readonly tls: unknown;
  readonly user: unknown;
  readonly proxyUrl: string;
}

/** `undefined` when a side refuses. */
type Verdict = Facts | undefined;

interface NamedFields {
  readonly name: string;
  readonly cluster?: Record<string, string | boolean>;
  readonly user?: Record<string, unknown>;
  readonly context?: Record<string, string>;
}

Deno.test({
  name: "random sets of kubeconfig files give kubectl and loadConfig() one configuration",
  ignore: kubectl === undefined,
  fn: async () => {
    const { seed, random } = printedRandom();
    await using folder = await temporaryFolder();
    await writeMaterial(folder.path);
    let accepted = 0;
    for (let round = 0; round < 25; round++) {
      const paths: string[] = [];
      for (let file = 0; file < 1 + Math.floor(random.next() * 3); file++) {
        const path = `${folder.path}/${pick(random, ["one", "two", "three"])}/config-${file}`;
        await Deno.writeTextFile(path, JSON.stringify(randomKubeconfig(random)));
        paths.push(path, pick(random, ["", `${folder.path}/gone`]));
      }
      const context = pick(random, [undefined, undefined, "a", "b"]);
      const theirs = await kubectlVerdict(folder.path, paths, context);
      const ours = await ourVerdict(folder.path, paths, context);
      assert.deepEqual(ours, theirs, `seed=${seed} round=${round}`);
      if (theirs) accepted++;
    }
    assert.ok(accepted > 0, "some of the sets are usable");
  },
});

const YAML_FEATURES = `\uFEFF# a comment
---
kind: Config
apiVersion: v1
unknown: {a: [b]}
current-context: "on"
preferences: null
x-defaults: &defaults
  server: https://anchored.example:6443/
  insecure-skip-tls-verify: yes
clusters:
- name: c
  cluster:
    <<: *defaults
    tls-server-name: 'quoted.example'
contexts:
- {name: "on", context: {cluster: c, user: u, namespace: ~}}
users:
- name: u
  user:
    username: |-
      literal
    password: >-
      folded
      text
---
current-context: ignored
`;

Deno.test({
  name: "kubectl and loadConfig() interpret YAML features alike",
  ignore: kubectl === undefined,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/config`;
    await Deno.writeTextFile(path, YAML_FEATURES);
    const ours = await ourVerdict(folder.path, [path], undefined);
    assert.equal(ours?.server, "https://anchored.example:6443");
    assert.deepEqual(ours, await kubectlVerdict(folder.path, [path], undefined));
  },
});

Deno.test({
  name: "loadConfig() refuses every kubeconfig that kubectl refuses",
  ignore: kubectl === undefined,
  fn: async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/config`;
    const usable = "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n";
    const clusters = "clusters: [{name: c, cluster: {server: https://c}}]\n";
    const refused = [
      "[]",
      "text",
      `kind: Pod\n${usable}${clusters}`,
      `apiVersion: v2\n${usable}${clusters}`,
      `${usable}clusters: [{name: 1}]`,
      `${usable}clusters: [{name: c, cluster: {server: 1}}]`,
      `${usable}clusters: [{name: c}, {name: c}]`,
      `${usable}clusters: {c: {server: https://c}}`,
      `${usable}${clusters}users: [{name: u, user: {token: 1}}]`,
      `${usable}${clusters}users: [`,
      `${clusters}current-context: x\n`,
      `${usable}clusters: null\n`,
    ];
    for (const text of refused) {
      await Deno.writeTextFile(path, text);
      assert.equal(await kubectlVerdict(folder.path, [path], undefined), undefined, text);
      assert.equal(await ourVerdict(folder.path, [path], undefined), undefined, text);
    }
  },
});

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random.next() * choices.length)]!;
}

function randomKubeconfig(random: Random): Record<string, unknown> {
  const names = (): string[] => ["a", "b", "c"].filter(() => random.next() < 0.7);
  return {
    "current-context": pick(random, ["", "a", "b", undefined]),
    clusters: names().map((name): NamedFields => ({ name, cluster: randomCluster(random) })),
    users: names().map((name): NamedFields => ({ name, user: randomUser(random) })),
    contexts: names().map((name): NamedFields => ({
      name,
      context: {
        cluster: pick(random, ["a", "b", "c"]),
        user: pick(random, ["a", "b", "c"]),
        ...pick(random, [{}, { namespace: `ns-${Math.floor(random.next() * 9)}` }]),
      },
    })),
  };
}

function randomCluster(random: Random): Record<string, string | boolean> {
  const trust: Record<string, string | boolean>[] = [
    {},
    { "certificate-authority": "ca.pem" },
    { "certificate-authority-data": btoa(material["ca.pem"]!) },
    { "insecure-skip-tls-verify": true },
  ];
  return {
    server: `https://${Math.floor(random.next() * 1000)}.example:6443${
      pick(random, ["", "/", "/k8s/x"])
    }`,
    ...pick(random, trust),
    ...pick(random, [{}, { "tls-server-name": "kubernetes" }]),
    ...pick(random, [{}, { "proxy-url": "http://127.0.0.1:3128" }]),
  };
}

function randomUser(random: Random): Record<string, unknown> {
  const certificate = btoa(material["cert.pem"]!);
  const header: Record<string, unknown>[] = [
    {},
    { token: `token-${random.next()}` },
    { tokenFile: "../one/token" },
    { username: "me", password: "p" },
  ];
  return {
    ...pick(random, header),
    ...pick(random, [
      {},
      { "client-certificate": "cert.pem", "client-key": "../two/key.pem" },
      { "client-certificate-data": certificate, "client-key-data": btoa(material["key.pem"]!) },
    ]),
    ...pick(random, [
      {},
      { as: "someone", "as-uid": "7", "as-groups": ["g"], "as-user-extra": { k: ["v"] } },
    ]),
  };
}

let material: Record<string, string> = {};

async function writeMaterial(folder: string): Promise<void> {
  const ca = await CertificateAuthority.create("test", new Date());
  const pair = await ca.client("alice", []);
  material = { "ca.pem": ca.cert, "cert.pem": pair.cert, "key.pem": pair.key, token: "file-token" };
  for (const name of ["one", "two", "three"]) {
    await Deno.mkdir(`${folder}/${name}`);
    for (const [file, text] of Object.entries(material)) {
      await Deno.writeTextFile(`${folder}/${name}/${file}`, text);
    }
  }
}

async function kubectlVerdict(
  home: string,
  paths: readonly string[],
  context: string | undefined,
): Promise<Verdict> {
  const view = ["config", "view", "--minify", "--raw", "--flatten", "-o", "json"];
  const { success, stdout } = await new Deno.Command(kubectl!, {
    args: context ? [...view, "--context", context] : view,
    clearEnv: true,
    env: { HOME: home, KUBECONFIG: paths.join(":") },
    stdin: "null",
    stderr: "null",
  }).output();
  if (!success) return undefined;
  // deno-lint-ignore no-explicit-any -- kubectl's own output
  const config: any = JSON.parse(new TextDecoder().decode(stdout));
  const { cluster } = config.clusters[0];
  const { context: { namespace } } = config.contexts[0];
  const user = config.users?.[0]?.user ?? {};
  return {
    server: cluster.server.replace(/\/$/, ""),
    namespace: namespace ?? "default",
    tls: {
      ca: decoded(cluster["certificate-authority-data"]),
      insecure: cluster["insecure-skip-tls-verify"] ?? false,
      serverName: cluster["tls-server-name"] ?? "",
      cert: decoded(user["client-certificate-data"]),
      key: decoded(user["client-key-data"]),
    },
    user: {
      token: user.token ?? (user.tokenFile ? material["token"]! : ""),
      // What is viewed keeps its relative paths; all of ours lead to one folder.
      tokenFile: (user.tokenFile ?? "").replace(/^\.\./, home),
      username: user.username ?? "",
      password: user.password ?? "",
      as: user.as ?? "",
      uid: user["as-uid"] ?? "",
      groups: user["as-groups"] ?? [],
      extra: user["as-user-extra"] ?? {},
    },
    proxyUrl: cluster["proxy-url"] ?? "",
  };
}

async function ourVerdict(
  home: string,
  paths: readonly string[],
  context: string | undefined,
): Promise<Verdict> {
  const variables = new Map([["HOME", home], ["KUBECONFIG", paths.join(":")]]);
  const host: Host = { ...systemHost, os: "linux", env: (name) => variables.get(name) };
  let config: ClientConfig;
  try {
    config = await loadConfig(context ? { context } : {}, host);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
  const { tls, credentials, impersonate } = config;
  return {
    server: config.server,
    namespace: config.namespace ?? "",
    tls: {
      ca: tls?.caData ?? "",
      insecure: tls?.insecureSkipVerify ?? false,
      serverName: tls?.serverName ?? "",
      cert: tls?.certData ?? "",
      key: tls?.keyData ?? "",
    },
    user: {
      token: credentials?.token ?? "",
      tokenFile: credentials?.tokenFile ?? "",
      username: credentials?.username ?? "",
      password: credentials?.password ?? "",
      as: impersonate?.user ?? "",
      uid: impersonate?.uid ?? "",
      groups: impersonate?.groups ?? [],
      extra: impersonate?.extra ?? {},
    },
    proxyUrl: config.proxyUrl ?? "",
  };
}

function decoded(base64: string | undefined): string {
  return base64 === undefined ? "" : atob(base64);
}

async function findKubectl(): Promise<string | undefined> {
  if (Deno.build.os === "windows") return undefined;
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = `${folder}/kubectl`;
    try {
      if ((await Deno.stat(path)).isFile) return path;
    } catch {
      // Not there; look on.
    }
  }
  return undefined;
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
