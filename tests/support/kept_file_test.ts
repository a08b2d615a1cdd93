import assert from "node:assert/strict";
import { assertKept, isUpdate } from "./kept_file.ts";

Deno.test({
  name: "kept file: a difference names the line and the command that writes the file anew",
  ignore: isUpdate,
  fn: async () => {
    const path = "tests/support/kept_file.ts";
    const text = await Deno.readTextFile(new URL("../../" + path, import.meta.url));
    await assertKept(path, text, "tests/a_test.ts");
    const [first, ...rest] = text.split("\n");
    for (
      const [changed, line] of [
        [["other", ...rest].join("\n"), 1],
        [text + "more\n", text.split("\n").length],
        [`${first}\n`, 2],
      ] as const
    ) {
      await assert.rejects(assertKept(path, changed, "tests/a_test.ts"), (error: Error) => {
        assert.match(error.message, new RegExp(`^${path} is out of date from line ${line} on:`));
        assert.match(error.message, /XCA_UPDATE=1 deno test -A tests\/a_test\.ts$/);
        return true;
      });
    }
  },
});
