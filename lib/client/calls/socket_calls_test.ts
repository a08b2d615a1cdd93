import assert from "node:assert/strict";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { seededRandom } from "@xca/apimachinery/base";
import { CertificateAuthority, type PemPair } from "@xca/apimachinery/pki";
import { refusal } from "../../../tests/client/scripted_fetch.ts";
import { until } from "../../../tests/support/until.ts";
import { FakeSocket } from "../../../tests/client/fake_socket.ts";
import { webSocketServer } from "../../cluster/kubelet/streams/web_socket_streams.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { isForbidden, isNotFound, isUnauthorized } from "../errors/api_error.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type Dial, UpgradeRefused, type WebSocketLike } from "../transport/dial.ts";
import { HttpCalls } from "./http_calls.ts";
import { openTransport } from "../transport/transport.ts";
import { UnreachableError } from "../errors/unreachable_error.ts";

type Step = WebSocketLike | Error;
const REQUEST = { path: "/exec", protocols: ["v5.channel.k8s.io"] };

function setUp(script: Step[], credentials?: Credentials): {
  rest: HttpCalls;
  clock: FakeClock;
  calls: { url: string; headers: readonly (readonly [string, string])[] }[];
} {
  const clock = new FakeClock();
  const calls: ReturnType<typeof setUp>["calls"] = [];
  const dial: Dial = (url, _protocols, headers) => {
    calls.push({ url, headers });
    const step = script.shift() ?? new Error("the script is over");
    return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
  };
  const rest = new HttpCalls({ server: "https://api.example" }, {
    send: () => Promise.reject(new Error("not this way")),
    dial,
    clock,
    credentials,
    random: seededRandom(1),
  });
  return { rest, clock, calls };
}

const refused = (code: number, retryAfter?: number): UpgradeRefused =>
  new UpgradeRefused(refusal(code, retryAfter === undefined ? {} : { retryAfter }));

Deno.test("connect() dials wss with the query, and shows a refusal's Status", async () => {
  const { rest, calls } = setUp([refused(403), refused(404), new FakeSocket("v5.channel.k8s.io")]);
  using _ = rest;
  await assert.rejects(rest.connect(REQUEST), isForbidden);
  await assert.rejects(rest.connect(REQUEST), (error) => {
    assert(isNotFound(error));
    assert.equal(error.method, "CONNECT");
    assert.equal(error.path, "/exec");
    return true;
  });
  using socket = await rest.connect({ ...REQUEST, query: { command: ["a", "b c"], tty: false } });
  assert.equal(socket.protocol, "v5.channel.k8s.io");
  assert.equal(calls[2]!.url, "wss://api.example/exec?command=a&command=b+c&tty=false");
});

Deno.test("connect() renews the credentials once on a 401", async () => {
  const tokens = ["old", "new", "new"];
  const credentials: Credentials = {
    headers: () => Promise.resolve([["Authorization", `Bearer ${tokens.shift()}`]]),
    onUnauthorized: (sent) => Promise.resolve(sent[0]![1] === "Bearer old"),
  };
  const { rest, calls } = setUp([refused(401), new FakeSocket(""), refused(401)], credentials);
  using _ = rest;
  using _socket = await rest.connect(REQUEST);
  const shown = calls.map(({ headers }) => headers.find(([name]) => name === "Authorization")![1]);
  assert.deepEqual(shown, ["Bearer old", "Bearer new"]);
  await assert.rejects(rest.connect(REQUEST), isUnauthorized);
});

Deno.test("F53 connect() does not wait for a plugin once it is aborted", async () => {
  const never = new Promise<never>(() => {});
  const hanging: Credentials[] = [
    { headers: () => never, onUnauthorized: () => never },
    { headers: () => Promise.resolve([]), onUnauthorized: () => never },
  ];
  for (const credentials of hanging) {
    const { rest } = setUp([refused(401)], credentials);
    using _ = rest;
    const controller = new AbortController();
    const opening = rest.connect({ ...REQUEST, signal: controller.signal });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    controller.abort(new Error("enough"));
    await assert.rejects(opening, /enough/);
  }
});

Deno.test("F18 connect() is retried after 429 and 503 with Retry-After, as a write is", async () => {
  const { rest, clock, calls } = setUp([refused(429, 2), refused(503, 3), new FakeSocket("")]);
  using _ = rest;
  const opening = rest.connect(REQUEST);
  await clock.advance(1_999);
  assert.equal(calls.length, 1);
  await clock.advance(10_000);
  (await opening)[Symbol.dispose]();
  assert.equal(calls.length, 3);
});

Deno.test("connect() is not retried when the server may have acted", async () => {
  const lost = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  const { rest, calls } = setUp([lost, refused(503), refused(504, 1)]);
  using _ = rest;
  await assert.rejects(rest.connect(REQUEST), UnreachableError);
  await assert.rejects(rest.connect(REQUEST), /refused with 503/);
  await assert.rejects(rest.connect(REQUEST), /refused with 504/);
  assert.equal(calls.length, 3);
});

Deno.test("connect() without a dial names the missing option", async () => {
  using rest = new HttpCalls({ server: "https://api.example" }, {
    send: () => Promise.reject(new Error("not this way")),
  });
  await assert.rejects(rest.connect(REQUEST), /without a dial/);
});

/** Starts a TLS server on loopback that accepts WebSockets; `onSocket` is called with each. */
async function serveSockets(pair: PemPair, onSocket: (ws: ServerSocket) => void): Promise<
  AsyncDisposable & { readonly url: string }
> {
  const server = https.createServer({ cert: pair.cert, key: pair.key });
  const open = new Set<{ destroy(): void }>();
  const sockets = await webSocketServer();
  server.on("upgrade", (request, socket, head) => {
    open.add(socket);
    sockets.handleUpgrade(request, socket, head, (ws) => onSocket(ws as unknown as ServerSocket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface ServerSocket {
  on(event: string, listener: (data: Uint8Array) => void): void;
  send(data: Uint8Array | string): void;
  pause(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

const ca = await CertificateAuthority.create("ours", new Date());
const other = await CertificateAuthority.create("theirs", new Date());
const pair = await ca.serving("s", ["localhost"], ["127.0.0.1"]);

Deno.test("a WebSocket trusts only the authority of the cluster", async () => {
  await using server = await serveSockets(pair, (ws) => ws.close(1000));
  for (const [authority, trusted] of [[ca, true], [other, false]] as const) {
    const config = { server: server.url, tls: { caData: authority.cert } };
    using transport = openTransport(config);
    using rest = new HttpCalls(config, transport);
    const opening = rest.connect({ ...REQUEST, retry: false });
    if (trusted) {
      using socket = await opening;
      assert.equal(await socket.receive(), undefined);
    } else await assert.rejects(opening, /unable to verify .*certificate-authority-data/s);
  }
});

Deno.test("F37 a WebSocket that is refused once its connection is open sends no request, and is not retried", async () => {
  let opened = 0;
  await using server = await serveSockets(pair, () => opened++);
  const config = { server: server.url, tls: { caData: ca.cert } };
  using transport = openTransport(config);
  using rest = new HttpCalls(config, transport);
  let checks = 0;
  const admit = (): void => {
    if (++checks === 2) throw new Error("the lease may be lost");
  };
  await assert.rejects(rest.connect({ ...REQUEST, admit }), /the lease may be lost/);
  assert.deepEqual({ checks, opened }, { checks: 2, opened: 0 });
  using _socket = await rest.connect({ ...REQUEST, admit });
  assert.deepEqual({ checks, opened }, { checks: 4, opened: 1 });
});

Deno.test("a WebSocket verifies tls-server-name, a name or an address", async () => {
  const named = await ca.serving("s", ["api.example"], ["10.0.0.9"]);
  await using server = await serveSockets(named, (ws) => ws.close(1000));
  for (const [serverName, right] of [["10.0.0.9", true], ["10.0.0.8", false]] as const) {
    const config = { server: server.url, tls: { caData: ca.cert, serverName } };
    using transport = openTransport(config);
    using rest = new HttpCalls(config, transport);
    const opening = rest.connect({ ...REQUEST, retry: false });
    if (right) {
      using socket = await opening;
      assert.equal(await socket.receive(), undefined);
    } else await assert.rejects(opening, /ERR_TLS_CERT_ALTNAME_INVALID/);
  }
});

Deno.test("a WebSocket delivers every message, then its end", async () => {
  await using server = await serveSockets(pair, (ws) => {
    ws.on("message", (data) => {
      ws.send(data);
      if (data[0] === 2) ws.close(1000, "done");
      if (data[0] === 3) ws.terminate();
    });
  });
  using transport = openTransport({ server: server.url, tls: { caData: ca.cert } });
  const open = (): Promise<WebSocketLike> =>
    transport.dial(server.url.replace("http", "ws"), ["v4.channel.k8s.io"], [], signal);
  const { signal } = new AbortController();
  using orderly = await open();
  await orderly.send(new Uint8Array(200_000).fill(1));
  assert.equal((await orderly.receive())!.byteLength, 200_000);
  await orderly.send(Uint8Array.of(2));
  assert.deepEqual([...(await orderly.receive())!], [2]);
  assert.equal(await orderly.receive(), undefined);
  assert.deepEqual(await orderly.closed, { code: 1000, reason: "done" });
  await assert.rejects(orderly.send(Uint8Array.of(1)), /has ended/);
  using cut = await open();
  await cut.send(Uint8Array.of(3));
  await assert.rejects(async () => {
    while (await cut.receive());
  }, /closed before the end/);
});

Deno.test("disposing a transport closes its open WebSockets, which it counts", async () => {
  await using server = await serveSockets(pair, (ws) => ws.on("message", (data) => ws.send(data)));
  using transport = openTransport({ server: server.url, tls: { caData: ca.cert } });
  const { signal } = new AbortController();
  const url = server.url.replace("http", "ws");
  using socket = await transport.dial(url, ["v4.channel.k8s.io"], [], signal);
  using ended = await transport.dial(url, ["v4.channel.k8s.io"], [], signal);
  assert.equal(transport.openSockets, 2);
  ended[Symbol.dispose]();
  await ended.closed;
  await until(() => transport.openSockets === 1);
  transport[Symbol.dispose]();
  await assert.rejects(socket.receive(), /the connection closed before the end/);
  assert.equal((await socket.closed).code, 1006);
  assert.equal(transport.openSockets, 0);
});

/** A program that runs exec on a closed port, in a process with limited permissions. */
const CHILD = `
  import { createClient, podExec } from ${JSON.stringify(import.meta.resolve("../mod.ts"))};
  const tls = { insecureSkipVerify: true };
  using client = createClient({ server: "https://127.0.0.1:1", tls });
  await podExec(client, "a/b", { command: ["x"] }).catch((error) => console.log(error.message));
`;

Deno.test("a WebSocket without the permission for two environment variables names them", async () => {
  const env = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
  const config = `--config=${new URL("../../../deno.json", import.meta.url).pathname}`;
  const entry = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(entry, CHILD);
  for (const [flags, said] of [[[], `run it with ${env}`], [[env], "ECONNREFUSED"]] as const) {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-check", config, "--allow-net=127.0.0.1", ...flags, entry],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert(text.includes(said), `${text} ${new TextDecoder().decode(stderr)}`);
  }
  await Deno.remove(entry);
});

Deno.test("a WebSocket whose peer is silent is closed within a minute", async () => {
  const clock = new FakeClock();
  // The server accepts, and then reads nothing, not even pings.
  await using server = await serveSockets(pair, (ws) => ws.pause());
  using transport = openTransport({ server: server.url, tls: { caData: ca.cert } }, { clock });
  const { signal } = new AbortController();
  const url = server.url.replace("http", "ws");
  using socket = await transport.dial(url, ["v4.channel.k8s.io"], [], signal);
  const outcome = assert.rejects(socket.receive(), /the peer was silent for 60000 ms/);
  clock.step(59_999);
  clock.step(1);
  await outcome;
  assert.equal((await socket.closed).code, 1006);
});
