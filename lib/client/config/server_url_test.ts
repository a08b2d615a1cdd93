import assert from "node:assert/strict";
import { fromFlag } from "./config_place.ts";
import { ConfigError } from "./config.ts";
import { createClient } from "../create_client.ts";
import { createTransport } from "../transport/transport.ts";
import { parseProxyUrl, parseServerUrl } from "./server_url.ts";

Deno.test("parseServerUrl() returns scheme, host, port, and the path without a trailing slash", () => {
  const cases: [string, string][] = [
    ["https://c:6443", "https://c:6443"],
    ["https://c:443/", "https://c"],
    ["HTTPS://C.Example/k8s/clusters/c-1/", "https://c.example/k8s/clusters/c-1"],
    ["https://[::1]:6443", "https://[::1]:6443"],
    ["http://localhost:8001", "http://localhost:8001"],
    ["localhost:8080", "http://localhost:8080"],
    ["c", "http://c"],
    ["[fd00::1]:80/p", "http://[fd00::1]/p"],
    [" https://c ", "https://c"],
  ];
  for (const [text, url] of cases) assert.equal(parseServerUrl(fromFlag("--server", text)), url);
});

Deno.test("I9 parseServerUrl() refuses other texts, and never shows a password", () => {
  const wrong = [
    "https://",
    "https:",
    "https:/c",
    "//c",
    "/path",
    "https://c:port",
    "https://c:70000",
    "https://u:s3cret@c",
    "u:s3cret@c",
    "unix:///run/x",
    "javascript:alert(1)",
    "https://c\\d",
    "https://c d",
    "https://[::1",
    "https://::1",
    "https://[fe80::1%25eth0]:6443",
    "https://[fe80::1%eth0]:6443",
    `https://${"a".repeat(3_000)}`,
  ];
  for (const text of wrong) {
    assert.throws(() => parseServerUrl(fromFlag("--server", text)), (error) => {
      assert.ok(error instanceof ConfigError, text);
      assert.match(error.message, /^Cannot use --server: .*; write https:\/\/HOST:PORT/);
      assert.ok(!error.message.includes("s3cret"));
      return true;
    }, text);
  }
});

Deno.test("I9 an IPv6 address with a zone is refused with the reason and the remedy", () => {
  const zone = fromFlag("--server", "https://[fe80::1%25eth0]:6443");
  assert.throws(() => parseServerUrl(zone), /IPv6 zone.*a name for that address/);
});

Deno.test("I18 the URL of a proxy is not changed, and refused when it ends with a space", () => {
  const at = (text: string) => () => parseProxyUrl(fromFlag("proxy-url", text));
  for (const url of ["http://p:1", "HTTPS://p", "socks5://u:p@[::1]:1/"]) {
    assert.equal(at(url)(), url);
  }
  assert.equal(at("")(), undefined);
  for (const url of [" http://p", "http://p ", "http://p\t", "http://p\n", "http://", "p:1"]) {
    assert.throws(at(url), /it is not an http, https or socks5 URL/, url);
  }
});

for (
  const [server, reason] of [
    ["", '"" does not begin with https:// or http://'],
    ["api.example.org", '"api.example.org" does not begin with https:// or http://'],
    ["localhost:6443", '"localhost:6443" does not begin with https:// or http://'],
    ["ftp://x", '"ftp://x" is neither https nor http'],
    ["https://c:99999", '"https://c:99999" is not a URL'],
    ["https://c?x=1", '"https://c?x=1" has a query or fragment'],
    [undefined, "it must be a URL, is undefined"],
    [5, "it must be a URL, is of type number"],
  ] as const
) {
  Deno.test(`a client of an impossible server is refused with the URL and the remedy: ${server}`, () => {
    const config = { server: server as string, source: "--server" };
    const expected = {
      name: "ConfigError",
      message: `Cannot use the server of a client's configuration (--server): ${reason}; ` +
        "write https://HOST:PORT",
    };
    const fetch = () => Promise.resolve(new Response());
    assert.throws(() => createClient(config), expected);
    assert.throws(() => createClient(config, { fetch }), expected);
    assert.throws(() => createTransport(config), expected);
  });
}
