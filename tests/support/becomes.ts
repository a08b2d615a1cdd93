import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/** The time on the fake clock within which a value must become the expected one, in seconds. */
const MOST_SECONDS = 300;

/** Lets time pass, a second at a time, until a value is the expected one; fails when it never is. */
export async function becomes<T>(
  pass: (seconds: number) => Promise<void>,
  read: () => T | Promise<T>,
  expected: T,
  message?: string,
): Promise<void> {
  for (let second = 0; second < MOST_SECONDS; second++) {
    if (isDeepStrictEqual(await read(), expected)) return;
    await pass(1);
  }
  assert.deepEqual(await read(), expected, message);
}
