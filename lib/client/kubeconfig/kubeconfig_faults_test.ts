import { configure, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import {
  configErrorOf,
  FakeHost,
  HOME_CONFIG,
  hostWith,
  simpleKubeconfig,
} from "../../../tests/kubeconfig/fake_host.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { createClient } from "../create_client.ts";
import { loadConfig } from "./load_config.ts";

const CANARY = "c4n4ry-s3cret";
const ca = await CertificateAuthority.create("test", new Date());
const alice = await ca.client("alice", []);
const bob = await ca.client("bob", []);
const ENCRYPTED_KEY = alice.key.replaceAll("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");

/**
 * Returns the error message for a kubeconfig, after checking that it does not contain the canary.
 */
async function refusal(
  kubeconfig: string | Uint8Array | Error,
  files: Record<string, string> = {},
): Promise<string> {
  const message = await configErrorOf(loadConfig({}, hostWith(kubeconfig, files)));
  assert.ok(!message.includes(CANARY), "a message never shows a secret");
  return message;
}

/**
 * Returns the warnings that are logged when a kubeconfig is loaded and a client created from it.
 */
async function warningsOf(kubeconfig: string): Promise<string[]> {
  const warnings: string[] = [];
  await configure({
    sinks: { memory: ({ level, message }) => void warnings.push(`${level}: ${message.join("")}`) },
    loggers: [
      { category: "xca", sinks: ["memory"], lowestLevel: "warning" },
      { category: ["logtape", "meta"], sinks: [], lowestLevel: "error" },
    ],
  });
  try {
    createClient(await loadConfig({}, hostWith(kubeconfig)))[Symbol.dispose]();
  } finally {
    await reset();
  }
  return warnings;
}

Deno.test("I1 the error for a missing kubeconfig names the paths and what to set", async () => {
  const host = new FakeHost({ env: { HOME: "/home/me" } });
  assert.equal(
    await configErrorOf(loadConfig({}, host)),
    `Cannot find a cluster: no kubeconfig at ${HOME_CONFIG}, and this process is not in a pod; ` +
      "set --kubeconfig or KUBECONFIG",
  );
  host.variables.delete("HOME");
  assert.match(
    await configErrorOf(loadConfig({}, host)),
    /neither KUBECONFIG nor a home folder .*--allow-env.* set --kubeconfig/,
  );
});

Deno.test("I1 the error for an unreadable kubeconfig names the file and the permission", async () => {
  assert.match(
    await refusal(new Deno.errors.NotCapable("no")),
    /^Cannot read kubeconfig \/home\/me\/.kube\/config: .*--allow-read=\/home\/me/,
  );
  assert.match(await refusal(new Deno.errors.PermissionDenied("no")), /permission denied/);
  assert.match(await refusal(new Deno.errors.IsADirectory("no")), /it is a folder/);
  assert.match(await refusal(new Error("disk on fire")), /disk on fire/);
});

Deno.test("I2 the error for an empty kubeconfig says that it is empty", async () => {
  for (const text of ["", " \n", "# only a comment\n", "---\n", "null", "{}", "kind: Config"]) {
    assert.match(await refusal(text), /^Cannot use kubeconfig .*: it is empty/, text);
  }
});

Deno.test("I3 the error for invalid YAML has line and column, and nothing of the text", async () => {
  const cases: [string, string][] = [
    [`users:\n- user: {token: ${CANARY}\n`, "3:1"],
    [`a: 1\nb: *${CANARY}\n`, "2:5"],
    [`a: !${CANARY} x\n`, "1:4"],
    [`a: "${CANARY}`, "1:"],
    [`a: b\n\tc: ${CANARY}\n`, "2:"],
  ];
  for (const [text, at] of cases) {
    const message = await refusal(text);
    assert.match(message, /^Cannot parse kubeconfig \/home\/me\/.kube\/config: line /);
    assert.ok(message.includes(`line ${at}`), message);
  }
});

Deno.test("I3 the error for a repeated key has line and column of the second", async () => {
  const message = await refusal("clusters: []\nusers: []\nclusters: []\n");
  assert.match(message, /line 3:1: duplicated mapping key/);
});

Deno.test("I3 invalid UTF-8, too many bytes, too deep nesting and too many aliases are refused", async () => {
  assert.match(await refusal(new Uint8Array([0x61, 0xff])), /not UTF-8/);
  assert.match(await refusal(new Uint8Array(2 ** 24 + 1)), /16777217 bytes/);
  assert.match(await refusal("[".repeat(200) + "]".repeat(200)), /line 1:10.: nesting exceeded/);
  assert.match(await refusal(`a: &a x\nb: [${"*a,".repeat(2_000)}]`), /aliases exceeded/);
});

Deno.test("I4 errors for a root that is not a mapping and for wrong types have field and types, but no value", async () => {
  assert.match(
    await refusal("[]"),
    /Cannot use \/home.*config: it must be a mapping, and is a list/,
  );
  assert.match(await refusal(CANARY), /it must be a mapping, and is text/);
  const wrong: [string, RegExp][] = [
    ["contexts: {}", /contexts in \/home.*: it must be a list, and is a mapping/],
    ["clusters: [1]", /clusters\[0\] in .*: it must be a mapping, and is a number/],
    ["clusters: [{name: 1}]", /clusters\[0\].name in .*: it must be text.*put it in quotes/],
    ["users: [{name: b, user: {token: 12}}]", /users\[name=b\].user.token in .* quotes/],
    ["users: [{name: b, user: {token: [1]}}]", /users\[name=b\].user.token .* is a list; correct/],
    ["users: [{name: b, user: {as-groups: x}}]", /user.as-groups .* a list, and is text/],
    ["users: [{name: b, user: {as-user-extra: {k: [1]}}}]", /as-user-extra.k\[0\] in /],
    ["users: [{user: {as-user-extra: {1: [a]}}}]", /as-user-extra in .* key that is text.* quotes/],
    ["clusters: [{name: b, cluster: {insecure-skip-tls-verify: maybe}}]", /must be true or false/],
    ["kind: Pod", /kind in .*: it is "Pod", not "Config"; is this a kubeconfig/],
    ["apiVersion: v2", /apiVersion in .*: it is "v2", not "v1"/],
    ["users: [{name: b}, {name: b}]", /users\[name=b\] in .*: the name occurs twice/],
    ["preferences: x", /preferences in .*: it must be a mapping, and is text/],
    ["preferences: {colors: x}", /preferences.colors in .*: it must be true or false/],
    ["extensions: {a: 1}", /extensions in .*: it must be a list/],
    ["contexts: [{name: b, context: {extensions: x}}]", /context.extensions in .* a list, and is/],
    [
      "clusters: [{name: b, cluster: {extensions: [{name: a}, {name: a}]}}]",
      /extensions\[name=a\] in .*: the name occurs twice/,
    ],
  ];
  for (const [text, expected] of wrong) assert.match(await refusal(text), expected);
});

Deno.test("I5 the error for a missing or unknown current context lists the contexts", async () => {
  const contexts = [{ name: "b" }, { name: "a" }];
  assert.match(
    await refusal(simpleKubeconfig({ top: { "current-context": "", contexts } })),
    /Cannot use kubeconfig \/home.*: current-context is not set; choose one with --context: a, b$/,
  );
  assert.match(
    await refusal(simpleKubeconfig({ top: { "current-context": "z", contexts } })),
    /current-context in \/home.*: there is no context "z" in \/home.*; choose one of: a, b$/,
  );
  const host = hostWith(simpleKubeconfig());
  assert.match(
    await configErrorOf(loadConfig({ context: "z" }, host)),
    /Cannot use --context: there is no context "z" in .*; choose one of: x$/,
  );
});

Deno.test("I6 the error for an unknown cluster or user has both names and the known ones", async () => {
  assert.match(
    await refusal(simpleKubeconfig({ context: { cluster: "nope" } })),
    /contexts\[name=x\].context.cluster in .*: there is no cluster "nope" .* choose one of: c$/,
  );
  assert.match(
    await refusal(simpleKubeconfig({ context: { user: "nope" } })),
    /contexts\[name=x\].context.user in .*: there is no user "nope" .* choose one of: u$/,
  );
  assert.match(
    await refusal(simpleKubeconfig({ context: { cluster: "" } })),
    /contexts\[name=x\] in .*: it names no cluster; set its cluster, or --cluster/,
  );
});

Deno.test("I7 contexts, clusters or users that are null are treated as absent", async () => {
  for (const key of ["contexts", "clusters", "users"]) {
    const message = await refusal(simpleKubeconfig({ top: { [key]: null } }));
    assert.match(message, /there is no (context|cluster|user) ".".*; choose one of: none$/);
  }
  const nulls = simpleKubeconfig({
    top: {
      users: [{ name: "u", user: null }, null],
      preferences: null,
      extensions: null,
      colour: 1,
    },
  });
  assert.equal((await loadConfig({}, hostWith(nulls))).server, "https://c.example:6443");
});

Deno.test("I8 a cluster without a server is an error only when it is selected", async () => {
  const clusters = [{ name: "c" }, { name: "d", cluster: { server: "https://d" } }];
  const text = simpleKubeconfig({ top: { clusters } });
  assert.match(await refusal(text), /clusters\[name=c\] in .*: it has no server; set its server/);
  const host = hostWith(text);
  assert.equal((await loadConfig({ cluster: "d" }, host)).server, "https://d");
});

Deno.test("I9 a server that is not http or https, or has a user, a query or a fragment is refused", async () => {
  const field = /clusters\[name=c\].cluster.server in \/home\/me\/.kube\/config: /;
  const wrong: [string, RegExp][] = [
    ["ftp://x", /"ftp:\/\/x" is neither https nor http; write https:\/\/HOST:PORT/],
    [`https://me:${CANARY}@x`, /holds a user name or password/],
    ["https://x?a=b", /has a query or fragment/],
    ["https://x/#a", /has a query or fragment/],
    ["https://", /is not a URL/],
    ["https://x:99999", /is not a URL/],
    ["https://x y", /is not a URL/],
    ["https:\\\\x", /is not a URL/],
  ];
  for (const [server, reason] of wrong) {
    const message = await refusal(simpleKubeconfig({ cluster: { server } }));
    assert.match(message, field);
    assert.match(message, reason);
  }
});

Deno.test("I10 the error for data that is not base64 names the field, not the data", async () => {
  for (const data of [`${CANARY}!`, "YQ", "Y Q==", "YQ=a", "_-__"]) {
    const cluster = { "certificate-authority-data": data };
    assert.match(
      await refusal(simpleKubeconfig({ cluster })),
      /clusters\[name=c\].cluster.certificate-authority-data in .*: it is not base64; write what/,
    );
  }
  const user = { "client-certificate-data": btoa(alice.cert), "client-key-data": CANARY };
  assert.match(
    await refusal(simpleKubeconfig({ user })),
    /users\[name=u\].user.client-key-data in/,
  );
});

Deno.test("I10 base64 with line breaks is accepted, as in Go", async () => {
  const data = btoa(ca.cert).replace(/.{64}/g, "$&\n");
  const host = hostWith(simpleKubeconfig({ cluster: { "certificate-authority-data": data } }));
  assert.equal((await loadConfig({}, host)).tls?.caData, ca.cert);
});

Deno.test("I11 the error for an invalid certificate authority says what the file contains instead", async () => {
  const wrong: [string, RegExp][] = [
    [CANARY, /it holds no PEM text, no certificate/],
    [alice.key, /it holds PEM text of type PRIVATE KEY, no certificate/],
    [ca.cert.slice(0, 200), /cut or damaged PEM text/],
    [
      "-----BEGIN CERTIFICATE-----\nYWFh\n-----END CERTIFICATE-----\n",
      /certificate that is damaged/,
    ],
    [ca.cert.replace("\nMII", "\nMI!"), /certificate that is damaged/],
  ];
  for (const [pem, reason] of wrong) {
    const inline = { "certificate-authority-data": btoa(pem) };
    assert.match(await refusal(simpleKubeconfig({ cluster: inline })), reason);
    const file = { "certificate-authority": "ca.pem" };
    const message = await refusal(simpleKubeconfig({ cluster: file }), {
      "/home/me/.kube/ca.pem": pem,
    });
    assert.match(message, reason);
    assert.match(message, /certificate-authority in .*config \(\/home\/me\/.kube\/ca.pem\): /);
  }
  const empty = simpleKubeconfig({ cluster: { "certificate-authority": "/ca" } });
  assert.match(await refusal(empty, { "/ca": "" }), /it holds nothing, no certificate/);
});

Deno.test("I11 a certificate authority may be several certificates with text between them", async () => {
  const bundle = `# two\r\n${ca.cert.replaceAll("\n", "\r\n")}\nnext\n${alice.cert}`;
  const cluster = { "certificate-authority-data": btoa(bundle) };
  const config = await loadConfig({}, hostWith(simpleKubeconfig({ cluster })));
  assert.equal(config.tls?.caData, bundle);
});

Deno.test("I11 a damaged certificate among valid ones is ignored with a warning, as in kubectl", async () => {
  const bundle = `${pem("CERTIFICATE", "AAAA")}${ca.cert}`;
  const cluster = { "certificate-authority-data": btoa(bundle) };
  const warnings = await warningsOf(simpleKubeconfig({ cluster }));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^warning: .*damaged.*certificate-authority-data in \/home/);
});

Deno.test("I11 one file with certificate and key, in any order, as the kubelet writes them", async () => {
  for (const both of [alice.cert + alice.key, alice.key + alice.cert + ca.cert]) {
    const files = { "/home/me/.kube/current.pem": both };
    const user = { "client-certificate": "current.pem", "client-key": "current.pem" };
    const config = await loadConfig({}, hostWith(simpleKubeconfig({ user }), files));
    assert.equal(config.tls?.keyData, both);
  }
  const user = {
    "client-certificate-data": btoa(alice.cert + bob.key),
    "client-key-data": btoa(alice.cert + bob.key),
  };
  assert.match(await refusal(simpleKubeconfig({ user })), /is not this certificate's/);
});

Deno.test("I11 the error for an invalid client certificate or key says which of the two, and why", async () => {
  const rsa =
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,09\n\n" +
    "YWFh\n-----END RSA PRIVATE KEY-----\n";
  const wrong: [string, string, RegExp][] = [
    [alice.key, alice.key, /client-certificate-data in .*type PRIVATE KEY, no certificate/],
    [alice.cert, alice.cert, /client-key-data in .*type CERTIFICATE, no private key/],
    [alice.cert, ENCRYPTED_KEY, /client-key-data in .*the private key is encrypted/],
    [alice.cert, rsa, /client-key-data in .*the private key is encrypted/],
    [alice.cert, ENCRYPTED_KEY.replaceAll("ENCRYPTED", "OPENSSH"), /type OPENSSH PRIVATE KEY, no/],
    [alice.cert, pem("PRIVATE KEY", "MAA="), /client-key-data in .*the private key is damaged/],
    [pem("CERTIFICATE", "MAA="), alice.key, /certificate-data in .*the certificate is damaged/],
  ];
  for (const [cert, key, reason] of wrong) {
    const user = { "client-certificate-data": btoa(cert), "client-key-data": btoa(key) };
    assert.match(await refusal(simpleKubeconfig({ user })), reason);
  }
  const keyless = { "client-certificate-data": btoa(alice.cert) };
  assert.match(await refusal(simpleKubeconfig({ user: keyless })), /its private key is missing/);
});

Deno.test("I11 private keys in older encodings are accepted, also after the parameters of their curve", async () => {
  const sec1 = createPrivateKey(alice.key).export({ type: "sec1", format: "pem" });
  const curve = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const user = {
    "client-certificate-data": btoa(alice.cert),
    "client-key-data": btoa(curve + sec1),
  };
  const config = await loadConfig({}, hostWith(simpleKubeconfig({ user })));
  assert.equal(config.tls?.keyData, curve + sec1);
});

Deno.test("I12 the error for a key of another certificate names both fields", async () => {
  const user = {
    "client-certificate-data": btoa(alice.cert),
    "client-key": "/keys/bob.pem",
  };
  const message = await refusal(simpleKubeconfig({ user }), { "/keys/bob.pem": bob.key });
  assert.match(message, /Cannot use users\[name=u\].user.client-certificate-data in /);
  assert.match(message, /private key of .*client-key in .* \(\/keys\/bob.pem\) is not this/);
});

Deno.test("I13 the error for a missing file names the field and the path", async () => {
  const pair = { "client-certificate": "c.pem", "client-key": "k.pem" };
  const cases: [string, RegExp][] = [
    [
      simpleKubeconfig({ cluster: { "certificate-authority": "../ca.pem" } }),
      /Cannot read clusters\[name=c\].cluster.certificate-authority in .*: \/home\/me\/ca.pem: there is no such file/,
    ],
    [simpleKubeconfig({ user: pair }), /client-key in .*: \/home\/me\/.kube\/k.pem: there is no/],
    [
      simpleKubeconfig({ user: { tokenFile: "t" } }),
      /token file \/home\/me\/.kube\/t: there is no/,
    ],
  ];
  for (const [text, reason] of cases) {
    assert.match(await refusal(text, { "/home/me/.kube/c.pem": alice.cert }), reason);
  }
});

Deno.test("a value given inline and as a file is refused, as in kubectl", async () => {
  const cluster = {
    "certificate-authority": "/ca",
    "certificate-authority-data": btoa(ca.cert),
  };
  assert.match(await refusal(simpleKubeconfig({ cluster }), { "/ca": ca.cert }), /as a file too/);
});

Deno.test("I17 insecure-skip-tls-verify is kept; together with a certificate authority it is refused", async () => {
  const insecure = { "insecure-skip-tls-verify": true };
  const config = await loadConfig({}, hostWith(simpleKubeconfig({ cluster: insecure })));
  assert.deepEqual({ ...config.tls }, { insecureSkipVerify: true });
  const both = { ...insecure, "certificate-authority-data": btoa(ca.cert) };
  assert.match(
    await refusal(simpleKubeconfig({ cluster: both })),
    /insecure-skip-tls-verify in .*: it is true, and a certificate authority is given too/,
  );
});

Deno.test("I17 without verification one warning names the server, the field and the file", async () => {
  const cluster = { "insecure-skip-tls-verify": true };
  const warnings = await warningsOf(simpleKubeconfig({ cluster, user: { token: CANARY } }));
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0]!,
    /^warning: INSECURE: the certificate of https:\/\/c.example:6443 is not verified/,
  );
  assert.match(warnings[0]!, /insecure-skip-tls-verify; context "x" in \/home\/me\/.kube\/config/);
});

Deno.test("I18 tls-server-name and proxy-url are kept and checked", async () => {
  const cluster = { "tls-server-name": "kubernetes", "proxy-url": "socks5://127.0.0.1:1080" };
  const config = await loadConfig({}, hostWith(simpleKubeconfig({ cluster })));
  assert.equal(config.tls?.serverName, "kubernetes");
  assert.equal(config.proxyUrl, "socks5://127.0.0.1:1080");
  for (const address of ["10.0.0.1", "fd00::1", "[fd00::1]"]) {
    const named = simpleKubeconfig({ cluster: { "tls-server-name": address } });
    assert.equal((await loadConfig({}, hostWith(named))).tls?.serverName, address);
  }
  for (const name of ["https://x", "x:443", "[x]:443", " x"]) {
    const badName = simpleKubeconfig({ cluster: { "tls-server-name": name } });
    assert.match(await refusal(badName), /tls-server-name in .* is neither a host's name nor/);
  }
  for (const proxy of [`ftp://me:${CANARY}@x`, "http://", "x", `http://me:${CANARY}@[`]) {
    const text = simpleKubeconfig({ cluster: { "proxy-url": proxy } });
    assert.match(await refusal(text), /proxy-url in .*: it is not an http, https or socks5 URL/);
  }
});

Deno.test("two kinds of credentials, and tokens that a header cannot contain, are refused", async () => {
  const two = simpleKubeconfig({ user: { token: CANARY, username: "me" } });
  assert.match(await refusal(two), /user.token in .*: users\[name=u\].user.username in .* too/);
  const broken = simpleKubeconfig({ user: { token: `${CANARY}\nx` } });
  assert.match(await refusal(broken), /user.token in .*: the token has a line break/);
  const wide = simpleKubeconfig({ user: { token: `${CANARY} \u00e9` } });
  assert.match(await refusal(wide), /characters that a token cannot contain/);
  const empty = simpleKubeconfig({ user: { tokenFile: "/t" } });
  assert.match(await refusal(empty, { "/t": " \n" }), /token file \/t: it is empty/);
});

Deno.test("names such as __proto__ are treated as any other", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  for (const name of names) {
    const text = JSON.stringify({
      "current-context": name,
      contexts: [{ name, context: { cluster: name, user: name, namespace: "n" } }],
      clusters: [{ name, cluster: { server: "https://c" } }],
      users: [{ name, user: { as: "a" } }],
    }).replace(
      '{"as":"a"}',
      '{"as":"a","as-user-extra":{"__proto__":["v"]},"__proto__":{"token":"t"}}',
    );
    const config = await loadConfig({}, hostWith(text));
    assert.equal(config.server, "https://c");
    assert.equal(config.credentials, undefined);
    assert.deepEqual(Object.entries(config.impersonate?.extra ?? {}), [["__proto__", ["v"]]]);
    assert.match(
      await configErrorOf(loadConfig({ context: "valueOf" }, hostWith(text))),
      /no context/,
    );
  }
  assert.equal(({} as Record<string, unknown>).token, undefined);
});

Deno.test("an empty name refers to the entry without a name, as in kubectl", async () => {
  const kubeconfig = JSON.stringify({
    contexts: [{ name: "", context: { namespace: "n" } }],
    clusters: [{ name: "", cluster: { server: "https://c.example:6443" } }],
    users: [{ name: "", user: { token: "t" } }],
  });
  const config = await loadConfig({}, hostWith(kubeconfig));
  assert.deepEqual([config.namespace, config.credentials?.token], ["n", "t"]);
  const message = await configErrorOf(loadConfig({ context: "x" }, hostWith(kubeconfig)));
  assert.match(message, /there is no context "x" .*; choose one of: ""$/);
});

Deno.test("error messages are one line, also for names with line breaks and of any length", async () => {
  const name = `a\n\u001b[31m${"b".repeat(10_000)}`;
  const message = await refusal(simpleKubeconfig({ context: { cluster: name, user: name } }));
  assert.ok(message.length < 600, message);
  assert.ok(!message.includes("\u001b"));
});

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}
