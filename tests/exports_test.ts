/**
 * The public names, door by door, as a snapshot: a name that comes or goes is a change that users
 * see, and stands in the diff of `tests/exports.json`. `XCA_UPDATE=1 deno test -A tests/exports_test.ts`
 * writes it anew.
 */
import assert from "node:assert/strict";
import { PUBLIC_DOORS } from "./support/packages.ts";

const snapshot = new URL("exports.json", import.meta.url);
const root = new URL("../", import.meta.url);

interface DocNode {
  readonly name: string;
  readonly kind?: string;
  readonly declarations?: readonly { readonly kind: string }[];
}

async function namesOf(door: string): Promise<string[]> {
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
  return [...new Set(nodes.map((node) => node.name))].filter((name) => name !== "").sort();
}

Deno.test("exports: the public names are those of the snapshot", async () => {
  const doors: Record<string, string[]> = {};
  for (const [name, file] of PUBLIC_DOORS) doors[name] = await namesOf(file);
  for (const [path, names] of Object.entries(doors)) assert(names.length > 0, `${path} is empty`);
  if (Deno.env.get("XCA_UPDATE") === "1") {
    await Deno.writeTextFile(snapshot, `${JSON.stringify(doors, null, 2)}\n`);
  }
  assert.deepEqual(doors, JSON.parse(await Deno.readTextFile(snapshot)));
});
