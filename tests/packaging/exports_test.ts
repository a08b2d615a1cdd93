/**
 * The public names of each entry point as a snapshot, so that an added or removed name is visible in
 * the diff of `tests/packaging/exports.json`. `XCA_UPDATE=1 deno test -A tests/packaging/exports_test.ts` writes it anew.
 */
import assert from "node:assert/strict";
import { assertKept } from "../support/kept_file.ts";
import { PUBLIC_DOORS } from "../support/packaging/packages.ts";

const snapshot = new URL("exports.json", import.meta.url);
const root = new URL("../../", import.meta.url);

interface Declaration {
  readonly location: { readonly filename: string };
}

interface DocNode extends Partial<Declaration> {
  readonly name: string;
  readonly declarations?: readonly Declaration[];
}

/** Returns the files that declare each public name of an entry point. */
async function declarationsOf(door: string): Promise<Map<string, Set<string>>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", new URL(door, root).pathname],
    stderr: "inherit",
  }).output();
  const doc = JSON.parse(new TextDecoder().decode(stdout));
  const nodes: DocNode[] = doc.nodes instanceof Array
    ? doc.nodes
    : Object.values(doc.nodes as Record<string, { symbols: DocNode[] }>).flatMap((file) =>
      file.symbols
    );
  const files = new Map<string, Set<string>>();
  for (const { name, location, declarations = location ? [{ location }] : [] } of nodes) {
    if (name === "") continue;
    const declaring = files.get(name) ?? new Set();
    for (const each of declarations) declaring.add(each.location.filename);
    files.set(name, declaring);
  }
  return files;
}

/** The names by which a package exports its own subtype of a declaration of another package. */
const SUBTYPES = ["ApiServer", "ApiServerOptions"];

Deno.test("exports: the public names are those of the snapshot, and each has one meaning in all entry points", async () => {
  const doors: Record<string, string[]> = {};
  const everywhere = new Map<string, Set<string>>();
  for (const [door, file] of PUBLIC_DOORS) {
    const declarations = await declarationsOf(file);
    doors[door] = [...declarations.keys()].sort();
    for (const [name, files] of declarations) {
      everywhere.set(name, (everywhere.get(name) ?? new Set()).union(files));
    }
  }
  const ambiguous = [...everywhere]
    .filter(([name, files]) => files.size !== (SUBTYPES.includes(name) ? 2 : 1));
  assert.deepEqual(ambiguous, [], "a public name is declared in more than one file");
  for (const [path, names] of Object.entries(doors)) assert(names.length > 0, `${path} is empty`);
  const text = `${JSON.stringify(doors, null, 2)}\n`;
  await assertKept("tests/packaging/exports.json", text, "tests/packaging/exports_test.ts");
});

/** The largest number of names of an entry point, so that its users can learn it. */
const MAX_NAMES: Readonly<Record<string, number>> = {
  "@xca/operator/client": 150,
  "@xca/operator/cache": 35,
};

for (const [entry, max] of Object.entries(MAX_NAMES)) {
  Deno.test(`exports: ${entry} has at most ${max} names`, async () => {
    const names = JSON.parse(await Deno.readTextFile(snapshot))[entry] as readonly string[];
    assert(names.length > 0 && names.length <= max, `${entry} has ${names.length} names`);
  });
}
