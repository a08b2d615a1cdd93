/**
 * The property of the rotation: at each moment a client that trusts a bundle that was published within
 * the bound verifies each certificate in use. Several replicas with slow and failing calls, pauses and
 * restarts rotate on a fake clock; the writes of the API server and the certificates in use are recorded
 * with their times, and every pair that overlaps is checked at the end.
 */
import assert from "node:assert/strict";
import { type Clock, delay, type Random, seededRandom } from "@xca/apimachinery/base";
import type { V1ValidatingWebhookConfiguration } from "@xca/apimachinery/kubernetes-types";
import {
  type KubeObject,
  type ResourceType,
  Secret,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { checkPair, parseCertificate, type PemPair } from "@xca/apimachinery/pki";
import { testSeed } from "../../../tests/support/seed.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { ApiServer } from "../../testing/mod.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { CreateOptions } from "../../client/calls/options.ts";
import type { Client } from "../../client/typed/client.ts";
import { ownCertificates, type OwnCertificatesOptions } from "./own_certificates.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The bound within which every client has observed a written bundle. */
const PROPAGATION_MS = 30 * MINUTE_MS;

const TARGET = "own-validating-webhook-configuration";
const SECRET = { namespace: "default", name: "own-certificate" };

/** A value that held from one time to another, in milliseconds of the fake clock. */
interface Span<T> {
  readonly value: T;
  readonly fromMs: number;
  toMs: number;
}

/** A value with the times of its changes. */
class History<T> {
  readonly spans: Span<T>[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(value: T): void {
    const nowMs = this.#clock.now().getTime();
    const last = this.spans.at(-1);
    if (last?.value === value) return;
    if (last) last.toMs = nowMs;
    this.spans.push({ value, fromMs: nowMs, toMs: Infinity });
  }
}

type Calls = OwnCertificatesOptions["client"];

/** The dependencies of {@linkcode slow}. */
interface SlowPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Called after each patch that was carried out, before the caller knows. */
  readonly onPatch: () => Promise<void>;
}

/**
 * A client whose calls take time, fail before or after they were carried out, or pause for long.
 */
function slow(client: Client, { clock, random, onPatch }: SlowPorts): Calls {
  const wait = (signal: AbortSignal | undefined): Promise<void> => {
    const dice = random.next();
    const ms = dice < 0.04 ? random.next() * 3 * HOUR_MS : random.next() * 2_000;
    return delay(ms, { clock, signal });
  };
  const through = async <T>(
    signal: AbortSignal | undefined,
    call: () => Promise<T>,
  ): Promise<T> => {
    await wait(signal);
    if (random.next() < 0.02) throw new Error("the request was lost");
    const result = await call();
    await wait(signal);
    if (random.next() < 0.02) throw new Error("the answer was lost");
    return result;
  };
  return {
    get: (type, key, options) => through(options?.signal, () => client.get(type, key)),
    create:
      ((type: ResourceType, object: KubeObject, options?: CreateOptions) =>
        through(options?.signal, () => client.create(type, object))) as Calls["create"],
    update: (type, object, options) => through(options?.signal, () => client.update(type, object)),
    patch: (type, key, patch, options) =>
      through(options?.signal, async () => {
        const patched = await client.patch(type, key, patch);
        await onPatch();
        return patched;
      }),
    // Changes are found by reading alone, the latest possible way.
    watch: (_type, options) => silence(options!.signal!),
  };
}

/** Returns a stream without events, which ends when the signal is aborted. */
function silence<T>(signal: AbortSignal): AsyncIterable<T> {
  return new ReadableStream<T>({
    start: (controller) => signal.addEventListener("abort", () => controller.close()),
  });
}

/** A replica of a webhook server: its certificate in use, over restarts. */
class Replica {
  readonly uses: History<PemPair>;
  readonly #client: Calls;
  readonly #clock: Clock;
  readonly #random: Random;
  #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(client: Client, ports: SlowPorts) {
    this.#client = slow(client, ports);
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.uses = new History(ports.clock);
    this.start();
  }

  /** Reports whether the replica has a certificate in use. */
  get isUp(): boolean {
    return this.uses.spans.length > 0;
  }

  start(): void {
    this.#abort = new AbortController();
    this.#running = this.#follow(this.#abort.signal);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const source = ownCertificates({
      client: this.#client,
      secret: SECRET,
      hosts: ["localhost"],
      targets: { validating: [TARGET] },
      caDays: 6,
      servingDays: 2,
      propagationMs: PROPAGATION_MS,
      syncMs: 5 * HOUR_MS,
      random: this.#random,
    });
    for await (const offer of source.offers(signal, this.#clock)) {
      if (signal.aborted) return;
      if (!("pair" in offer)) continue;
      // The replica takes over a new certificate at once, or late.
      const late = this.#random.next() < 0.5 ? 0 : this.#random.next() * 8 * HOUR_MS;
      await delay(late, { clock: this.#clock, signal }).catch(() => {});
      if (!signal.aborted) this.uses.set(offer.pair);
    }
  }
}

/**
 * Returns the pairs of a certificate in use and a bundle that a client may have at that time, and
 * cannot verify.
 */
function violations(
  uses: readonly Span<PemPair>[],
  bundles: readonly Span<string>[],
): { count: number; broken: string[] } {
  let count = 0;
  const broken: string[] = [];
  for (const use of uses) {
    const { notAfter } = parseCertificate(use.value.cert);
    for (const bundle of bundles) {
      const fromMs = Math.max(use.fromMs, bundle.fromMs);
      const toMs = Math.min(use.toMs, bundle.toMs + PROPAGATION_MS, notAfter.getTime());
      if (fromMs >= toMs) continue;
      count++;
      const fault = checkPair(use.value, { at: new Date(fromMs), ca: bundle.value });
      if (fault) broken.push(`${new Date(fromMs).toISOString()}: ${fault}`);
    }
  }
  return { count, broken };
}

Deno.test("own certificates: at each moment every published bundle verifies every certificate in use", async () => {
  const random = seededRandom(testSeed());
  const clock = new FakeClock(new Date("2026-01-01T00:00:00Z"));
  using server = await ApiServer.start();
  using client = clientOf(server);
  const configuration: V1ValidatingWebhookConfiguration = {
    metadata: { name: TARGET },
    webhooks: [{
      name: "own.example.com",
      clientConfig: { url: "https://localhost/validate" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    }],
  };
  await client.create(ValidatingWebhookConfiguration, configuration);
  const bundles = new History<string>(clock);
  const observe = async (): Promise<void> => {
    const { webhooks } = await client.get(ValidatingWebhookConfiguration, TARGET);
    const { caBundle } = webhooks![0]!.clientConfig;
    const text = new TextDecoder().decode(Uint8Array.fromBase64(caBundle ?? ""));
    if (text !== "" || bundles.spans.length > 0) bundles.set(text);
  };
  const ports = { clock, random, onPatch: observe };
  const hasSecret = async (): Promise<boolean> =>
    (await client.list(Secret, { namespace: SECRET.namespace })).items.length > 0;
  const replicas = [1, 2, 3].map(() => new Replica(client, ports));
  const retired: History<PemPair>[] = [];
  const endMs = clock.now().getTime() + 20 * DAY_MS;
  let nextDeletionMs = clock.now().getTime() + (3 + random.next() * 30) * DAY_MS;
  while (clock.now().getTime() < endMs) {
    // Each replica waits for exactly one timer when it has nothing else to do.
    while (clock.pending < replicas.length) await clock.settle();
    const dice = random.next();
    // A replica without memory that meets no Secret has no certificate that clients can know.
    if (dice < 0.002 && await hasSecret()) {
      const at = Math.floor(random.next() * replicas.length);
      const replica = replicas[at]!;
      await replica.stop();
      const last = replica.uses.spans.at(-1);
      if (last) last.toMs = clock.now().getTime();
      retired.push(replica.uses);
      replicas[at] = new Replica(client, ports);
    } else if (clock.now().getTime() > nextDeletionMs && replicas.every((each) => each.isUp)) {
      nextDeletionMs = Infinity;
      await client.delete(Secret, `${SECRET.namespace}/${SECRET.name}`);
    } else clock.step(clock.nextInMs!);
  }
  await Promise.all(replicas.map((replica) => replica.stop()));
  const uses = [...retired, ...replicas.map((replica) => replica.uses)];
  for (const { spans } of uses) {
    const { broken } = violations(spans, bundles.spans);
    assert.deepEqual(broken, []);
  }
  assert(bundles.spans.length >= 4, `only ${bundles.spans.length} bundles: nothing was rotated`);
  const certificates = new Set(uses.flatMap(({ spans }) => spans.map(({ value }) => value.cert)));
  assert(certificates.size >= 8, `only ${certificates.size} certificates: nothing was renewed`);
});
