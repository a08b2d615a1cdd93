import { configure, type LogRecord, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import { CertificateServer } from "../../../tests/client/certificate_server.ts";
import { PluginScript } from "../../../tests/client/plugin_script.ts";
import { FakeHost } from "../../../tests/kubeconfig/fake_host.ts";
import { systemHost } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../testing/fake_clock.ts";
import { AuthProviderCredentials } from "./auth_provider.ts";
import type { ClientConfig } from "../config/config.ts";
import { createClient } from "../create_client.ts";
import { createCredentials } from "./create_credentials.ts";
import { createTlsSource } from "../transport/connect/tls_source.ts";

const CANARY = "c4n4ry-s3cret-t0ken";

Deno.test("no secret of plugins, logins, token and key files is in any log record or error, at any level", async () => {
  const records: LogRecord[] = [];
  const errors: unknown[] = [];
  await configure({
    sinks: { memory: (record) => void records.push(record) },
    loggers: [
      { category: "xca", sinks: ["memory"], lowestLevel: "trace" },
      { category: ["logtape", "meta"], sinks: [], lowestLevel: "error" },
    ],
  });
  try {
    await pluginPaths(errors);
    await filePaths(errors);
    await loginPaths(errors);
  } finally {
    await reset();
  }
  assert.ok(records.length >= 5 && errors.length >= 7, `${records.length}, ${errors.length}`);
  for (const value of [...records, ...errors]) {
    const text = Deno.inspect(value, { depth: 20, strAbbreviateSize: Infinity });
    assert.ok(!text.includes(CANARY), text);
    assert.ok(!text.includes(btoa(CANARY)), text);
  }
});

async function pluginPaths(errors: unknown[]): Promise<void> {
  const ca = await CertificateAuthority.create("test", new Date());
  let accepts = true;
  await using server = await CertificateServer.start(
    await ca.serving("s", ["localhost"], ["127.0.0.1"]),
    ca.cert,
    () => accepts,
  );
  await using plugin = await PluginScript.printing({ token: CANARY });
  const env = [{ name: "SECRET", value: CANARY }];
  const config: ClientConfig = {
    server: server.url,
    tls: { caData: ca.cert },
    credentials: { exec: plugin.config({ env }) },
  };
  const call = async (): Promise<void> => {
    using client = createClient(config, { host: { ...systemHost, isTerminal: () => false } });
    await client.requestJson({ path: "/version", retry: false }).catch((e) => void errors.push(e));
  };
  await call();
  accepts = false;
  await call();
  await plugin.print({ token: CANARY, expirationTimestamp: "2020-01-01T00:00:00Z" });
  await call();
  for (
    const body of [
      `echo ${CANARY}`,
      `echo '{"token":"${CANARY}"}'`,
      `echo "SECRET=$SECRET token ${CANARY}" >&2; exit 1`,
      `cat "$dir/output"; echo "I got ${CANARY}" >&2; exit 1`,
    ]
  ) {
    await plugin.rewrite(body);
    await call();
  }
}

async function filePaths(errors: unknown[]): Promise<void> {
  const ca = await CertificateAuthority.create("test", new Date());
  const alice = await ca.client("alice", []);
  const clock = new FakeClock();
  const host = new FakeHost({ files: { "/t": CANARY, "/cert": alice.cert, "/key": alice.key } });
  const credentials = createCredentials({ credentials: { tokenFile: "/t" } }, { clock, host });
  await credentials.headers();
  host.files.set("/t", `${CANARY}\n${CANARY}`);
  clock.step(60_000);
  await credentials.headers();
  const tls = createTlsSource({ tls: { certFile: "/cert", keyFile: "/key" } }, { clock, host });
  await tls.current();
  host.files.set(
    "/key",
    `-----BEGIN PRIVATE KEY-----\n${btoa(CANARY)}\n-----END PRIVATE KEY-----\n`,
  );
  clock.step(60_000);
  await tls.current();
  const unread = createTlsSource({ tls: { certFile: "/cert", keyFile: "/key" } }, { clock, host });
  await Promise.resolve(unread.current()).catch((error) => void errors.push(error));
}

async function loginPaths(errors: unknown[]): Promise<void> {
  const credentials = new AuthProviderCredentials({
    authProvider: { name: "oidc", config: { "refresh-token": CANARY, "client-secret": CANARY } },
    fixed: [],
    login: () => Promise.resolve(() => Promise.reject(new Error(`invalid_grant: ${CANARY}`))),
  });
  await credentials.headers().catch((error) => void errors.push(error));
}
