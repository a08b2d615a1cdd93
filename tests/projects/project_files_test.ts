/** The Dockerfile and the workflow of a new project, read by BuildKit's parser and by actionlint. */
import assert from "node:assert/strict";
import { diskFiles, initProject, writeFiles } from "../../lib/project/mod.ts";
import { findProjectTool, runTool } from "../project_tools/project_tools.ts";

Deno.test("BuildKit and actionlint have no finding in the files of a new project, and find a fault", async () => {
  const check = findProjectTool("project-check");
  if (check === undefined) return;
  for (const clone of [undefined, "/path/to/clone"]) {
    const folder = await Deno.makeTempDir();
    try {
      const { files } = initProject(folder, { name: "shop", domain: "example.com", clone });
      await writeFiles(folder, files, diskFiles);
      const { code, stdout } = await runTool(check, [folder]);
      assert.deepEqual([code, stdout], [0, ""]);
      const workflow = `${folder}/.github/workflows/ci.yaml`;
      const text = await Deno.readTextFile(workflow);
      await Deno.writeTextFile(workflow, text.replace("runs-on:", "run-on:"));
      await Deno.writeTextFile(`${folder}/Dockerfile`, "FROM scratch\nCOPPY a b\n");
      const broken = await runTool(check, [folder]);
      assert.equal(broken.code, 1);
      assert.match(broken.stdout, /COPPY/);
      assert.match(broken.stdout, /run-on/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
});
