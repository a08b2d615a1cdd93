import type { Clock } from "@xca/apimachinery/base";
import { FakeClock } from "./fake_clock.ts";

/**
 * Settles as a promise does; if the clock is a {@linkcode FakeClock}, advances the clock from timer
 * to timer until the promise has settled.
 */
export async function untilSettled<T>(work: Promise<T>, clock: Clock | undefined): Promise<T> {
  if (!(clock instanceof FakeClock)) return await work;
  let isOver = false;
  const end = (): boolean => isOver = true;
  work.then(end, end);
  await clock.settle();
  while (!isOver) await clock.advance(clock.nextInMs ?? 0);
  return await work;
}
