import assert from "node:assert/strict";
import { configErrorOf, hostWith, simpleKubeconfig } from "../../../tests/kubeconfig/fake_host.ts";
import { loadConfig } from "./load_config.ts";
import { proxyFromEnvironment } from "./proxy_env.ts";

function proxyFor(server: string, env: Record<string, string>): string | undefined {
  return proxyFromEnvironment(server, (name) => env[name]);
}

Deno.test("HTTPS_PROXY applies to https, HTTP_PROXY to http, in upper or lower case", () => {
  const both = { HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://p:1" };
  assert.equal(proxyFor("https://a.example", both), "http://s:1");
  assert.equal(proxyFor("http://a.example", both), "http://p:1");
  assert.equal(proxyFor("https://a.example", { HTTP_PROXY: "http://p:1" }), undefined);
  assert.equal(proxyFor("https://a.example", { https_proxy: "http://s:1" }), "http://s:1");
  assert.equal(proxyFor("http://a.example", { http_proxy: "http://p:1" }), "http://p:1");
  assert.equal(
    proxyFor("https://a.example", { HTTPS_PROXY: "http://up:1", https_proxy: "http://low:1" }),
    "http://up:1",
  );
  assert.equal(proxyFor("https://a.example", { ALL_PROXY: "http://p:1" }), undefined);
  assert.equal(
    proxyFor("http://a.example", { HTTP_PROXY: "http://p:1", REQUEST_METHOD: "GET" }),
    undefined,
  );
});

Deno.test("a proxy without a scheme is http; socks5h is socks5", () => {
  assert.equal(proxyFor("https://a.example", { HTTPS_PROXY: "p:3128" }), "http://p:3128");
  assert.equal(
    proxyFor("https://a.example", { HTTPS_PROXY: "socks5h://p:1" }),
    "socks5h://p:1",
  );
});

Deno.test("localhost and loopback addresses are never proxied by the environment", () => {
  const env = { HTTPS_PROXY: "http://p:1" };
  for (
    const host of [
      "localhost",
      "LOCALHOST:6443",
      "127.0.0.1",
      "127.9.9.9:1",
      "[::1]:6443",
      "[::ffff:127.0.0.1]",
    ]
  ) {
    assert.equal(proxyFor(`https://${host}`, env), undefined, host);
  }
  for (const host of ["localhost.example", "128.0.0.1", "[::2]", "[7f00::1]"]) {
    assert.equal(proxyFor(`https://${host}`, env), "http://p:1", host);
  }
});

/**
 * Test cases for `NO_PROXY`: rules and hosts with the decision of
 * `golang.org/x/net/http/httpproxy`.
 */
const EXCEPTIONS: readonly [
  rule: string,
  excepted: readonly string[],
  proxied: readonly string[],
][] = [
  ["*", ["a.example", "10.0.0.1"], []],
  ["a,*", ["b.example"], []],
  ["example.com", ["example.com", "EXAMPLE.com", "a.example.com", "example.com:6443"], [
    "badexample.com",
    "example.org",
  ]],
  [".example.com", ["a.example.com", "a.b.example.com"], ["example.com"]],
  ["*.example.com", ["a.example.com"], ["example.com"]],
  ["example.com:6443", ["example.com:6443", "a.example.com:6443"], [
    "example.com",
    "example.com:443",
  ]],
  ["example.com:443", ["example.com"], ["example.com:6443"]],
  ["10.1.2.3", ["10.1.2.3", "10.1.2.3:6443"], ["10.1.2.4", "a.example"]],
  ["10.1.2.3:6443", ["10.1.2.3:6443"], ["10.1.2.3"]],
  ["10.0.0.0/8", ["10.255.0.1", "[::ffff:10.0.0.1]"], ["11.0.0.1", "a.example", "[fd00::1]"]],
  ["10.0.0.0/9", ["10.127.0.1"], ["10.128.0.1"]],
  ["0.0.0.0/0", ["9.9.9.9"], ["[fd00::1]"]],
  ["10.0.0.0/99", [], ["10.0.0.1"]],
  ["fd00::/8", ["[fd12::1]:6443"], ["[fe80::1]", "10.0.0.1"]],
  ["fd00::1", ["[fd00::1]", "[fd00:0::1]:6443"], ["[fd00::2]"]],
  ["[fd00::1]:6443", ["[fd00::1]:6443"], ["[fd00::1]"]],
  ["[fd00::1]", [], ["[fd00::1]"]],
  ["2.3", [], ["10.1.2.3"]],
  [".2.3,*.2.3,1]", [], ["10.1.2.3", "[fd00::1]"]],
  ["b\u00fccher.example", ["b\u00fccher.example", "a.B\u00dcCHER.example"], ["bucher.example"]],
  [".b\u00fccher.example", ["a.b\u00fccher.example"], ["b\u00fccher.example"]],
  [" a.example , b.example ", ["a.example", "b.example"], ["c.example"]],
  ["", [], ["a.example"]],
  [",,", [], ["a.example"]],
];

for (const [rule, excepted, proxied] of EXCEPTIONS) {
  Deno.test(`NO_PROXY=${rule} excludes the hosts that it matches, and no others`, () => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const env = { HTTPS_PROXY: "http://p:1", [name]: rule };
      for (const host of excepted) assert.equal(proxyFor(`https://${host}`, env), undefined, host);
      for (const host of proxied) {
        assert.equal(proxyFor(`https://${host}`, env), "http://p:1", host);
      }
    }
  });
}

Deno.test("proxy-url of the kubeconfig takes precedence over the environment, also for loopback addresses", async () => {
  const load = async (cluster: Record<string, unknown>): Promise<string | undefined> => {
    const host = hostWith(simpleKubeconfig({ cluster }));
    host.variables.set("HTTPS_PROXY", "http://u:s3cret@env:1");
    const config = await loadConfig({}, host);
    assert.doesNotMatch(Deno.inspect(config) + JSON.stringify(config), /s3cret/);
    return config.proxyUrl;
  };
  assert.equal(await load({}), "http://u:s3cret@env:1");
  assert.equal(await load({ "proxy-url": "http://file:1" }), "http://file:1");
  assert.equal(
    await load({ "proxy-url": "http://file:1", server: "https://127.0.0.1:1" }),
    "http://file:1",
  );
  assert.equal(await load({ server: "https://127.0.0.1:1" }), undefined);
});

Deno.test("the error for an invalid proxy variable names the variable without its value", async () => {
  const host = hostWith(simpleKubeconfig());
  host.variables.set("HTTPS_PROXY", "ftp://u:s3cret@p");
  const message = await configErrorOf(loadConfig({}, host));
  assert.match(message, /Cannot use HTTPS_PROXY: /);
  assert.doesNotMatch(message, /s3cret/);
});
