import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { FakeClock } from "../../base/time/fake_clock.ts";
import { delay } from "../../base/time/delay.ts";
import { CertificateAuthority } from "../../pki/certificate_authority.ts";
import { signCertificate } from "../../pki/certificate.ts";
import type { PemPair } from "../../pki/pem.ts";
import { until } from "../../../../tests/support/until.ts";
import type { CertificateOffer, CertificateSource } from "./certificate_source.ts";
import { certificateFiles } from "./certificate_files.ts";
import { CheckedCertificate } from "./checked_certificate.ts";

const NOW = new Date();
const DAY_MS = 86_400_000;
const never = new AbortController().signal;
const NAMES = ["web.shop.svc", "web.shop.svc.cluster.local"];

/** A source whose offers a test hands out one by one. */
class Offers implements CertificateSource {
  readonly name = "of the test";
  readonly hosts: readonly string[] | undefined;
  readonly #waiting: CertificateOffer[] = [];
  #wake: (() => void) | undefined;
  /** The number of offers that the server has finished with. */
  done = 0;

  constructor(hosts: readonly string[] | undefined = NAMES) {
    this.hosts = hosts;
  }

  async *offers(signal: AbortSignal): AsyncGenerator<CertificateOffer> {
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next) {
        yield next;
        this.done++;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    }
  }

  offer(offer: CertificateOffer): void {
    this.#waiting.push(offer);
    this.#wake?.();
  }
}

/** The metrics of a server's certificate as a list. */
function recorder(): {
  rejected: string[];
  expires: Date[];
  read(): void;
  failed(): void;
  metrics: ConstructorParameters<typeof CheckedCertificate>[1]["metrics"];
} {
  const rejected: string[] = [];
  const expires: Date[] = [];
  const count = { read: () => {}, failed: () => {} };
  const metrics = {
    ...count,
    rejected: (server: string) => void rejected.push(server),
    expires: (_server: string, at: Date) => void expires.push(at),
  };
  return { rejected, expires, ...count, metrics };
}

const authority = await CertificateAuthority.create("authority", NOW);
const other = await CertificateAuthority.create("other", NOW);
const serving = (from = authority): Promise<PemPair> => from.serving("web", NAMES, []);
const good = await serving();

/** Returns a pair that an authority signed for an intermediate, with the intermediate. */
function underIntermediate(intermediateEnd = new Date(NOW.getTime() + DAY_MS)): {
  leaf: string;
  key: string;
  intermediate: string;
} {
  const root = { subject: { commonName: "authority" }, key: createPrivateKey(authority.pair.key) };
  const middle = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const dates = { notBefore: new Date(NOW.getTime() - DAY_MS) };
  const intermediate = signCertificate({
    subject: { commonName: "intermediate" },
    publicKey: middle.publicKey,
    usage: "authority",
    ...dates,
    notAfter: intermediateEnd,
  }, root);
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const leaf = signCertificate({
    subject: { commonName: "web" },
    publicKey: keys.publicKey,
    usage: "serverAuth",
    names: { dns: NAMES, ips: [] },
    ...dates,
    notAfter: new Date(NOW.getTime() + DAY_MS),
  }, { subject: { commonName: "intermediate" }, key: middle.privateKey });
  const key = keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  return { leaf, key, intermediate };
}

/** Returns a pair with a public key of choice, which the authority signed. */
function signedFor(
  keys: { publicKey: Parameters<typeof signCertificate>[0]["publicKey"]; key: string },
  names: readonly string[] = NAMES,
  usage: "serverAuth" | "clientAuth" = "serverAuth",
): PemPair {
  const root = { subject: { commonName: "authority" }, key: createPrivateKey(authority.pair.key) };
  const cert = signCertificate({
    subject: { commonName: NAMES[0]! },
    publicKey: keys.publicKey,
    usage,
    ...(names.length > 0 && { names: { dns: names, ips: [] } }),
    notBefore: new Date(NOW.getTime() - DAY_MS),
    notAfter: new Date(NOW.getTime() + DAY_MS),
  }, root);
  return { cert, key: keys.key };
}

function newKey(kind: "ec" | "rsa", bits = 2048): { publicKey: never; key: string; sec1: string } {
  const { publicKey, privateKey } = kind === "ec"
    ? generateKeyPairSync("ec", { namedCurve: "P-384" })
    : generateKeyPairSync("rsa", { modulusLength: bits });
  return {
    publicKey: publicKey as never,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    sec1: privateKey.export({ type: kind === "ec" ? "sec1" : "pkcs1", format: "pem" }) as string,
  };
}

const second = await serving();
const { leaf, key, intermediate } = underIntermediate();
const past = await CertificateAuthority.create("past", new Date(NOW.getTime() - 10 * DAY_MS));
const ec = newKey("ec");
const encrypted = createPrivateKey(second.key).export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "secret",
}) as string;

/** Pairs that no server may use, with the part of the message that names the fault. */
const BAD: Readonly<Record<string, readonly [CertificateOffer, RegExp]>> = {
  "the key is that of the earlier certificate": [
    { pair: { cert: second.cert, key: good.key } },
    /the key belongs to another certificate/,
  ],
  "the certificate file is empty": [
    { pair: { cert: "", key: second.key } },
    /the certificate is empty/,
  ],
  "the key file is empty": [
    { pair: { cert: second.cert, key: "\n" } },
    /the private key is empty/,
  ],
  "the certificate is cut": [
    { pair: { cert: second.cert.slice(0, 300), key: second.key } },
    /the certificate is not complete PEM text/,
  ],
  "the key is cut": [
    { pair: { cert: second.cert, key: second.key.slice(0, 100) } },
    /the private key is not complete PEM text/,
  ],
  "the certificate is damaged": [
    { pair: { cert: second.cert.replace(/\nM.{20}/, "\nMAAAAAAAAAAAAAAAAAAAA"), key: second.key } },
    /cannot be read/,
  ],
  "the files are swapped": [
    { pair: { cert: second.key, key: second.cert } },
    /a private key stands where the certificate should be/,
  ],
  "both files hold the certificate": [
    { pair: { cert: second.cert, key: second.cert } },
    /a certificate stands where the private key should be/,
  ],
  "the key is encrypted (PKCS #8)": [
    { pair: { cert: second.cert, key: encrypted } },
    /the private key is encrypted with a password; store it without one/,
  ],
  "the key is encrypted (traditional form)": [
    {
      pair: {
        cert: second.cert,
        key: ec.sec1.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n"),
      },
    },
    /the private key is encrypted with a password/,
  ],
  "the certificates are in the wrong order": [
    { pair: { cert: intermediate + leaf, key }, ca: authority.cert },
    /the certificates are in the wrong order/,
  ],
  "the intermediate is missing": [
    { pair: { cert: leaf, key }, ca: authority.cert },
    /another authority signed it/,
  ],
  "the intermediate has expired": [
    (() => {
      const old = underIntermediate(new Date(NOW.getTime() - 60_000));
      return { pair: { cert: old.leaf + old.intermediate, key: old.key }, ca: authority.cert };
    })(),
    /its intermediate CN=intermediate was valid until/,
  ],
  "another authority signed it": [
    { pair: await serving(other), ca: authority.cert },
    /another authority signed it/,
  ],
  "the authority is unreadable": [
    { pair: second, ca: authority.cert.replace(/\nM.{20}/, "\nMAAAAAAAAAAAAAAAAAAAA") },
    /its authority cannot be read/,
  ],
  "it has expired": [
    { pair: await serving(past) },
    /it was valid until .*Z/,
  ],
  "it is not valid yet": [
    { pair: await authority.serving("web", NAMES, [], new Date(NOW.getTime() + DAY_MS)) },
    /it is valid from .*Z only, and it is .*Z/,
  ],
  "it is for another name": [
    { pair: signedFor(ec, ["other.shop.svc"]) },
    /it does not hold for web\.shop\.svc, but for other\.shop\.svc/,
  ],
  "it has the name of the server as common name alone": [
    { pair: signedFor(ec, []) },
    /it does not hold for web\.shop\.svc, but for no alternative name at all/,
  ],
  "its wildcard covers two labels": [
    { pair: signedFor(ec, ["*.svc", "*.svc.cluster.local"]) },
    /it does not hold for web\.shop\.svc/,
  ],
  "its RSA key is too short for TLS": [
    { pair: signedFor(newKey("rsa", 1024)) },
    /TLS cannot use it: .*key too small|a handshake with it fails/,
  ],
  "it is for clients": [
    { pair: signedFor(ec, NAMES, "clientAuth"), ca: authority.cert },
    /a client that trusts its authority refuses it/,
  ],
  "the source fails": [
    { problem: new Error("Cannot read tls.crt: it is a folder") },
    /Cannot read tls\.crt: it is a folder/,
  ],
};

for (const [name, [offer, message]] of Object.entries(BAD)) {
  Deno.test(`certificate of a server: a new one is refused, and the last one kept: ${name}`, async () => {
    const offers = new Offers();
    const { rejected, expires, metrics } = recorder();
    const clock = new FakeClock(NOW);
    const certificate = new CheckedCertificate(offers, { server: "web", metrics, clock });
    offers.offer({ pair: good, ca: authority.cert });
    assert.deepEqual(await certificate.load(never), good);
    const used: PemPair[] = [];
    using _watch = certificate.watch((pair) => used.push(pair));
    offers.offer(offer);
    offers.offer(offer); // Counted and logged once.
    await until(() => offers.done === 3);
    assert.deepEqual(used, []);
    assert.match(certificate.refused!, message);
    assert.equal(certificate.problem(), undefined);
    assert.deepEqual(rejected, "pair" in offer ? ["web"] : []);
    const last = await serving();
    offers.offer({ pair: last, ca: authority.cert });
    await until(() => used.length > 0);
    assert.deepEqual(used, [last]);
    assert.equal(certificate.refused, undefined);
    assert.equal(expires.length, 2);
  });

  Deno.test(`certificate of a server: it does not start with one that cannot be used: ${name}`, async () => {
    const offers = new Offers();
    const clock = new FakeClock(NOW);
    const certificate = new CheckedCertificate(offers, { server: "web", clock });
    offers.offer(offer);
    await assert.rejects(certificate.load(never), message);
    assert.match(certificate.problem()!, /is not loaded/);
  });
}

/** Pairs of forms that issuers write, all of which a server uses. */
const GOOD: Readonly<Record<string, CertificateOffer>> = {
  "with an intermediate": { pair: { cert: leaf + intermediate, key }, ca: authority.cert },
  "with intermediate and root": {
    pair: { cert: leaf + intermediate + authority.cert, key },
    ca: authority.cert,
  },
  "with two authorities to trust": { pair: second, ca: other.cert + authority.cert },
  "without an authority": { pair: await serving(other) },
  "EC key (SEC 1)": { pair: { ...signedFor(ec), key: ec.sec1 }, ca: authority.cert },
  "EC key with its parameters": {
    pair: {
      ...signedFor(ec),
      key: `-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n${ec.sec1}`,
    },
    ca: authority.cert,
  },
  "RSA key (PKCS #8)": { pair: signedFor(newKey("rsa")), ca: authority.cert },
  "RSA key (PKCS #1)": {
    pair: (() => {
      const rsa = newKey("rsa");
      return { ...signedFor(rsa), key: rsa.sec1 };
    })(),
    ca: authority.cert,
  },
  "wildcard of one label": {
    pair: signedFor(ec, ["*.shop.svc", "*.shop.svc.cluster.local"]),
    ca: authority.cert,
  },
  "text before the certificate": {
    pair: { ...second, cert: `subject=CN = web\n${second.cert}` },
    ca: authority.cert,
  },
};

for (const [name, offer] of Object.entries(GOOD)) {
  Deno.test(`certificate of a server: it starts with one ${name}`, async () => {
    const offers = new Offers();
    const certificate = new CheckedCertificate(offers, { server: "web" });
    offers.offer(offer);
    const pair = await certificate.load(never);
    assert("pair" in offer);
    assert.deepEqual(pair, offer.pair);
    assert(certificate.notAfter! > NOW);
  });
}

Deno.test({
  name:
    "certificate of a server: without the permission to listen on loopback it is used untried, and checked as far as possible",
  permissions: { net: false, read: true },
  fn: async () => {
    const offers = new Offers();
    const certificate = new CheckedCertificate(offers, { server: "web" });
    offers.offer({ pair: good, ca: authority.cert });
    assert.deepEqual(await certificate.load(never), good);
    const bad = new Offers();
    bad.offer({ pair: { ...good, key: second.key }, ca: authority.cert });
    await assert.rejects(
      new CheckedCertificate(bad, { server: "web" }).load(never),
      /the key belongs to another certificate/,
    );
  },
});

Deno.test("certificate of a server: one whose validity begins later is used from then on", async () => {
  const offers = new Offers(undefined);
  const clock = new FakeClock(NOW);
  const certificate = new CheckedCertificate(offers, { server: "web", clock });
  offers.offer({ pair: good });
  await certificate.load(never);
  const used: PemPair[] = [];
  using _watch = certificate.watch((pair) => used.push(pair));
  const later = await other.serving("web", NAMES, [], new Date(NOW.getTime() + DAY_MS / 2));
  offers.offer({ pair: later });
  await until(() => offers.done === 2);
  assert.deepEqual(used, []);
  clock.step(DAY_MS / 2);
  offers.offer({ pair: later });
  await until(() => used.length === 1);
  clock.step(DAY_MS + 1);
  assert.match(certificate.problem()!, /^the certificate of the test was valid until/);
  offers.offer({ pair: good });
  await until(() => offers.done === 4);
  assert.match(certificate.problem()!, /; a new one is refused: .*it was valid until/);
});

Deno.test("certificate of a server: a source that is disposed or aborted ends, and no certificate follows", async () => {
  const offers = new Offers();
  const certificate = new CheckedCertificate(offers, { server: "web" });
  assert.throws(() => certificate.watch(() => {}), /load it first/);
  offers.offer({ pair: good });
  await certificate.load(never);
  const used: PemPair[] = [];
  certificate.watch((pair) => used.push(pair))[Symbol.dispose]();
  offers.offer({ pair: second });
  await delay(0);
  assert.deepEqual(used, []);
  const aborted = new CheckedCertificate(new Offers(), { server: "web" });
  const abort = new AbortController();
  const loading = aborted.load(abort.signal);
  abort.abort(new Error("stopped"));
  await assert.rejects(loading, /stopped/);
});

Deno.test("certificate files: the exchange of a volume's link, an exchange in two steps, and a deletion", async () => {
  const folder = await Deno.makeTempDir();
  const clock = new FakeClock(NOW);
  const versions = [good, second, await serving()];
  try {
    for (const [at, pair] of versions.entries()) {
      await Deno.mkdir(`${folder}/..v${at}`);
      await Deno.writeTextFile(`${folder}/..v${at}/tls.crt`, pair.cert);
      await Deno.writeTextFile(`${folder}/..v${at}/tls.key`, pair.key);
      await Deno.writeTextFile(`${folder}/..v${at}/ca.crt`, authority.cert);
    }
    // As the kubelet mounts a Secret: links to files below a link, which it exchanges in one step.
    await Deno.symlink("..v0", `${folder}/..data`);
    const names = ["tls.crt", "tls.key", "ca.crt"];
    for (const name of names) await Deno.symlink(`..data/${name}`, `${folder}/${name}`);
    const [certFile, keyFile, caFile] = names.map((name) => `${folder}/${name}`);
    const source = certificateFiles(
      { certFile: certFile!, keyFile: keyFile!, caFile },
      { hosts: NAMES },
    );
    const { rejected, metrics } = recorder();
    const certificate = new CheckedCertificate(source, { server: "web", clock, metrics });
    assert.deepEqual(await certificate.load(never), good);
    const used: string[] = [];
    using _watch = certificate.watch(({ cert }) =>
      used.push(new X509Certificate(cert).serialNumber)
    );
    const serial = ({ cert }: PemPair): string => new X509Certificate(cert).serialNumber;
    /** Lets the files be read once more, and waits until that has a result. */
    const again = async (isDone: () => boolean): Promise<void> => {
      await until(() => clock.pending > 0);
      clock.step(10_000);
      await until(isDone);
    };
    const exchange = async (target: string): Promise<void> => {
      await Deno.symlink(target, `${folder}/..next`);
      await Deno.rename(`${folder}/..next`, `${folder}/..data`);
    };

    await exchange("..v1");
    await again(() => used.length === 1);
    assert.deepEqual(used, [serial(second)]);

    // The new certificate stands before its key does.
    await Deno.writeTextFile(`${folder}/..v1/tls.crt`, versions[2]!.cert);
    await again(() => certificate.refused !== undefined);
    assert.match(certificate.refused!, /tls\.crt: the key belongs to another certificate/);
    await Deno.writeTextFile(`${folder}/..v1/tls.key`, versions[2]!.key);
    await again(() => used.length === 2);
    assert.deepEqual(used[1], serial(versions[2]!));

    await Deno.remove(`${folder}/..v1`, { recursive: true });
    await again(() => certificate.refused !== undefined);
    assert.match(certificate.refused!, /^Cannot read .*tls\.crt: .*mount the secret/);
    assert.deepEqual(rejected, ["web"]);
    await exchange("..v0");
    await again(() => used.length === 3);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
