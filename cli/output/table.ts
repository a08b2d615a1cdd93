/**
 * Lays out a table as kubectl does: columns as wide as their widest cell, three spaces apart, no
 * spaces at the end of a line.
 */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  return new TableLayout().lines(rows);
}

/**
 * A table that grows while it is watched. Columns keep the width they had, and widen when a later
 * row needs it; what was printed before stays as it was.
 */
export class TableLayout {
  readonly #widths: number[] = [];

  /** The lines of some more rows. */
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
