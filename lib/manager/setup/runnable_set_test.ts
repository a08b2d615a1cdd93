import assert from "node:assert/strict";
import { systemClock } from "@xca/apimachinery/base";
import { until } from "../../../tests/support/until.ts";
import type { Runnable } from "../runnable.ts";
import { RunnableSet } from "./runnable_set.ts";

/** Returns a set of runnables that run until the test ends, and the errors of those that fail. */
function runnables(): { set: RunnableSet; failures: unknown[] } & Disposable {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const set = new RunnableSet({
    client: undefined,
    timeoutMs: Infinity,
    signal: stop.signal,
    clock: systemClock,
    onFailure: (error) => failures.push(error),
  });
  return { set, failures, [Symbol.dispose]: () => stop.abort() };
}

/** Returns a runnable that records its steps. */
function recorded(name: string, steps: string[], own: Partial<Runnable> = {}): Runnable {
  return {
    name,
    group: "others",
    setUp: () => Promise.resolve(void steps.push(`${name} is set up`)),
    run: () => Promise.resolve(void steps.push(`${name} runs`)),
    ...own,
  };
}

Deno.test("a runnable that is added at any moment of the others' set-up is set up before it runs", async () => {
  for (let distance = 0; distance < 40; distance++) {
    using rig = runnables();
    const { set } = rig;
    const steps: string[] = [];
    const isFirstSetUp = Promise.withResolvers<void>();
    set.add(recorded("first", [], { setUp: () => Promise.resolve(isFirstSetUp.resolve()) }));
    const added = isFirstSetUp.promise.then(async () => {
      for (let turn = 0; turn < distance; turn++) await undefined;
      set.add(recorded("late", steps));
    });
    await set.setUp();
    set.groups.others.begin();
    await added;
    await until(() => steps.includes("late runs"));
    assert.deepEqual(steps, ["late is set up", "late runs"], `after ${distance} microtasks`);
  }
});

Deno.test("a runnable that is removed during its set-up is disposed, and fails nothing", async () => {
  for (const isLate of [false, true]) {
    using rig = runnables();
    const { set, failures } = rig;
    const steps: string[] = [];
    const setUp = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    if (isLate) await set.setUp();
    const removed = set.add(recorded("removed", steps, {
      setUp: () => {
        begun.resolve();
        return setUp.promise;
      },
      [Symbol.asyncDispose]: () => Promise.resolve(void steps.push("removed is disposed")),
    }));
    const done = isLate ? undefined : set.setUp();
    await begun.promise;
    set.remove(removed);
    setUp.reject(new Error("no right"));
    await done;
    set.add(recorded("other", steps));
    set.groups.others.begin();
    await removed.end();
    await until(() => steps.includes("other runs"));
    assert.deepEqual(steps.sort(), ["other is set up", "other runs", "removed is disposed"]);
    assert.deepEqual(failures, []);
  }
});
