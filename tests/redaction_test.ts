/**
 * Every secret of a kubeconfig is a canary here, and everything that can go wrong goes wrong: no
 * canary comes out of the command line at `-v=9`, of log records, or of errors at any depth.
 */
import assert from "node:assert/strict";
import { configureSync, resetSync } from "@logtape/logtape";
import { runCli } from "../cli/app.ts";
import type { Host } from "../lib/apimachinery/base/mod.ts";
import { errorText, systemHost } from "../lib/apimachinery/base/mod.ts";
import { createClient, loadConfig } from "../lib/client/mod.ts";
import { Secret } from "../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority } from "../lib/apimachinery/pki/mod.ts";
import {
  answer,
  CHUNKED_HEAD,
  RawServer,
  type Wire,
  type WireRequest,
} from "./client/raw_server.ts";
import { testContext } from "./support/cli_context.ts";
import { ProxyServer } from "./support/proxy_server.ts";

const CANARY = "c4n4ry";
const TOKEN = `${CANARY}-token.AbC_1`;
const PASSWORD = `${CANARY} "pass"/word`;
const ca = await CertificateAuthority.create("redaction", new Date());
const serving = await ca.serving("s", ["localhost"], ["127.0.0.1"]);
const stranger = await (await CertificateAuthority.create("stranger", new Date()))
  .serving("s", ["localhost"], ["127.0.0.1"]);
const me = await ca.client("me", []);
const other = await ca.client("other", []);
/** Every line of a private key is a secret. */
const KEY_LINES = [me.key, other.key].flatMap((key) =>
  key.split("\n").filter((line) => line !== "" && !line.startsWith("---"))
);
const SECRETS = [CANARY, btoa(`me:${PASSWORD}`), btoa(CANARY), ...KEY_LINES, btoa(me.key)];

/** What a careless server answers: with everything that it was sent, and more. */
type Answer = (echo: string, wire: Wire) => Promise<void> | void;

const status = (code: number, text: string): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, message: text });
const refusal = (code: number): Answer => (echo, wire) =>
  wire.send(answer(status(code, `no: ${echo}`), { status: `${code} No` }));

const ANSWERS: Readonly<Record<string, Answer>> = {
  "401 that echoes": refusal(401),
  "403 that echoes": refusal(403),
  "404 that echoes": refusal(404),
  "422 that echoes": refusal(422),
  "500 that echoes": refusal(500),
  "500 that echoes as text": (echo, wire) => wire.send(answer(echo, { status: "500 No" })),
  "502 with a page": (echo, wire) =>
    wire.send(answer(`<html>${echo}</html>`, { status: "502 No" })),
  "a redirect with the token in it": (echo, wire) =>
    wire.send(
      answer("", {
        status: "302 Found",
        headers: [`Location: https://else.example/?t=${encodeURI(echo).replaceAll("%22", "")}`],
      }),
    ),
  "warnings that echo": (echo, wire) =>
    wire.send(
      answer(`{"kind":"SecretList","items":[]}`, {
        headers: [`Warning: 299 - "${echo.replace(/["\\]/g, "\\$&")}"`],
      }),
    ),
  "a page": (_, wire) => wire.send(answer(`<html>${CANARY}`)),
  "a secret, cut": (_, wire) => wire.send(answer(`{"items":[{"data":{"p":"${btoa(CANARY)}"}`)),
  "a secret that is not JSON": (_, wire) =>
    wire.send(answer(`{"items":[{"metadata":{"name":"a"},"data":{"p":${CANARY}}}]}`)),
  "an item without a name": (_, wire) =>
    wire.send(answer(`{"items":[{"data":{"p":"${btoa(CANARY)}"}}]}`)),
  "a watch of bad events": async (_, wire) => {
    await wire.send(CHUNKED_HEAD);
    for (
      const line of [
        `{"type":"ADDED","object":{"metadata":{"name":"a"},"data":{"p":${CANARY}}}}`,
        `{"type":"ADDED","object":"${CANARY}"}`,
        `{"type":"ADDED","object":{"data":"${CANARY}"}`,
        `{"type":"ODD","object":{"data":"${CANARY}"}}`,
        CANARY,
      ]
    ) await wire.chunk(`${line}\n`);
    await wire.chunk("");
  },
  "a broken answer": async (echo, wire) => {
    await wire.send(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n{"a":"${echo}`);
    wire.cut();
  },
  "no HTTP": (echo, wire) => wire.send(`${echo}\r\n\r\n`),
};

/** The users of the kubeconfig. */
const USERS: Readonly<Record<string, Record<string, unknown>>> = {
  token: { token: TOKEN },
  tokenFile: { tokenFile: "token" },
  basic: { username: "me", password: PASSWORD },
  certificate: {
    token: TOKEN,
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(me.key),
  },
};

/** Users that cannot be used. */
const FAULTS: Readonly<Record<string, Record<string, unknown>>> = {
  "a token and a password": { token: TOKEN, username: "me", password: PASSWORD },
  "a token of two lines": { token: `${TOKEN}\n${CANARY}` },
  "a key that is none": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(CANARY),
  },
  "a key of another": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(other.key),
  },
  "a key that is damaged": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(me.key.replace(/\n(?=-----END)/, "").slice(0, -70)),
  },
  "a key in the certificate's place": { "client-certificate-data": btoa(me.key) },
  "a token file of two lines": { tokenFile: "tokens" },
  "a plugin that fails and tells": plugin(
    `echo "token: ${TOKEN}" >&2; echo "$PLUGIN_VAR" >&2; exit 1`,
  ),
  "a plugin that prints junk": plugin(`echo '${TOKEN}'`),
  "a plugin whose token is bad": plugin(
    `echo '${credential({ token: `${TOKEN} ${CANARY}` })}'`,
  ),
  "a plugin whose key is none": plugin(
    `echo '${credential({ clientCertificateData: me.cert, clientKeyData: CANARY })}'`,
  ),
  "a login that nobody knows": {
    "auth-provider": { name: "acme", config: { "client-secret": CANARY, "id-token": TOKEN } },
  },
  "a login that cannot refresh": {
    "auth-provider": {
      name: "oidc",
      config: {
        "client-id": "me",
        "client-secret": CANARY,
        "id-token": TOKEN,
        "refresh-token": CANARY,
        "idp-issuer-url": "https://127.0.0.1:1",
      },
    },
  },
};

function plugin(script: string): Record<string, unknown> {
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "/bin/sh",
      args: ["-c", script],
      env: [{ name: "PLUGIN_VAR", value: `${CANARY}-variable` }],
      interactiveMode: "Never",
    },
  };
}

function credential(status: Record<string, unknown>): string {
  const apiVersion = "client.authentication.k8s.io/v1";
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status }).replaceAll("\n", "\\n");
}

/** Fails when any secret is in a text. */
function clean(text: string, hint: string): void {
  for (const secret of SECRETS) {
    const at = text.indexOf(secret);
    assert.ok(at < 0, `${hint}: ${text.slice(Math.max(0, at - 300), at + 80)}`);
  }
}

/** Everything that one kubeconfig makes us say: errors at every depth, records, the CLI's output. */
async function hear(
  cluster: Record<string, unknown>,
  user: Record<string, unknown>,
  hint: string,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const heard: string[] = [];
  const show = (what: unknown): void => {
    heard.push(Deno.inspect(what, { depth: 20, strAbbreviateSize: 1e6, showHidden: true }));
    if (!(what instanceof Error)) return;
    heard.push(errorText(what), String(what.stack), what.message, JSON.stringify(what) ?? "");
  };
  try {
    const kubeconfig = JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
    });
    await Deno.writeTextFile(`${folder}/config`, kubeconfig);
    await Deno.writeTextFile(`${folder}/token`, TOKEN);
    await Deno.writeTextFile(`${folder}/tokens`, `${TOKEN}\n${TOKEN}`);
    const host: Host = {
      ...systemHost,
      env: (name) => name === "KUBECONFIG" ? `${folder}/config` : undefined,
      isTerminal: () => false,
    };
    await call(host, show);
    await commands(host, heard);
    clean(heard.join("\n"), hint);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function call(host: Host, show: (what: unknown) => void): Promise<void> {
  configureSync({
    sinks: { all: (record) => show(record) },
    loggers: [
      { category: "xca", lowestLevel: "trace", sinks: ["all"] },
      { category: ["logtape", "meta"], lowestLevel: "fatal" },
    ],
  });
  try {
    const config = await loadConfig({ requestTimeout: "1s" }, host);
    show(config);
    show(JSON.stringify(config));
    using client = createClient(config);
    show(client);
    const calls: (() => Promise<unknown>)[] = [
      () => client.list(Secret),
      () => client.create(Secret, { metadata: { name: "a" }, ...{ stringData: { p: CANARY } } }),
      () => client.requestJson({ path: "/api", retry: false }),
      async () => {
        for await (const event of client.watch(Secret, { namespace: "n" })) void event;
      },
      async () => {
        const signal = AbortSignal.timeout(1_000);
        const raw = client.raw(Secret);
        await raw.list({}, () => {}, { signal });
        for await (const batch of await raw.watch({}, { signal })) {
          for (const event of batch) if (event.type === "UNDECODABLE") show(event.error);
        }
      },
    ];
    for (const each of calls) await each().catch(show);
  } catch (error) {
    show(error);
  } finally {
    resetSync();
  }
}

async function commands(host: Host, heard: string[]): Promise<void> {
  const lines = [
    ["status", "-v=9", "--request-timeout=1s"],
    ["status", "a", "-v=9", "--log-format=json", "--request-timeout=1s"],
    ["permissions"],
    ["permissions", "-o", "json"],
    ["__complete", "status", "--request-timeout=1s", "--namespace", ""],
    ["status", `--token=${TOKEN}`, "--context", "gone"],
    ["status", `--token=${TOKEN} ${CANARY}`],
  ];
  for (const line of lines) {
    const context = { ...testContext(), host };
    await runCli(line, context);
    heard.push(context.stdout(), context.stderr());
  }
}

function careless(kind: string): (request: WireRequest, wire: Wire) => Promise<void> {
  return async ({ headers, body }, wire) => {
    const [, proof = ""] = headers.find(([name]) => name === "authorization") ?? [];
    const basic = proof.startsWith("Basic ") ? ` (${atob(proof.slice(6))})` : "";
    // What the caller wrote itself is no secret of the credentials: it is left out.
    await ANSWERS[kind]!(`${proof}${basic} ${body.length}`, wire);
  };
}

for (const kind of Object.keys(ANSWERS)) {
  Deno.test(`redaction: ${kind}: no secret comes out`, async () => {
    await using server = new RawServer(careless(kind), serving);
    const cluster = { server: server.url, "certificate-authority-data": btoa(ca.cert) };
    // The ways to authenticate differ in what a server can echo.
    const users = /echo|redirect/.test(kind) ? Object.keys(USERS) : ["certificate"];
    for (const name of users) await hear(cluster, USERS[name]!, `${kind}, ${name}`);
  });
}

for (const [fault, user] of Object.entries(FAULTS)) {
  Deno.test(`redaction: ${fault}: no secret comes out`, async () => {
    await using server = new RawServer(careless("403 that echoes"), serving);
    const cluster = { server: server.url, "certificate-authority-data": btoa(ca.cert) };
    await hear(cluster, user, fault);
  });
}

Deno.test("redaction: a server that is not trusted, or not there: no secret comes out", async () => {
  await using server = new RawServer(careless("403 that echoes"), stranger);
  const authority = { "certificate-authority-data": btoa(ca.cert) };
  for (const url of [server.url, "https://127.0.0.1:1", `https://me:${CANARY}@127.0.0.1:1`]) {
    await hear({ server: url, ...authority }, USERS["certificate"]!, url);
  }
});

Deno.test("redaction: proxies that want, refuse or break: no secret comes out", async () => {
  await using wants = await ProxyServer.http({ login: "a:b" });
  await using refuses = await ProxyServer.http({ refuse: 502 });
  await using socks = await ProxyServer.socks5({ login: "a:b" });
  const login = `me:${CANARY}%40x`;
  const urls = [
    `http://${login}@127.0.0.1:${wants.port}`,
    `http://${login}@127.0.0.1:${refuses.port}`,
    `socks5://${login}@127.0.0.1:${socks.port}`,
    `https://${login}@127.0.0.1:${wants.port}`,
    `http://${login}@127.0.0.1:1`,
    `ftp://${login}@127.0.0.1:1`,
    `http://${login}@`,
  ];
  for (const [index, url] of urls.entries()) {
    const cluster = { server: "https://127.0.0.1:1", "proxy-url": url };
    await hear(
      { ...cluster, "certificate-authority-data": btoa(ca.cert) },
      USERS["token"]!,
      `proxy ${index}`,
    );
  }
});
