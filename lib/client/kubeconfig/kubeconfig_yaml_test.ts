import assert from "node:assert/strict";
import { parseKubeconfigYaml } from "./kubeconfig_yaml.ts";

async function parse(text: string): Promise<unknown> {
  return await parseKubeconfigYaml(new TextEncoder().encode(text), "/k");
}

Deno.test("anchors, aliases and merge keys are resolved, and own keys take precedence", async () => {
  const parsed = await parse("a: &a {x: 1, z: 1}\nb: {<<: *a, z: 2}\nc: *a\n");
  const a = new Map([["x", 1], ["z", 1]]);
  assert.deepEqual(parsed, new Map([["a", a], ["b", new Map([["x", 1], ["z", 2]])], ["c", a]]));
});

Deno.test("booleans are those of YAML 1.1, as in kubectl; dates are texts", async () => {
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

Deno.test("only the first document is read, no document is undefined, and a byte order mark is skipped", async () => {
  assert.deepEqual(await parse("a: 1\n---\nb: 2\n"), new Map([["a", 1]]));
  assert.equal(await parse(""), undefined);
  assert.deepEqual(await parse("\uFEFFa: 1"), new Map([["a", 1]]));
});

Deno.test("UTF-16 with a byte order mark is read, as shells of Windows write it", () => {
  for (const littleEndian of [true, false]) {
    const view = new DataView(new ArrayBuffer(14));
    for (const [at, unit] of [..."\uFEFFa: \u00fc\r\n"].entries()) {
      view.setUint16(2 * at, unit.charCodeAt(0), littleEndian);
    }
    const bytes = new Uint8Array(view.buffer);
    assert.deepEqual(parseKubeconfigYaml(bytes, "/k"), new Map([["a", "\u00fc"]]));
    assert.throws(() => parseKubeconfigYaml(bytes.subarray(0, 13), "/k"), /not UTF-8 text/);
  }
});

Deno.test("aliases may expand to many values, but not beyond the limit, and not to themselves", async () => {
  const tenfold = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => {
      const item = level === 0 ? "x" : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(10).fill(item).join(", ")}]`;
    }).join("\n");
  assert.equal((await parse(tenfold(5)) as Map<string, unknown>).size, 5);
  for (const text of [tenfold(6), tenfold(60), "a: &a [*a]", "a: &a {b: {c: *a}}"]) {
    await assert.rejects(parse(text), /more than 500000 values.*write out what its aliases/);
  }
});
