import assert from "node:assert/strict";
import { CertificateServer } from "../../../tests/client/certificate_server.ts";
import { PluginScript } from "../../../tests/client/plugin_script.ts";
import { configErrorOf } from "../../../tests/kubeconfig/fake_host.ts";
import { systemHost } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../testing/fake_clock.ts";
import { isUnauthorized } from "../errors/api_error.ts";
import type { Client } from "../typed/client.ts";
import type { ClientConfig } from "../config/config.ts";
import { createClient } from "../create_client.ts";
import { createCredentials } from "./create_credentials.ts";
import type { PluginHost } from "./exec_plugin.ts";

const NOW = new Date();
const ca = await CertificateAuthority.create("test", NOW);
const serving = await ca.serving("s", ["localhost"], ["127.0.0.1"]);
const QUIET: PluginHost & { readFile: typeof systemHost.readFile } = {
  readFile: systemHost.readFile,
  run: systemHost.run!,
  isTerminal: () => false,
};

function configOf(server: CertificateServer, plugin: PluginScript): ClientConfig {
  const credentials = { exec: plugin.config() };
  return { server: server.url, tls: { caData: ca.cert }, credentials };
}

function get(client: Client, path = "/version"): Promise<unknown> {
  return client.requestJson({ path, retry: false });
}

Deno.test("F53 50 concurrent requests run the plugin once", async () => {
  await using plugin = await PluginScript.printing({ token: "one" });
  await using server = await CertificateServer.start(
    serving,
    ca.cert,
    ({ authorization }) => authorization === "Bearer one",
  );
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await Promise.all(Array.from({ length: 50 }, () => get(client)));
  assert.equal(server.seen.length, 50);
  assert.equal(await plugin.runs(), 1);
});

Deno.test("F53 a credential is kept until its expirationTimestamp, and without one indefinitely", async () => {
  const clock = new FakeClock();
  const expires = new Date(clock.now().getTime() + 3_600_000);
  await using plugin = await PluginScript.printing({
    token: "one",
    expirationTimestamp: expires.toISOString(),
  });
  using credentials = disposable(
    createCredentials({ credentials: { exec: plugin.config() } }, { clock, host: QUIET }),
  );
  const token = async () => (await credentials.headers())[0]![1];
  assert.equal(await token(), "Bearer one");
  await plugin.print({ token: "two" });
  clock.step(3_600_000);
  assert.equal(await token(), "Bearer one");
  clock.step(1);
  assert.equal(await token(), "Bearer two");
  clock.step(100 * 24 * 3_600_000);
  assert.equal(await token(), "Bearer two");
  assert.equal(await plugin.runs(), 2);
});

Deno.test("F52 F53 a 401 runs the plugin once for all requests, and retries each request once", async () => {
  let good = "Bearer one";
  await using plugin = await PluginScript.printing({ token: "one" });
  await using server = await CertificateServer.start(
    serving,
    ca.cert,
    ({ authorization }) => authorization === good,
  );
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await get(client);
  await plugin.print({ token: "two" });
  good = "Bearer two";
  await Promise.all(Array.from({ length: 20 }, () => get(client)));
  assert.equal(await plugin.runs(), 2);
  assert.ok(server.seen.length <= 41);
});

Deno.test("F52 a 401 is returned to the caller when another run prints the same credential", async () => {
  await using plugin = await PluginScript.printing({ token: "one" });
  await using server = await CertificateServer.start(serving, ca.cert, () => false);
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await assert.rejects(get(client), (error) => isUnauthorized(error));
  assert.equal(await plugin.runs(), 2);
  assert.equal(server.seen.length, 1);
});

Deno.test("I15 a credential that is expired when printed is used, as in kubectl; the error after a refusal names its expiry", async () => {
  await using plugin = await PluginScript.printing({
    token: "old",
    expirationTimestamp: "2020-01-01T00:00:00Z",
  });
  let accepts = true;
  await using server = await CertificateServer.start(serving, ca.cert, () => accepts);
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await get(client);
  accepts = false;
  const message = await configErrorOf(get(client));
  assert.match(
    message,
    /plugin ".*" of users\[name=bob\].user.exec in \/x\/config: the server refused its credential, which expired at 2020-01-01T00:00:00.000Z; log in again/,
  );
});

Deno.test("F53 the error for a plugin that fails after a 401 quotes its output, and the failure is not cached", async () => {
  await using plugin = await PluginScript.printing({ token: "one" });
  let good = "Bearer one";
  await using server = await CertificateServer.start(
    serving,
    ca.cert,
    ({ authorization }) => authorization === good,
  );
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await get(client);
  good = "Bearer two";
  await plugin.rewrite('echo "session expired, run: aws sso login" >&2; exit 255');
  assert.match(await configErrorOf(get(client)), /code 255: session expired, run: aws sso login/);
  await plugin.rewrite('cat "$dir/output"');
  await plugin.print({ token: "two" });
  await get(client);
});

Deno.test("the client certificate of a plugin is used, and a new one on new connections", async () => {
  const [alice, bob] = [await ca.client("alice", []), await ca.client("bob", [])];
  const pair = ({ cert, key }: typeof alice) => ({
    clientCertificateData: cert,
    clientKeyData: key,
  });
  await using plugin = await PluginScript.printing(pair(alice));
  let good = "alice";
  await using server = await CertificateServer.start(serving, ca.cert, ({ user }) => user === good);
  using client = createClient(configOf(server, plugin), { host: QUIET });
  await get(client);
  await get(client);
  assert.deepEqual(server.seen.map(({ user, connection }) => [user, connection]), [
    ["alice", 0],
    ["alice", 0],
  ]);
  await plugin.print(pair(bob));
  good = "bob";
  await get(client);
  assert.deepEqual(server.seen.slice(2).map(({ user }) => user), ["alice", "bob"]);
  assert.ok(server.seen.every(({ authorization }) => authorization === undefined));
  assert.equal(await plugin.runs(), 2);
});

Deno.test("an aborted call does not wait for its plugin, and does not kill it for other calls", async () => {
  await using plugin = await PluginScript.printing({ token: "one" });
  await plugin.rewrite('while [ ! -e "$dir/go" ]; do sleep 0.01; done; cat "$dir/output"');
  await using server = await CertificateServer.start(serving, ca.cert, () => true);
  using client = createClient(configOf(server, plugin), { host: QUIET });
  const abort = new AbortController();
  const impatient = client.requestJson({ path: "/version", signal: abort.signal });
  const patient = get(client);
  const reason = new Error("enough");
  abort.abort(reason);
  await assert.rejects(impatient, reason);
  await Deno.writeTextFile(`${plugin.dir}/go`, "");
  await patient;
});

Deno.test("closing the client kills a plugin that is running", async () => {
  await using plugin = await PluginScript.printing({});
  await plugin.rewrite('echo $$ > "$dir/pid"; exec sleep 600');
  const client = createClient(
    { server: "https://127.0.0.1:1", credentials: { exec: plugin.config() } },
    { host: QUIET },
  );
  const failed = assert.rejects(get(client), /the client is closed/);
  let pid = "";
  while (!/\d\n/.test(pid)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    pid = await plugin.read("pid").catch(() => "");
  }
  client[Symbol.dispose]();
  await failed;
  await until(() => {
    try {
      Deno.kill(Number(pid), "SIGCONT");
      return false;
    } catch {
      return true;
    }
  });
});

function disposable<T extends { [Symbol.dispose]?(): void }>(value: T): T & Disposable {
  return value as T & Disposable;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
