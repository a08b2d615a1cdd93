/** The README's first operator, run as it says: the command of its first screen, on the files below it. */
import assert from "node:assert/strict";
import { blocksOf, blockWith } from "../support/command_line/page_blocks.ts";

Deno.test({
  name: "the command on the README's first screen runs the README's operator without a cluster",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const blocks = await blocksOf("README.md");
    assert.equal(blocks[0]?.language, "sh");
    const words = blocks[0].text.trim().split(" ");
    assert.deepEqual(words.splice(0, 2), ["kubectl", "xca"]);
    const folder = await Deno.makeTempDir();
    const operator = blockWith(blocks, "ts", "export default defineOperator");
    await Deno.writeTextFile(`${folder}/operator.ts`, operator);
    await Deno.writeTextFile(`${folder}/cr.yaml`, blockWith(blocks, "yaml", "kind: Greeting"));
    const plugin = new URL("../../plugin/kubectl-xca", import.meta.url).pathname;
    const { code, stdout, stderr } = await new Deno.Command(plugin, { args: words, cwd: folder })
      .output();
    await Deno.remove(folder, { recursive: true });
    const log = new TextDecoder().decode(stderr);
    assert.equal(new TextDecoder().decode(stdout), "1 reconciled, 0 failed, 0 scheduled\n", log);
    assert.equal(code, 0);
    assert.match(log, /Greeted .*name="first"/);
  },
});
