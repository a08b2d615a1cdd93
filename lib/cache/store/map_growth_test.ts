import assert from "node:assert/strict";
import type { Timer } from "@xca/apimachinery/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import { Indexer } from "./indexer.ts";
import { growsNext } from "./map_growth.ts";
import { createPacker } from "../packed/packer.ts";
import {
  added,
  bookmark,
  FakeSink,
  ScriptedServer,
  ScriptedStream,
  Thing,
  thing,
} from "../reflector/reflector_fakes_test.ts";
import { Reflector } from "../reflector/reflector.ts";

/** A fake clock that counts the turns given to other work. */
class TurnClock extends FakeClock {
  turns = 0;
  override after(delayMs: number, callback: () => void): Timer {
    if (delayMs > 0) return super.after(delayMs, callback);
    this.turns++;
    queueMicrotask(callback);
    const timer: Timer = { unref: () => timer, [Symbol.dispose]() {} };
    return timer;
  }
}

/** Counts how often other work gets a turn while `count` objects are streamed into a sink. */
async function turnsOf(count: number): Promise<number> {
  const clock = new TurnClock();
  const server = new ScriptedServer();
  const events = Array.from({ length: count }, (_, i) => added(`n${i}`, i + 1));
  server.watches.push(new ScriptedStream().push(...events, bookmark(count, "true")));
  const sink = new FakeSink();
  const abort = new AbortController();
  const replace = sink.replace.bind(sink);
  sink.replace = (...state) => {
    replace(...state);
    abort.abort();
  };
  const packer = createPacker({ type: Thing });
  await new Reflector({ listerWatcher: server, packer, sink, clock, type: Thing }).run(
    abort.signal,
  );
  assert.equal(sink.state.size, count);
  return clock.turns;
}

Deno.test("growsNext() is true for large maps only, and once per size", () => {
  const large = [8_192, 16_384, 32_768, 65_536];
  const told: number[] = [];
  for (let size = 0; size < 100_000; size++) if (growsNext(size)) told.push(size);
  assert.deepEqual(told, large);
});

Deno.test("while a state is streamed, a large map doubles and is handed over in turns of their own", async () => {
  assert.equal(await turnsOf(8_191), 0);
  assert.equal(await turnsOf(8_192), 2);
});

Deno.test("while a store is replaced, the map of an index doubles in a turn of its own", async () => {
  const packer = createPacker({ type: Thing });
  const objects = Array.from({ length: 8_192 }, (_, i) => packer.packObject(thing(`n${i}`, i)));
  const turnsOf = async (count: number): Promise<number> => {
    let turns = 0;
    const slice = { used: false, next: () => Promise.resolve(void turns++) };
    const indexer = new Indexer<Thing>({ byName: ({ name }) => name < "n9" ? [name] : [] });
    await indexer.replaceInSlices(objects.slice(0, count), { resourceVersion: "1", slice });
    assert.equal(indexer.size, count);
    return turns;
  };
  assert.equal(await turnsOf(8_191), 0);
  assert.equal(await turnsOf(8_192), 1, "the index by name has fewer");
});

Deno.test("while a store is replaced, any map or set of its indexes doubles in a turn of its own", async () => {
  const packer = createPacker({ type: Thing });
  const many = Array.from({ length: 16_384 }, (_, i) => i);
  const spread = (of: (i: number) => string): Promise<number> => {
    let turns = 0;
    const slice = { used: false, next: () => Promise.resolve(void turns++) };
    const objects = many.map((i) => {
      const { metadata, ...rest } = thing(`n${i}`, i);
      return packer.packObject({ ...rest, metadata: { ...metadata, namespace: of(i) } });
    });
    return new Indexer<Thing>().replaceInSlices(objects, { resourceVersion: "1", slice })
      .then(() => turns);
  };
  assert.equal(await spread((i) => `ns-${i}`), 2, "the map of namespaces, at 8 192 and 16 384");
  assert.equal(await spread((i) => `ns-${i % 2}`), 2, "each of two sets, at 8 192");
});
