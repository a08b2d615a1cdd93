/**
 * A generator of the steps of reading a YAML collection. Each step yields a nested collection to
 * read, and receives its value; or yields `undefined` to pause.
 */
export type Steps<T> = Generator<Steps<T> | undefined, T, T>;

/**
 * The number of YAML entries or collections that are read between two pauses, which takes some
 * tenths of a millisecond.
 */
export const PAUSE_AFTER = 100;

/**
 * Runs the steps of reading a YAML collection and its nested collections to their end, and yields
 * at pauses so that other work may run. The unfinished steps are in a list, not on the call stack:
 * a document may be 10,000 levels deep.
 */
export function* runSteps<T>(first: Steps<T> | T): Generator<void, T> {
  if (!isSteps(first)) return first;
  const open: Steps<T>[] = [first];
  let value: T = undefined!;
  for (let count = 1;; count++) {
    const step = open.at(-1)!.next(value);
    if (step.done) {
      value = step.value;
      open.pop();
      if (open.length === 0) return value;
    } else if (step.value) open.push(step.value);
    if ((!step.done && !step.value) || count % PAUSE_AFTER === 0) yield;
  }
}

/** Reports whether a YAML value is still to be read in steps. */
export function isSteps<T>(value: Steps<T> | T): value is Steps<T> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<Steps<T>>).next === "function";
}
