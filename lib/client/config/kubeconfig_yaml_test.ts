import assert from "node:assert/strict";
import { parseKubeconfigYaml } from "./kubeconfig_yaml.ts";

async function parse(text: string): Promise<unknown> {
  return await parseKubeconfigYaml(new TextEncoder().encode(text), "/k");
}

Deno.test("anchors, aliases and merge keys are followed, nearer keys win", async () => {
  const parsed = await parse("a: &a {x: 1, z: 1}\nb: {<<: *a, z: 2}\nc: *a\n");
  const a = new Map([["x", 1], ["z", 1]]);
  assert.deepEqual(parsed, new Map([["a", a], ["b", new Map([["x", 1], ["z", 2]])], ["c", a]]));
});

Deno.test("truth values are YAML 1.1's, as in kubectl; dates stay text", async () => {
  const parsed = await parse("a: yes\nb: 'yes'\nc: off\nd: true\ne: 2026-01-01\nf: ~\n");
  assert.deepEqual(
    parsed,
    new Map<string, unknown>([
      ["a", true],
      ["b", "yes"],
      ["c", false],
      ["d", true],
      ["e", "2026-01-01"],
      ["f", null],
    ]),
  );
});

Deno.test("only the first document counts; none is undefined; a byte order mark is skipped", async () => {
  assert.deepEqual(await parse("a: 1\n---\nb: 2\n"), new Map([["a", 1]]));
  assert.equal(await parse(""), undefined);
  assert.deepEqual(await parse("\uFEFFa: 1"), new Map([["a", 1]]));
});
