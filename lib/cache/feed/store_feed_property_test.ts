import assert from "node:assert/strict";
import { type Clock, delay, systemClock, type Timer } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import { DeltaFifo } from "./delta_fifo.ts";
import { HandlerListener } from "../events/handler_listener.ts";
import { Indexer } from "../store/indexer.ts";
import {
  chance,
  type Doc,
  InformerHarness,
  packed,
  Recorder,
} from "../informer/informer_fakes_test.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { StoreFeed } from "./store_feed.ts";

/**
 * A fake clock that runs so fast that every time slice is used up at once: all work yields all the
 * time.
 */
class HastyClock implements Clock {
  #nowMs = 0;
  now(): Date {
    return new Date(this.#nowMs);
  }
  monotonicMs(): number {
    return this.#nowMs += 6;
  }
  after(_delayMs: number, callback: () => void): Timer {
    return systemClock.after(0, callback);
  }
}

/** A FIFO, its consumer and event handlers, without a reflector: the test plays the reflector. */
class Core {
  readonly indexer = new Indexer<Doc>();
  readonly fifo = new DeltaFifo<Doc, readonly HandlerListener<Doc>[]>(this.indexer);
  readonly handlers = new Map<HandlerListener<Doc>, Recorder>();
  readonly resyncing = new Set<HandlerListener<Doc>>();
  readonly #clock: Clock;
  readonly #slice: TimeSlice;
  readonly #abort = new AbortController();
  readonly #feed: StoreFeed<Doc>;
  readonly #running: Promise<void>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#slice = new TimeSlice(clock);
    this.#feed = new StoreFeed<Doc>({
      fifo: this.fifo,
      indexer: this.indexer,
      handlers: () => [...this.handlers.keys()],
      wantsUnchanged: (listener) => this.resyncing.has(listener),
      onSynced: (told) => told.forEach((listener) => listener.pushInitialEnd()),
      slice: this.#slice,
      clock,
      freeze: false,
    });
    this.#running = this.#feed.run(this.#abort.signal);
  }

  addHandler(
    delay: () => Promise<void> | undefined,
    coalesceAbove: number,
    pretended: number,
  ): void {
    const recorder = new Recorder();
    const listener = new HandlerListener<Doc>({
      name: "h",
      informerName: "i",
      handler: {
        onAdd: (object, info) => (recorder.onAdd(object, info), delay()),
        onUpdate: (old, current) => (recorder.onUpdate(old, current), delay()),
        onDelete: (last) => (recorder.onDelete(last), delay()),
      },
      coalesceAbove,
      stored: () => pretended,
      clock: this.#clock,
      slice: this.#slice,
      onRemove: (gone) => {
        this.handlers.delete(gone);
        this.resyncing.delete(gone);
      },
    });
    this.handlers.set(listener, recorder);
    this.#feed.replay(listener);
  }

  /**
   * Waits until all queued items, and a bookmark after them, are processed and the handlers are
   * notified.
   */
  async quiet(resourceVersion: string): Promise<void> {
    this.fifo.bookmark(resourceVersion);
    const isBusy = () =>
      this.indexer.resourceVersion !== resourceVersion ||
      [...this.handlers.keys()].some(({ pending }) => pending > 0);
    while (isBusy()) await delay(0);
    for (let turn = 0; turn < 5; turn++) await delay(0);
  }
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    for (const listener of [...this.handlers.keys()]) await listener.stop();
  }
  get stored(): string {
    return [...this.indexer.packed()]
      .map(({ key, resourceVersion, uid }) => `${key}@${resourceVersion}/${uid}`).sort().join();
  }
}

/** A simple model of the store's expected content, for comparison with the FIFO's consumer. */
class Model {
  readonly objects = new Map<string, { version: number; uid: string }>();

  put(name: string, version: number, uid: string): void {
    this.objects.set(name, { version, uid });
  }
  delete(name: string, version: number, uid: string): void {
    const there = this.objects.get(name);
    if (there && (there.uid === uid || version >= there.version)) this.objects.delete(name);
  }
  get text(): string {
    return [...this.objects].map(([name, { version, uid }]) => `default/${name}@${version}/${uid}`)
      .sort().join();
  }
}

Deno.test("B27 B29 B65 random calls of a reflector, with handlers added and removed: the view of every handler becomes the store", async () => {
  const { seed, pick } = chance();
  for (let run = 0; run < 16; run++) {
    const context = `seed=${seed} run=${run}`;
    const core = new Core(run % 2 === 0 ? systemClock : new HastyClock());
    const model = new Model();
    let version = 1;
    const name = () => "abcdef"[pick(6)]!;
    const sink = core.fifo;
    const put = (verb: "add" | "update") => {
      const at = name();
      const uid = pick(4) === 0 ? `uid-${version}` : model.objects.get(at)?.uid ?? `uid-${version}`;
      sink[verb](packed(at, { version: ++version, uid }));
      model.put(at, version, uid);
    };
    const gone: string[] = [];
    const steps: (() => void)[] = [
      () => put("add"),
      () => put("update"),
      () => put("update"),
      () => {
        const at = name();
        const there = model.objects.get(at);
        const [uid, when] = pick(5) === 0
          ? [`uid-other-${version}`, pick(2) ? ++version : 1]
          : [there?.uid ?? "uid-never", ++version];
        sink.delete(packed(at, { version: when, uid }));
        model.delete(at, when, uid);
      },
      () => {
        const objects = new Map<string, PackedObject<Doc>>();
        for (let count = pick(6); count > 0; count--) {
          const at = name();
          const there = model.objects.get(at);
          const known = sink.lastKnown(`default/${at}`);
          const keep = there && pick(2) === 0;
          const uid = there && pick(3) ? there.uid : `uid-${version}`;
          objects.set(
            at,
            keep && known ? known : packed(at, { version: ++version, uid: keep ? there.uid : uid }),
          );
        }
        sink.replace([...objects.values()], `${++version}`);
        model.objects.clear();
        for (const [at, { resourceVersion, uid }] of objects) {
          model.put(at, Number(resourceVersion), uid);
        }
      },
      () => sink.bookmark(`${++version}`),
      () => sink.resync([...core.resyncing]),
      () => {
        const slow = pick(2) === 0;
        core.addHandler(
          () => slow ? Promise.resolve().then(() => {}) : undefined,
          1 + pick(20),
          pick(4),
        );
        const added = [...core.handlers.keys()].at(-1)!;
        if (pick(2)) core.resyncing.add(added);
      },
      () => {
        const listeners = [...core.handlers];
        const one = listeners[pick(listeners.length + 2)];
        if (!one) return;
        gone.push(...one[1].faults);
        one[0].remove();
      },
    ];
    for (let step = 0; step < 120; step++) {
      steps[pick(steps.length)]!();
      if (pick(3) === 0) await Promise.resolve();
      if (pick(4) === 0) await delay(0);
      if (pick(25) === 0) await core.quiet(`${++version}`);
    }
    await core.quiet(`${++version}`);
    assert.equal(core.stored, model.text, context);
    for (const [listener, recorder] of core.handlers) {
      assert.deepEqual(recorder.faults, [], context);
      assert.equal(recorder.text, core.stored, context);
      assert.equal(listener.pending, 0, context);
      if (core.fifo.synced) assert.equal(listener.synced, true, context);
    }
    assert.deepEqual(gone, [], context);
    await core.stop();
  }
});

Deno.test("F24 F25 F34 B59 gaps, compactions and restarts of the watch: every view becomes the server's state", async () => {
  const { seed, pick } = chance();
  for (let run = 0; run < 6; run++) {
    const context = `seed=${seed} run=${run}`;
    await using harness = new InformerHarness({ coalesceAbove: 1 + pick(12) });
    const { collection, informer, clock } = harness;
    const recorders: Recorder[] = [];
    const join = () => {
      const recorder = new Recorder();
      recorders.push(recorder);
      informer.addHandler(recorder, { resyncPeriodMs: pick(2) * (1_000 + pick(5_000)) });
    };
    const name = () => "abcdef"[pick(6)]!;
    const change = () => {
      const at = name();
      const there = collection.objects.has(`default/${at}`);
      const kind = pick(4);
      if (there && kind === 0) collection.remove(at);
      else if (there && kind === 1) collection.recreate(at);
      else collection.put(at);
    };
    join();
    await harness.start();
    for (let step = 0; step < 60; step++) {
      const kind = pick(12);
      if (kind < 7) change();
      else if (kind === 7) await clock.advance(pick(4_000));
      else if (kind === 8) join();
      else if (kind === 9) collection.bookmark();
      else if (kind === 10) {
        collection.disconnect();
        for (let count = pick(6); count > 0; count--) change();
        if (pick(2)) collection.compact();
        collection.reconnect();
      } else await harness.settle();
    }
    await clock.advance(120_000);
    await harness.settle();
    assert.equal(harness.stored, harness.served, context);
    for (const recorder of recorders) {
      assert.deepEqual(recorder.faults, [], context);
      assert.equal(recorder.text, harness.served, context);
    }
  }
});
