/**
 * Tests of kubeconfigs with kubectl and the client on a real API server: both reach the server, or
 * neither, unless the case names the reason for the difference; the client's error names the field
 * and the remedy. The client runs in a process with the permissions that `kubectl xca permissions`
 * prints for the kubeconfig, and no others. `XCA_TABLE=1` prints all results as a table.
 */
import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { dirname } from "node:path";
import { type Host, systemHost } from "../../../lib/apimachinery/base/mod.ts";
import {
  type ConfigOverrides,
  createClient,
  findPermissions,
  permissionFlags,
  type Permissions,
} from "../../../lib/client/mod.ts";
import {
  CertificateAuthority,
  type ControlPlane,
  FaultProxy,
  type KeyKind,
} from "../../../lib/testing/mod.ts";
import { reportError } from "../../../cli/report_error.ts";
import { runPermitted } from "../../support/operators/permitted_process.ts";
import { ProxyServer } from "../../support/network/proxy_server.ts";
import { selfSigned } from "../../support/network/self_signed.ts";
import { TlsFront } from "../../support/network/tls_front.ts";
import { until } from "../../support/until.ts";
import type { KubeconfigCase, Surroundings } from "./kubeconfig_case.ts";
import { KUBECONFIG_CASES } from "./kubeconfig_cases.ts";
import { realSuite } from "../suite.ts";

const TOKEN = "t0ken-of-bob";
const SECRETS = /c4n4ry|s3cret|t0ken-of-bob/;
const folder = Deno.makeTempDirSync();
Deno.writeTextFileSync(`${folder}/tokens.csv`, `${TOKEN},bob,1,system:masters\n`);
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));
const suite = realSuite({ apiserverFlags: [`--token-auth-file=${folder}/tokens.csv`] });

/** The outcome of kubectl or the client. */
interface Verdict {
  readonly reached: boolean;
  readonly said: string;
}

suite.test(
  "kubeconfigs: kubectl's verdict, with an error message at least as clear",
  async (plane, t) => {
    await using stack = new AsyncDisposableStack();
    const place = await surround(plane, stack);
    const rows: string[] = [];
    for (const each of KUBECONFIG_CASES) {
      await t.step(each.name, async () => {
        const home = await Deno.realPath(await Deno.makeTempDir());
        try {
          const call = await prepare(each, place, home);
          const theirs = await kubectl(call, home);
          const ours = await us(call);
          rows.push(row(each, theirs, ours));
          assert.equal(ours.reached, each.refused === undefined, ours.said);
          const same = theirs.reached === ours.reached;
          assert.equal(same, each.differs === undefined, `kubectl: ${theirs.said}`);
          if (each.refused) {
            const wanted = new RegExp(each.refused.source.replaceAll("FOLDER", home));
            assert.match(ours.said, wanted);
          }
          assert.doesNotMatch(ours.said, /\n|^error: .*\bat .*\.ts:/, "one line, no stack");
          assert.doesNotMatch(ours.said, SECRETS);
        } finally {
          await Deno.remove(home, { recursive: true });
        }
      });
    }
    if (Deno.env.get("XCA_TABLE") === "1") {
      const lines = ["| case | kubectl | | ours | |", "| --- | --- | --- | --- | --- |", ...rows];
      await Deno.stdout.write(new TextEncoder().encode(`${lines.join("\n")}\n`));
    }
  },
);

/** A kubeconfig on disk, and how both sides are called. */
interface Call {
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

async function prepare(each: KubeconfigCase, place: Surroundings, home: string): Promise<Call> {
  const server = `https://127.0.0.1:${place.ports.apiserver}`;
  const ca = btoa(place.ca.cluster);
  const text = each.text ?? JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{
      name: "c",
      cluster: { server, "certificate-authority-data": ca, ...each.cluster?.(place) },
    }],
    users: [{ name: "u", user: each.user ? each.user(place) : { token: place.token } }],
    ...each.top,
  });
  const files = { config: each.form?.(text) ?? text, ...each.files?.(place) };
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.mkdir(dirname(`${home}/${name}`), { recursive: true });
    await Deno.writeFile(`${home}/${name}`, bytes, { mode: 0o700 });
  }
  const filled = (values: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) =>
        [name, value.replaceAll("FOLDER", home).replace("SERVER", server)] as const
      ),
    );
  return {
    flags: { kubeconfig: `${home}/config`, ...filled(each.flags) },
    env: { HOME: home, PATH: Deno.env.get("PATH")!, ...filled(each.env?.(place)) },
  };
}

async function kubectl({ flags, env }: Call, cwd: string): Promise<Verdict> {
  const { code, stderr } = await new Deno.Command("kubectl", {
    args: [
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      "--request-timeout=60s",
      "get",
      "--raw=/api/v1/namespaces/default",
    ],
    cwd,
    clearEnv: true,
    env: { ...env },
    stdin: "null",
    stdout: "null",
  }).output();
  const lines = new TextDecoder().decode(stderr).trim().split("\n");
  return { reached: code === 0, said: lines.at(-1)! };
}

/**
 * Runs the client in a process of its own with the permissions that `kubectl xca permissions`
 * prints, and no others. A kubeconfig without permissions must be one that the client cannot use.
 */
async function us({ flags, env }: Call): Promise<Verdict> {
  const host: Host = { ...systemHost, os: "linux", env: (name) => env[name] };
  const overrides: ConfigOverrides = {
    requestTimeout: "60s",
    kubeconfig: flags["kubeconfig"]!,
    ...(flags["context"] ? { context: flags["context"] } : {}),
    ...(flags["server"] ? { server: flags["server"] } : {}),
    ...(flags["tls-server-name"] ? { tlsServerName: flags["tls-server-name"] } : {}),
    ...(flags["insecure-skip-tls-verify"] ? { insecureSkipTlsVerify: true } : {}),
  };
  let permissions: Permissions;
  try {
    permissions = await findPermissions(overrides, host);
  } catch (error) {
    const [said] = reportError(error, "kubectl xca permissions").text.split("\n");
    return { reached: false, said: said! };
  }
  return await permitted(permissionFlags(permissions), overrides, env);
}

async function permitted(
  flags: readonly string[],
  overrides: ConfigOverrides,
  env: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const args = [JSON.stringify(overrides)];
  const { stdout, stderr } = await runPermitted(flags, { env, args });
  assert.ok(stdout.length > 0, stderr);
  return JSON.parse(stdout);
}

function row(each: KubeconfigCase, theirs: Verdict, ours: Verdict): string {
  const verdict = ({ reached }: Verdict): string => reached ? "reached" : "refused";
  const cell = (text: string): string => text.replaceAll("|", "\\|").replace(SECRETS, "***");
  const why = each.differs ? ` (differs: ${each.differs})` : "";
  return `| ${each.name}${why} | ${verdict(theirs)} | ${cell(theirs.said)} | ${verdict(ours)} | ${
    cell(ours.said)
  } |`;
}

async function surround(plane: ControlPlane, stack: AsyncDisposableStack): Promise<Surroundings> {
  const now = new Date();
  const past = new Date(now.getTime() - 365 * 86_400_000);
  const ours = await CertificateAuthority.create("ours", now);
  const theirs = await CertificateAuthority.create("theirs", now);
  const own = await selfSigned(now);
  const to = { port: Number(new URL(plane.url).port), ca: plane.caData };
  const front = async (...args: Parameters<typeof TlsFront.start>): Promise<number> =>
    stack.use(await TlsFront.start(...args)).port;
  const named = await front(await ours.serving("n", ["api.example"], []), to);
  const names = { "api.example": "127.0.0.1" };
  const login = "me:s3cret";
  const proxy = async (server: Promise<ProxyServer>): Promise<number> =>
    stack.use(await server).port;
  const oursAtLoopback = await ours.serving("p", ["localhost"], ["127.0.0.1", "::1"]);
  const theirsAtLoopback = await theirs.serving("p", ["localhost"], ["127.0.0.1"]);
  return {
    ports: {
      apiserver: to.port,
      named,
      theirs: await front(theirsAtLoopback, to),
      expired: await front(await ours.serving("o", [], ["127.0.0.1"], past), to),
      selfSigned: await front(own, to),
      ipv6: await front(oursAtLoopback, to, "::1"),
      http: await proxy(ProxyServer.http({ names })),
      httpLogin: await proxy(ProxyServer.http({ names, login })),
      http502: await proxy(ProxyServer.http({ refuse: 502 })),
      https: await proxy(ProxyServer.http({ names, tls: oursAtLoopback })),
      httpsTheirs: await proxy(ProxyServer.http({ names, tls: theirsAtLoopback })),
      socks5: await proxy(ProxyServer.socks5({ names })),
      socks5Login: await proxy(ProxyServer.socks5({ names, login })),
      closed: 1,
    },
    ca: {
      cluster: plane.caData,
      ours: ours.cert,
      theirs: theirs.cert,
      selfSigned: own.cert,
    },
    clients: {
      ...await administrators(plane, ours),
      stranger: await theirs.client("bob", ["system:masters"]),
    },
    token: TOKEN,
  };
}

/** Client certificates with keys of every kind, from an authority that the API server trusts. */
async function administrators(
  plane: ControlPlane,
  ca: CertificateAuthority,
): Promise<Record<string, { cert: string; key: string }>> {
  const clients: Record<string, { cert: string; key: string }> = {};
  for (const kind of ["P-256", "P-384", "RSA", "Ed25519"] satisfies KeyKind[]) {
    const pair = await ca.client(`bob-${kind}`, ["system:masters"], kind);
    clients[`${kind} pkcs8`] = pair;
    const old = kind === "RSA" ? "pkcs1" : kind === "P-256" ? "sec1" : undefined;
    if (!old) continue;
    const key = createPrivateKey(pair.key).export({ type: old, format: "pem" }) as string;
    clients[`${kind} ${old}`] = { cert: pair.cert, key };
  }
  await Deno.writeTextFile(`${plane.dir}/ca.crt`, `${plane.caData}\n${ca.cert}\n`);
  const { cert: certData, key: keyData } = clients["P-256 pkcs8"]!;
  // The API server watches that file.
  await until(async () => {
    using client = createClient({
      server: plane.url,
      tls: { caData: plane.caData, certData, keyData },
    });
    return await client.requestJson({ path: "/version", retry: false }).then(
      () => true,
      () => false,
    );
  });
  return clients;
}

suite.test("a large list is equal with and without compression", async (plane) => {
  const text = "a line of a configuration\n".repeat(400);
  for (let i = 0; i < 30; i++) {
    const body = JSON.stringify({ metadata: { name: `large-${i}` }, data: { text } });
    const path = "/api/v1/namespaces/default/configmaps";
    const headers = { "Content-Type": "application/json" };
    const response = await plane.fetch(path, { method: "POST", headers, body });
    assert.equal(response.status, 201, await response.text());
  }
  const path = "/api/v1/namespaces/default/configmaps";
  const [compressed, plain] = await Promise.all([false, true].map(async (disableCompression) => {
    await using link = FaultProxy.start({ target: plane.url });
    using client = createClient({
      ...plane.config,
      server: link.urlOf(plane.url),
      disableCompression,
    });
    const list = await client.requestJson({ path });
    return { list, bytes: link.bytesToClient };
  }));
  assert.deepEqual(compressed!.list, plain!.list);
  assert.ok(plain!.bytes > 256 * 1024 && compressed!.bytes < plain!.bytes / 4);
});
