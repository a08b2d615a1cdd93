import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { seededRandom } from "./random.ts";
import { FakeClock } from "./fake_clock.ts";
import { SharedTimers } from "./shared_timers.ts";
import { systemClock } from "./clock.ts";
import type { RuntimeTimer, Timer } from "./timer.ts";

/** Timers on a fake clock, and the state of the one timer that they may run on it. */
function rig() {
  const clock = new FakeClock();
  const running = new Set<{ holds: boolean }>();
  let starts = 0;
  const start = (delayMs: number, callback: () => void): RuntimeTimer => {
    starts++;
    const state = { holds: true };
    running.add(state);
    const timer = clock.after(delayMs, () => {
      running.delete(state);
      callback();
    });
    const runtimeTimer: RuntimeTimer = {
      hold: (holds) => void (state.holds = holds),
      unref: () => runtimeTimer,
      [Symbol.dispose]: () => {
        running.delete(state);
        timer[Symbol.dispose]();
      },
    };
    return runtimeTimer;
  };
  const timers = new SharedTimers({
    monotonicMs: () => clock.monotonicMs(),
    start,
    soon: (callback) => void clock.after(0, callback),
  });
  return { clock, timers, running, starts: () => starts };
}

/** Reports whether the timers of a rig keep the process alive. */
function keepsAlive({ running }: ReturnType<typeof rig>): boolean {
  return [...running].some(({ holds }) => holds);
}

Deno.test("SharedTimers: deadlines that are cancelled start one timer of the runtime", () => {
  const { timers, running, starts } = rig();
  using _ = timers.after(10_000, () => {});
  for (let i = 0; i < 1_000; i++) timers.after(30_000, () => {})[Symbol.dispose]();
  assert.equal(running.size, 1);
  assert.equal(starts(), 1);
});

Deno.test("SharedTimers: the runtime's timer ends with the last timer", () => {
  const { timers, running } = rig();
  const first = timers.after(2_000, () => {});
  const second = timers.after(1_000, () => {});
  first[Symbol.dispose]();
  assert.equal(running.size, 1);
  second[Symbol.dispose]();
  second[Symbol.dispose]();
  assert.equal(running.size, 0);
});

Deno.test("SharedTimers keep the process alive while a timer waits that does", () => {
  const made = rig();
  const { clock, timers } = made;
  timers.after(5_000, () => {}).unref().unref();
  assert.equal(keepsAlive(made), false);
  const held = timers.after(9_000, () => {});
  assert.equal(keepsAlive(made), true);
  clock.step(5_000);
  assert.equal(keepsAlive(made), true);
  const other = timers.after(1_000, () => {}).unref();
  held.unref();
  assert.equal(keepsAlive(made), false);
  other[Symbol.dispose]();
  held.unref();
  timers.after(500, () => {});
  assert.equal(keepsAlive(made), true);
  clock.step(500);
  assert.equal(keepsAlive(made), false);
});

Deno.test("SharedTimers: a callback that throws does not keep the others from firing", () => {
  const { clock, timers } = rig();
  const fired: string[] = [];
  timers.after(1_000, () => {
    throw new Error("of the user");
  });
  timers.after(1_000, () => fired.push("same time"));
  timers.after(2_000, () => fired.push("later"));
  assert.throws(() => clock.step(1_000), /of the user/);
  clock.step(1_000);
  assert.deepEqual(fired, ["same time", "later"]);
});

Deno.test("SharedTimers: a callback may start and cancel timers", () => {
  const { clock, timers } = rig();
  const fired: string[] = [];
  const cancelled = timers.after(1_000, () => fired.push("cancelled"));
  cancelled[Symbol.dispose]();
  timers.after(1_000, () => {
    second[Symbol.dispose]();
    timers.after(0, () => fired.push("at once"));
    timers.after(500, () => fired.push("soon"));
  });
  const second = timers.after(1_000, () => fired.push("second"));
  timers.after(1_200, () => fired.push("between"));
  clock.step(1_000);
  assert.deepEqual(fired, ["at once"]);
  clock.step(5_000);
  assert.deepEqual(fired, ["at once", "between", "soon"]);
});

const seed = Math.floor(Math.random() * 2 ** 31);

Deno.test(`SharedTimers fire as separate timers do (seed ${seed})`, () => {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  for (let round = 0; round < 200; round++) {
    const made = rig();
    const alone = new FakeClock();
    const shared: number[] = [];
    const expected: number[] = [];
    const pairs: { readonly timers: readonly Timer[]; waits: boolean; holds: boolean }[] = [];
    for (let step = 0; step < 60; step++) {
      const act = below(4);
      if (act < 2) {
        const delayMs = below(20) * 100;
        const number = pairs.length;
        const pair = { timers: [] as Timer[], waits: true, holds: true };
        pair.timers.push(
          made.timers.after(delayMs, () => {
            shared.push(number);
            pair.waits = false;
          }),
          alone.after(delayMs, () => expected.push(number)),
        );
        pairs.push(pair);
      } else if (act === 2 && pairs.length > 0) {
        const pair = pairs[below(pairs.length)]!;
        if (below(2) === 0) {
          for (const timer of pair.timers) timer.unref();
          pair.holds = false;
        } else {
          for (const timer of pair.timers) timer[Symbol.dispose]();
          pair.waits = false;
        }
      } else {
        const ms = below(10) * 100;
        made.clock.step(ms);
        alone.step(ms);
      }
      assert.deepEqual(shared, expected);
      const waiting = pairs.filter(({ waits }) => waits);
      assert.equal(made.running.size, waiting.length > 0 ? 1 : 0);
      assert.equal(keepsAlive(made), waiting.some(({ holds }) => holds));
    }
  }
});

Deno.test({
  name: "systemClock.after() of a second leaves no timer of the runtime once it is cancelled",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: () => {
    const first = systemClock.after(1_000, () => {});
    const second = systemClock.after(60_000, () => {}).unref();
    first[Symbol.dispose]();
    second[Symbol.dispose]();
  },
});

Deno.test("timers of systemClock that are due together fire in separate turns of the event loop", async () => {
  const fired: string[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  systemClock.after(1_000, first.resolve);
  const second = systemClock.after(1_000, () => fired.push("second"));
  systemClock.after(1_000, () => {
    fired.push("third");
    resolve();
  });
  const cancels = async (): Promise<void> => {
    await first.promise;
    second[Symbol.dispose]();
  };
  void cancels();
  const untilMs = systemClock.monotonicMs() + 1_050;
  await new Promise((resolve) => systemClock.after(900, () => resolve(undefined)));
  while (systemClock.monotonicMs() < untilMs); // All three are overdue when the loop goes on.
  await done;
  assert.deepEqual(fired, ["third"]);
});

Deno.test("a timer of systemClock fires in the async context in which it was started", async () => {
  const names = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  await Promise.all(
    ["a", "b"].map((name) =>
      names.run(name, () =>
        new Promise<void>((resolve) =>
          systemClock.after(1_000, () => {
            seen.push(names.getStore());
            resolve();
          })
        ))
    ),
  );
  assert.deepEqual(seen, ["a", "b"]);
});

Deno.test("a test that replaces the timers of the runtime replaces those of systemClock meanwhile", async () => {
  const { setTimeout } = globalThis;
  const started: number[] = [];
  const fired: string[] = [];
  using before = systemClock.after(60_000, () => {});
  globalThis.setTimeout = ((_callback: () => void, delayMs: number) => {
    started.push(delayMs);
    return 0;
  }) as unknown as typeof setTimeout;
  try {
    systemClock.after(5_000, () => fired.push("fake"));
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assert.deepEqual(started, [5_000]);
  await new Promise<void>((resolve) => systemClock.after(1_000, resolve));
  assert.deepEqual(fired, []);
  before.unref();
});

Deno.test("runtime timers keep the process alive while they hold it", async () => {
  const program = `
    import { startRuntimeTimer } from ${JSON.stringify(import.meta.resolve("./system_timer.ts"))};
    const timer = startRuntimeTimer(50, () => console.log("fired"));
    timer.unref();
    timer.hold(true);
    startRuntimeTimer(600_000, () => console.log("never")).hold(false);
  `;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", "--no-config", "--no-lock", program],
  }).output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), "fired\n");
});
