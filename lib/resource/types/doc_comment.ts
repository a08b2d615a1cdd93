import { LINE_WIDTH } from "./code.ts";

/** Returns a doc comment with a description and a default, with a line end; empty without them. */
export function docComment(
  description: string | undefined,
  defaultValue: unknown,
  indent: string,
): string {
  const tag = defaultValue === undefined ? [] : [`@default {${JSON.stringify(defaultValue)}}`];
  const lines = [...linesOf(description ?? "", LINE_WIDTH - indent.length - 3)];
  if (lines.length > 0 && tag.length > 0) lines.push("");
  const all = [...lines, ...tag].map(harmless);
  if (all.length === 0) return "";
  const [only] = all;
  if (all.length === 1 && indent.length + only!.length + 7 <= LINE_WIDTH) {
    return `${indent}/** ${only} */\n`;
  }
  const inner = all.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indent}/**\n${inner.join("")}${indent} */\n`;
}

/** Returns a line of a doc comment with the ends of comments in it escaped. */
function harmless(line: string): string {
  return line.replaceAll("*/", "*\\/");
}

/**
 * Returns a description as lines of at most a width, without control characters and repeated empty
 * lines; indented lines are not split.
 */
function linesOf(description: string, width: number): string[] {
  // deno-lint-ignore no-control-regex -- control characters have no meaning in a comment
  const text = description.replace(/[\u0000-\u0008\u000b-\u001f\u007f]|(?![\t\n])\s/g, " ").trim();
  if (text === "") return [];
  const lines = text.split("\n").flatMap((line) =>
    wrapped(line.trimEnd().replace(/^ (?! )/, ""), width)
  );
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "");
}

function wrapped(line: string, width: number): string[] {
  if (line.length <= width || /^\s/.test(line)) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/ +/)) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
