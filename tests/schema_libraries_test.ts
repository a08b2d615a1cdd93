/**
 * Runs the tests that load zod and valibot. They are a project of their own, so that the configuration
 * and lock file of this repository do not contain these packages. Each of them is a step here.
 */
import assert from "node:assert/strict";

const cwd = new URL("schema_libraries/", import.meta.url).pathname;

async function deno(...args: string[]): Promise<{ code: number; stdout: string; all: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), all: text(stdout) + text(stderr) };
}

Deno.test("schema libraries: the project passes format and lint of this repository", async () => {
  for (const command of [["fmt", "--check"], ["lint"]]) {
    const { code, all } = await deno(...command);
    assert.equal(code, 0, all);
  }
});

Deno.test("schema libraries: schemas of zod and valibot", async (t) => {
  const { code, stdout, all } = await deno("test", "-A", "--frozen", "--reporter=tap");
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (.*)$/gm)];
  assert(results.length > 10, all);
  for (const [, result, name] of results) {
    await t.step(name!, () => assert.equal(result, "ok", all));
  }
  assert.equal(code, 0, all);
});
