import assert from "node:assert/strict";
import { IdleTimeoutError } from "../../client/errors/unreachable_error.ts";
import type { WatchEvent } from "../../client/typed/watch_event.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { listWatchFrom, type ListWatchFunctions } from "./list_watch_functions.ts";
import { FakePacker, FakeSink, refusal, Thing, thing } from "../reflector/reflector_fakes_test.ts";
import { Reflector } from "../reflector/reflector.ts";

/** Runs a reflector of two functions until the body of the test ends. */
async function running(
  functions: ListWatchFunctions<Thing>,
  body: (parts: { sink: FakeSink; clock: FakeClock; reflector: Reflector<Thing> }) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock();
  const sink = new FakeSink();
  const reflector = new Reflector<Thing>({
    listerWatcher: listWatchFrom(functions, { clock }),
    sink,
    packer: new FakePacker(),
    type: Thing,
    clock,
    backoff: { jitter: 0 },
  });
  const abort = new AbortController();
  const done = reflector.run(abort.signal);
  try {
    await clock.settle();
    await body({ sink, clock, reflector });
  } finally {
    abort.abort();
    await done;
    assert.equal(clock.pending, 0);
  }
}

function list(version: number, ...items: Thing[]): Promise<{ metadata: object; items: Thing[] }> {
  return Promise.resolve({ metadata: { resourceVersion: String(version) }, items });
}

async function* events(
  ...all: [WatchEvent["type"], Thing][]
): AsyncGenerator<WatchEvent<Thing>> {
  for (const [type, object] of all) yield await Promise.resolve({ type, object });
}

Deno.test("two functions are listed, then watched from the list's version, without WatchList", async () => {
  const queries: object[] = [];
  await running({
    list: (query) => {
      queries.push(query);
      return list(7, ...Array.from({ length: 250 }, (_, n) => thing(`a${n}`, 1)));
    },
    watch: async function* (query, { signal }) {
      queries.push(query);
      yield* events(["ADDED", thing("b", 8)], ["DELETED", thing("a0", 9)]);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  }, ({ sink, reflector }) => {
    assert.equal(sink.state.size, 250);
    assert.equal(reflector.lastSyncResourceVersion, "9");
    assert.equal((queries[1] as { resourceVersion: string }).resourceVersion, "7");
    assert.equal((queries[1] as { sendInitialEvents?: boolean }).sendInitialEvents, undefined);
    return Promise.resolve();
  });
});

Deno.test("errors of the functions pass through: a 410 lists again, others are followed by a pause", async () => {
  let lists = 0;
  let watches = 0;
  await running({
    list: () => {
      lists++;
      if (lists === 1) throw new TypeError("a bug in the list function");
      return list(lists, thing("a", lists));
    },
    watch: async function* ({ resourceVersion }, { signal }) {
      watches++;
      if (watches === 1) throw refusal(410, "Expired");
      yield* events(["ADDED", thing("b", Number(resourceVersion) + 1)]);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  }, async ({ sink, clock, reflector }) => {
    assert.match(reflector.health.failing?.message ?? "", /a bug in the list function/);
    await clock.advance(800);
    assert.equal(sink.text, "a@2");
    await clock.advance(1_600);
    assert.equal(sink.text, "a@3,b@4");
  });
});

Deno.test("an event of an unknown type is reported; the others are processed", async () => {
  await running({
    list: () => list(1),
    watch: async function* (_query, { signal }) {
      yield { type: "EXPLODED", object: thing("x", 2) } as unknown as WatchEvent<Thing>;
      yield undefined as unknown as WatchEvent<Thing>;
      yield* events(["ADDED", thing("b", 3)]);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  }, ({ sink, reflector }) => {
    assert.equal(sink.text, "b@3");
    assert.equal(reflector.health.undecodable, 2);
    return Promise.resolve();
  });
});

Deno.test("F01 a watch function that falls silent is abandoned at the idle deadline, and stopping never waits for one", async () => {
  let watches = 0;
  let released = 0;
  await running({
    list: () => list(1),
    watch: () => {
      watches++;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<IteratorResult<WatchEvent<Thing>>>(() => {}),
          return: () => {
            released++;
            return new Promise(() => {});
          },
        }),
      };
    },
  }, async ({ clock, reflector }) => {
    assert.equal(watches, 1);
    await clock.advance(605_000);
    assert.equal(watches, 2);
    assert.equal(reflector.health.lastError?.kind, "idle");
  });
  assert.equal(released, 2);
});

Deno.test("a list function that ignores the abort does not delay it", async () => {
  const abort = new AbortController();
  const source = listWatchFrom<Thing>({
    list: () => new Promise(() => {}),
    watch: async function* () {},
  });
  const listed = source.list({}, () => {}, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(listed, /enough/);
  await assert.rejects(source.list({}, () => {}, { signal: abort.signal }), /enough/);
});

Deno.test("the idle deadline of a watch function is an IdleTimeoutError", async () => {
  const clock = new FakeClock();
  const source = listWatchFrom<Thing>({
    list: () => list(1),
    // deno-lint-ignore require-yield -- it never has anything to yield
    watch: async function* () {
      await new Promise(() => {});
    },
  }, { clock });
  const stream = await source.watch({}, {
    signal: new AbortController().signal,
    idleTimeoutMs: 50,
  });
  const rejected = assert.rejects(stream[Symbol.asyncIterator]().next(), IdleTimeoutError);
  await clock.advance(50);
  await rejected;
});

Deno.test("a list function that never ends is abandoned; one that returns no list is reported with what to return", async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const listed = (list: () => unknown): Promise<unknown> =>
    listWatchFrom({ list: list as never, watch: async function* () {} }, { clock })
      .list({}, () => {}, { signal });
  const endless = assert.rejects(listed(() => new Promise(() => {})), /list function/);
  await clock.advance(120_000);
  await endless;
  for (const wrong of [undefined, null, {}, { metadata: {} }, { metadata: {}, items: null }]) {
    await assert.rejects(listed(() => Promise.resolve(wrong)), /must return \{ metadata/);
  }
  assert.equal(clock.pending, 0);
});

Deno.test("F15 a cyclic object, which has no text, is left out; the others are stored", async () => {
  const circle: Record<string, unknown> = { metadata: { name: "circle" } };
  circle["self"] = circle;
  const items = [circle, { metadata: { name: "fine" } }];
  const texts: string[] = [];
  await listWatchFrom({
    list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items: items as never }),
    watch: async function* () {},
  }).list({}, (batch) => batch.forEach((raw) => texts.push(new TextDecoder().decode(raw))), {
    signal: new AbortController().signal,
  });
  assert.equal(texts.length, 2);
  assert.throws(() => JSON.parse(texts[0]!));
  assert.equal(JSON.parse(texts[1]!).metadata.name, "fine");
});
