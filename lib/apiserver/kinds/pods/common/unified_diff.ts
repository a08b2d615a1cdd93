/**
 * Computes the difference of two texts with the algorithm of Python's `difflib`, which
 * kube-apiserver's library follows: the longest common block first, then both sides of it.
 *
 * @module
 */

/**
 * A run of lines of a text difference: equal in both texts, or replaced. `a` and `b` are the ranges
 * of lines in the two texts, as 0-based indexes, with `to` excluded; a range is empty for lines
 * that only the other text has.
 */
interface Operation {
  readonly equal: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

const CONTEXT = 3;

/**
 * Returns the unified difference from text `a` to text `b`, with three lines of context around each
 * change and without the headers that name files; an empty text for equal texts.
 */
export function unifiedDiff(a: string, b: string): string {
  const left = a.split("\n");
  const right = b.split("\n");
  let text = "";
  for (const group of groups(operations(left, right))) {
    const [first, last] = [group[0]!, group.at(-1)!];
    text += `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`;
    for (const { equal, a: [a0, a1], b: [b0, b1] } of group) {
      const lines = (list: string[], from: number, to: number, sign: string) =>
        list.slice(from, to).map((line) => `${sign}${line}\n`).join("");
      text += equal
        ? lines(left, a0, a1, " ")
        : lines(left, a0, a1, "-") + lines(right, b0, b1, "+");
    }
  }
  return text;
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/**
 * Returns the changes of a text difference in groups, with up to three equal lines before and after
 * each group. Changes with at most six equal lines between them are in one group.
 */
function groups(all: readonly Operation[]): Operation[][] {
  const result: Operation[][] = [];
  let group: Operation[] = [];
  for (const [index, operation] of all.entries()) {
    if (!operation.equal) {
      group.push(operation);
      continue;
    }
    const { a: [a0, a1], b: [b0, b1] } = operation;
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const head: Operation = {
      equal: true,
      a: [a0, Math.min(a1, a0 + CONTEXT)],
      b: [b0, Math.min(b1, b0 + CONTEXT)],
    };
    const tail: Operation = {
      equal: true,
      a: [Math.max(a0, a1 - CONTEXT), a1],
      b: [Math.max(b0, b1 - CONTEXT), b1],
    };
    if (isFirst) group = [tail];
    else if (isLast) group.push(head);
    else if (a1 - a0 > 2 * CONTEXT) {
      result.push([...group, head]);
      group = [tail];
    } else group.push(operation);
  }
  if (group.some(({ equal }) => !equal)) result.push(group);
  return result;
}

function operations(a: readonly string[], b: readonly string[]): Operation[] {
  const result: Operation[] = [];
  let [i, j] = [0, 0];
  for (const [a0, b0, size] of [...matches(a, b), [a.length, b.length, 0] as const]) {
    if (i < a0 || j < b0) result.push({ equal: false, a: [i, a0], b: [j, b0] });
    if (size > 0) result.push({ equal: true, a: [a0, a0 + size], b: [b0, b0 + size] });
    [i, j] = [a0 + size, b0 + size];
  }
  return result;
}

type Block = readonly [a: number, b: number, size: number];

/** Returns the equal blocks of lines of two texts in order, with adjacent ones joined. */
function matches(a: readonly string[], b: readonly string[]): Block[] {
  const index = indexOf(b);
  const found: Block[] = [];
  const todo: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  while (todo.length > 0) {
    const [a0, a1, b0, b1] = todo.pop()!;
    const block = longest(a, b, index, [a0, a1, b0, b1]);
    const [i, j, size] = block;
    if (size === 0) continue;
    found.push(block);
    if (a0 < i && b0 < j) todo.push([a0, i, b0, j]);
    if (i + size < a1 && j + size < b1) todo.push([i + size, a1, j + size, b1]);
  }
  found.sort(([x], [y]) => x - y);
  const joined: [number, number, number][] = [];
  for (const [i, j, size] of found) {
    const last = joined.at(-1);
    if (last && last[0] + last[2] === i && last[1] + last[2] === j) last[2] += size;
    else joined.push([i, j, size]);
  }
  return joined;
}

/**
 * Returns the 0-based indexes at which each line of a text occurs, in rising order. In a text of
 * 200 lines or more, a line that occurs more often than a hundredth of the number of lines, plus
 * one, is left out.
 */
function indexOf(b: readonly string[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of b.entries()) {
    const known = index.get(line);
    if (known) known.push(at);
    else index.set(line, [at]);
  }
  if (b.length < 200) return index;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, places] of index) {
    if (places.length > most) index.delete(line);
  }
  return index;
}

function longest(
  a: readonly string[],
  b: readonly string[],
  index: ReadonlyMap<string, number[]>,
  [a0, a1, b0, b1]: readonly [number, number, number, number],
): Block {
  let [i, j, size] = [a0, b0, 0];
  let lengths = new Map<number, number>();
  for (let at = a0; at < a1; at++) {
    const next = new Map<number, number>();
    for (const place of index.get(a[at]!) ?? []) {
      if (place < b0) continue;
      if (place >= b1) break;
      const length = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, length);
      if (length > size) [i, j, size] = [at - length + 1, place - length + 1, length];
    }
    lengths = next;
  }
  while (i > a0 && j > b0 && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < a1 && j + size < b1 && a[i + size] === b[j + size]) size++;
  return [i, j, size];
}
