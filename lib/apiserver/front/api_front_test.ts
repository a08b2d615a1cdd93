import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { connect } from "node:tls";
import { WebSocket } from "ws";
import { CertificateAuthority, checkPair } from "@xca/apimachinery/pki";
import { ApiServer } from "../server.ts";
import type { ApiServerOptions } from "../server_options.ts";
import { ApiFront } from "./api_front.ts";
import { type KeyStore, openServerKeys, type ServerKeys } from "./server_keys.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const DAY_MS = 86_400_000;

class Memory implements KeyStore {
  readonly texts = new Map<string, string>();

  read(name: string): string | undefined {
    return this.texts.get(name);
  }

  write(name: string, text: string): void {
    this.texts.set(name, text);
  }
}

async function start(
  options: ApiServerOptions = {},
): Promise<{ front: ApiFront; keys: ServerKeys; server: ApiServer } & AsyncDisposable> {
  const keys = await openServerKeys({ now: new Date(), hosts: ["127.0.0.1"] });
  const server = await ApiServer.start({ serviceAccountKey: keys.signingKey, ...options });
  const front = await ApiFront.listen({
    keys,
    fetch: (request, peer) => server.fetch(request, peer),
  });
  return {
    front,
    keys,
    server,
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]();
      await front.stop({ graceMs: 0 });
    },
  };
}

async function call(
  url: string,
  options: RequestOptions,
  body?: string,
): Promise<{ code: number | undefined; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let code: number | undefined;
  let text = "";
  const outgoing = httpsRequest(url, { agent: false, ...options }, (answer) => {
    code = answer.statusCode;
    answer.setEncoding("utf8").on("data", (chunk) => text += chunk).on("end", () => resolve());
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  await promise;
  return { code, text };
}

const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const JSON_TYPE = { "content-type": "application/json" };

Deno.test("a client certificate's name and organizations become user and groups", async () => {
  await using started = await start();
  const { front, keys } = started;
  const options = { ...keys.admin, ca: [keys.ca], method: "POST", headers: JSON_TYPE };
  const { code, text } = await call(front.url + WHO, options, "{}");
  assert.equal(code, 201, text);
  const { userInfo } = JSON.parse(text).status;
  assert.equal(userInfo.username, "admin");
  assert.deepEqual(userInfo.groups, ["system:masters", "system:authenticated"]);
  const [id] = userInfo.extra["authentication.kubernetes.io/credential-id"];
  assert.match(id, /^X509SHA256=[0-9a-f]{64}$/);
});

Deno.test("a request through the front without credentials is not the administrator's", async () => {
  await using started = await start({ tokens: { secret: { name: "robot", groups: [] } } });
  const { front, keys } = started;
  const ask = (options: RequestOptions): Promise<{ code: number | undefined; text: string }> =>
    call(`${front.url}/api/v1/namespaces`, { ca: [keys.ca], ...options });
  const nobody = await ask({});
  assert.equal(nobody.code, 401);
  assert.equal(JSON.parse(nobody.text).message, "Unauthorized");
  const mallory = await CertificateAuthority.create("xca-embedded", new Date());
  assert.equal((await ask(await mallory.client("admin", ["system:masters"]))).code, 401);
  assert.equal((await ask(keys.serving)).code, 401);
  assert.equal((await ask({ headers: { authorization: "Bearer secrets" } })).code, 401);
  const robot = await ask({ headers: { authorization: "Bearer secret" } });
  assert.equal(robot.code, 403);
  assert.match(robot.text, /User \\"robot\\" cannot list resource \\"namespaces\\"/);
});

/** Watches over a WebSocket, authenticated by a token as browsers do. */
async function watchByToken(
  { front, keys }: { front: ApiFront; keys: ServerKeys },
  token: string,
  options: Record<string, unknown> = {},
): Promise<string> {
  const protocol = `base64url.bearer.authorization.k8s.io.${btoa(token).replaceAll("=", "")}`;
  const url = `${front.url.replace("https", "wss")}/api/v1/namespaces?watch=1&timeoutSeconds=60`;
  const socket = new WebSocket(url, [protocol, "binary.k8s.io"], {
    ca: keys.ca,
    origin: "https://dashboard.example",
    ...options,
  });
  return await new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("unexpected-response", (request: ClientRequest, answer: IncomingMessage) => {
      request.destroy();
      answer.on("close", () => resolve(`refused ${answer.statusCode}`));
    });
    socket.on("message", (data: Uint8Array) => {
      socket.terminate();
      const { type, object } = JSON.parse(String(data));
      socket.on("close", () => resolve(`${socket.protocol}: ${type} ${object.metadata.name}`));
    });
  });
}

Deno.test("a token protocol authenticates a WebSocket watch and is not selected as its protocol", async () => {
  const robot = { name: "robot", groups: ["system:masters"] };
  await using started = await start({ tokens: { secret: robot } });
  assert.equal(await watchByToken(started, "secret"), "binary.k8s.io: ADDED default");
  assert.equal(await watchByToken(started, "secre"), "refused 401");
  // With a client certificate, a token protocol is an ordinary protocol.
  assert.equal(await watchByToken(started, "secret", started.keys.admin as never), "refused 400");
});

Deno.test("the kubeconfig has its key in SEC1 form, which all clients read", async () => {
  await using started = await start();
  const { front, keys } = started;
  const [, data] = /client-key-data: (\S+)/.exec(front.kubeconfig)!;
  const key = atob(data!);
  assert.match(key, /^-----BEGIN EC PRIVATE KEY-----\n/);
  const same = createPrivateKey(key).export({ type: "pkcs8", format: "pem" });
  assert.equal(same, keys.admin.key);
});

Deno.test("impersonated group names may contain commas", async () => {
  await using started = await start();
  const { front, keys } = started;
  const headers = { ...JSON_TYPE, "Impersonate-User": "jane", "Impersonate-Group": ["a, b", "c"] };
  const options = { ...keys.admin, ca: [keys.ca], method: "POST", headers };
  const { text } = await call(front.url + WHO, options, "{}");
  const { groups } = JSON.parse(text).status.userInfo;
  assert.deepEqual(groups, ["a, b", "c", "system:authenticated"]);
});

Deno.test("the front refuses requests with a Status", async () => {
  await using started = await start();
  const { front, keys } = started;
  const options = { ...keys.admin, ca: [keys.ca], method: "POST", headers: JSON_TYPE };
  const { code, text } = await call(`${front.url}/api/v1/namespaces`, options, "x".repeat(5 << 20));
  assert.equal(code, 413);
  assert.equal(JSON.parse(text).reason, "RequestEntityTooLarge");
});

Deno.test("a request target that is not a URL is refused, with and without a WebSocket", async () => {
  await using started = await start();
  const { front, keys } = started;
  using client = await Deno.connectTls({
    hostname: "127.0.0.1",
    port: Number(new URL(front.url).port),
    caCerts: [keys.ca],
  });
  const lines = ["GET //[ HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade"];
  await client.write(new TextEncoder().encode([...lines, "", ""].join("\r\n")));
  const bytes = new Uint8Array(1024);
  const length = await client.read(bytes);
  assert.match(new TextDecoder().decode(bytes.subarray(0, length!)), /^HTTP\/1.1 40[013] /);
  const { code } = await call(`${front.url}/version`, { ...keys.admin, ca: [keys.ca] });
  assert.equal(code, 200);
});

Deno.test("a deletion of an object named .. does not delete its namespace", async () => {
  await using started = await start();
  const { front, keys, server } = started;
  await server.seed("{ apiVersion: v1, kind: Namespace, metadata: { name: above } }");
  using client = await Deno.connectTls({
    hostname: "127.0.0.1",
    port: Number(new URL(front.url).port),
    caCerts: [keys.ca],
    cert: keys.admin.cert,
    key: keys.admin.key,
  });
  const lines = ["DELETE /api/v1/namespaces/above/configmaps/.. HTTP/1.1", "Host: x"];
  await client.write(new TextEncoder().encode([...lines, "", ""].join("\r\n")));
  const bytes = new Uint8Array(1024);
  const length = await client.read(bytes);
  assert.match(new TextDecoder().decode(bytes.subarray(0, length!)), /^HTTP\/1.1 400 /);
  const above = await server.fetch(new Request("https://x/api/v1/namespaces/above"));
  assert.equal((await above.json()).status.phase, "Active");
});

Deno.test("openServerKeys() reuses stored keys", async () => {
  const store = new Memory();
  const first = await openServerKeys({ now: NOW, hosts: ["localhost"], store });
  assert.deepEqual(await openServerKeys({ now: NOW, hosts: ["localhost"], store }), first);
  assert.deepEqual([...store.texts.keys()].sort(), [
    "admin.crt",
    "admin.key",
    "ca.crt",
    "ca.key",
    "service-account.key",
    "serving.crt",
    "serving.key",
  ]);
});

Deno.test("openServerKeys() renews expiring or incomplete certificates by the same authority", async () => {
  const store = new Memory();
  const first = await openServerKeys({ now: NOW, hosts: ["localhost"], store });
  const more = await openServerKeys({ now: NOW, hosts: ["localhost", "10.1.2.3"], store });
  assert.equal(more.ca, first.ca);
  assert.deepEqual(more.admin, first.admin);
  assert.notDeepEqual(more.serving, first.serving);
  const later = new Date(NOW.getTime() + 360 * DAY_MS);
  const renewed = await openServerKeys({ now: later, hosts: ["localhost"], store });
  assert.equal(renewed.ca, first.ca);
  assert.equal(renewed.signingKey, first.signingKey);
  const at = new Date(later.getTime() + 300 * DAY_MS);
  assert.equal(checkPair(renewed.admin, { at, ca: first.ca }), undefined);
});

Deno.test("openServerKeys() replaces unreadable keys", async () => {
  const store = new Memory();
  const first = await openServerKeys({ now: NOW, hosts: ["localhost"], store });
  store.write("ca.key", "nonsense");
  const second = await openServerKeys({ now: NOW, hosts: ["localhost"], store });
  assert.notEqual(second.ca, first.ca);
  assert.equal(checkPair(second.admin, { at: NOW, ca: second.ca }), undefined);
});

Deno.test("a method that the HTTP parser does not know is refused by a Status, as kube-apiserver does", async () => {
  await using plane = await start();
  const { front, keys } = plane;
  const socket = connect({ port: front.port, host: "127.0.0.1", ca: [keys.ca] });
  let text = "";
  socket.on("data", (bytes) => text += bytes);
  socket.on("secureConnect", () => socket.write("BREW /api/v1/pods HTTP/1.1\r\nHost: a\r\n\r\n"));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  assert.match(head, /\r\nContent-Type: application\/json\r\n/);
  assert.deepEqual(JSON.parse(body), {
    ...{ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" },
    message: "the server does not allow this method on the requested resource",
    ...{ reason: "MethodNotAllowed", details: {}, code: 405 },
  });
});
