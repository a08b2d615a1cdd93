/**
 * For each kind of kubeconfig: the permissions that `kubectl xca permissions` prints are enough for a
 * client in a process of its own to reach the cluster, and without any one of them it does not.
 */
import assert from "node:assert/strict";
import { runCli } from "../cli/app.ts";
import type { Host } from "../lib/apimachinery/base/host.ts";
import { systemHost } from "../lib/apimachinery/base/host.ts";
import { CertificateAuthority, type PemPair } from "../lib/apimachinery/pki/mod.ts";
import { answer, RawServer } from "./client/raw_server.ts";
import { testContext } from "./support/command_line/cli_context.ts";
import { EchoServer } from "./support/network/echo_server.ts";
import { runPermitted } from "./support/operators/permitted_process.ts";
import { ProxyServer } from "./support/network/proxy_server.ts";

const ca = await CertificateAuthority.create("permissions", new Date());
const serving = await ca.serving("s", ["localhost", "api.example"], ["127.0.0.1", "::1"]);
const alice = await ca.client("alice", []);
const REACHED = `{"gitVersion":"v1"}`;

/** The servers and files that cases use. */
interface Place {
  /** A folder of its own. */
  readonly folder: string;
  /** The port of a server with TLS. */
  readonly port: number;
  /** The port of an HTTP proxy that knows `api.example`, of one with TLS, and of a SOCKS5 one. */
  readonly http: number;
  readonly https: number;
  readonly socks5: number;
}

/** A kubeconfig, and what else there is. */
interface Case {
  readonly name: string;
  readonly cluster: (place: Place) => Record<string, unknown>;
  readonly user?: (place: Place) => Record<string, unknown>;
  readonly env?: (place: Place) => Record<string, string>;
  readonly context?: string;
  /** The flags that must be printed, `FOLDER`, `PORT` and `PROXY` filled in. */
  readonly flags: string;
  /** True when the process is run once without each of the permissions. */
  readonly minimal?: boolean;
  /** The configuration of the process; the repository's own by default. */
  readonly config?: string;
}

const CA = { "certificate-authority-data": btoa(ca.cert) };
const at = ({ port }: Place): Record<string, unknown> => ({
  server: `https://127.0.0.1:${port}`,
  ...CA,
});
const NAMED = ({ port }: Place): Record<string, unknown> => ({
  server: `https://api.example:${port}`,
  ...CA,
});
const COMMON = "--allow-env=KUBECONFIG --allow-net=127.0.0.1:PORT --allow-read=FOLDER/config";

const LOGIN = COMMON.replace("--allow-env=KUBECONFIG", "--allow-env");
/** The project that may load the code of legacy logins. */
const CLIENT_NODE = "tests/client_node/deno.json";
const login = (name: string, config: Record<string, string>): Record<string, unknown> => ({
  "auth-provider": { name, config },
});
/** Without a signature; who sends it looks at its last day alone. */
const WEB_TOKEN = `e30.${btoa('{"exp":4102444800}').replaceAll("=", "")}.x`;

const CASES: readonly Case[] = [
  {
    name: "all inline",
    cluster: at,
    user: () => ({ token: "t" }),
    flags: COMMON,
    minimal: true,
  },
  {
    name: "at home",
    cluster: at,
    env: ({ folder }) => ({ KUBECONFIG: "", HOME: folder }),
    flags: "--allow-env=HOME --allow-net=127.0.0.1:PORT --allow-read=FOLDER/.kube/config",
    minimal: true,
  },
  {
    name: "certificates in files beside it",
    cluster: (place) => ({ server: at(place).server, "certificate-authority": "ca.pem" }),
    user: () => ({ "client-certificate": "alice.pem", "client-key": "alice.key" }),
    flags: "--allow-env=KUBECONFIG --allow-net=127.0.0.1:PORT " +
      "--allow-read=FOLDER/alice.key,FOLDER/alice.pem,FOLDER/ca.pem,FOLDER/config",
    minimal: true,
  },
  {
    name: "a token file behind a link, as the kubelet makes them",
    cluster: at,
    user: () => ({ tokenFile: "token" }),
    flags:
      "--allow-env=KUBECONFIG --allow-net=127.0.0.1:PORT --allow-read=FOLDER/config,FOLDER/token",
  },
  {
    name: "several files, one of them missing",
    cluster: at,
    env: ({ folder }) => ({ KUBECONFIG: `${folder}/missing:${folder}/config` }),
    flags: `${COMMON},FOLDER/missing`,
  },
  {
    name: "another context",
    cluster: at,
    context: "second",
    flags: COMMON,
  },
  {
    name: "a server by its name",
    cluster: ({ port }) => ({ server: `https://localhost:${port}`, ...CA }),
    flags: COMMON.replace("127.0.0.1", "localhost"),
    minimal: true,
  },
  {
    name: "tls-server-name",
    cluster: (place) => ({ ...at(place), "tls-server-name": "api.example" }),
    flags: COMMON,
  },
  {
    name: "insecure-skip-tls-verify",
    cluster: (place) => ({ server: at(place).server, "insecure-skip-tls-verify": true }),
    flags: COMMON,
  },
  {
    name: "the machine's certificate authorities",
    cluster: (place) => ({ server: at(place).server }),
    env: ({ folder }) => ({ DENO_CERT: `${folder}/ca.pem` }),
    flags: COMMON.replace("KUBECONFIG", "KUBECONFIG,NODE_USE_SYSTEM_CA"),
    minimal: true,
  },
  {
    name: "the machine's certificate authorities and more",
    cluster: (place) => ({ server: at(place).server }),
    env: ({ folder }) => ({ NODE_EXTRA_CA_CERTS: `${folder}/ca.pem` }),
    flags: `${COMMON.replace("KUBECONFIG", "KUBECONFIG,NODE_USE_SYSTEM_CA")}`,
    minimal: true,
  },
  ...(["http", "https", "socks5"] as const).map((kind): Case => ({
    name: `proxy-url ${kind}`,
    cluster: (place) => ({ ...NAMED(place), "proxy-url": `${kind}://127.0.0.1:${place[kind]}` }),
    flags: COMMON.replace("PORT", kind),
    minimal: kind === "http",
  })),
  {
    name: "HTTPS_PROXY and NO_PROXY",
    cluster: NAMED,
    env: ({ http }) => ({ HTTPS_PROXY: `127.0.0.1:${http}`, NO_PROXY: "other.example" }),
    flags: COMMON.replace("KUBECONFIG", "HTTPS_PROXY,KUBECONFIG,NO_PROXY").replace("PORT", "http"),
  },
  {
    name: "a plugin by its path",
    cluster: at,
    user: () => ({
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "./plugin",
        interactiveMode: "Never",
      },
    }),
    flags: `${COMMON} --allow-run=FOLDER/plugin`,
    minimal: true,
  },
  ...[{ token: "t", as: "x", "as-groups": ["g"] }, { username: "u", password: "p" }].map((
    user,
  ): Case => ({
    name: `in headers: ${Object.keys(user)}`,
    cluster: at,
    user: () => user,
    flags: COMMON,
  })),
  {
    name: "a legacy login with a token",
    cluster: at,
    user: () => login("oidc", { "id-token": WEB_TOKEN, "idp-issuer-url": "https://idp.example" }),
    flags: LOGIN,
    config: CLIENT_NODE,
    minimal: true,
  },
  {
    name: "a legacy login that can refresh its token",
    cluster: at,
    user: () =>
      login("oidc", {
        "id-token": WEB_TOKEN,
        "refresh-token": "r",
        "idp-issuer-url": "https://idp.example/realm",
      }),
    flags: LOGIN.replace("PORT", "PORT,idp.example:443"),
    config: CLIENT_NODE,
  },
  {
    name: "a legacy login that runs a command",
    cluster: at,
    user: ({ folder }) =>
      login("gcp", {
        "cmd-path": `${folder}/login`,
        "token-key": "{.token}",
        "expiry-key": "{.expiry}",
      }),
    flags: `${LOGIN} --allow-run=/bin/sh`,
    config: CLIENT_NODE,
    minimal: true,
  },
  {
    name: "a plugin on PATH",
    cluster: at,
    user: () => ({
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "plugin",
        interactiveMode: "Never",
      },
    }),
    env: ({ folder }) => ({ PATH: `${folder}:${Deno.env.get("PATH")}` }),
    flags: `${COMMON} --allow-run=plugin`,
  },
];

async function write(place: Place, { cluster, user }: Case): Promise<void> {
  const { folder } = place;
  const kubeconfig = JSON.stringify({
    "current-context": "first",
    contexts: ["first", "second"].map((name) => ({ name, context: { cluster: name, user: "u" } })),
    clusters: ["first", "second"].map((name) => ({ name, cluster: cluster(place) })),
    users: [{ name: "u", user: user?.(place) ?? {} }],
  });
  const token = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1" };
  const files: Record<string, string> = {
    "config": kubeconfig,
    ".kube/config": kubeconfig,
    "ca.pem": ca.cert,
    "alice.pem": alice.cert,
    "alice.key": alice.key,
    "..data/token": "t",
    "login": `#!/bin/sh\necho '{"token":"t","expiry":"2100-01-01T00:00:00Z"}'\n`,
    "plugin": `#!/bin/sh\necho '${JSON.stringify({ ...token, status: { token: "t" } })}'\n`,
  };
  for (const name of [".kube", "..data"]) await Deno.mkdir(`${folder}/${name}`);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o700 });
  }
  await Deno.symlink("..data/token", `${folder}/token`);
}

/** Returns the output of the client in a process with the given flags and an empty environment. */
async function reach(
  flags: readonly string[],
  options: { env: Record<string, string>; args: readonly string[]; config: string | undefined },
): Promise<string> {
  const { stdout, stderr } = await runPermitted(flags, options);
  return stdout.trim() || stderr;
}

async function printed(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const host: Host = { ...systemHost, os: "linux", env: (name) => env[name] };
  const context = { ...testContext(), host };
  assert.equal(await runCli(["permissions", ...args], context), 0, context.stderr());
  return context.stdout();
}

for (const each of CASES) {
  Deno.test(`permissions: ${each.name}: the printed permissions suffice`, async () => {
    const names = { "api.example": "127.0.0.1" };
    const pair: PemPair = serving;
    await using server = new RawServer((_, wire) => wire.send(answer(REACHED)), pair);
    await using http = await ProxyServer.http({ names });
    await using https = await ProxyServer.http({ names, tls: pair });
    await using socks5 = await ProxyServer.socks5({ names });
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      const place = {
        folder,
        port: Number(new URL(server.url).port),
        http: http.port,
        https: https.port,
        socks5: socks5.port,
      };
      await write(place, each);
      const env = { KUBECONFIG: `${folder}/config`, ...each.env?.(place) };
      const line = await printed(env, each.context ? ["--context", each.context] : []);
      const wanted = each.flags.replaceAll("FOLDER", folder).replace("PORT", `${place.port}`)
        .replace(/(?<=127\.0\.0\.1:)(http|https|socks5)\b/, (kind) => `${place[kind as "http"]}`);
      assert.equal(line, `${wanted}\n`);
      const flags = line.trim().split(" ");
      const args = each.context ? [each.context] : [];
      const { config } = each;
      assert.equal(await reach(flags, { env, args, config }), REACHED);
      if (!each.minimal) return;
      for (const left of flags) {
        const fewer = flags.filter((flag) => flag !== left);
        const said = await reach(fewer, { env, args, config });
        assert.match(said, /^[A-Z]\w+Error: .*--allow-/, `without ${left}: ${said}`);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("permissions --streams: the printed permissions suffice for exec, attach and port-forward", async () => {
  await using server = new EchoServer(serving);
  const authority = await server.listen();
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const kubeconfig = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c" } }],
      clusters: [{ name: "c", cluster: { server: `https://${authority}`, ...CA } }],
    };
    const env = { KUBECONFIG: `${folder}/config` };
    await Deno.writeTextFile(env.KUBECONFIG, JSON.stringify(kubeconfig));
    const flags = (await printed(env, ["--streams"])).trim().split(" ");
    assert.deepEqual(flags, [
      "--allow-env=KUBECONFIG,WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE",
      `--allow-net=${authority}`,
      `--allow-read=${env.KUBECONFIG}`,
    ]);
    assert.equal(await reach(flags, { env, args: ["--stream"], config: undefined }), "echo");
    const fewer = (await printed(env, [])).trim().split(" ");
    assert.match(
      await reach(fewer, { env, args: ["--stream"], config: undefined }),
      /permissions --streams/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("permissions -o json prints the form of permissions in deno.json", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const kubeconfig = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c" } }],
      clusters: [{ name: "c", cluster: { server: "https://[fd00::1]", ...CA } }],
    };
    const config = `${folder}/a,b c`;
    await Deno.writeTextFile(config, JSON.stringify(kubeconfig));
    const json = await printed({}, ["--kubeconfig", config, "-o", "json"]);
    assert.deepEqual(JSON.parse(json), { net: ["[fd00::1]:443"], read: [config] });
    const context = testContext();
    assert.equal(await runCli(["permissions", "--kubeconfig", config], context), 0);
    assert.equal(context.stdout(), `--allow-net=[fd00::1]:443 --allow-read=${folder}/a,,b c\n`);
    assert.match(context.stderr(), /quote it yourself, or use -o json/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("permissions of an unusable kubeconfig: exit 2, without output", async () => {
  const context = testContext();
  assert.equal(await runCli(["permissions", "--kubeconfig", "/gone"], context), 2);
  assert.equal(context.stdout(), "");
  assert.match(context.stderr(), /no kubeconfig at \/gone/);
  assert.equal(await runCli(["permissions", "-o", "yaml"], testContext()), 2);
});

Deno.test("permissions in a pod: token, certificate authority and address", async () => {
  const base = "/var/run/secrets/kubernetes.io/serviceaccount";
  const files = { [`${base}/token`]: "t", [`${base}/ca.crt`]: ca.cert, [`${base}/namespace`]: "n" };
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const context = testContext({ env, files });
  assert.equal(await runCli(["permissions"], context), 0, context.stderr());
  assert.equal(
    context.stdout(),
    "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT --allow-net=10.0.0.1:443 " +
      `--allow-read=${base}/ca.crt,${base}/namespace,${base}/token\n`,
  );
});
