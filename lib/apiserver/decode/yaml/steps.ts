/**
 * A generator of the steps of reading a YAML collection. Each step asks for a collection within it
 * and gets its value, or pauses with `undefined`.
 */
export type Steps<T> = Generator<Steps<T> | undefined, T, T>;

/**
 * The number of YAML entries or collections between two pauses, which take some tenths of a
 * millisecond.
 */
export const PAUSE_AFTER = 100;

/**
 * Runs the steps of reading a YAML collection to their end, with those that they ask for, and
 * yields at pauses so that other work may run. The steps under way are kept in a list, not on the
 * stack: a document may be 10 000 levels deep.
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

/** Reports whether a YAML value has yet to be read in steps. */
export function isSteps<T>(value: Steps<T> | T): value is Steps<T> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<Steps<T>>).next === "function";
}
