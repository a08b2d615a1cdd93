/**
 * Tests of redaction for the other entry points of the client, and for the cache, on a network that
 * repeats each request in its response: no canary occurs in errors at any depth, or in log records
 * at any level.
 */
import assert from "node:assert/strict";
import { configureSync, resetSync } from "@logtape/logtape";
import { errorText, seededRandom } from "../../lib/apimachinery/base/mod.ts";
import { InformerFactory } from "../../lib/cache/mod.ts";
import {
  bindPod,
  type Client,
  createClient,
  discoveryClient,
  dryRunOnly,
  dynamicClient,
  evictPod,
  getScale,
  getTable,
  inNamespace,
  listOwnRules,
  listTable,
  mergePatch,
  openApiClient,
  podAttach,
  podExecOutput,
  podLogLines,
  podLogs,
  podPort,
  podPortForward,
  requestToken,
  restClient,
  reviewOwnAccess,
  reviewToken,
  serverVersion,
  updateScale,
  UpgradeRefused,
  waitFor,
  whoAmI,
  withFieldOwner,
} from "../../lib/client/mod.ts";
import { Deployment, Secret } from "../../lib/apimachinery/meta/mod.ts";
import { FakeClock } from "../../lib/testing/mod.ts";
import { until } from "../support/until.ts";

const CANARY = "c4n4ry";
const TOKEN = `${CANARY}-token.AbC_1`;
const PASSWORD = `${CANARY} "pass"/word`;
const SECRETS = [CANARY, btoa(`me:${PASSWORD}`), btoa(CANARY)];

/** The responses of a careless server, which repeat the request and more. */
const ANSWERS: Readonly<Record<string, (echo: string) => Response>> = {
  "403 that echoes": (echo) => status(403, echo),
  "404 that echoes": (echo) => status(404, echo),
  "410 that echoes": (echo) => status(410, echo),
  "429 that echoes": (echo) => status(429, echo),
  "503 that echoes as text": (echo) => new Response(echo, { status: 503 }),
  "no JSON": () => new Response(`{"data":{"p":${CANARY}}}`),
  "a secret, cut": () => new Response(`{"items":[{"data":{"p":"${btoa(CANARY)}"}`),
  "another kind": () => Response.json({ kind: "Secret", data: { p: btoa(CANARY) } }),
  "a list of secrets": () =>
    Response.json({
      metadata: { resourceVersion: "1" },
      items: [{
        metadata: { name: "a", namespace: "n", uid: "1", resourceVersion: "1" },
        data: { p: btoa(CANARY) },
      }],
    }),
  "a list of what is none": () => Response.json({ items: [CANARY, { data: btoa(CANARY) }] }),
  "an event of an error that echoes": (echo) =>
    new Response(`${
      JSON.stringify({
        type: "ERROR",
        object: { kind: "Status", code: 500, message: `no: ${echo}` },
      })
    }\n`),
  "warnings that echo": (echo) =>
    Response.json({ items: [] }, {
      headers: { Warning: `299 - "${echo.replace(/["\\]/g, "\\$&")}"` },
    }),
};

function status(code: number, echo: string): Response {
  const body = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    message: `no: ${echo}`,
  };
  return Response.json(body, { status: code });
}

/** Every door, and every call that has a shape of its own. */
const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  "typed get": (client) => client.get(Secret, "n/a"),
  "typed list": (client) => client.list(Secret),
  "typed create": (client) => client.create(Secret, { metadata: { name: "a" } }),
  "typed patch": (client) => client.patch(Secret, "n/a", mergePatch({ data: {} })),
  "typed watch": async (client) => {
    for await (const event of client.watch(Secret)) void event;
  },
  "dynamic": (client) =>
    dynamicClient(client).resource({ group: "", version: "v1", plural: "secrets" }).list(),
  "rest": (client) => restClient(client).get().namespace("n").resource("secrets").do(),
  "rest watch": async (client) => {
    for await (const event of restClient(client).get().resource("secrets").watch()) void event;
  },
  "discovery": (client) => discoveryClient(client).resources(),
  "discovery by name": (client) => discoveryClient(client).resourceFor("secret"),
  "open api": (client) => openApiClient(client).paths(),
  "open api document": (client) => openApiClient(client).document("v1"),
  "version": (client) => serverVersion(client),
  "scale": (client) => getScale(client, Deployment, "n/a"),
  "set scale": (client) =>
    updateScale(client, Deployment, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a", namespace: "n" },
      spec: { replicas: 1 },
    }),
  "eviction": (client) => evictPod(client, "n/a"),
  "binding": (client) => bindPod(client, "n/a", "node"),
  "token request": (client) => requestToken(client, "n/a"),
  "token review": (client) => reviewToken(client, TOKEN),
  "who am I": (client) => whoAmI(client),
  "access": (client) => reviewOwnAccess(client, { verb: "get", type: Secret }),
  "rules": (client) => listOwnRules(client, "n"),
  "table": (client) => listTable(client, Secret),
  "one's table": (client) => getTable(client, Secret, "n/a"),
  "wait": (client) => waitFor(client, Secret, "n/a", () => false, { timeoutMs: 5 }),
  "logs": async (client) => await new Response(await podLogs(client, "n/a")).text(),
  "log lines": async (client) => {
    for await (const line of podLogLines(client, "n/a")) void line;
  },
  "exec": (client) => podExecOutput(client, "n/a", { command: ["x"] }),
  "attach": (client) => podAttach(client, "n/a"),
  "port": (client) => podPort(client, "n/a", 80),
  "scoped": (client) =>
    dryRunOnly(withFieldOwner(inNamespace(client, "n"), "me")).update(Secret, {
      metadata: { name: "a" },
    } as never),
};

for (const [kind, answer] of Object.entries(ANSWERS)) {
  for (
    const credentials of [{ token: TOKEN }, { username: "me", password: PASSWORD }]
  ) {
    const who = Object.keys(credentials)[0];
    Deno.test(`redaction of every entry point: ${kind}, ${who}: no secret is printed`, async () => {
      const heard: string[] = [];
      const show = (what: unknown): void => {
        heard.push(Deno.inspect(what, { depth: 20, strAbbreviateSize: 1e6, showHidden: true }));
        if (what instanceof Error) heard.push(errorText(what), String(what.stack));
      };
      configureSync({
        sinks: { all: show },
        loggers: [
          { category: "xca", lowestLevel: "trace", sinks: ["all"] },
          { category: ["logtape", "meta"], lowestLevel: "fatal" },
        ],
      });
      try {
        await hear({ credentials, answer }, show);
      } finally {
        resetSync();
      }
      const text = heard.join("\n");
      for (const secret of SECRETS) {
        const at = text.indexOf(secret);
        assert.ok(at < 0, text.slice(Math.max(0, at - 600), at + 80));
      }
    });
  }
}

async function hear(
  { credentials, answer }: {
    readonly credentials: Record<string, string>;
    readonly answer: (echo: string) => Response;
  },
  show: (what: unknown) => void,
): Promise<void> {
  const echo = (headers: Headers): string => {
    const proof = headers.get("authorization") ?? "";
    return proof.startsWith("Basic ") ? `${proof} (${atob(proof.slice(6))})` : proof;
  };
  const clock = new FakeClock();
  using client = createClient({ server: "https://api.example", credentials }, {
    clock,
    random: seededRandom(1),
    fetch: (request) => Promise.resolve(answer(echo(request.headers))),
    dial: (_url, _protocols, headers) =>
      Promise.reject(new UpgradeRefused(answer(echo(new Headers([...headers] as never))))),
  });
  for (const [name, call] of Object.entries(CALLS)) {
    let over = false;
    const ended = call(client).catch(show).finally(() => over = true);
    for (let turn = 0; !over && turn < 200; turn++) await clock.advance(10_000);
    assert.ok(over, `${name} ends`);
    await ended;
  }
  await cacheAndForward(client, clock, show);
}

/** Runs the background tasks that log their failures. */
async function cacheAndForward(
  client: Client,
  clock: FakeClock,
  show: (what: unknown) => void,
): Promise<void> {
  const abort = new AbortController();
  const factory = new InformerFactory(client, { clock, random: seededRandom(2) });
  factory.informer(Secret);
  factory.start(abort.signal);
  for (let turn = 0; turn < 20; turn++) await clock.advance(10_000);
  abort.abort();
  await factory.done.catch(show);
  let told = 0;
  await using forward = await podPortForward(client, "n/a", {
    port: 80,
    onError: (error) => {
      told++;
      show(error);
    },
  });
  using _connection = await Deno.connect({ hostname: "127.0.0.1", port: forward.port });
  await until(async () => {
    await clock.advance(10_000);
    return told > 0;
  });
}
