/**
 * Runs the tests that load `@kubernetes/client-node`. They are a project of their own, so that the
 * configuration and lock file of this repository do not contain the package. Each of them is a step
 * here.
 */
import assert from "node:assert/strict";
import { CLIENT_NODE_PROJECT } from "./support/packaging/client_node.ts";

const cwd = CLIENT_NODE_PROJECT.pathname;

async function deno(...args: string[]): Promise<{ code: number; stdout: string; all: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), all: text(stdout) + text(stderr) };
}

Deno.test("client-node: the project passes format and lint of this repository", async () => {
  for (const command of [["fmt", "--check"], ["lint"]]) {
    const { code, all } = await deno(...command);
    assert.equal(code, 0, all);
  }
});

Deno.test("client-node: interoperation, legacy logins and models", async (t) => {
  const sanitizers = ["--sanitize-ops", "--sanitize-resources"];
  const { code, stdout, all } = await deno("test", "-A", ...sanitizers, "--reporter=tap");
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (.*)$/gm)];
  assert(results.length > 5, all);
  for (const [, result, name] of results) {
    await t.step(name!, () => assert.equal(result, "ok", all));
  }
  assert.equal(code, 0, all);
});
