import type { Clock } from "@xca/apimachinery/base";
import { FakeClock } from "./fake_clock.ts";

/** Returns the promise of work, on whose {@linkcode FakeClock} time passes until it has settled. */
export async function untilSettled<T>(work: Promise<T>, clock: Clock | undefined): Promise<T> {
  if (!(clock instanceof FakeClock)) return await work;
  let isOver = false;
  const end = (): boolean => isOver = true;
  work.then(end, end);
  await clock.settle();
  while (!isOver) await clock.advance(clock.nextInMs ?? 0);
  return await work;
}
