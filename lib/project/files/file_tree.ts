import type { WrittenFile } from "./write_files.ts";

/** The symbol of each kind of file change in a printed tree. */
const MARKS: Readonly<Record<WrittenFile["change"], string>> = {
  created: "+",
  changed: "~",
  unchanged: " ",
};

/** A folder of the printed file tree: its entries by name. */
type Branch = Map<string, Branch | WrittenFile>;

/**
 * Returns written files as the lines of a tree, in each folder first the folders and then the
 * files, sorted by name; with `+` before a created file, `~` before a changed one, and a blank
 * before an unchanged one or a folder.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileTree } from "@xca/operator/project";
 *
 * const lines = fileTree([
 *   { path: "api/v1/shop.ts", change: "created" },
 *   { path: "operator.ts", change: "changed" },
 * ]);
 * assert.deepEqual(lines, ["  api/", "    v1/", "+     shop.ts", "~ operator.ts"]);
 * ```
 */
export function fileTree(written: readonly WrittenFile[]): string[] {
  const root: Branch = new Map();
  for (const file of written) {
    const parts = file.path.split("/");
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const next = at.get(`${part}/`) as Branch | undefined ?? new Map();
      at.set(`${part}/`, next);
      at = next;
    }
    at.set(parts.at(-1)!, file);
  }
  return linesOf(root, 0);
}

function linesOf(branch: Branch, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const isFolder = ([name]: [string, unknown]): boolean => name.endsWith("/");
  const entries = [...branch].sort((a, b) =>
    Number(isFolder(b)) - Number(isFolder(a)) || (a[0] < b[0] ? -1 : 1)
  );
  return entries.flatMap(([name, entry]) =>
    entry instanceof Map
      ? [`  ${indent}${name}`, ...linesOf(entry, depth + 1)]
      : [`${MARKS[entry.change]} ${indent}${name}`]
  );
}
