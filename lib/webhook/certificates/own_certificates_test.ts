import assert from "node:assert/strict";
import { seededRandom, systemClock } from "@xca/apimachinery/base";
import { Secret, ValidatingWebhookConfiguration } from "@xca/apimachinery/meta";
import { CertificateAuthority, checkPair, parseCertificate } from "@xca/apimachinery/pki";
import type { CertificateOffer, OfferedCertificate } from "@xca/apimachinery/serving";
import { ApiServer, clientOf, FakeClock } from "../../testing/mod.ts";
import type { Client } from "../../client/typed/client.ts";
import { until } from "../../../tests/support/until.ts";
import { ownCertificates, type OwnCertificatesOptions } from "./own_certificates.ts";

const DAY_MS = 86_400_000;
const SECRET = { namespace: "default", name: "certificate" };
const KEY = "default/certificate";
const TARGET = "guard-validating-webhook-configuration";

function optionsOf(client: OwnCertificatesOptions["client"]): OwnCertificatesOptions {
  const targets = { validating: [TARGET] };
  return { client, secret: SECRET, hosts: ["localhost", "127.0.0.1"], targets };
}

async function configure(client: Client): Promise<void> {
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: TARGET },
    webhooks: [{
      name: "a.example.com",
      clientConfig: { url: "https://localhost/x" },
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
    }],
  });
}

async function publishedBundle(client: Client): Promise<string> {
  const { webhooks } = await client.get(ValidatingWebhookConfiguration, TARGET);
  return atob(webhooks![0]!.clientConfig.caBundle ?? "");
}

/** Returns the first offer of a source. */
async function firstOf(options: OwnCertificatesOptions): Promise<CertificateOffer> {
  const abort = new AbortController();
  try {
    for await (const offer of ownCertificates(options).offers(abort.signal, systemClock)) {
      return offer;
    }
    throw new Error("the source ended");
  } finally {
    abort.abort();
  }
}

Deno.test("own certificates: replicas that start at once agree on one certificate and one authority", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await configure(client);
  const offers = await Promise.all(
    Array.from({ length: 8 }, () => firstOf(optionsOf(client))),
  ) as OfferedCertificate[];
  assert.equal(new Set(offers.map(({ pair }) => pair.cert)).size, 1);
  const [{ pair, ca }] = offers as [OfferedCertificate];
  assert.equal(checkPair(pair, { at: new Date(), ca: ca!, hosts: ["127.0.0.1"] }), undefined);
  assert.equal(await publishedBundle(client), ca);
  const { type, data } = await client.get(Secret, KEY);
  assert.equal(type, "kubernetes.io/tls");
  assert.equal(atob(data!["ca.crt"]!), ca);
  // A replica that starts later takes them over.
  const later = await firstOf(optionsOf(client)) as OfferedCertificate;
  assert.deepEqual(later.pair, pair);
});

Deno.test("own certificates: a configuration that cannot be written ends the start, and later holds the rotation back", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await configure(client);
  let refuses = true;
  const options = optionsOf({
    get: (type, key, options) => client.get(type, key, options),
    create: client.create.bind(client),
    update: (type, object, options) => client.update(type, object, options),
    patch: (type, key, patch, options) =>
      refuses
        ? Promise.reject(new Error("patches are refused"))
        : client.patch(type, key, patch, options),
    watch: () => new ReadableStream(),
  });
  const refusal = await firstOf(options);
  assert("problem" in refusal);
  assert.match(String(refusal.problem), /patches are refused/);

  refuses = false;
  const clock = new FakeClock(new Date());
  const abort = new AbortController();
  const used: OfferedCertificate[] = [];
  const source = ownCertificates({ ...options, random: seededRandom(1), syncMs: DAY_MS });
  const running = (async () => {
    for await (const offer of source.offers(abort.signal, clock)) {
      assert("pair" in offer);
      used.push(offer);
    }
  })();
  const pass = async (): Promise<void> => {
    await until(() => clock.pending > 0);
    clock.step(clock.nextInMs!);
  };
  await until(() => clock.pending > 0);
  const first = await publishedBundle(client);
  refuses = true;
  for (let days = 0; days < 250;) {
    const nowMs = clock.monotonicMs();
    await pass();
    days += (clock.monotonicMs() - nowMs) / DAY_MS;
    // A failed write is repeated every five seconds.
    if (clock.monotonicMs() - nowMs < DAY_MS / 2) clock.step(DAY_MS), days++;
  }
  await until(() => clock.pending > 0);
  const { data } = await client.get(Secret, KEY);
  assert(data!["ca-next.crt"], "a new authority waits");
  assert.equal(await publishedBundle(client), first);
  const last = used.at(-1)!;
  assert(used.length >= 4, "certificates of the old authority are renewed meanwhile");
  assert.equal(checkPair(last.pair, { at: clock.now(), ca: first }), undefined);

  refuses = false;
  const count = used.length;
  await until(async () => {
    await pass();
    return used.length > count;
  });
  const bundle = await publishedBundle(client);
  assert.equal(used.at(-1)!.ca, bundle);
  assert.notEqual(checkPair(used.at(-1)!.pair, { at: clock.now(), ca: first }), undefined);
  assert.equal(checkPair(last.pair, { at: clock.now(), ca: bundle }), undefined);
  abort.abort();
  await running;
});

Deno.test("own certificates: a Secret that is emptied gets the certificate in use again, and foreign data stays", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await configure(client);
  const abort = new AbortController();
  const used: OfferedCertificate[] = [];
  const source = ownCertificates({ ...optionsOf(client), propagationMs: 1 });
  const running = (async () => {
    for await (const offer of source.offers(abort.signal, systemClock)) {
      if ("pair" in offer) used.push(offer);
    }
  })();
  await until(() => used.length === 1);
  const secret = await client.get(Secret, KEY);
  const foreign = { "tls.crt": "", "tls.key": "", note: btoa("keep") };
  await client.update(Secret, { ...secret, data: foreign });
  await until(() => used.length === 2, "the certificate of a new authority");
  const [before, after] = used as [OfferedCertificate, OfferedCertificate];
  assert(after.ca!.includes(before.ca!));
  assert(parseCertificate(after.pair.cert).notAfter > new Date());
  await until(async () => (await publishedBundle(client)) === after.ca);
  assert.equal((await client.get(Secret, KEY)).data!.note, btoa("keep"));
  abort.abort();
  await running;
});

/** Returns the data of a Secret with another certificate, of an authority of its own. */
async function foreignData(hosts: string[], now: Date): Promise<Record<string, string>> {
  const authority = await CertificateAuthority.create("foreign", now);
  const { cert, key } = await authority.serving("foreign", hosts, []);
  return { "tls.crt": btoa(cert), "tls.key": btoa(key), "ca.crt": btoa(authority.cert) };
}

Deno.test("own certificates: a Secret that is damaged or replaced leads to a new authority, and what is in use stays trusted", async () => {
  const garbage = Object.fromEntries(
    ["tls.crt", "tls.key", "ca.crt", "ca-signing.crt", "ca-signing.key"]
      .map((key) => [key, btoa("garbage")]),
  );
  const cases: Readonly<Record<string, Record<string, string>>> = {
    garbage,
    "a certificate for other names": await foreignData(["other.example.com"], new Date()),
    "a certificate that is valid later": await foreignData(
      ["localhost"],
      new Date(Date.now() + 400 * DAY_MS),
    ),
  };
  for (const [name, data] of Object.entries(cases)) {
    using server = await ApiServer.start();
    using client = clientOf(server);
    await configure(client);
    const abort = new AbortController();
    const used: OfferedCertificate[] = [];
    const source = ownCertificates(optionsOf(client));
    const running = (async () => {
      for await (const offer of source.offers(abort.signal, systemClock)) {
        if ("pair" in offer) used.push(offer);
      }
    })();
    await until(() => used.length === 1, name);
    const [{ pair, ca }] = used as [OfferedCertificate];
    await client.update(Secret, { ...await client.get(Secret, KEY), data });
    const isRotating = async (): Promise<boolean> =>
      (await client.get(Secret, KEY)).data!["ca-next.crt"] !== undefined;
    await until(isRotating, `a new authority after ${name}`);
    await until(async () => (await publishedBundle(client)) !== ca, name);
    const bundle = await publishedBundle(client);
    assert.equal(checkPair(pair, { at: new Date(), ca: bundle }), undefined, name);
    assert.equal(atob((await client.get(Secret, KEY)).data!["tls.crt"]!), pair.cert, name);
    assert.equal(
      used.length,
      1,
      `${name}: the certificate in use stays until the new one is known`,
    );
    abort.abort();
    await running;
  }
});

Deno.test("own certificates: a replica whose clock is behind says so, and replaces nothing", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await configure(client);
  await firstOf(optionsOf(client));
  const before = await client.get(Secret, KEY);
  const clock = new FakeClock(new Date(Date.now() - DAY_MS));
  const abort = new AbortController();
  for await (const offer of ownCertificates(optionsOf(client)).offers(abort.signal, clock)) {
    assert("problem" in offer);
    const reason = String(offer.problem);
    assert.match(
      reason,
      /Secret default\/certificate: the clock of this machine is behind; it shows/,
    );
    break;
  }
  abort.abort();
  assert.deepEqual(await client.get(Secret, KEY), before);
});

Deno.test("own certificates: a replica whose clock is years ahead does not write without end", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await configure(client);
  const abort = new AbortController();
  const clocks = [0, 4_000].map((days) => new FakeClock(new Date(Date.now() + days * DAY_MS)));
  let writes = 0;
  const used: OfferedCertificate[] = [];
  const problems = new Set<string>();
  const running = clocks.map(async (clock, at) => {
    const own: OwnCertificatesOptions["client"] = {
      get: (type, key, options) => client.get(type, key, options),
      create: client.create.bind(client),
      update: (type, object, options) => {
        writes++;
        return client.update(type, object, options);
      },
      patch: (type, key, patch, options) => client.patch(type, key, patch, options),
      watch: () => new ReadableStream(),
    };
    // Without watches each replica looks every second.
    const source = ownCertificates({ ...optionsOf(own), syncMs: 1_000, random: seededRandom(at) });
    for await (const offer of source.offers(abort.signal, clock)) {
      if ("problem" in offer) problems.add(`${at}: ${offer.problem}`);
      else if (at === 0) used.push(offer);
    }
  });
  const step = async (): Promise<void> => {
    for (const clock of clocks) {
      await until(() => clock.pending > 0);
      clock.step(clock.nextInMs!);
    }
  };
  for (let steps = 0; problems.size < 1 && steps < 200; steps++) await step();
  const [problem] = problems;
  assert.match(
    problem!,
    /^1: .* Secret default\/certificate: this replica has written them 6 times/,
  );
  assert.match(problem!, /correct the clock of this machine$/);
  // The replica with the right clock has the last word, and clients trust its certificate.
  for (let steps = 0; steps < 10; steps++) await step();
  const before = writes;
  for (let steps = 0; steps < 50; steps++) await step();
  assert.equal(writes, before, "no writes for the rest of the hour");
  assert(writes <= 26, `${writes} writes`);
  assert.equal(problems.size, 1);
  const ca = await publishedBundle(client);
  assert.equal(checkPair(used.at(-1)!.pair, { at: clocks[0]!.now(), ca }), undefined);
  abort.abort();
  await Promise.all(running);
});

Deno.test("own certificates: options that cannot be are refused with the option", () => {
  const client = {} as OwnCertificatesOptions["client"];
  const make = (options: Partial<OwnCertificatesOptions>): unknown =>
    ownCertificates({ client, secret: SECRET, hosts: ["a"], ...options });
  assert.throws(() => make({ hosts: [] }), /pass \{ service \} or \{ hosts \}/);
  assert.throws(() => make({ caDays: 0 }), /caDays must be a positive number, is 0/);
  assert.throws(() => make({ propagationMs: NaN }), /propagationMs must be .*, is NaN/);
  assert.throws(() => make({ caDays: 10 }), /servingDays \(90\) must not exceed caDays \(10\)/);
});
