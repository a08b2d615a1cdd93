/**
 * Formats rows as a table like kubectl's: columns as wide as their widest cell, three spaces apart,
 * without trailing spaces.
 */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  return new TableLayout().lines(rows);
}

/**
 * The layout of a table that grows during a watch. Columns keep their width, and widen when a later
 * row needs it.
 */
export class TableLayout {
  readonly #widths: number[] = [];

  /**
   * Returns the text lines of the next rows of the table; the first call may include the header.
   * Columns are at least as wide as in the earlier calls.
   */
  lines(rows: readonly (readonly string[])[]): readonly string[] {
    for (const row of rows) {
      row.forEach((cell, column) => {
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, cell.length);
      });
    }
    return rows.map((row) =>
      row.map((cell, column) => cell.padEnd(this.#widths[column]!)).join("   ").trimEnd()
    );
  }
}
