/**
 * Returns a template that renders the text `yes` where a condition is true, and the text `no`
 * otherwise. Common lines occur once.
 *
 * @param condition The condition, as an operand of Go's text/template that may follow `not`: a
 * field, or an expression in parentheses.
 */
export function mergeVariants(yes: string, no: string, condition: string): string {
  if (yes === no) return yes;
  const [a, b] = [linesOf(yes), linesOf(no)];
  const merged: string[] = [];
  for (const { common, onlyA, onlyB } of blocksOf(a, b)) {
    merged.push(...common);
    if (onlyA.length > 0) {
      merged.push(`{{- if ${condition} }}`, ...onlyA);
      if (onlyB.length > 0) merged.push("{{- else }}", ...onlyB);
      merged.push("{{- end }}");
    } else if (onlyB.length > 0) {
      merged.push(`{{- if not ${condition} }}`, ...onlyB, "{{- end }}");
    }
  }
  return merged.map((line) => `${line}\n`).join("");
}

/** A block of two merged texts: common lines, followed by the lines in which the texts differ. */
interface Block {
  readonly common: readonly string[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
}

/**
 * Returns the blocks into which two texts are divided by their longest common subsequence of lines.
 */
function blocksOf(a: readonly string[], b: readonly string[]): Block[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)
  ) end++;
  const [ownA, ownB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const blocks: Block[] = [];
  let common = a.slice(0, start);
  const lengths = commonLengths(ownA, ownB);
  let [i, j] = [0, 0];
  while (i < ownA.length || j < ownB.length) {
    const [fromA, fromB] = [i, j];
    while ((i < ownA.length || j < ownB.length) && ownA[i] !== ownB[j]) {
      const skipsA = j >= ownB.length ||
        (i < ownA.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!);
      if (skipsA) i++;
      else j++;
    }
    blocks.push({ common, onlyA: ownA.slice(fromA, i), onlyB: ownB.slice(fromB, j) });
    const fromCommon = i;
    while (i < ownA.length && j < ownB.length && ownA[i] === ownB[j]) {
      i++;
      j++;
    }
    common = ownA.slice(fromCommon, i);
  }
  return [...blocks, { common: [...common, ...a.slice(a.length - end)], onlyA: [], onlyB: [] }];
}

/**
 * Returns, for each pair of 0-based line numbers in two texts, the length of the longest common
 * subsequence of the lines from these line numbers on.
 */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from(
    { length: a.length + 1 },
    () => new Array<number>(b.length + 1).fill(0),
  );
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j]
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line, at, all) => at < all.length - 1 || line !== "");
}
