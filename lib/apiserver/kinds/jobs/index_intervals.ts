/**
 * Parses the sets of completion indexes of an indexed Job, such as `1,3-5,7`.
 *
 * @module
 */
import { goQuote } from "@xca/apimachinery/internal/values";

type Interval = readonly [first: number, last: number];

/**
 * Returns the number of completion indexes in a set, such as `1,3-5`, or the reason why the text of
 * the set is invalid (`batch/validation/validation.go`, `validateIndexesFormat`). The intervals
 * must be in rising order, and each index must be less than `completions`.
 */
export function parseIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let previous: number | undefined;
  let total = 0;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const [first, last] = interval;
    if (previous !== undefined && previous >= first) {
      return `non-increasing order, previous: ${previous}, current: ${first}`;
    }
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/**
 * Returns the lowest completion index of the first overlapping intervals of two sets of a Job's
 * indexes; `undefined` if no index is in both. Invalid intervals are ignored.
 */
export function overlappingIndex(a: string, b: string, completions: number): number | undefined {
  const intervals = (text: string): Interval[] =>
    text.split(",").map((part) => parseInterval(part, completions))
      .filter((interval) => typeof interval !== "string");
  if (a === "" || b === "") return undefined;
  for (const [first, last] of intervals(a)) {
    for (const [otherFirst, otherLast] of intervals(b)) {
      if (first <= otherLast && otherFirst <= last) return Math.max(first, otherFirst);
    }
  }
  return undefined;
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can ` +
      "have at most two parts separated by '-'";
  }
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^[+-]?\d+$/.test(part)) {
      return `cannot convert string to integer for index: ${goQuote(part)}`;
    }
    const number = Number(part);
    if (number >= completions) return `too large index: ${goQuote(part)}`;
    numbers.push(number);
  }
  const [first, last = first] = numbers as [number, number?];
  if (numbers.length === 2 && first >= last) {
    return `non-increasing order, previous: ${first}, current: ${last}`;
  }
  return [first, last];
}
