import assert from "node:assert/strict";
import { CertificateServer } from "../../../../tests/client/certificate_server.ts";
import { configErrorOf, FakeHost } from "../../../../tests/kubeconfig/fake_host.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../../testing/fake_clock.ts";
import type { TlsConfig } from "../../config/config.ts";
import { createClient } from "../../create_client.ts";
import { createTlsSource } from "./tls_source.ts";
import { UnreachableError } from "../../errors/unreachable_error.ts";

const NOW = new Date();
const one = await CertificateAuthority.create("one", NOW);
const two = await CertificateAuthority.create("two", NOW);
const alice = await one.client("alice", []);
const bob = await one.client("bob", []);
const FILES: TlsConfig = { caFile: "/ca", certFile: "/cert", keyFile: "/key" };

function machine(): FakeHost {
  return new FakeHost({ files: { "/ca": one.cert, "/cert": alice.cert, "/key": alice.key } });
}

Deno.test("TLS files are read at the first use, and again after a minute", async () => {
  const clock = new FakeClock();
  const host = machine();
  const source = createTlsSource({ tls: FILES }, { clock, host });
  const first = await source.current();
  assert.deepEqual(first, {
    ...FILES,
    caData: one.cert,
    certData: alice.cert,
    keyData: alice.key,
  });
  host.files.set("/ca", two.cert);
  clock.step(59_999);
  assert.equal(await source.current(), first);
  clock.step(1);
  assert.equal((await source.current()).caData, two.cert);
  clock.step(60_000);
  assert.equal(await source.current(), await source.current(), "unchanged, it is the same object");
});

Deno.test("TLS files that were read with the configuration are not read again at once", async () => {
  const clock = new FakeClock();
  const host = machine();
  const tls = { ...FILES, caData: one.cert, certData: alice.cert, keyData: alice.key };
  const source = createTlsSource({ tls }, { clock, host });
  assert.equal(await source.current(), tls);
  assert.deepEqual(host.reads, []);
  clock.step(60_000);
  assert.equal(await source.current(), tls);
  assert.deepEqual(host.reads, ["/ca", "/cert", "/key"]);
});

Deno.test("TLS files: unusable files keep the material before, and are read again after 10 s", async () => {
  const clock = new FakeClock();
  const host = machine();
  const source = createTlsSource({ tls: FILES }, { clock, host });
  const first = await source.current();
  clock.step(60_000);
  for (const broken of [bob.cert, "junk", "", new Error("gone")]) {
    host.files.set("/cert", broken);
    clock.step(10_000);
    assert.equal(await source.current(), first);
  }
  host.files.set("/cert", bob.cert);
  host.files.set("/key", bob.key);
  clock.step(9_999);
  assert.equal(await source.current(), first);
  clock.step(1);
  assert.equal((await source.current()).certData, bob.cert);
});

Deno.test("TLS files: refresh() reports a change after the first read alone", async () => {
  const host = machine();
  const source = createTlsSource({ tls: FILES }, { clock: new FakeClock(), host });
  assert.equal(await source.refresh(), false, "the first read");
  assert.equal(await source.refresh(), false, "nothing changed");
  host.files.set("/ca", two.cert);
  assert.equal(await source.refresh(), true);
});

Deno.test("TLS files that were never usable are an error that names file and fault", async () => {
  const host = machine();
  host.files.delete("/ca");
  const source = createTlsSource({ tls: FILES }, { clock: new FakeClock(), host });
  const current = async () => await source.current();
  assert.match(
    await configErrorOf(current()),
    /^Cannot read certificate authority file \/ca: there is no such file/,
  );
  host.files.set("/ca", alice.key);
  assert.match(await configErrorOf(current()), /file \/ca: it holds PEM text of type PRIVATE KEY/);
  host.files.set("/ca", one.cert);
  host.files.set("/key", bob.key);
  assert.match(await configErrorOf(current()), /file \/cert: the private key of .* \/key is not/);
  host.files.set("/key", alice.key);
  assert.equal((await source.current()).caData, one.cert);
});

Deno.test("50 concurrent requests share one read of the TLS files", async () => {
  const host = machine();
  const source = createTlsSource({ tls: FILES }, { clock: new FakeClock(), host });
  await Promise.all(Array.from({ length: 50 }, () => source.current()));
  assert.equal(host.reads.length, 3);
});

Deno.test("a replaced client certificate is used without a restart, at once after a 401", async () => {
  const clock = new FakeClock();
  const host = machine();
  let good = "alice";
  await using server = await CertificateServer.start(
    await one.serving("s", ["localhost"], ["127.0.0.1"]),
    one.cert,
    ({ user }) => user === good,
  );
  using client = createClient({ server: server.url, tls: FILES }, { clock, host });
  const get = () => client.requestJson({ path: "/version", retry: false });
  await get();
  host.files.set("/cert", bob.cert);
  host.files.set("/key", bob.key);
  clock.step(60_000);
  good = "bob";
  await get();
  assert.deepEqual(server.seen.map(({ user }) => user), ["alice", "bob"]);
  host.files.set("/cert", alice.cert);
  host.files.set("/key", alice.key);
  good = "alice";
  await get();
  assert.deepEqual(server.seen.slice(2).map(({ user }) => user), ["bob", "alice"]);
});

Deno.test("a replaced certificate authority is used from the first failure on", async () => {
  const clock = new FakeClock();
  const host = machine();
  const serving = (ca: CertificateAuthority) => ca.serving("s", ["localhost"], ["127.0.0.1"]);
  await using server = await CertificateServer.start(await serving(two), one.cert, () => true);
  using client = createClient({ server: server.url, tls: FILES }, { clock, host });
  const get = () => client.requestJson({ path: "/version", retry: false });
  await assert.rejects(get(), UnreachableError);
  await assert.rejects(get(), UnreachableError);
  host.files.set("/ca", `${one.cert}\n${two.cert}`);
  await get();
  assert.equal(server.seen.length, 1);
});

Deno.test("running calls end on their old connection, which is then closed", async () => {
  const clock = new FakeClock();
  const host = machine();
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using server = await CertificateServer.start(
    await one.serving("s", ["localhost"], ["127.0.0.1"]),
    one.cert,
    async ({ path }) => {
      if (path !== "/slow") return true;
      arrived.resolve();
      await release.promise;
      return true;
    },
  );
  using client = createClient({ server: server.url, tls: FILES }, { clock, host });
  const slow = client.requestJson({ path: "/slow", retry: false });
  await arrived.promise;
  host.files.set("/cert", bob.cert);
  host.files.set("/key", bob.key);
  clock.step(60_000);
  await client.requestJson({ path: "/quick", retry: false });
  release.resolve();
  await slow;
  // After a minute of silence the server is probed on the old certificate.
  const calls = server.seen.filter(({ path }) => path !== "/version");
  assert.deepEqual(calls.map(({ path, user }) => [path, user]), [
    ["/slow", "alice"],
    ["/quick", "bob"],
  ]);
  assert.equal(calls[0]?.connection, 0);
});
