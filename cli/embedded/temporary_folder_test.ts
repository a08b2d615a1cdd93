import assert from "node:assert/strict";
import { testContext } from "../../tests/support/command_line/cli_context.ts";
import { temporaryFolder } from "./temporary_folder.ts";

Deno.test("a temporary folder that was removed by another program is no error at the end", () => {
  const folder = temporaryFolder(testContext());
  assert(Deno.statSync(folder.path).isDirectory);
  Deno.removeSync(folder.path);
  folder[Symbol.dispose]();
  assert.throws(() => Deno.statSync(folder.path), Deno.errors.NotFound);
});
