/** A line for a marked place of a module, as an import or an entry of a list. */
export interface Insertion {
  /** The marker: a comment line that begins with `// xca:` and this word. */
  readonly marker: string;
  /** The line, without indentation. */
  readonly line: string;
  /** Text that the module has already when the line, or one for the same purpose, is there. */
  readonly known: RegExp;
}

/** The result of {@linkcode insertLines}. */
export interface Inserted {
  /** The text of the module, with the lines that had a place. */
  readonly text: string;
  /** The insertions whose marker the module lacks. */
  readonly left: readonly Insertion[];
}

/**
 * Inserts lines into a module, each above its marker and as far indented. Nothing else of the text
 * changes; a line that is there already is not inserted again, wherever it stands.
 */
export function insertLines(text: string, insertions: readonly Insertion[]): Inserted {
  let lines = text.split("\n");
  const left: Insertion[] = [];
  for (const insertion of insertions) {
    if (insertion.known.test(lines.join("\n"))) continue;
    const marked = new RegExp(`^(\\s*)// xca:${insertion.marker}\\b`);
    const at = lines.findIndex((line) => marked.test(line));
    if (at < 0) left.push(insertion);
    else {
      const [, indent = ""] = marked.exec(lines[at]!)!;
      const end = lines[at]!.endsWith("\r") ? "\r" : "";
      lines = lines.toSpliced(at, 0, `${indent}${insertion.line}${end}`);
    }
  }
  return { text: lines.join("\n"), left };
}
