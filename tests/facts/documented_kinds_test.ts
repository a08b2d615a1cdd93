import assert from "node:assert/strict";
import { ResourceTable } from "../../lib/apiserver/resources/resource_table.ts";

const page = await Deno.readTextFile(new URL("../../docs/embedded_server.md", import.meta.url));

/** The kinds in the table below a heading, as `Pod` and `Deployment.apps`. */
function documented(heading: string): string[] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const kinds: string[] = [];
  for (const line of section.split("\n## ")[0]!.split("\n")) {
    const [, group, names] = /^\| (?:core|`([^`]+)`) +\| ([A-Z][^|]*?) *\|$/.exec(line) ?? [];
    if (names === undefined) continue;
    kinds.push(...names.split(", ").map((kind) => group ? `${kind}.${group}` : kind));
  }
  return kinds.sort();
}

Deno.test("the page on the embedded server lists the checks of each kind", () => {
  const checked = new Set<string>();
  const structure = new Set<string>();
  for (const { group, kind, verbs, strategy } of ResourceTable.builtin().all()) {
    // Kinds that cannot be created, such as component statuses, are not checked.
    if (!verbs.includes("list") || !verbs.includes("create")) continue;
    const name = group === "" ? kind : `${kind}.${group}`;
    // All that there is to check of a service account is its name.
    const isChecked = strategy.validateCreate !== undefined || strategy.validateName !== undefined;
    (isChecked ? checked : structure).add(name);
  }
  assert.deepEqual(documented("Kinds with defaults and validation"), [...checked].sort());
  assert.deepEqual(documented("Kinds with their structure alone"), [...structure].sort());
});
