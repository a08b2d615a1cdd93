import assert from "node:assert/strict";
import { type Clock, systemClock, type Timer } from "@xca/apimachinery/base";
import { ApiServer } from "./server.ts";
import { call } from "../../tests/support/in_process/call_server.ts";

const PODS = "/api/v1/namespaces/default/pods";

/** A timer that fires when `SteppedClock.resume()` calls its callback. */
class WaitingTimer implements Timer {
  readonly #waiting: (() => void)[];
  readonly #callback: () => void;

  constructor(waiting: (() => void)[], callback: () => void) {
    this.#waiting = waiting;
    this.#callback = callback;
  }

  unref(): this {
    return this;
  }

  [Symbol.dispose](): void {
    const at = this.#waiting.indexOf(this.#callback);
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/**
 * A clock whose time passes while `isBusy` only, 10 ms at each look, so that a task yields after
 * each of its steps. Waiting tasks continue one by one, with `resume()`.
 */
class SteppedClock implements Clock {
  isBusy = false;
  #ms = 0;
  readonly #waiting: (() => void)[] = [];
  now = (): Date => systemClock.now();

  monotonicMs(): number {
    return this.isBusy ? this.#ms += 10 : this.#ms;
  }

  after(delayMs: number, callback: () => void): Timer {
    if (delayMs > 0) return systemClock.after(delayMs, callback);
    this.#waiting.push(callback);
    return new WaitingTimer(this.#waiting, callback);
  }

  /** Lets the first waiting task continue, and resolves when it waits again or has ended. */
  async resume(): Promise<void> {
    this.#waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Deno.test("a deletion without a grace period succeeds although another one removes the pod first", async () => {
  const clock = new SteppedClock();
  await using server = await ApiServer.start({ clock, controllers: false });
  const made = await call(server, "POST", PODS, {
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  assert.equal(made.code, 201);
  clock.isBusy = true;
  const slow = call(server, "DELETE", `${PODS}/a`, { gracePeriodSeconds: 0 });
  for (;;) {
    await clock.resume();
    clock.isBusy = false;
    const { code, body } = await call(server, "GET", `${PODS}/a`);
    assert.equal(code, 200, "the slow deletion is not finished");
    if (body.metadata.deletionTimestamp) break;
    clock.isBusy = true;
  }
  assert.equal((await call(server, "DELETE", `${PODS}/a`, { gracePeriodSeconds: 0 })).code, 200);
  await clock.resume();
  const { code, body } = await slow;
  assert.equal(code, 200);
  assert.equal(body.metadata.uid, made.body.metadata.uid);
  assert.equal(body.metadata.deletionGracePeriodSeconds, 0);
});
