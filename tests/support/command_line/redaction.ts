/**
 * A kubeconfig whose secrets are canaries, a server that echoes each request, and a check that no
 * canary occurs in the output at `-v=9`, in log records, or in errors at any depth.
 *
 * @module
 */
import assert from "node:assert/strict";
import { configureSync, resetSync } from "@logtape/logtape";
import { runCli } from "../../../cli/app.ts";
import type { Host } from "../../../lib/apimachinery/base/mod.ts";
import { errorText, systemHost } from "../../../lib/apimachinery/base/mod.ts";
import { createClient, loadConfig } from "../../../lib/client/mod.ts";
import { Secret } from "../../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority, type PemPair } from "../../../lib/apimachinery/pki/mod.ts";
import { answer, CHUNKED_HEAD, type Wire, type WireRequest } from "../../client/raw_server.ts";
import { testContext } from "./cli_context.ts";

/** The text that every secret contains. */
export const CANARY: string = "c4n4ry";
export const TOKEN: string = `${CANARY}-token.AbC_1`;
export const PASSWORD: string = `${CANARY} "pass"/word`;
export const ca: CertificateAuthority = await CertificateAuthority.create("redaction", new Date());
export const serving: PemPair = await ca.serving("s", ["localhost"], ["127.0.0.1"]);
/** The certificate of a server whose authority is not trusted. */
export const stranger: PemPair = await (await CertificateAuthority.create("stranger", new Date()))
  .serving("s", ["localhost"], ["127.0.0.1"]);
export const me: PemPair = await ca.client("me", []);
export const other: PemPair = await ca.client("other", []);
/** A private key, each line of which is a secret. */
const KEY_LINES = [me.key, other.key].flatMap((key) =>
  key.split("\n").filter((line) => line !== "" && !line.startsWith("---"))
);
const SECRETS = [CANARY, btoa(`me:${PASSWORD}`), btoa(CANARY), ...KEY_LINES, btoa(me.key)];

/** A response of a careless server, which repeats the whole request. */
type Answer = (echo: string, wire: Wire) => Promise<void> | void;

const status = (code: number, text: string): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, message: text });
const refusal = (code: number): Answer => (echo, wire) =>
  wire.send(answer(status(code, `no: ${echo}`), { status: `${code} No` }));

export const ANSWERS: Readonly<Record<string, Answer>> = {
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

/** Fails when a text contains a secret. */
function clean(text: string, hint: string): void {
  for (const secret of SECRETS) {
    const at = text.indexOf(secret);
    assert.ok(at < 0, `${hint}: ${text.slice(Math.max(0, at - 300), at + 80)}`);
  }
}

/**
 * Calls the client and the command line with one kubeconfig, and fails when an error at any depth, a log
 * record or the output contains a secret.
 */
export async function hear(
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

/** Returns the handler of a server that sends a response of {@linkcode ANSWERS}. */
export function careless(kind: string): (request: WireRequest, wire: Wire) => Promise<void> {
  return async ({ headers, body }, wire) => {
    const [, proof = ""] = headers.find(([name]) => name === "authorization") ?? [];
    const basic = proof.startsWith("Basic ") ? ` (${atob(proof.slice(6))})` : "";
    // The body of a request is not a secret of the credentials, and is not echoed.
    await ANSWERS[kind]!(`${proof}${basic} ${body.length}`, wire);
  };
}
