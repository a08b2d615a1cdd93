/**
 * Tests of redaction with a kubeconfig whose secrets are canaries, while every call fails: no
 * canary occurs in the output at `-v=9`, in log records, or in errors at any depth.
 */
import { RawServer } from "../client/raw_server.ts";
import { ProxyServer } from "../support/network/proxy_server.ts";
import {
  ANSWERS,
  ca,
  CANARY,
  careless,
  hear,
  me,
  other,
  PASSWORD,
  serving,
  stranger,
  TOKEN,
} from "../support/command_line/redaction.ts";

/** Users of the kubeconfig. */
const USERS: Readonly<Record<string, Record<string, unknown>>> = {
  token: { token: TOKEN },
  tokenFile: { tokenFile: "token" },
  basic: { username: "me", password: PASSWORD },
  certificate: {
    token: TOKEN,
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(me.key),
  },
};

/** Users that cannot be used. */
const FAULTS: Readonly<Record<string, Record<string, unknown>>> = {
  "a token and a password": { token: TOKEN, username: "me", password: PASSWORD },
  "a token of two lines": { token: `${TOKEN}\n${CANARY}` },
  "a key that is none": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(CANARY),
  },
  "a key of another": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(other.key),
  },
  "a key that is damaged": {
    "client-certificate-data": btoa(me.cert),
    "client-key-data": btoa(me.key.replace(/\n(?=-----END)/, "").slice(0, -70)),
  },
  "a key in the certificate's place": { "client-certificate-data": btoa(me.key) },
  "a token file of two lines": { tokenFile: "tokens" },
  "a plugin that fails and tells": plugin(
    `echo "token: ${TOKEN}" >&2; echo "$PLUGIN_VAR" >&2; exit 1`,
  ),
  "a plugin that prints junk": plugin(`echo '${TOKEN}'`),
  "a plugin whose token is bad": plugin(
    `echo '${credential({ token: `${TOKEN} ${CANARY}` })}'`,
  ),
  "a plugin whose key is none": plugin(
    `echo '${credential({ clientCertificateData: me.cert, clientKeyData: CANARY })}'`,
  ),
  "a login that nobody knows": {
    "auth-provider": { name: "acme", config: { "client-secret": CANARY, "id-token": TOKEN } },
  },
};

function plugin(script: string): Record<string, unknown> {
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "/bin/sh",
      args: ["-c", script],
      env: [{ name: "PLUGIN_VAR", value: `${CANARY}-variable` }],
      interactiveMode: "Never",
    },
  };
}

function credential(status: Record<string, unknown>): string {
  const apiVersion = "client.authentication.k8s.io/v1";
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status }).replaceAll("\n", "\\n");
}

for (const kind of Object.keys(ANSWERS)) {
  Deno.test(`redaction: ${kind}: no secret is printed`, async () => {
    await using server = new RawServer(careless(kind), serving);
    const cluster = { server: server.url, "certificate-authority-data": btoa(ca.cert) };
    // The ways to authenticate differ in what a server can echo.
    const users = /echo|redirect/.test(kind) ? Object.keys(USERS) : ["certificate"];
    for (const name of users) await hear(cluster, USERS[name]!, `${kind}, ${name}`);
  });
}

for (const [fault, user] of Object.entries(FAULTS)) {
  Deno.test(`redaction: ${fault}: no secret is printed`, async () => {
    await using server = new RawServer(careless("403 that echoes"), serving);
    const cluster = { server: server.url, "certificate-authority-data": btoa(ca.cert) };
    await hear(cluster, user, fault);
  });
}

Deno.test("redaction: an untrusted or unreachable server: no secret is printed", async () => {
  await using server = new RawServer(careless("403 that echoes"), stranger);
  const authority = { "certificate-authority-data": btoa(ca.cert) };
  for (const url of [server.url, "https://127.0.0.1:1", `https://me:${CANARY}@127.0.0.1:1`]) {
    await hear({ server: url, ...authority }, USERS["certificate"]!, url);
  }
});

Deno.test("redaction: proxies that ask for credentials, refuse or break: no secret is printed", async () => {
  await using wants = await ProxyServer.http({ login: "a:b" });
  await using refuses = await ProxyServer.http({ refuse: 502 });
  await using socks = await ProxyServer.socks5({ login: "a:b" });
  const login = `me:${CANARY}%40x`;
  const urls = [
    `http://${login}@127.0.0.1:${wants.port}`,
    `http://${login}@127.0.0.1:${refuses.port}`,
    `socks5://${login}@127.0.0.1:${socks.port}`,
    `https://${login}@127.0.0.1:${wants.port}`,
    `http://${login}@127.0.0.1:1`,
    `ftp://${login}@127.0.0.1:1`,
    `http://${login}@`,
  ];
  for (const [index, url] of urls.entries()) {
    const cluster = { server: "https://127.0.0.1:1", "proxy-url": url };
    await hear(
      { ...cluster, "certificate-authority-data": btoa(ca.cert) },
      USERS["token"]!,
      `proxy ${index}`,
    );
  }
});
