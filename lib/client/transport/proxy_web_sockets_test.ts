/** Tests of WebSockets through every kind of proxy, TLS with the server behind it. */
import assert from "node:assert/strict";
import {
  ProxyServer,
  type ProxyServerOptions,
} from "../../../tests/support/network/proxy_server.ts";
import { EchoServer } from "../../../tests/support/network/echo_server.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { createTransport } from "./transport.ts";

const ca = await CertificateAuthority.create("ours", new Date());
const pair = await ca.serving("s", ["localhost"], ["127.0.0.1"]);
const PROTOCOL = "v5.channel.k8s.io";

interface Case {
  readonly start: (options: ProxyServerOptions) => Promise<ProxyServer>;
  readonly scheme: string;
  readonly options?: ProxyServerOptions;
  readonly login?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "http": { start: ProxyServer.http, scheme: "http" },
  "http with a login": {
    start: ProxyServer.http,
    scheme: "http",
    options: { login: "me:s3cret" },
    login: "me:s3cret@",
  },
  "https": { start: ProxyServer.http, scheme: "https", options: { tls: pair } },
  "socks5": { start: ProxyServer.socks5, scheme: "socks5" },
  "socks5 with a login": {
    start: ProxyServer.socks5,
    scheme: "socks5",
    options: { login: "me:s3cret" },
    login: "me:s3cret@",
  },
};

for (const [name, { start, scheme, options = {}, login = "" }] of Object.entries(CASES)) {
  Deno.test(`proxy ${name}: a WebSocket goes through a tunnel of its own, both ways`, async () => {
    await using server = new EchoServer(pair);
    const authority = await server.listen();
    await using proxy = await start(options);
    using transport = createTransport({
      server: `https://${authority}`,
      proxyUrl: `${scheme}://${login}127.0.0.1:${proxy.port}`,
      // The certificate of the proxy, if it has one, has the same authority.
      tls: { caData: ca.cert },
    });
    const url = `wss://${authority}/echo`;
    const socket = await transport.dial(url, [PROTOCOL], [], new AbortController().signal);
    assert.equal(socket.protocol, PROTOCOL);
    await socket.send(Uint8Array.of(1, 2, 3));
    assert.deepEqual([...await socket.receive() ?? []], [1, 2, 3]);
    assert.deepEqual(proxy.targets, [authority]);
    socket.close();
    await socket.closed;
  });
}

Deno.test("proxy http: a WebSocket that the proxy refuses says so, without the login", async () => {
  await using server = new EchoServer(pair);
  const authority = await server.listen();
  await using proxy = await ProxyServer.http({ refuse: 403 });
  using transport = createTransport({
    server: `https://${authority}`,
    proxyUrl: `http://me:s3cret@127.0.0.1:${proxy.port}`,
    tls: { caData: ca.cert },
  });
  const url = `wss://${authority}/echo`;
  const failure = await transport.dial(url, [PROTOCOL], [], new AbortController().signal)
    .then(() => assert.fail("it was opened"), (error: unknown) => error);
  assert.match(String(failure), /403/);
  assert.doesNotMatch(Deno.inspect(failure, { depth: 9 }), /s3cret/);
});
