import assert from "node:assert/strict";
import { LiveList } from "@xca/apimachinery/internal/base";
import { countedSignal } from "../../../../tests/support/counted_signal.ts";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { abortSignalOf, CallAbort, type CallAbortOptions } from "./call_abort.ts";

const clock = new FakeClock();

function callAbort(options: Partial<CallAbortOptions> = {}): CallAbort {
  const timeoutReason = (): unknown => "too late";
  return new CallAbort({ inFlight: new LiveList(), timeoutReason, clock, ...options });
}

/** The state that callers of a signal observe. */
function stateOf(signal: AbortSignal | CallAbort): readonly [boolean, unknown] {
  return [signal.aborted, signal.reason];
}

Deno.test("a call is aborted by its caller, the timeout or the client: once, with the first reason", async () => {
  for (const first of ["caller", "timeout", "client"]) {
    const caller = new AbortController();
    const inFlight = new LiveList<CallAbort>();
    using call = callAbort({ signal: caller.signal, inFlight, timeoutMs: 100 });
    const { signal } = call;
    const heard: unknown[] = [];
    call.addEventListener("abort", () => heard.push(call.reason));
    signal.addEventListener("abort", () => heard.push(signal.reason));
    assert.deepEqual(stateOf(call), [false, undefined]);
    call.throwIfAborted();
    assert.deepEqual([...inFlight], [call]);
    if (first === "caller") caller.abort("the caller left");
    else if (first === "timeout") await clock.advance(100);
    else for (const each of inFlight) each.abort("the client is closed");
    const reason = {
      caller: "the caller left",
      timeout: "too late",
      client: "the client is closed",
    }[first];
    caller.abort("again");
    await clock.advance(100);
    call.abort("again");
    assert.deepEqual(heard, [reason, reason]);
    assert.deepEqual(stateOf(call), [true, reason]);
    assert.deepEqual(stateOf(signal), [true, reason]);
    assert.throws(() => call.throwIfAborted(), (error) => error === reason);
  }
});

Deno.test("a call whose caller has left before, and its AbortSignal, are aborted from the start", () => {
  using call = callAbort({ signal: AbortSignal.abort("left"), timeoutMs: 100 });
  assert.deepEqual(stateOf(call), [true, "left"]);
  assert.deepEqual(stateOf(abortSignalOf(call)), [true, "left"]);
  assert.equal(clock.pending, 0);
});

Deno.test("a removed listener is not called, and the error of a listener reaches only the program", () => {
  const reported: unknown[] = [];
  const onError = (event: ErrorEvent): void => {
    event.preventDefault();
    reported.push(event.error.message);
  };
  addEventListener("error", onError);
  try {
    using call = callAbort();
    const heard: string[] = [];
    const removed = (): void => void heard.push("removed");
    const removedLater = (): void => void heard.push("removed by a listener");
    call.addEventListener("abort", removed);
    call.addEventListener("abort", () => {
      call.removeEventListener("abort", removedLater);
      throw new Error("a fault");
    });
    call.addEventListener("abort", removedLater);
    call.addEventListener("abort", () => heard.push("last"));
    call.removeEventListener("abort", removed);
    call.abort("end");
    assert.deepEqual([heard, reported], [["last"], ["a fault"]]);
  } finally {
    removeEventListener("error", onError);
  }
});

Deno.test("an ended call leaves no listener, no timer and no entry, and does not follow its caller", () => {
  const counted = countedSignal();
  const { controller: caller } = counted;
  const { signal } = caller;
  const inFlight = new LiveList<CallAbort>();
  const call = callAbort({ signal, inFlight, timeoutMs: 100 });
  assert.deepEqual([counted.listeners, inFlight.size, clock.pending], [1, 1, 1]);
  call[Symbol.dispose]();
  call[Symbol.dispose]();
  assert.deepEqual([counted.listeners, inFlight.size, clock.pending], [0, 0, 0]);
  caller.abort();
  assert.equal(call.aborted, false);
});
