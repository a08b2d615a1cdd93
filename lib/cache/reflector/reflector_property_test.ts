/**
 * Under random faults the sink is right once it is quiet, and never goes back without an
 * announcement.
 */
import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { Reflector } from "./reflector.ts";
import { FakePacker, FakeSink, Thing } from "./reflector_fakes_test.ts";
import { describe, ModelServer } from "./reflector_model_test.ts";

const SEEDS = Deno.env.get("XCA_SEED")
  ? [Number(Deno.env.get("XCA_SEED"))]
  : Array.from({ length: Number(Deno.env.get("XCA_SEEDS") ?? 6) }, () =>
    Math.floor(Math.random() * 2 ** 31));
const STEPS = 120;

/** A reflector sink that records versions that go back, unless a rebuild was announced. */
class WitnessSink extends FakeSink {
  rebuilds = (): number => 0;
  #newest = 0;
  #rebuildsSeen = 0;

  override replace(objects: Iterable<PackedObject<Thing>>, version: string): void {
    super.replace(objects, version);
    this.#witness(version, `replace at ${version}`);
  }
  override bookmark(version: string): void {
    super.bookmark(version);
    this.#witness(version, `bookmark ${version}`);
  }
  override add(object: PackedObject<Thing>): void {
    super.add(object);
    this.#witness(object.resourceVersion, `add ${object.name}`);
  }
  override update(object: PackedObject<Thing>): void {
    super.update(object);
    this.#witness(object.resourceVersion, `update ${object.name}`);
  }
  override delete(object: PackedObject<Thing>): void {
    super.delete(object);
    this.#witness(object.resourceVersion, `delete ${object.name}`);
  }
  /** The resourceVersions that went back unannounced. */
  readonly regressions: string[] = [];

  #witness(version: string, call: string): void {
    const now = Number(version);
    if (now < this.#newest && this.rebuilds() === this.#rebuildsSeen) {
      this.regressions.push(`${call} after ${this.#newest}`);
    }
    this.#rebuildsSeen = this.rebuilds();
    this.#newest = now;
  }
}

async function run(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const clock = new FakeClock();
  const server = new ModelServer(random);
  const sink = new WitnessSink();
  const reflector = new Reflector<Thing>({
    listerWatcher: server,
    sink,
    packer: new FakePacker(),
    type: Thing,
    clock,
    random,
    pageSize: random.next() < 0.5 ? 3 : undefined,
    watchList: random.next() < 0.7,
    initialEventsDeadlineMs: 5_000,
  });
  sink.rebuilds = () => reflector.health.rebuilds;
  for (let n = 0; n < 5; n++) server.mutate();
  const abort = new AbortController();
  const done = reflector.run(abort.signal);
  /**
   * The resourceVersions reached before the model server's backup was restored. Until the reflector
   * notices, no version may be used twice.
   */
  let restoredFrom = 0;
  const mutate = (): void => {
    if (Number(reflector.lastSyncResourceVersion) <= server.version) restoredFrom = 0;
    if (server.version + 1 < restoredFrom || restoredFrom === 0) server.mutate();
  };
  server.onPage = () => {
    for (let n = 0; n < 4; n++) mutate();
    server.compact();
  };
  server.faultRate = 0.15;
  for (let at = 0; at < STEPS; at++) {
    const dice = random.next();
    if (dice < 0.6) { for (let n = random.next() * 4; n > 0; n--) mutate(); }
    else if (dice < 0.75) server.disconnect();
    else if (dice < 0.83) server.compact();
    else if (dice < 0.88) server.streaming = !server.streaming;
    else if (dice < 0.93) server.bookmarks();
    else if (dice < 0.97) server.backUp();
    else {
      const from = server.version;
      if (restoredFrom === 0 && server.restore()) restoredFrom = from;
    }
    const pauses = [0, 10, 1_000, 8_000, 70_000];
    await clock.advance(pauses[Math.floor(random.next() * pauses.length)] ?? 0);
  }
  server.faultRate = 0;
  for (let minute = 0; minute < 25; minute++) {
    server.bookmarks();
    await clock.advance(60_000);
  }
  const seen = [...sink.state.values()].map((each) => describe(each.read())).sort().join(",");
  abort.abort();
  await done;
  assert.equal(clock.pending, 0, "no timer is left");
  assert.deepEqual(sink.regressions, []);
  assert.equal(seen, server.text);
}

Deno.test("S6 S7 F05 F07 F11 F15 F20 F21 F23 F25 random faults: the sink equals the server once quiet, and never goes back unannounced", async (t) => {
  for (const seed of SEEDS) {
    await t.step(`seed=${seed}`, () => run(seed));
  }
});
