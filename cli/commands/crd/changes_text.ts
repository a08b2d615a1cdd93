import type { CrdChange } from "../../../lib/resource/evolution/mod.ts";

/**
 * The largest length in characters of the JSON of an example object, without `apiVersion`, `kind`
 * and `metadata`, that `kubectl xca crd diff` prints; a longer example is left out.
 */
const LONGEST_WITNESS = 300;

/**
 * Returns the changes of CustomResourceDefinitions as text: a block for each change, and a line
 * with the number of changes of each level. Changes of descriptions are only counted in that line.
 */
export function changesText(changes: readonly CrdChange[]): string {
  const isText = ({ rule }: CrdChange): boolean => rule === "description-changed";
  const blocks = changes.filter((change) => !isText(change)).map(blockOf);
  const count = (level: string): number => changes.filter((each) => each.level === level).length;
  const texts = changes.filter(isText).length;
  const summary = changes.length === 0 ? "no changes" : [
    `${count("breaking")} breaking`,
    plural(count("warning"), "warning"),
    `${count("safe")} safe${texts > 0 ? ` (of ${plural(texts, "description")})` : ""}`,
  ].join(", ");
  return [...blocks, summary].map((each) => `${each}\n`).join("");
}

function blockOf(
  { level, rule, crd, version, path, reason, ratchets, witness }: CrdChange,
): string {
  const place = [crd, version, path].filter((part) => part).join(" ");
  const lines = [`${level.padEnd(8)} ${place}: ${reason} [${rule}]`];
  if (ratchets !== undefined) {
    lines.push(
      `stored objects can still be updated while ${ratchets} stays as it is (Kubernetes 1.30)`,
    );
  }
  if (witness !== undefined) {
    const { apiVersion: _1, kind: _2, metadata: _3, ...fields } = witness;
    const shown = JSON.stringify(fields);
    if (shown.length <= LONGEST_WITNESS) lines.push(`for example ${shown}`);
  }
  return lines.join(`\n${" ".repeat(9)}`);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
