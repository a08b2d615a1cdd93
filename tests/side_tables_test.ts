import assert from "node:assert/strict";
import { SIDE_TABLES } from "./side_tables.ts";

const root = new URL("../", import.meta.url);

/** Matches what creates a side table; a type annotation alone does not. */
const CREATES = /\bnew Weak(?:Map|Set|Ref)\b|\bSymbol(?:\.for)?\(/g;

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sourcesBelow(`${folder}${name}/`);
    return name.endsWith(".ts") && !name.endsWith("_test.ts") ? [folder + name] : [];
  });
}

/** Returns the lines of a file that are code. */
function codeOf(path: string): string {
  return Deno.readTextFileSync(new URL(path, root)).split("\n")
    .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line)).join("\n");
}

Deno.test("side tables: every WeakMap, WeakSet and symbol is listed, with its reason", () => {
  const found: Record<string, number> = {};
  for (const path of sourcesBelow("lib/")) {
    const { length } = codeOf(path).match(CREATES) ?? [];
    if (length > 0) found[path] = length;
  }
  const listed = Object.entries(SIDE_TABLES).map(([path, { count }]) => [path, count]);
  const order = (table: Record<string, number>) => Object.fromEntries(Object.entries(table).sort());
  assert.deepEqual(order(found), order(Object.fromEntries(listed)));
});

Deno.test("side tables: a reason is a sentence", () => {
  for (const [path, { reason }] of Object.entries(SIDE_TABLES)) {
    assert.match(reason, /^[A-Z].{30,}\.$/s, path);
  }
});
