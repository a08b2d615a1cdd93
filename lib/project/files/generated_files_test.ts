import assert from "node:assert/strict";
import { generatedText } from "../formats/generated_text.ts";
import { ProjectError } from "../project.ts";
import { diskFiles } from "./disk_files.ts";
import { compareGenerated, writeGenerated } from "./generated_files.ts";

const ROLE = { path: "base/rbac.yaml", text: generatedText("kind: Role\n") };
const CRDS = { path: "base/crds.yaml", text: generatedText("kind: CustomResourceDefinition\n") };

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("writeGenerated() writes the same files twice without a change", () =>
  inFolder(async (folder) => {
    const first = await writeGenerated(folder, [ROLE, CRDS], diskFiles);
    assert.deepEqual(first.written.map(({ change }) => change), ["created", "created"]);
    const second = await writeGenerated(folder, [ROLE, CRDS], diskFiles);
    assert.deepEqual(second.written.map(({ change }) => change), ["unchanged", "unchanged"]);
    assert.deepEqual(await compareGenerated(folder, [ROLE, CRDS], diskFiles), []);
  }));

Deno.test("writeGenerated() replaces generated files, and removes those that are no longer needed", () =>
  inFolder(async (folder) => {
    await writeGenerated(folder, [ROLE, CRDS], diskFiles);
    await Deno.writeTextFile(`${folder}/base/own.yaml`, "kind: ConfigMap\n");
    const role = { ...ROLE, text: generatedText("kind: ClusterRole\n") };
    assert.deepEqual(await compareGenerated(folder, [role], diskFiles), [
      { path: "base/rbac.yaml", kind: "outdated" },
      { path: "base/crds.yaml", kind: "stale" },
    ]);
    const { written, removed } = await writeGenerated(folder, [role], diskFiles);
    assert.deepEqual(written, [{ path: "base/rbac.yaml", change: "changed" }]);
    assert.deepEqual(removed, ["base/crds.yaml"]);
    assert.deepEqual(await diskFiles.list(`${folder}/base`), ["own.yaml", "rbac.yaml"]);
  }));

Deno.test("writeGenerated() keeps the generated files of folders that it does not write into", () =>
  inFolder(async (folder) => {
    const others = ["dist/install.yaml", "other/base/crds.yaml", "base/more/crds.yaml"]
      .map((path) => ({ ...CRDS, path }));
    await writeGenerated(folder, others, diskFiles);
    for (const generated of [[ROLE], [{ ...ROLE, path: "rbac.yaml" }]]) {
      const { removed } = await writeGenerated(folder, generated, diskFiles);
      assert.deepEqual(removed, []);
      assert.deepEqual(await compareGenerated(folder, generated, diskFiles), []);
    }
  }));

Deno.test("writeGenerated() replaces an edited or foreign file by force alone, and names it", () =>
  inFolder(async (folder) => {
    await writeGenerated(folder, [ROLE], diskFiles);
    const edited = `${ROLE.text}rules: []\n`;
    await Deno.writeTextFile(`${folder}/base/rbac.yaml`, edited);
    await Deno.writeTextFile(`${folder}/base/crds.yaml`, "kind: ConfigMap\n");
    await assert.rejects(
      writeGenerated(folder, [ROLE, CRDS], diskFiles),
      (error) =>
        error instanceof ProjectError &&
        /^base\/rbac\.yaml, base\/crds\.yaml of .* are not as generated/.test(error.message),
    );
    assert.equal(await Deno.readTextFile(`${folder}/base/rbac.yaml`), edited);
    await writeGenerated(folder, [ROLE, CRDS], diskFiles, { force: true });
    assert.deepEqual(await compareGenerated(folder, [ROLE, CRDS], diskFiles), []);
  }));
