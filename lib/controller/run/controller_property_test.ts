/**
 * Property tests: random events, failures, timeouts, requeues and lag, against the guarantees of
 * every controller:
 *
 * - A key never has two runs at once.
 * - A change observed after a key's last run began leads to another run, and so does a failure.
 * - No run begins on a cache older than the writes of the key's own last run.
 * - Once failures stop, every key settles and no work is left.
 */
import assert from "node:assert/strict";
import {
  configMap,
  type Harness,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { delay, type Random, seededRandom, systemRandom } from "@xca/apimachinery/base";
import {
  compareResourceVersions,
  ConfigMap,
  type ObjectKey,
  type ResourceType,
  Secret,
} from "@xca/apimachinery/meta";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ReconcileContext, RequeueAfter } from "../definition/reconciler.ts";

const SEEDS = 12;
const STEPS = 60;
/** The resources that the test controller reads: its own, and one whose events lead to no run. */
const READS: readonly ResourceType[] = [ConfigMap, Secret];
const NAMES = ["a", "b", "c", "d"];

/** A record of the events of all keys, in order. */
class Witness {
  readonly observedAt = new Map<ObjectKey, number>();
  readonly startedAt = new Map<ObjectKey, number>();
  readonly failedAt = new Map<ObjectKey, number>();
  readonly wrote = new Map<string, string>();
  readonly running = new Set<ObjectKey>();
  readonly faults: string[] = [];
  runs = 0;
  #now = 0;

  observed(key: ObjectKey): void {
    this.observedAt.set(key, ++this.#now);
  }

  failed(key: ObjectKey): void {
    this.failedAt.set(key, ++this.#now);
  }

  starts(key: ObjectKey, shown: readonly (string | undefined)[]): void {
    this.runs++;
    if (this.running.has(key)) this.faults.push(`two runs of ${key} at once`);
    this.running.add(key);
    this.startedAt.set(key, ++this.#now);
    for (const [index, version] of shown.entries()) {
      const wrote = this.wrote.get(`${key} ${index}`);
      if (version && wrote && compareResourceVersions(version, wrote)! < 0) {
        this.faults.push(`${key} runs on ${version}, but it wrote ${wrote}`);
      }
    }
  }
}

/** Acts as a reconcile run that does random things; without failures once `calm` is set. */
async function behave(
  { key, cache, client, signal, clock }: ReconcileContext,
  random: Random,
  calm: boolean,
  witness: Witness,
): Promise<void | RequeueAfter> {
  const dice = calm ? 0 : random.next();
  if (dice < 0.25) return;
  if (dice < 0.4) throw new Error("by chance");
  if (dice < 0.5) return { requeueAfterMs: random.next() * 5_000 };
  if (dice < 0.65) return await delay(random.next() * 1_500, { clock, signal });
  if (dice < 0.75) return await delay(random.next() * 9_000, { clock }); // ignores its signal
  const type = READS[Math.floor(random.next() * 2)]!;
  const object = cache.get(type, key);
  if (!object) return;
  delete object.metadata.resourceVersion;
  const written = await client.update(type, object);
  witness.wrote.set(`${key} ${READS.indexOf(type)}`, written.metadata.resourceVersion!);
  if (dice < 0.85) throw new Error("after a write");
  if (dice < 0.95) return { requeueAfterMs: 1 };
}

async function disturb(h: Harness, random: Random): Promise<void> {
  const name = NAMES[Math.floor(random.next() * NAMES.length)]!;
  const dice = random.next();
  if (dice < 0.4) h.cluster.put(ConfigMap, configMap(name));
  else if (dice < 0.5) {
    if (h.cluster.read(ConfigMap, `default/${name}`)) {
      h.cluster.remove(ConfigMap, `default/${name}`);
    }
  } else if (dice < 0.6) h.cluster.lagging = true;
  else if (dice < 0.75) h.cluster.deliver(Math.ceil(random.next() * 3));
  else if (dice < 0.8) h.cluster.relist();
  else await h.clock.advance(random.next() * 2_000);
  if (dice >= 0.75 && dice < 0.9) {
    h.cluster.deliver();
    h.cluster.lagging = false;
  }
  await h.clock.settle();
}

async function simulate(seed: number): Promise<void> {
  await using h = harness();
  const random = seededRandom(seed);
  const witness = new Witness();
  const observed = ({ key }: { key: ObjectKey }): void => witness.observed(key);
  h.cluster.informer(ConfigMap)
    .addHandler({ onAdd: observed, onUpdate: (_old, map) => observed(map), onDelete: observed });
  let calm = false;
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => []).options({
      workers: 1 + Math.floor(random.next() * 3),
      timeoutMs: 2_000,
      abortGraceMs: 1_000,
      rateLimiter: () => new ItemExponentialLimiter<string>({ baseMs: 5, maxMs: 5_000 }),
    }).reconcile(async (context) => {
      const { key, cache } = context;
      witness.starts(key, READS.map((type) => cache.get(type, key)?.metadata.resourceVersion));
      try {
        return await behave(context, random, calm, witness);
      } catch (error) {
        witness.failed(key);
        throw error;
      } finally {
        witness.running.delete(key);
      }
    }),
    { random },
  );
  for (const name of NAMES) h.cluster.put(Secret, configMap(name));
  for (let step = 0; step < STEPS; step++) await disturb(h, random);
  calm = true;
  h.cluster.deliver();
  h.cluster.lagging = false;
  await h.clock.advance(60_000);

  assert.deepEqual(witness.faults, []);
  assert(witness.runs > NAMES.length, "nothing ran");
  for (const [key, at] of witness.observedAt) {
    assert(witness.startedAt.get(key)! > at, `a change of ${key} was never reconciled`);
  }
  for (const [key, at] of witness.failedAt) {
    assert(witness.startedAt.get(key)! > at, `a failure of ${key} was never retried`);
  }
  const { queued, processing, delayed, failing, stuck } = handle.progress();
  assert.deepEqual(
    { queued, processing, delayed, failing, stuck },
    { queued: 0, processing: 0, delayed: 0, failing: [], stuck: [] },
  );
  assert.equal(h.clock.pending, 0);
}

Deno.test("B67 B68 F26 F36 F38 under random events and failures no key runs twice at once and no change is lost", async () => {
  const given = Deno.env.get("XCA_SEED");
  const first = given ? Number(given) : Math.floor(systemRandom.next() * 2 ** 31);
  for (let seed = first; seed < first + (given ? 1 : SEEDS); seed++) {
    await simulate(seed).catch((cause) => {
      throw new Error(`seed=${seed}: ${cause.message}`, { cause });
    });
  }
});
