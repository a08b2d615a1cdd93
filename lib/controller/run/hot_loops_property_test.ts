import assert from "node:assert/strict";
import { type Random, seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { ChangeEvent } from "../definition/predicate.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { HotLoops } from "./hot_loops.ts";

const RUNS = 4;
const KEY = "default/a";
const TYPES = [ConfigMap, Secret] as const;

/** Random runs of one key, with the causes of each; the specification counts the self-caused ones. */
class Run {
  readonly clock = new FakeClock();
  readonly loops = new HotLoops({ runs: RUNS, clock: this.clock });
  /** The version of the object of each type, and the version that its last event showed. */
  readonly versions = [1, 1];
  readonly shown = ["1", "1"];
  #version = 1;
  /** The number of self-caused runs in a row. */
  inARow = 0;
  found = 0;

  constructor(readonly random: Random) {}

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  /** Runs once, and causes the next run. Returns whether all its causes are the key's own. */
  step(isSelfCaused: boolean): boolean {
    this.inARow = isSelfCaused ? this.inARow + 1 : 0;
    const expected = this.inARow >= RUNS;
    assert.equal(this.loops.pauseMs(KEY) > 0, isSelfCaused && this.inARow > RUNS, "pause");
    const loop = this.loops.began(KEY);
    assert.equal(loop !== undefined, expected, `${this.inARow} self-caused runs in a row`);
    if (loop) {
      assert.equal(loop.runs, this.inARow);
      this.found++;
    }
    const own = this.below(3) > 0 ? [this.below(2)] : [];
    const isEchoEarly = this.below(2) === 0;
    for (const at of own) this.#change(at, true, isEchoEarly);
    const requeues = own.length === 0 || this.below(4) === 0;
    if (requeues) this.loops.requeued(KEY, this.below(10));
    let isNextSelf = true;
    const kind = this.below(24);
    if (kind === 0) this.loops.requeued(KEY, 5_000);
    else if (kind === 1) this.loops.failed(KEY);
    else if (kind === 2) this.#change(this.below(2), false, true);
    else if (kind === 3) this.#resync(this.below(2));
    if (kind <= 3) isNextSelf = false;
    this.loops.ended(KEY);
    for (const at of own) if (!isEchoEarly) this.#echo(at);
    return isNextSelf;
  }

  /** Writes the object of a type; its event comes now, before the answer to an own write, or later. */
  #change(at: number, isOwn: boolean, isEchoEarly: boolean): void {
    this.versions[at] = ++this.#version;
    if (isEchoEarly) this.#echo(at);
    if (!isOwn) return;
    const resourceVersion = `${this.versions[at]}`;
    const metadata = { namespace: "default", name: "a", resourceVersion };
    this.loops.wrote(KEY, TYPES[at]!, { metadata });
  }

  #echo(at: number): void {
    const version = `${this.versions[at]}`;
    if (version === this.shown[at]) return;
    this.#trigger(at, this.shown[at]!, version);
    this.shown[at] = version;
  }

  #resync(at: number): void {
    this.#trigger(at, this.shown[at]!, this.shown[at]!);
  }

  #trigger(at: number, old: string, version: string): void {
    const observed = (resourceVersion: string): ObservedObject =>
      ({
        key: KEY,
        resourceVersion,
        object: { data: resourceVersion },
      }) as unknown as ObservedObject;
    const event: ChangeEvent = { type: "updated", old: observed(old), object: observed(version) };
    const source = { relation: "for", type: TYPES[at]! } as unknown as SourceDefinition;
    this.loops.triggered(KEY, { source, event });
  }
}

Deno.test("F38 random runs: a loop is found exactly when enough runs in a row have only own causes", () => {
  const seed = testSeed();
  let found = 0;
  for (let round = 0; round < 100; round++) {
    const run = new Run(seededRandom(seed + round));
    try {
      let isSelfCaused = false;
      for (let at = 0; at < 60; at++) isSelfCaused = run.step(isSelfCaused);
    } catch (cause) {
      throw new Error(`round ${round} of seed ${seed}`, { cause });
    }
    found += run.found;
  }
  assert(found > 0, "some rounds have loops");
});
