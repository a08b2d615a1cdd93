import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";

const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 50;
const GIVE_UP_MS = 120_000;

/**
 * Waits until a condition holds, with polls every few milliseconds. For tests that wait for another
 * process or a real server, which send no notification.
 *
 * @throws {Error} If the condition does not hold within two minutes.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = "the condition",
): Promise<void> {
  const endMs = systemClock.monotonicMs() + GIVE_UP_MS;
  let pollMs = FIRST_POLL_MS;
  while (!await condition()) {
    if (systemClock.monotonicMs() > endMs) {
      const text = typeof what === "string" ? what : what();
      throw new Error(`${text} did not come true within ${GIVE_UP_MS / 1000} s`);
    }
    await delay(pollMs);
    pollMs = Math.min(pollMs * 1.2, LONGEST_POLL_MS);
  }
}

/**
 * Calls a function until it no longer rejects with an error that matches. For objects that a server
 * serves only some time after their creation.
 *
 * @throws {unknown} The error of a call that does not match.
 * @throws {Error} If the calls still reject after two minutes.
 */
export async function untilAnswered<T>(
  call: () => Promise<T>,
  isTooEarly: (error: unknown) => boolean,
): Promise<T> {
  let answer: { readonly value: T } | undefined;
  let refused: unknown;
  await until(async () => {
    try {
      answer = { value: await call() };
    } catch (error) {
      if (!isTooEarly(error)) throw error;
      refused = error;
    }
    return answer !== undefined;
  }, () => `an answer other than ${refused}`);
  return answer!.value;
}
