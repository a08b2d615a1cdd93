/**
 * Watches over WebSockets: what kube-apiserver answers to handshakes of all kinds, and the frames that
 * it sends, byte by byte from a connection of the test's own; and how the embedded server's front
 * compares. Records are kept and taken as those of {@linkcode conformanceSuite} are.
 *
 * @module
 */
import { connect, type ConnectionOptions } from "node:tls";
import { loadConfig } from "../../../lib/client/kubeconfig/load_config.ts";
import { realTest } from "../../real/suite.ts";
import { type Exchange, normalise } from "../normalise.ts";
import { assertAsRecorded, readRecords, writeRecords } from "../records.ts";
import { Servers } from "../servers.ts";

const RECORDS = new URL("../records/web_sockets.json", import.meta.url);
const update = Deno.env.get("XCA_UPDATE") === "1";
const records = readRecords(RECORDS);
const servers = new Servers({});
Deno.test.beforeAll(async () => {
  await servers.startForKubectl();
  await servers.embeddedKubeconfig();
});
Deno.test.afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  if (updated) writeRecords(RECORDS, records);
});
let updated = false;

/** A server, and a namespace of its own on it with two ConfigMaps, `a` and `b`. */
class Place {
  readonly exchanges: Exchange[] = [];
  readonly namespace = `ws-${crypto.randomUUID().slice(0, 8)}`;
  readonly #server: URL;
  readonly #tls: ConnectionOptions;

  constructor(server: string, tls: ConnectionOptions) {
    this.#server = new URL(server);
    this.#tls = tls;
  }

  static async of(kubeconfig: string): Promise<Place> {
    const { server, tls } = await loadConfig({ kubeconfig });
    const { caData, certData, keyData } = tls!;
    const place = new Place(server, { ca: caData!, cert: certData!, key: keyData! });
    await place.#make("/api/v1/namespaces", place.namespace);
    for (const name of ["a", "b"]) await place.#make(place.path("configmaps"), name);
    return place;
  }

  path(rest: string): string {
    return `/api/v1/namespaces/${this.namespace}/${rest}`;
  }

  async #make(path: string, name: string): Promise<void> {
    const body = JSON.stringify({ metadata: { name } });
    const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const { code } = await this.#say(
      [`POST ${path} HTTP/1.1`, ...lines, "Connection: close"],
      body,
    );
    if (code !== 201) throw new Error(`Cannot create ${name}: ${code}`);
  }

  /**
   * Shakes hands with some headers, and records the answer until the server closes, as it is asked to
   * after `enough` messages.
   */
  async ask(
    path: string,
    headers: readonly string[],
    options: { readonly sent?: Uint8Array; readonly enough?: number } = {},
  ): Promise<void> {
    const request = [`GET ${path} HTTP/1.1`, ...headers];
    const { code, head, bytes } = await this.#say(request, options.sent, options.enough);
    const protocol = /^sec-websocket-protocol: (.*)$/im.exec(head)?.[1]?.trim();
    const accept = /^sec-websocket-accept: (.*)$/im.exec(head)?.[1]?.trim();
    const body = code === 101
      ? { ...(protocol !== undefined && { protocol }), accept, messages: messagesOf(bytes) }
      : bodyOf(bytes);
    this.exchanges.push({ request: [`GET ${path}`, ...headers].join("\n"), code, body });
  }

  /** Everything that a server says until it closes the connection, or an answer of known length ends. */
  async #say(
    lines: readonly string[],
    sent: string | Uint8Array = "",
    enough = Infinity,
  ): Promise<{ code: number; head: string; bytes: Uint8Array }> {
    const { host, hostname, port } = this.#server;
    const socket = connect({ host: hostname, port: Number(port), ...this.#tls });
    let said = new Uint8Array(0);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.on("secureConnect", () => {
      socket.write([lines[0], `Host: ${host}`, ...lines.slice(1), "", ""].join("\r\n"));
      if (sent.length > 0) socket.write(sent);
    });
    socket.on("data", (chunk: Uint8Array) => {
      said = Uint8Array.from([...said, ...chunk]);
      if (isWhole(said)) resolve();
      else if (messagesIn(said) >= enough) {
        enough = Infinity;
        socket.write(CLOSE);
      }
    });
    socket.on("end", resolve);
    socket.on("close", () => resolve());
    socket.on("error", reject);
    await promise;
    if (!socket.closed) {
      const gone = new Promise((closed) => socket.on("close", closed));
      socket.destroy();
      await gone;
    }
    const at = endOfHead(said);
    const head = new TextDecoder().decode(said.subarray(0, at));
    return { code: Number(head.split(" ")[1]), head, bytes: said.subarray(at + 4) };
  }
}

function endOfHead(bytes: Uint8Array): number {
  return new TextDecoder("latin1").decode(bytes).indexOf("\r\n\r\n");
}

function isWhole(bytes: Uint8Array): boolean {
  const at = endOfHead(bytes);
  if (at < 0) return false;
  const head = new TextDecoder().decode(bytes.subarray(0, at));
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return length !== undefined && bytes.length >= at + 4 + Number(length);
}

/** Number of whole messages behind the head of an answer. */
function messagesIn(bytes: Uint8Array): number {
  const at = endOfHead(bytes);
  if (at < 0 || !new TextDecoder().decode(bytes.subarray(0, at)).includes(" 101 ")) return 0;
  return new TextDecoder().decode(bytes.subarray(at + 4)).split("}\n").length - 1;
}

/** Returns the opcode and payload of each frame. */
function messagesOf(bytes: Uint8Array): unknown[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    const opcode = bytes[at]!;
    const short = bytes[at + 1]!;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : view.getUint16(at + 2);
    const payload = bytes.subarray(at + head, at + head + length);
    const text = new TextDecoder().decode(payload);
    const newline = text.endsWith("\n");
    found.push(
      opcode === 0x81
        ? { text: JSON.parse(text), newline }
        : opcode === 0x88
        ? { close: payload[0]! * 256 + payload[1]! }
        : { opcode, text },
    );
    at += head + length;
  }
  return found;
}

function bodyOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return text.startsWith("{") ? JSON.parse(text) : text;
}

/** Adds a case: two tests, one per server. */
function conformance(name: string, run: (place: Place) => Promise<void>): void {
  const seenOn = async (kubeconfig: string): Promise<Exchange[]> => {
    const place = await Place.of(kubeconfig);
    await run(place);
    const names = new Map([[place.namespace, "<namespace>"]]);
    return normalise(place.exchanges, { names, masks: [], managedFields: false });
  };
  realTest(`conformance of kube-apiserver: ${name}`, async () => {
    const seen = await seenOn(await servers.realKubeconfig());
    if (update) {
      records[name] = seen;
      updated = true;
    }
    assertAsRecorded(name, seen, records[name]);
  });
  Deno.test(`conformance: ${name}`, async () => {
    assertAsRecorded(name, await seenOn(await servers.embeddedKubeconfig()), records[name]);
  });
}

const VERSION = "Sec-WebSocket-Version: 13";
const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
const ORIGIN = "Origin: https://dashboard.example";
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket", KEY, VERSION];
const GOOD = [...UPGRADE, ORIGIN];
const protocols = (text: string): string => `Sec-WebSocket-Protocol: ${text}`;
const WATCH = "configmaps?watch=true&timeoutSeconds=1";
const NAMED = "configmaps?watch=true&timeoutSeconds=60&fieldSelector=metadata.name%3Da";
const ONE = { enough: 1 };
/** Frames of a client, with a mask of zeros. */
const CLOSE = Uint8Array.of(0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8);
const PING = Uint8Array.of(0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69);
const UNMASKED = Uint8Array.of(0x81, 0x01, 0x61);

conformance("a watch over a WebSocket sends each event as a text message", async (p) => {
  await p.ask(p.path(WATCH), GOOD);
  await p.ask(p.path(NAMED), GOOD, ONE);
  await p.ask(p.path("configmaps/a?watch=1&timeoutSeconds=1"), GOOD);
  await p.ask(`/api/v1/watch/namespaces/${p.namespace}/configmaps/b?timeoutSeconds=60`, GOOD, ONE);
});

conformance("a list as a watch over a WebSocket ends its state with a bookmark", async (p) => {
  const list = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  await p.ask(p.path(`configmaps?watch=true&timeoutSeconds=60&${list}`), GOOD, { enough: 3 });
});

conformance("a watch over a WebSocket in another form", async (p) => {
  const form = "Accept: application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  await p.ask(p.path(WATCH), [...GOOD, form], { enough: 2 });
  await p.ask(p.path(WATCH), [...GOOD, "Accept-Encoding: gzip"], { enough: 2 });
  await p.ask(p.path(WATCH), [...GOOD, "Sec-WebSocket-Extensions: permessage-deflate"], {
    enough: 2,
  });
});

conformance("the one protocol that is offered is confirmed, and several are refused", async (p) => {
  for (const one of ["", "binary.k8s.io", "base64.binary.k8s.io", "v4.channel.k8s.io", "other"]) {
    await p.ask(p.path(NAMED), [...GOOD, protocols(one)], ONE);
  }
  await p.ask(p.path(NAMED), [...GOOD, protocols("one, two")], ONE);
  await p.ask(p.path(NAMED), [...GOOD, protocols("one"), protocols("two")], ONE);
});

conformance("a handshake has an origin that is an address", async (p) => {
  await p.ask(p.path(NAMED), UPGRADE);
  for (
    const origin of ["null", "dashboard.example", "a b", "/path", "dashboard.example:80", "x:"]
  ) {
    await p.ask(p.path(NAMED), [...UPGRADE, `Origin: ${origin}`], ONE);
  }
});

conformance("a handshake has version and key, whatever the key is", async (p) => {
  const upgrade = ["Connection: keep-alive, Upgrade", "Upgrade: WebSocket", ORIGIN];
  await p.ask(p.path(NAMED), [...upgrade, KEY]);
  await p.ask(p.path(NAMED), [...upgrade, KEY, "Sec-WebSocket-Version: 8"]);
  await p.ask(p.path(NAMED), [...upgrade, VERSION]);
  await p.ask(p.path(NAMED), [...upgrade, VERSION, "Sec-WebSocket-Key: short"], ONE);
});

conformance("a watch that is refused is refused before the handshake", async (p) => {
  await p.ask(p.path("nothings?watch=true"), UPGRADE);
  await p.ask(p.path("configmaps?watch=true&labelSelector=a%3D%3D%3D"), UPGRADE);
  await p.ask(p.path("configmaps?watch=true&resourceVersion=x"), UPGRADE);
});

conformance("what is no watch is answered without a WebSocket", async (p) => {
  await p.ask(p.path("configmaps"), GOOD);
  await p.ask(p.path("configmaps/a"), GOOD);
  await p.ask(p.path("pods/none/log"), GOOD);
  await p.ask(p.path("pods/none/exec?command=x"), GOOD);
});

conformance("a client closes, asks whether anybody is there, or breaks the protocol", async (p) => {
  const none = p.path("configmaps?watch=true&fieldSelector=metadata.name%3Dnone");
  await p.ask(`${none}&timeoutSeconds=60`, GOOD, { sent: CLOSE });
  await p.ask(`${none}&timeoutSeconds=1`, GOOD, { sent: PING });
  await p.ask(`${none}&timeoutSeconds=60`, GOOD, { sent: UNMASKED });
});
