import { type Clock, linkedAbort } from "@xca/apimachinery/base";
import { beforeAbort } from "@xca/apimachinery/internal/base";
import type { RestCalls } from "../../client/calls/rest.ts";
import type { ManagedRunnable } from "../run/managed_runnable.ts";
import { RunnableError } from "../runnable_error.ts";
import { checkUses } from "./runnable_check.ts";

/** Options for {@linkcode setUpInTime}, which sets up a runnable of a manager. */
export interface SetUpOptions {
  /** The client that checks the rights that the runnable declares; `undefined` checks none. */
  readonly client: RestCalls | undefined;
  /** The time that the runnable has to be set up, in milliseconds; `Infinity` for no limit. */
  readonly timeoutMs: number;
  /** The signal that ends the set-up. */
  readonly signal: AbortSignal;
  /** The clock of the time limit. */
  readonly clock: Clock;
}

/**
 * Checks the rights that a runnable declares, and sets it up.
 *
 * @throws {RunnableError} When the runnable cannot be set up, or not in time.
 * @throws {unknown} The reason of `signal`.
 */
export async function setUpInTime(
  managed: ManagedRunnable,
  { client, timeoutMs, signal, clock }: SetUpOptions,
): Promise<void> {
  using limit = linkedAbort({
    signals: [signal],
    timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs,
    timeoutReason: () => {
      const reason = `it has not ended within ${timeoutMs / 1000} s`;
      return new RunnableError(managed.name, "set up", new Error(reason));
    },
    clock,
  });
  if (client) await checkUses(managed, client, limit.signal);
  await beforeAbort(managed.setUp(limit.signal), limit.signal);
}
