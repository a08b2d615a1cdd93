import assert from "node:assert/strict";
import { ProxyServer } from "../../../../tests/support/network/proxy_server.ts";
import { answer, CHUNKED_HEAD, RawServer } from "../../../../tests/client/raw_server.ts";
import { Namespace } from "@xca/apimachinery/meta";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { ConfigError, type TlsConfig } from "../../config/config.ts";
import { createClient } from "../../create_client.ts";
import { UnreachableError } from "../../errors/unreachable_error.ts";

const ca = await CertificateAuthority.create("ours", new Date());
const pair = await ca.serving("s", ["localhost", "api.example"], ["127.0.0.1"]);
const others = await CertificateAuthority.create("theirs", new Date());

function serve(secure = true): RawServer {
  return new RawServer(async ({ line }, wire) => {
    if (!line.includes("watch=")) return void wire.send(answer(`{"ok":true}`));
    await wire.send(CHUNKED_HEAD);
    const object = { metadata: { name: "a", resourceVersion: "1" } };
    await wire.chunk(`${JSON.stringify({ type: "ADDED", object })}\n`);
    await wire.chunk("");
  }, secure ? pair : undefined);
}

async function call(
  server: string,
  proxyUrl: string,
  tls: TlsConfig = { caData: ca.cert },
): Promise<unknown> {
  using client = createClient({ server, proxyUrl, ...(server.startsWith("https") ? { tls } : {}) });
  return await client.requestJson({ path: "/version", retry: false });
}

/** Returns the UnreachableError with which a call through a proxy rejects. */
async function failureOf(promise: Promise<unknown>): Promise<UnreachableError> {
  const error = await promise.then(() => assert.fail("it was reached"), (error) => error);
  assert.ok(error instanceof UnreachableError, String(error?.stack));
  assert.doesNotMatch(Deno.inspect(error, { depth: 9 }), /s3cret/);
  return error;
}

const PROXIES = {
  "http": (port: number) => `http://127.0.0.1:${port}`,
  "socks5": (port: number) => `socks5://127.0.0.1:${port}`,
};

for (const [kind, urlOf] of Object.entries(PROXIES)) {
  const start = kind === "http" ? ProxyServer.http : ProxyServer.socks5;

  Deno.test(`proxy ${kind}: calls go through one tunnel, TLS is with the server`, async () => {
    await using server = serve();
    await using proxy = await start();
    using client = createClient({
      server: server.url,
      proxyUrl: urlOf(proxy.port),
      tls: { caData: ca.cert },
    });
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await client.requestJson({ path: "/version" }), { ok: true });
    }
    assert.deepEqual(proxy.targets, [new URL(server.url).host]);
    assert.equal(server.connections, 1);
  });

  Deno.test(`proxy ${kind}: a watch goes through it too`, async () => {
    await using server = serve();
    await using proxy = await start();
    using client = createClient({
      server: server.url,
      proxyUrl: urlOf(proxy.port),
      tls: { caData: ca.cert },
    });
    const names: unknown[] = [];
    for await (const event of client.watch(Namespace)) names.push(event.object.metadata?.name);
    assert.deepEqual(names, ["a"]);
    assert.equal(proxy.targets.length, 1);
  });

  Deno.test(`proxy ${kind}: the URL's name and password are given, and asked for in the error`, async () => {
    await using server = serve();
    await using proxy = await start({ login: "me@home:s3cret/u" });
    const at = `127.0.0.1:${proxy.port}`;
    assert.deepEqual(await call(server.url, `${kind}://me%40home:s3cret%2Fu@${at}`), { ok: true });
    const wrong = await failureOf(call(server.url, `${kind}://me:s3cret@${at}`));
    assert.match(
      wrong.message,
      new RegExp(`the proxy ${kind}://${at} .*not accept.*name and password`),
    );
    const none = await failureOf(call(server.url, `${kind}://${at}`));
    assert.match(none.message, /(asks for|needs) a name and password.*; check proxy-url/);
    assert.ok(none.neverSent && !none.mayPass);
  });

  Deno.test(`proxy ${kind}: one that nobody runs is named as what cannot be reached`, async () => {
    const gone = await start();
    const { port } = gone;
    await gone[Symbol.asyncDispose]();
    const error = await failureOf(
      call("https://127.0.0.1:1", `${kind}://u:s3cret@127.0.0.1:${port}`),
    );
    assert.match(
      error.message,
      new RegExp(`the proxy ${kind}://127.0.0.1:${port} cannot be reached: .*ECONNREFUSED`),
    );
    assert.ok(error.neverSent && error.mayPass);
  });

  Deno.test(`proxy ${kind}: names are looked up by the proxy, and checked against the certificate`, async () => {
    await using server = serve();
    await using proxy = await start({ names: { "api.example": "127.0.0.1" } });
    const { port } = new URL(server.url);
    assert.deepEqual(await call(`https://api.example:${port}`, urlOf(proxy.port)), { ok: true });
    assert.deepEqual(proxy.targets, [`api.example:${port}`]);
  });

  Deno.test(`proxy ${kind}: another authority's server is refused behind it; insecure and tls-server-name count`, async () => {
    await using server = serve();
    await using proxy = await start({ names: { "other.example": "127.0.0.1" } });
    const url = `https://other.example:${new URL(server.url).port}`;
    const named = await failureOf(call(url, urlOf(proxy.port)));
    assert.match(named.message, /tls-server-name/);
    const serverName = "api.example";
    assert.deepEqual(
      await call(url, urlOf(proxy.port), { caData: ca.cert, serverName }),
      { ok: true },
    );
    const signed = await failureOf(
      call(url, urlOf(proxy.port), { caData: others.cert, serverName }),
    );
    assert.match(signed.message, /certificate-authority-data/);
    assert.deepEqual(await call(url, urlOf(proxy.port), { insecureSkipVerify: true }), {
      ok: true,
    });
  });

  Deno.test(`F02 proxy ${kind}: one that takes the connection and says nothing is given up after 30 s`, async () => {
    const clock = new FakeClock();
    await using proxy = await start({ silent: true });
    using client = createClient(
      { server: "https://127.0.0.1:1", proxyUrl: urlOf(proxy.port), tls: { caData: ca.cert } },
      { clock },
    );
    const failed = failureOf(client.requestJson({ path: "/version", retry: false }));
    while (proxy.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(29_999);
    await clock.advance(1);
    const error = await failed;
    assert.match(error.message, /the proxy .* made no connection within 30000 ms/);
  });

  Deno.test(`proxy ${kind}: closing the client gives up a tunnel that is being made`, async () => {
    await using proxy = await start({ silent: true });
    const client = createClient({
      server: "https://127.0.0.1:1",
      proxyUrl: urlOf(proxy.port),
      tls: { caData: ca.cert },
    });
    const failed = client.requestJson({ path: "/version" }).then(
      () => "answered",
      () => "given up",
    );
    while (proxy.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    client[Symbol.dispose]();
    assert.equal(await failed, "given up");
    while (proxy.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
}

for (const [status, mayPass] of [[403, false], [502, true], [503, true]] as const) {
  Deno.test(`proxy http: CONNECT answered with ${status} is told as the proxy's answer`, async () => {
    await using proxy = await ProxyServer.http({ refuse: status });
    const error = await failureOf(call("https://127.0.0.1:1", PROXIES.http(proxy.port)));
    assert.match(
      error.message,
      new RegExp(
        `proxy http://127.0.0.1:${proxy.port} refused a connection to 127.0.0.1:1: ${status}`,
      ),
    );
    assert.equal(error.mayPass, mayPass);
    assert.doesNotMatch(error.message, /PAGE/);
  });
}

Deno.test("proxy http: the reason of a refusal is one line without control characters", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = listener.accept().then(async (connection) => {
    await connection.read(new Uint8Array(1024));
    const reason = `\x9b2J${"y".repeat(5_000)}`;
    const text = `HTTP/1.1 500 ${reason}\r\n\r\n`;
    await connection.write(Uint8Array.from(text, (char) => char.charCodeAt(0)));
    connection.close();
  });
  const error = await failureOf(call("https://127.0.0.1:1", PROXIES.http(listener.addr.port)));
  await served;
  assert.match(
    error.message,
    /refused a connection to 127\.0\.0\.1:1: 500 \ufffd2Jy{100,200}\.\.\./,
  );
});

Deno.test("proxy socks5: errors have the reasons of the proxy", async () => {
  for (const [refuse, reason] of [[2, "rules"], [4, "host is unreachable"], [99, "99"]] as const) {
    await using proxy = await ProxyServer.socks5({ refuse });
    const error = await failureOf(call("https://127.0.0.1:1", PROXIES.socks5(proxy.port)));
    assert.match(error.message, new RegExp(`refused a connection to 127.0.0.1:1: .*${reason}`));
  }
});

Deno.test("proxy socks5: a server of another protocol is an error that says so", async () => {
  await using server = new RawServer(() => {});
  await using http = await ProxyServer.http();
  void server;
  const error = await failureOf(call("https://127.0.0.1:1", `socks5://127.0.0.1:${http.port}`));
  assert.match(error.message, /does not speak SOCKS5|closed the connection/);
});

Deno.test("proxy https: TLS to the proxy by the cluster's roots, and to the server within", async () => {
  await using server = serve();
  await using proxy = await ProxyServer.http({ tls: pair, login: "u:s3cret" });
  const url = `https://u:s3cret@127.0.0.1:${proxy.port}`;
  assert.deepEqual(await call(server.url, url), { ok: true });
  const tls = { insecureSkipVerify: true };
  assert.deepEqual(await call(server.url, url, tls), { ok: true });
});

Deno.test("proxy https: an untrusted certificate of the proxy is an error that names the proxy", async () => {
  const theirs = await others.serving("p", ["localhost"], ["127.0.0.1"]);
  await using server = serve();
  await using proxy = await ProxyServer.http({ tls: theirs });
  const error = await failureOf(call(server.url, `https://127.0.0.1:${proxy.port}`));
  assert.match(error.message, /the proxy https:\/\/127.0.0.1:\d+ cannot be reached: .*certificate/);
  assert.ok(!error.mayPass);
});

for (const [kind, urlOf] of Object.entries(PROXIES)) {
  Deno.test(`proxy ${kind}: plain http goes through it, the proxy's password does not go on`, async () => {
    const start = kind === "http" ? ProxyServer.http : ProxyServer.socks5;
    await using server = serve(false);
    await using proxy = await start({ login: "u:s3cret" });
    const url = urlOf(proxy.port).replace("//", "//u:s3cret@");
    assert.deepEqual(await call(server.url, url), { ok: true });
    const [request] = server.requests;
    assert.equal(request!.line, "GET /version HTTP/1.1");
    assert.ok(request!.headers.every(([name]) => name !== "proxy-authorization"));
    assert.deepEqual(proxy.targets, [
      kind === "http" ? `${server.url}/version` : new URL(server.url).host,
    ]);
  });
}

Deno.test("proxy https: plain http goes through it, by the configuration's roots", async () => {
  await using server = serve(false);
  await using proxy = await ProxyServer.http({ tls: pair });
  const proxyUrl = `https://127.0.0.1:${proxy.port}`;
  const get = async (caData: string): Promise<unknown> => {
    using client = createClient({ server: server.url, proxyUrl, tls: { caData } });
    return await client.requestJson({ path: "/version", retry: false });
  };
  assert.deepEqual(await get(ca.cert), { ok: true });
  assert.equal(server.requests[0]!.line, "GET /version HTTP/1.1");
  assert.match((await failureOf(get(others.cert))).message, /the proxy .* cannot be reached/);
  assert.equal(server.requests.length, 1);
});

Deno.test("an invalid proxy-url is refused without showing it", () => {
  for (
    const proxyUrl of [
      "ftp://u:s3cret@a:1",
      "http://",
      "socks5://u:s3cret@:1",
      "http://u:s3cret@a:x",
    ]
  ) {
    assert.throws(
      () => createClient({ server: "https://a.example", proxyUrl }),
      (error) =>
        error instanceof ConfigError && /proxy-url/.test(error.message) &&
        !/s3cret/.test(Deno.inspect(error)),
      proxyUrl,
    );
  }
});
