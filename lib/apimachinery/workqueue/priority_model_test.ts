import assert from "node:assert/strict";
import { type Random, seededRandom } from "../base/time/random.ts";
import { FakeClock } from "../base/time/fake_clock.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import type { KeyLease } from "./key_lease.ts";
import type { MetricsProvider } from "./metrics.ts";
import { testSeed } from "../../../tests/support/seed.ts";

const AGING_MS = 100;
const PRIORITIES = [-100, 0, 5];
/** The weights of tenants in the runs with weights; `tenant-0` has none. */
const WEIGHTS = new Map([["tenant-1", 3], ["tenant-2", 1.75]]);

/** A queued key of the model. */
interface Item {
  readonly key: string;
  priority: number;
  /** The time at which the key was added to the model's queue. */
  readonly sinceMs: number;
}

/** A tenant of the model in a round of turns. */
interface Turn {
  readonly tenant: string;
  /** The number of keys that the tenant may still take in its turn. */
  left: number;
}

/** A simple model of a queue with priorities and tenants: lists that are searched linearly. */
class Model {
  /** The model's queued keys in the order of their adds; a raised key counts as added anew. */
  line: Item[] = [];
  inWork: { key: string; priority: number }[] = [];
  again = new Map<string, Item>();
  waiting: { key: string; atMs: number; priority: number; order: number }[] = [];
  /** The tenants with queued keys of each priority, in the order of their turns. */
  rounds = new Map<number, Turn[]>();
  /** Number of keys taken from the queue while there was a choice of priorities. */
  choices = 0;
  #order = 0;

  constructor(
    readonly nowMs: () => number,
    readonly tenantOf: (key: string) => string,
    readonly weightOf: (tenant: string) => number,
  ) {}

  add(key: string, given: number): void {
    const waits = this.waiting.find((item) => item.key === key);
    const priority = Math.max(given, waits?.priority ?? given);
    const queued = this.line.find((item) => item.key === key);
    const again = this.again.get(key);
    if (queued) {
      if (priority <= queued.priority) return;
      this.#remove(queued);
      this.#push({ ...queued, priority });
    } else if (again) {
      again.priority = Math.max(again.priority, priority);
    } else {
      const item = { key, priority, sinceMs: this.nowMs() };
      if (this.inWork.some((other) => other.key === key)) this.again.set(key, item);
      else this.#push(item);
    }
  }

  addAfter(key: string, ms: number, priority: number): void {
    if (ms <= 0) return this.add(key, priority);
    const atMs = this.nowMs() + ms;
    const known = this.waiting.find((item) => item.key === key);
    if (known) {
      known.atMs = Math.min(known.atMs, atMs);
      known.priority = Math.max(known.priority, priority);
    } else {
      this.waiting.push({ key, atMs, priority, order: this.#order++ });
    }
    this.waiting.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
  }

  timePassed(): void {
    while (this.waiting[0] && this.waiting[0].atMs <= this.nowMs()) {
      const { key, priority } = this.waiting.shift()!;
      this.add(key, priority);
    }
  }

  /** Returns the model's next key of a priority: the first one of the tenant whose turn it is. */
  next(priority: number): Item | undefined {
    const tenant = this.rounds.get(priority)?.[0]?.tenant;
    return this.line.find((item) =>
      item.priority === priority && this.tenantOf(item.key) === tenant
    );
  }

  take(): Item | undefined {
    const used = [...new Set(this.line.map(({ priority }) => priority))].sort((a, b) => b - a);
    if (used.length === 0) return undefined;
    let chosen = this.next(used[0]!)!;
    if (used.length > 1 && ++this.choices % 4 === 0) {
      const aged = used.slice(1).map((priority) => this.next(priority)!)
        .filter(({ sinceMs }) => this.nowMs() - sinceMs >= AGING_MS)
        .sort((a, b) => a.sinceMs - b.sinceMs || b.priority - a.priority);
      chosen = aged[0] ?? chosen;
    }
    this.#remove(chosen, true);
    this.inWork.push(chosen);
    return chosen;
  }

  done(key: string): void {
    this.inWork = this.inWork.filter((item) => item.key !== key);
    const again = this.again.get(key);
    this.again.delete(key);
    if (again) this.#push(again);
  }

  /** Returns the order in which the model hands out its keys without ageing. */
  order(): string[] {
    const order: string[] = [];
    for (const priority of PRIORITIES.toReversed()) {
      const turns = (this.rounds.get(priority) ?? []).map((turn) => ({ ...turn }));
      const left = this.line.filter((item) => item.priority === priority);
      while (turns.length > 0) {
        const { tenant } = turns[0]!;
        const at = left.findIndex(({ key }) => this.tenantOf(key) === tenant);
        order.push(left.splice(at, 1)[0]!.key);
        this.#used(turns, left.some(({ key }) => this.tenantOf(key) === tenant));
      }
    }
    return order;
  }

  #push(item: Item): void {
    this.line.push(item);
    const round = this.rounds.get(item.priority) ?? [];
    this.rounds.set(item.priority, round);
    const tenant = this.tenantOf(item.key);
    if (!round.some((turn) => turn.tenant === tenant)) round.push({ tenant, left: 0 });
  }

  #remove(item: Item, isTaken = false): void {
    this.line = this.line.filter((other) => other !== item);
    const tenant = this.tenantOf(item.key);
    const round = this.rounds.get(item.priority)!;
    const isLast = !this.line.some(({ key, priority }) =>
      priority === item.priority && this.tenantOf(key) === tenant
    );
    if (isTaken) this.#used(round, !isLast);
    else if (isLast) round.splice(round.findIndex((turn) => turn.tenant === tenant), 1);
  }

  /** Counts a key that the first tenant of a round got, and ends its turn when that was the last. */
  #used(round: Turn[], hasMore: boolean): void {
    const turn = round[0]!;
    if (turn.left < 1) turn.left += this.weightOf(turn.tenant);
    turn.left--;
    if (hasMore && turn.left >= 1) return;
    round.shift();
    if (hasMore) round.push(turn);
  }
}

const NONE = "first come, first served";
const EQUAL = "with tenants";
const WEIGHTED = "with weights of tenants";
/** The division of a random run's queue among its tenants. */
type Sharing = typeof NONE | typeof EQUAL | typeof WEIGHTED;

/** A random run that drives the queue and its model together, and compares them after each step. */
class Run {
  readonly clock = new FakeClock();
  readonly depths = new Map<number, number>();
  readonly queue: DelayingQueue<string>;
  readonly model: Model;
  readonly leases: KeyLease<string>[] = [];

  constructor(readonly random: Random, how: Sharing, isMetered: boolean) {
    const { clock } = this;
    const tenantOf = how === NONE ? undefined : (key: string): string => key.split("/")[0]!;
    const tenantWeights = how === WEIGHTED ? WEIGHTS : undefined;
    this.queue = new DelayingQueue({
      name: "q",
      clock,
      agingMs: AGING_MS,
      tenantOf,
      tenantWeights,
      metrics: isMetered ? this.metrics() : undefined,
    });
    this.model = new Model(
      () => clock.monotonicMs(),
      tenantOf ?? (() => ""),
      (tenant) => tenantWeights?.get(tenant) ?? 1,
    );
  }

  metrics(): MetricsProvider {
    const none = { inc() {}, dec() {}, set() {}, observe() {} };
    const change = (priority: number, by: number): void => {
      const depth = (this.depths.get(priority) ?? 0) + by;
      assert(depth >= 0, "no depth is negative");
      this.depths.set(priority, depth);
    };
    return {
      depth: () => none,
      depthOfPriority: (_, priority) => ({
        inc: () => change(priority, 1),
        dec: () => change(priority, -1),
      }),
      adds: () => none,
      latency: () => none,
      workDuration: () => none,
      unfinishedWorkSeconds: () => none,
      longestRunningProcessorSeconds: () => none,
      retries: () => none,
    };
  }

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  step(): string {
    const key = `tenant-${this.below(3)}/${this.below(6)}`;
    const priority = PRIORITIES[this.below(PRIORITIES.length)]!;
    const steps: (() => string)[] = [
      () => this.add(key, priority),
      () => this.add(key, priority),
      () => this.add(key, priority),
      () => this.addAfter(key, this.below(150) - 20, priority),
      () => this.take(),
      () => this.take(),
      () => this.done(),
      () => this.done(),
      () => this.pass(this.below(60)),
    ];
    return steps[this.below(steps.length)]!();
  }

  add(key: string, priority: number): string {
    this.queue.add(key, priority === 0 && this.below(2) === 0 ? undefined : { priority });
    this.model.add(key, priority);
    return `add(${key}, ${priority})`;
  }

  addAfter(key: string, ms: number, priority: number): string {
    this.queue.addAfter(key, ms, { priority });
    this.model.addAfter(key, ms, priority);
    return `addAfter(${key}, ${ms}, ${priority})`;
  }

  take(): string {
    if (this.queue.len === 0) return "nothing to take";
    const lease = this.queue.get();
    assert(lease && !(lease instanceof Promise));
    assert(!this.leases.some(({ key }) => key === lease.key), `two workers hold ${lease.key}`);
    this.leases.push(lease);
    const expected = this.model.take();
    assert.deepEqual([lease.key, lease.priority], [expected?.key, expected?.priority]);
    return `take ${lease.key} at ${lease.priority}`;
  }

  done(): string {
    const [lease] = this.leases.splice(this.below(this.leases.length), 1);
    if (!lease) return "nothing to finish";
    lease.done();
    this.model.done(lease.key);
    return `done(${lease.key})`;
  }

  pass(ms: number): string {
    for (let at = 0; at < ms; at++) {
      this.clock.step(1);
      this.model.timePassed();
    }
    return `${ms} ms pass`;
  }

  compare(): void {
    const { queue, model } = this;
    const order = model.order();
    assert.deepEqual(queue.queuedKeys().map(({ key }) => key), order, "order");
    assert.equal(queue.len, order.length, "len");
    const at = this.below(order.length);
    if (order[at] !== undefined) assert.equal(queue.queuedKey(order[at])?.position, at, "position");
    assert.deepEqual(queue.processingKeys(), model.inWork.map(({ key }) => key), "keys in work");
    assert.deepEqual(queue.waitingKeys(), model.waiting.map(({ key }) => key), "waiting keys");
    for (const [priority, depth] of this.depths) {
      const all = [...model.line, ...model.again.values()];
      assert.equal(depth, all.filter((item) => item.priority === priority).length, "depth");
    }
  }

  /** Hands out all keys that are left in the queue. */
  finish(): void {
    while (this.leases.length + this.queue.len > 0) {
      if (this.queue.len > 0) this.take();
      else this.done();
      this.compare();
    }
    this.queue.shutDown();
  }
}

for (const how of [NONE, EQUAL, WEIGHTED] as const) {
  Deno.test(`B25 random steps: a queue with priorities behaves as its model, ${how}`, () => {
    const seed = testSeed();
    for (let round = 0; round < 60; round++) {
      const run = new Run(seededRandom(seed + round), how, round % 2 === 0);
      const log: string[] = [];
      try {
        for (let step = 0; step < 200; step++) {
          log.push(run.step());
          run.compare();
        }
        run.finish();
      } catch (cause) {
        throw new Error(`round ${round} of seed ${seed}: ${log.slice(-12).join("; ")}`, { cause });
      }
    }
  });
}
