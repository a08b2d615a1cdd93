import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import https from "node:https";
import net from "node:net";
import type { TLSSocket } from "node:tls";
import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { CertificateAuthority, type PemPair } from "@xca/apimachinery/pki";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { selfSigned } from "../../../../tests/support/network/self_signed.ts";
import { answer, RawServer } from "../../../../tests/client/raw_server.ts";
import type { TlsConfig } from "../../config/config.ts";
import { createClient } from "../../create_client.ts";
import { UnreachableError } from "../../errors/unreachable_error.ts";

const NOW = new Date();
const ours = await CertificateAuthority.create("ours", NOW);
const theirs = await CertificateAuthority.create("theirs", NOW);

function serve(pair: PemPair): RawServer {
  return new RawServer((_request, wire) => wire.send(answer(`{"ok":true}`)), pair);
}

async function call(server: string, tls: TlsConfig): Promise<unknown> {
  using client = createClient({ server, tls, source: "a test" });
  return await client.requestJson({ path: "/version", retry: false });
}

Deno.test("TLS: a server that the cluster's authority signed is trusted", async () => {
  await using server = serve(await ours.serving("s", ["localhost"], ["127.0.0.1"]));
  assert.deepEqual(await call(server.url, { caData: ours.cert }), { ok: true });
});

Deno.test("TLS: a server of another authority is refused, and the message says what to compare", async () => {
  await using server = serve(await theirs.serving("s", ["localhost"], ["127.0.0.1"]));
  await assert.rejects(call(server.url, { caData: ours.cert }), (error) => {
    assert.ok(error instanceof UnreachableError);
    assert.match(error.message, /unable to verify the first certificate/);
    assert.match(error.message, /\(from a test\).*certificate-authority-data/);
    assert.ok(error.neverSent && !error.mayPass);
    return true;
  });
  assert.equal(server.requests.length, 0);
});

Deno.test("TLS: a call ends by its signal while a refused certificate is looked at again", async () => {
  await using server = serve(await theirs.serving("s", ["localhost"], ["127.0.0.1"]));
  const { port } = new URL(server.url);
  const sockets: net.Socket[] = [];
  const second = Promise.withResolvers<void>();
  // Passes the call through; the connection that reads the certificate is never answered.
  const between = net.createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    if (sockets.length > 1) return second.resolve();
    socket.pipe(net.connect(Number(port), "127.0.0.1").on("error", () => {})).pipe(socket);
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  const { port: asked } = between.address() as net.AddressInfo;
  {
    const config = { server: `https://127.0.0.1:${asked}`, tls: { caData: ours.cert } };
    using client = createClient(config, { clock: new FakeClock() }); // No deadline ends it.
    const stop = new AbortController();
    let reason: unknown;
    const call = client.requestJson({ path: "/version", retry: false, signal: stop.signal })
      .catch((error) => reason = error);
    await second.promise;
    stop.abort("enough");
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(reason, "enough");
    await call;
  }
  for (const socket of sockets) socket.destroy();
  between.close();
  await once(between, "close");
});

Deno.test("TLS: both authorities given, both are trusted", async () => {
  await using server = serve(await theirs.serving("s", ["localhost"], ["127.0.0.1"]));
  assert.deepEqual(await call(server.url, { caData: ours.cert + theirs.cert }), { ok: true });
});

/**
 * A program, on a machine that trusts the authority `theirs`, that makes one call by the runtime's
 * fetch and one by this client.
 */
const CHILD = `
  import { createTransport } from ${JSON.stringify(import.meta.resolve("../transport.ts"))};
  const [server, caData] = Deno.args;
  const outcome = (promise) => promise.then(async (r) => { await r.body.cancel(); return "trusted"; }, () => "refused");
  const client = Deno.createHttpClient({ caCerts: [caData] });
  using transport = createTransport({ server, tls: { caData } });
  console.log(await outcome(fetch(server, { client })), await outcome(transport.fetch(new Request(server))));
`;

for (
  const [how, variables] of [
    ["DENO_CERT", (file: string) => ({ DENO_CERT: file })],
    [
      "the system's store",
      (file: string) => ({ DENO_TLS_CA_STORE: "system", SSL_CERT_FILE: file }),
    ],
    ["NODE_EXTRA_CA_CERTS", (file: string) => ({ NODE_EXTRA_CA_CERTS: file })],
  ] as const
) {
  Deno.test(`TLS: an authority that the machine trusts by ${how} is refused for the cluster`, async () => {
    await using server = serve(await theirs.serving("s", ["localhost"], ["127.0.0.1"]));
    const file = await Deno.makeTempFile({ suffix: ".pem" });
    try {
      await Deno.writeTextFile(file, theirs.cert);
      const config = new URL("../../../../deno.json", import.meta.url).pathname;
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "eval",
          "--ext=ts",
          "--no-lock",
          `--config=${config}`,
          CHILD,
          server.url,
          ours.cert,
        ],
        env: variables(file),
      }).output();
      const text = new TextDecoder().decode(stdout).trim();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      assert.match(text, / refused$/);
      // The control: the runtime's own fetch trusts the authority of the machine.
      if (how !== "NODE_EXTRA_CA_CERTS") assert.match(text, /^trusted /);
    } finally {
      await Deno.remove(file);
    }
  });
}

Deno.test("TLS: a certificate for other names is refused; tls-server-name makes it right", async () => {
  await using server = serve(await ours.serving("s", ["api.example"], []));
  await assert.rejects(call(server.url, { caData: ours.cert }), /tls-server-name/);
  assert.equal(server.requests.length, 0);
  const tls = { caData: ours.cert, serverName: "api.example" };
  assert.deepEqual(await call(server.url, tls), { ok: true });
});

Deno.test("TLS: a wrong tls-server-name is refused even if the address matches", async () => {
  await using server = serve(await ours.serving("s", ["localhost"], ["127.0.0.1"]));
  const tls = { caData: ours.cert, serverName: "api.example" };
  await assert.rejects(call(server.url, tls), /ERR_TLS_CERT_ALTNAME_INVALID/);
});

Deno.test("TLS: a tls-server-name that is an address is checked as one", async () => {
  await using server = serve(await ours.serving("s", ["api.example"], ["10.0.0.9", "fd00::9"]));
  const tls = { caData: ours.cert };
  for (const serverName of ["10.0.0.9", "fd00::9", "[fd00::9]"]) {
    assert.deepEqual(await call(server.url, { ...tls, serverName }), { ok: true }, serverName);
  }
  for (const serverName of ["127.0.0.1", "10.0.0.8", "fd00::8"]) {
    await assert.rejects(call(server.url, { ...tls, serverName }), /ERR_TLS_CERT_ALTNAME_INVALID/);
  }
});

Deno.test("TLS: port 0, where nobody listens, is not the port that a URL without one means", async () => {
  await assert.rejects(call("https://127.0.0.1:0", { caData: ours.cert }), (error) => {
    assert.ok(error instanceof UnreachableError);
    assert.doesNotMatch(error.message, /:443/);
    return true;
  });
});

Deno.test("TLS: a self-signed server certificate is trusted as its own authority", async () => {
  const pair = await selfSigned(NOW);
  await using server = serve(pair);
  assert.deepEqual(await call(server.url, { caData: pair.cert }), { ok: true });
  await assert.rejects(call(server.url, { caData: ours.cert }), UnreachableError);
});

Deno.test("TLS: insecure-skip-tls-verify accepts any server", async () => {
  await using server = serve(await theirs.serving("s", ["other.example"], []));
  assert.deepEqual(await call(server.url, { insecureSkipVerify: true }), { ok: true });
  const named = { insecureSkipVerify: true, serverName: "x.example" };
  assert.deepEqual(await call(server.url, named), { ok: true });
});

Deno.test("TLS: insecure-skip-tls-verify is the only setting with a warning", () => {
  const records: LogRecord[] = [];
  configureSync({
    sinks: { memory: (record) => records.push(record) },
    loggers: [
      { category: ["xca", "client"], sinks: ["memory"] },
      { category: ["logtape", "meta"], lowestLevel: "fatal" },
    ],
  });
  try {
    createClient({ server: "https://a.example", tls: { caData: ours.cert } })[Symbol.dispose]();
    assert.equal(records.length, 0);
    const insecure = { server: "https://a.example", tls: { insecureSkipVerify: true } };
    createClient(insecure, { warnsOfInsecure: false })[Symbol.dispose]();
    assert.equal(records.length, 0);
    createClient(insecure)
      [Symbol.dispose]();
    assert.equal(records[0]!.level, "warning");
    assert.match(records[0]!.message.join(""), /INSECURE.*a\.example/);
  } finally {
    resetSync();
  }
});

Deno.test("TLS: an https URL of a server of plain http is an error that says so", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    return new Response();
  });
  await assert.rejects(
    call(`https://127.0.0.1:${server.addr.port}`, { caData: ours.cert }),
    UnreachableError,
  );
});

Deno.test("F02 TLS: a server that accepts and never answers is an error after 30 s", async () => {
  const clock = new FakeClock();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const { port } = listener.addr as Deno.NetAddr;
  using client = createClient({ server: `https://127.0.0.1:${port}` }, { clock });
  const failed = assert.rejects(
    client.requestJson({ path: "/version", method: "POST", retry: false }),
    (error) => error instanceof UnreachableError && error.neverSent && error.mayPass,
  );
  using _connection = await accepted;
  await clock.advance(29_999);
  await clock.advance(1);
  await failed;
  listener.close();
});

for (const type of ["pkcs8", "sec1"] as const) {
  Deno.test(`TLS: the client certificate is shown, its key as ${type}`, async () => {
    const own = await ours.serving("s", ["localhost"], ["127.0.0.1"]);
    const us = await ours.client("jane", ["admins"]);
    const keyData = createPrivateKey(us.key).export({ type, format: "pem" }) as string;
    let shown: string | undefined;
    const server = https.createServer(
      { ...own, ca: ours.cert, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        shown = (request.socket as TLSSocket).getPeerCertificate().subject.CN as string;
        response.end("{}");
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      const url = `https://127.0.0.1:${port}`;
      await call(url, { caData: ours.cert, certData: us.cert, keyData });
      assert.equal(shown, "jane");
      await assert.rejects(call(url, { caData: ours.cert }), UnreachableError);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
}
