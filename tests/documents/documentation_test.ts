/**
 * The documentation as users meet it: each public function and class says what it is and shows how
 * it is used, in an example that the tasks `test` and `test:all` run.
 */
import assert from "node:assert/strict";
import { PACKAGES, PUBLIC_DOORS } from "../support/packaging/packages.ts";

const root = new URL("../../", import.meta.url);

/** Names that may go without an example, each with the reason. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {};

interface Declaration {
  readonly kind: string;
  readonly declarationKind: string;
  readonly location: { readonly filename: string; readonly line: number };
  readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly DocTag[] };
}

interface DocTag {
  readonly kind: string;
  readonly doc?: string;
}

interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

async function symbolsOf(door: string): Promise<readonly DocSymbol[]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", new URL(door, root).pathname],
    env: { NO_COLOR: "1" },
  }).output();
  const warnings = new TextDecoder().decode(stderr).replaceAll(/^Download .*\n/gm, "");
  assert.equal(warnings, "", `deno doc ${door} warns`);
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout));
  const files: readonly { symbols: readonly DocSymbol[] }[] = Object.values(nodes);
  return files.flatMap((file) => file.symbols);
}

/** An example that runs, being no `ts ignore`, and that can fail: `console.assert` only prints. */
function shows({ kind, doc = "" }: DocTag): boolean {
  return kind === "example" && /^```(ts|typescript)\s*$/m.test(doc) &&
    !doc.includes("console.assert");
}

function placeOf({ location }: Declaration): string {
  return `${location.filename.replace(root.href, "")}:${location.line}`;
}

Deno.test("documentation: every entry point without a warning; each public function and class has an example that runs", async () => {
  const missing = new Set<string>();
  const excused = new Set<string>();
  let count = 0;
  for (const door of PUBLIC_DOORS.values()) {
    for (const { name, declarations } of await symbolsOf(door)) {
      const called = declarations.filter(({ kind, declarationKind }) =>
        declarationKind === "export" && (kind === "function" || kind === "class")
      );
      const [first] = called;
      if (first === undefined) continue;
      count++;
      const documented = called.some(({ jsDoc }) => jsDoc?.doc !== undefined && jsDoc.doc !== "");
      if (!documented) missing.add(`${name} (${placeOf(first)}): no text`);
      if (called.some(({ jsDoc }) => jsDoc?.tags?.some(shows))) continue;
      if (name in WITHOUT_EXAMPLE) excused.add(name);
      else missing.add(`${name} (${placeOf(first)}): no example`);
    }
  }
  assert(count > 100, `only ${count} functions and classes found: does this test still look?`);
  assert.deepEqual([...missing].sort(), []);
  assert.deepEqual(
    Object.keys(WITHOUT_EXAMPLE).filter((name) => !excused.has(name)),
    [],
    "these have an example now, or are gone: take them from the list",
  );
});

Deno.test("documentation: each test that docs/cache.md names for an invariant exists", () => {
  const page = Deno.readTextFileSync(new URL("docs/cache.md", root)).replace(/\s+/g, " ");
  const holders = [...page.matchAll(/`(lib\/cache\/[a-z_/]+_test\.ts)`, "([^"]+)"/g)];
  assert.equal(holders.length, 5);
  for (const [, file, name] of holders) {
    const text = Deno.readTextFileSync(new URL(file!, root));
    assert.ok(text.includes(name!), `${file} has no test "${name}"`);
  }
});

Deno.test("documentation: the README of each package lists each of its public entry points", () => {
  for (const { folder, doors } of PACKAGES) {
    const page = Deno.readTextFileSync(new URL(`${folder}README.md`, root));
    const missing = [...doors.keys()]
      .filter((door) => PUBLIC_DOORS.has(door) && !page.includes(`\`${door}\``))
      .filter((door) => !page.includes(`# ${door}\n`));
    assert.deepEqual(missing, [], `${folder}README.md`);
  }
});
