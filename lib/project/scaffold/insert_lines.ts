/** A line to insert at a marker in a module, such as an import or an entry of a list. */
export interface Insertion {
  /** The word of the marker, a comment line that begins with `// xca:` and this word. */
  readonly marker: string;
  /** The line to insert, without indentation. */
  readonly line: string;
  /**
   * The pattern of a text which shows that the module already has the line, or an equivalent one.
   */
  readonly known: RegExp;
}

/**
 * The result of {@linkcode insertLines}: the module with the lines, and the lines that were not
 * inserted.
 */
export interface Inserted {
  /** The text of the module with the lines inserted at their markers. */
  readonly text: string;
  /** The lines that were not inserted, since their marker is missing in the module. */
  readonly left: readonly Insertion[];
}

/**
 * Returns the text of a module with lines inserted, each above its marker and with the indentation
 * of the marker. A line whose pattern `known` matches the module is not inserted.
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
