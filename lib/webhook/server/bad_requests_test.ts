/**
 * The requests that no API server sends: each is answered by its own refusal, none is ever allowed, and
 * the server serves the next one (sigs.k8s.io/controller-runtime/pkg/webhook/admission, http_test.go).
 */
import assert from "node:assert/strict";
import { connect, type ConnectionOptions } from "node:tls";
import type { RequestOptions } from "node:https";
import { webhookFor } from "../admission/webhook_builder.ts";
import { authority, Desktop, desktop, reviewOf, send, serve } from "./webhook_fakes_test.ts";

const PATH = "/validate-example-com-v1-desktop";

const webhook = webhookFor(Desktop)
  .defaulter(({ object }) => void (object.spec.replicas ??= 1))
  .validator({ create: () => {}, update: () => {}, delete: () => {} });

interface Case {
  readonly name: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly options?: RequestOptions;
  /** The status code of HTTP. */
  readonly code: number;
  /** The message of the refusal. */
  readonly message: RegExp;
}

const nested = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
const wholeReview = JSON.stringify(reviewOf());

const CASES: readonly Case[] = [
  { name: "an unknown path", path: "/other", body: reviewOf(), code: 404, message: /no webhook/ },
  { name: "GET", options: { method: "GET" }, code: 405, message: /GET is not allowed/ },
  {
    name: "a wrong content type",
    body: reviewOf(),
    options: { headers: { "content-type": "application/foo" } },
    code: 415,
    message: /^contentType=application\/foo, expected application\/json$/,
  },
  {
    name: "no content type",
    body: reviewOf(),
    options: { headers: {} },
    code: 415,
    message: /^contentType=, expected/,
  },
  { name: "no body", code: 400, message: /^request body is empty$/ },
  { name: "an empty body", body: "", code: 400, message: /^request body is empty$/ },
  { name: "a truncated body", body: wholeReview.slice(0, -9), code: 400, message: /cannot be dec/ },
  { name: "no JSON", body: "{", code: 400, message: /cannot be decoded/ },
  { name: "a list", body: [], code: 400, message: /no AdmissionReview/ },
  { name: "null", body: "null", code: 400, message: /no AdmissionReview/ },
  { name: "a number", body: "1e999", code: 400, message: /no AdmissionReview/ },
  {
    name: "bytes that are not UTF-8",
    body: Uint8Array.of(0x22, 0xff, 0xfe, 0x22),
    code: 400,
    message: /not UTF-8/,
  },
  { name: "an object of a kind", body: desktop(), code: 400, message: /kind "Desktop"/ },
  {
    name: "a review of v1beta1",
    body: { ...reviewOf(), apiVersion: "admission.k8s.io/v1beta1" },
    code: 400,
    message: /v1beta1 is not supported: configure admissionReviewVersions: \["v1"\]/,
  },
  {
    name: "a review of a conversion",
    body: { ...reviewOf(), apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" },
    code: 400,
    message: /no AdmissionReview of admission.k8s.io\/v1/,
  },
  {
    name: "a review without a request",
    body: { ...reviewOf(), request: null },
    code: 400,
    message: /request is missing/,
  },
  { name: "a missing uid", body: reviewOf({ uid: undefined }), code: 400, message: /request.uid/ },
  {
    name: "an empty uid",
    body: reviewOf({ uid: "" }),
    code: 400,
    message: /request.uid is missing/,
  },
  { name: "a body that is nested too deeply", body: nested, code: 400, message: /./ },
  {
    name: "an object that is nested too deeply",
    path: "/mutate-example-com-v1-desktop",
    body: wholeReview.replace('"image":"x"', `"image":${nested}`),
    code: 200,
    message: /./,
  },
  {
    name: "a body of more than 7 MiB",
    body: JSON.stringify({ ...reviewOf(), padding: "x".repeat(7 * 1024 * 1024) }),
    code: 413,
    message: /^limit is 7340032 bytes$/,
  },
  // Reviews with a uid are answered in the review, so that the user of the API server reads the reason.
  ...([
    ["an unknown operation", { operation: "EXPLODE" }, /^unknown operation "EXPLODE"$/],
    ["a missing operation", { operation: undefined }, /request.operation is missing/],
    ["a missing object", { object: null }, /^request.object is missing on CREATE$/],
    ["an update without the old object", { operation: "UPDATE" }, /request.oldObject is missing/],
    ["a deletion without the old object", { operation: "DELETE" }, /request.oldObject is missing/],
    ["an object that is a text", { object: "x" }, /^request.object is missing or not an object$/],
    ["an object that is a list", { object: [] }, /^request.object is missing or not an object$/],
    ["an object without metadata", { object: { ...desktop(), metadata: undefined } }, /metadata/],
    ["an object without a kind", { object: { ...desktop(), kind: 3 } }, /request.object.kind/],
    [
      "another resource",
      { resource: { group: "", version: "v1", resource: "pods" } },
      /is for desktops of example.com\/v1, not for pods of v1; correct its configuration/,
    ],
    [
      "another version",
      { resource: { group: "example.com", version: "v9", resource: "desktops" } },
      /not for desktops of example.com\/v9/,
    ],
    ["a subresource", { subResource: "status" }, /not for desktops\/status of example.com\/v1/],
    ["a kind that is a text", { kind: "Desktop" }, /^request.kind is missing or not an object$/],
    ["a user that is a list", { userInfo: [] }, /request.userInfo is missing or not an object/],
    ["groups that are a text", { userInfo: { groups: "x" } }, /userInfo.groups is not a list/],
    ["a name that is a number", { name: 7 }, /request.name is missing or not a text/],
  ] as const).map(([name, changes, message]) => ({
    name,
    body: reviewOf(changes),
    code: 200,
    message,
  })),
];

Deno.test("I29 a bad request gets its status code and reason, is never allowed, and the server goes on", async () => {
  await using server = await serve({ webhooks: [webhook] });
  for (const { name, path = PATH, body, options, code, message } of CASES) {
    const answer = await send(server, path, body, options);
    assert.equal(answer.code, code, `${name}: ${answer.text.slice(0, 200)}`);
    assert.equal(answer.response?.allowed, false, name);
    assert.match(answer.response.status.message, message, name);
    assert.equal(answer.response.uid, code === 200 ? "7f1c" : "", name);
    assert(!answer.text.includes("    at "), `${name}: the answer has a stack`);
    assert(!answer.text.includes("file:"), `${name}: the answer has a path of this machine`);
  }
  const { response } = await send(server, PATH, reviewOf());
  assert.deepEqual(response, { uid: "7f1c", allowed: true, status: { code: 200 } });
});

Deno.test("I29 the last of two fields of one name counts, as in Go, and unknown fields are ignored", async () => {
  await using server = await serve({
    webhooks: [
      webhookFor(Desktop).validator({
        create: ({ object, warn }) => warn(object.spec.image),
      }),
    ],
  });
  const text = wholeReview.replace('"image":"x"', '"image":"first","image":"last","__proto__":{}')
    .replace('{"uid"', '{"new":[{}],"uid"');
  const { response } = await send(server, PATH, text);
  assert.deepEqual(response, {
    uid: "7f1c",
    allowed: true,
    status: { code: 200 },
    warnings: ["last"],
  });
});

Deno.test("I29 clients that send their head or their body too slowly are cut off", async () => {
  await using server = await serve({
    webhooks: [webhook],
    limits: { headerTimeoutMs: 100, requestTimeoutMs: 100 },
  });
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  for (const begun of [head, `${head}Content-Length: 100\r\n\r\n{`]) {
    const said = await say(server.port!, begun);
    assert.match(said, /^(HTTP\/1\.1 408 |$)/);
  }
});

/** Sends the begin of a request, and returns what the server says until it closes the connection. */
async function say(port: number, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let said = "";
  const socket = connect({ port, host: "127.0.0.1", ca: [authority.cert] });
  socket.on("secureConnect", () => socket.write(text));
  socket.on("data", (bytes) => said += bytes);
  socket.on("error", () => {});
  socket.on("close", () => resolve());
  await promise;
  return said;
}

Deno.test("I29 a client without a certificate of the API server is refused where one is demanded", async () => {
  const clients = { ca: authority.cert, names: ["kube-apiserver"] };
  await using server = await serve({ webhooks: [webhook], clients });
  const sendAs = async (name?: string): Promise<number | undefined> => {
    const pair = name === undefined ? {} : await authority.client(name, []);
    return (await send(server, PATH, reviewOf(), pair)).code;
  };
  assert.equal(await sendAs(), 403);
  assert.equal(await sendAs("mallory"), 403);
  assert.equal(await sendAs("kube-apiserver"), 200);
  const other = await (await import("@xca/apimachinery/pki")).CertificateAuthority
    .create("ca", new Date());
  const forged = await other.client("kube-apiserver", []);
  assert.equal(
    (await send(server, PATH, reviewOf(), { cert: forged.cert, key: forged.key })).code,
    403,
  );
});

Deno.test("I29 the server speaks HTTP/1.1 and TLS 1.2 or later, whatever the client offers", async () => {
  await using server = await serve({ webhooks: [webhook] });
  const offer = async (options: ConnectionOptions): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect({
      port: server.port!,
      host: "127.0.0.1",
      ca: [authority.cert],
      ...options,
    });
    socket.on("secureConnect", () => resolve(`${socket.alpnProtocol} ${socket.getProtocol()}`));
    socket.on("error", () => resolve("refused"));
    const result = await promise;
    socket.destroy();
    return result;
  };
  assert.match(await offer({ ALPNProtocols: ["h2", "http/1.1"] }), /^http\/1\.1 TLSv1\.[23]$/);
  assert.match(await offer({ ALPNProtocols: ["http/1.1"], maxVersion: "TLSv1.2" }), /TLSv1\.2$/);
});
