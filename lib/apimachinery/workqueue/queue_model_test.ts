import assert from "node:assert/strict";
import { type Random, seededRandom } from "../base/time/random.ts";
import { FakeClock } from "../base/time/fake_clock.ts";
import { ItemExponentialLimiter } from "./limiters/item_exponential_limiter.ts";
import type { KeyLease } from "./key_lease.ts";
import { RateLimitingQueue } from "./rate_limiting_queue.ts";
import { testSeed } from "../../../tests/support/seed.ts";

const BASE_MS = 10;
const MAX_MS = 400;

/** A simple model of the queue: lists that are searched linearly. */
class Model {
  line: string[] = [];
  inWork: string[] = [];
  /**
   * Keys of the model being processed and added again, in no order: each is queued again when it is
   * done.
   */
  again = new Set<string>();
  waiting: { key: string; atMs: number; order: number }[] = [];
  gets: number[] = [];
  /** The calls of `get` on the model and their expected keys; `undefined` for the shutdown. */
  given = new Map<number, string | undefined>();
  failures = new Map<string, number>();
  windows = new Map<string, number>();
  shutDown = false;
  #order = 0;

  constructor(readonly nowMs: () => number, readonly addWaits: boolean) {}

  /**
   * Reports whether, by the model, an add or a retry must still lead to the key being processed.
   */
  owes(key: string): boolean {
    return this.line.includes(key) || this.again.has(key);
  }

  add(key: string): void {
    const endMs = this.windows.get(key) ?? 0;
    if (this.addWaits && endMs > this.nowMs()) this.addAt(key, endMs);
    else this.addNow(key);
  }

  addNow(key: string): void {
    if (this.shutDown || this.owes(key)) return;
    if (this.inWork.includes(key)) this.again.add(key);
    else this.#queue(key);
  }

  addAt(key: string, atMs: number): void {
    if (this.shutDown) return;
    if (atMs <= this.nowMs()) return this.addNow(key);
    const known = this.waiting.find((item) => item.key === key);
    if (known) known.atMs = Math.min(known.atMs, atMs);
    else this.waiting.push({ key, atMs, order: this.#order++ });
    this.waiting.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
  }

  addRateLimited(key: string): void {
    if (this.shutDown) return;
    if (!((this.windows.get(key) ?? 0) > this.nowMs())) {
      const failures = this.failures.get(key) ?? 0;
      this.failures.set(key, failures + 1);
      this.windows.set(key, this.nowMs() + Math.min(BASE_MS * 2 ** failures, MAX_MS));
    }
    this.addAt(key, this.windows.get(key)!);
  }

  forget(key: string): void {
    this.failures.delete(key);
    this.windows.delete(key);
  }

  get(id: number): void {
    const key = this.line.shift();
    if (key !== undefined) this.#give(id, key);
    else if (this.shutDown) this.given.set(id, undefined);
    else this.gets.push(id);
  }

  done(key: string): void {
    this.inWork = this.inWork.filter((other) => other !== key);
    if (this.again.delete(key)) this.#queue(key);
  }

  timePassed(): void {
    while (this.waiting[0] && this.waiting[0].atMs <= this.nowMs()) {
      this.addNow(this.waiting.shift()!.key);
    }
  }

  end(): void {
    this.shutDown = true;
    this.waiting = [];
    this.windows.clear();
    for (const id of this.gets.splice(0)) this.given.set(id, undefined);
  }

  #queue(key: string): void {
    const id = this.gets.shift();
    if (id === undefined) this.line.push(key);
    else this.#give(id, key);
  }

  #give(id: number, key: string): void {
    this.inWork.push(key);
    this.given.set(id, key);
  }
}

/** A random run that drives the queue and its model together, and compares them after each step. */
class Run {
  readonly clock = new FakeClock();
  readonly queue: RateLimitingQueue<string>;
  readonly model: Model;
  readonly leases: KeyLease<string>[] = [];
  readonly finished: KeyLease<string>[] = [];
  readonly given = new Map<number, string | undefined>();
  readonly aborts = new Map<number, AbortController>();
  #getId = 0;

  /** Creates a run of random steps on `keys` different keys. */
  constructor(readonly random: Random, addDuringBackoff: "runs" | "waits", readonly keys: number) {
    const { clock } = this;
    const rateLimiter = new ItemExponentialLimiter<string>({ baseMs: BASE_MS, maxMs: MAX_MS });
    this.queue = new RateLimitingQueue({ clock, rateLimiter, addDuringBackoff });
    this.model = new Model(() => clock.monotonicMs(), addDuringBackoff === "waits");
  }

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  key(): string {
    return `key-${this.below(this.keys)}`;
  }

  /** Takes one random step, and returns its name for the error message of a failure. */
  step(): string {
    const steps: (() => string)[] = [
      () => this.both("add", this.key()),
      () => this.burst(this.below(this.keys / 4)),
      () => this.both("addRateLimited", this.key()),
      () => this.both("forget", this.key()),
      () => this.addAfter(this.key(), this.below(300) - 20),
      () => this.get(),
      () => this.get(),
      () => this.abort(),
      () => this.done(),
      () => this.done(),
      () => this.doneTwice(),
      () => this.pass(this.below(40)),
    ];
    return steps[this.below(steps.length)]!();
  }

  both(verb: "add" | "addRateLimited" | "forget", key: string): string {
    this.queue[verb](key);
    this.model[verb](key);
    return `${verb}(${key})`;
  }

  burst(adds: number): string {
    for (let add = 0; add < adds; add++) this.both("add", this.key());
    return `${adds} adds`;
  }

  addAfter(key: string, ms: number): string {
    this.queue.addAfter(key, ms);
    this.model.addAt(key, this.clock.monotonicMs() + ms);
    return `addAfter(${key}, ${ms})`;
  }

  get(): string {
    const id = this.#getId++;
    const controller = new AbortController();
    this.aborts.set(id, controller);
    const take = (lease: KeyLease<string> | undefined): void => {
      if (lease) {
        assert(!this.leases.some(({ key }) => key === lease.key), `two workers hold ${lease.key}`);
        this.leases.push(lease);
      }
      this.given.set(id, lease?.key);
    };
    const answer = this.queue.get({ signal: controller.signal });
    if (answer instanceof Promise) answer.then(take, () => {});
    else take(answer);
    this.model.get(id);
    return `get() ${id}`;
  }

  abort(): string {
    const id = this.below(this.#getId + 1);
    this.aborts.get(id)?.abort();
    this.model.gets = this.model.gets.filter((other) => other !== id);
    return `abort ${id}`;
  }

  done(): string {
    const [lease] = this.leases.splice(this.below(this.leases.length), 1);
    if (!lease) return "nothing to finish";
    lease.done();
    this.finished.push(lease);
    this.model.done(lease.key);
    return `done(${lease.key})`;
  }

  doneTwice(): string {
    const lease = this.finished[this.below(this.finished.length)];
    lease?.done();
    return `done(${lease?.key}) again`;
  }

  pass(ms: number): string {
    // Steps by single milliseconds, since the model reads the clock only when it is advanced.
    for (let at = 0; at < ms; at++) {
      this.clock.step(1);
      this.model.timePassed();
    }
    return `${ms} ms pass`;
  }

  async compare(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    const { queue, model } = this;
    assert.equal(queue.len, model.line.length, "len");
    assert.deepEqual(queue.waitingKeys(), model.waiting.map(({ key }) => key), "waiting keys");
    assert.equal(queue.waiting, model.waiting.length, "waiting");
    assert.equal(queue.readyAtMs("key-0"), model.waiting.find(({ key }) => key === "key-0")?.atMs);
    assert.deepEqual(queue.processingKeys(), model.inWork, "keys in work");
    assert.deepEqual(this.given, model.given, "what each get was given");
    assert.equal(queue.numRequeues("key-0"), model.failures.get("key-0") ?? 0, "failures");
    assert.equal(this.clock.pending, model.waiting.length > 0 ? 1 : 0, "timers");
  }

  /** Shuts the queue down in one of the two ways, and processes the remaining keys. */
  async finish(drain: boolean): Promise<void> {
    let drained = false;
    if (drain) this.queue.shutDownWithDrain().then(() => drained = true);
    else this.queue.shutDown();
    this.model.end();
    await this.compare();
    while (this.model.line.length + this.leases.length > 0) {
      if (drain) assert(!drained, "the drain ended before the last key was done");
      this.both("add", this.key());
      if (this.model.line.length > 0 && this.below(2) === 0) this.get();
      else this.done();
      await this.compare();
    }
    this.get();
    await this.compare();
    assert.equal(drained, drain, "the drain ends with the last key");
  }
}

for (const addDuringBackoff of ["runs", "waits"] as const) {
  Deno.test(`random steps: the queue behaves as its model (add ${addDuringBackoff})`, async () => {
    const seed = testSeed();
    for (let round = 0; round < 40; round++) {
      const run = new Run(seededRandom(seed + round), addDuringBackoff, round % 4 === 0 ? 200 : 8);
      const log: string[] = [];
      try {
        for (let step = 0; step < 150; step++) {
          log.push(run.step());
          await run.compare();
        }
        log.push(round % 2 === 0 ? "drain" : "shutdown");
        await run.finish(round % 2 === 0);
      } catch (cause) {
        throw new Error(`round ${round} of seed ${seed}: ${log.slice(-12).join("; ")}`, { cause });
      }
    }
  });
}
