/**
 * Holds `tests/behaviours.ts` against the tests there are: every row has a test or a reason, every
 * test that is named there exists, and every test that carries a row's number is named there.
 */
import assert from "node:assert/strict";
import { BEHAVIOURS, FAULTS, INPUTS, type Row } from "./behaviours.ts";

const root = new URL("../", import.meta.url);

/** The names of all tests, read from the sources: the first string of each call that names one. */
function testNames(): Set<string> {
  const names = new Set<string>();
  for (const path of ["lib/", "cli/", "tests/", "examples/"].flatMap(testFiles)) {
    const source = Deno.readTextFileSync(new URL(path, root));
    for (
      const [, quote, name] of source.matchAll(/\(\s*(["`])((?:[BFI]\d\d?\b)(?:(?!\1).)*)\1\s*,/g)
    ) {
      names.add(quote === '"' ? JSON.parse(`"${name}"`) : name!);
    }
  }
  return names;
}

function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))].flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) return testFiles(`${path}/`);
    return path.endsWith("_test.ts") ? [path] : [];
  });
}

const tables: [string, Readonly<Record<string, Row>>, number][] = [
  ["B", BEHAVIOURS, 75],
  ["F", FAULTS, 53],
  ["I", INPUTS, 30],
];

Deno.test("behaviours: every row has a test or a written reason", () => {
  for (const [letter, table, count] of tables) {
    const rows = Array.from({ length: count }, (_, index) => row(letter, index + 1));
    assert.deepEqual(Object.keys(table).sort(), rows.sort());
    for (const [id, entry] of Object.entries(table)) {
      const said = typeof entry === "string" ? entry.length >= 20 : entry.length > 0;
      assert(said, `${id} has neither a test nor a reason`);
    }
  }
});

Deno.test("behaviours: the listed tests are those whose names begin with the number of the row", () => {
  const listed = tables.flatMap(([, table]) =>
    Object.values(table).flatMap((entry) => typeof entry === "string" ? [] : [...entry])
  );
  assert.deepEqual([...new Set(listed)].sort(), [...testNames()].sort());
});

Deno.test("behaviours: a test is listed at the row whose number its name begins with", () => {
  for (const [, table] of tables) {
    for (const [id, entry] of Object.entries(table)) {
      if (typeof entry === "string") continue;
      for (const name of entry) assert(name.startsWith(`${id} `), `${name} stands at ${id}`);
    }
  }
});

function row(letter: string, number: number): string {
  return `${letter}${letter === "F" ? String(number).padStart(2, "0") : number}`;
}
