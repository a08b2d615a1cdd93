/** Tests of the commands that generate manifests, in process, and of their wrong input. */
import assert from "node:assert/strict";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { runCli } from "./app.ts";

const OPERATOR =
  new URL("../tests/support/operators/project_operator.ts", import.meta.url).pathname;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes a folder with a project of the operator of these tests, and removes it afterwards. */
async function inProject(
  work: (folder: string, xca: (line: string) => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const xca = async (line: string): Promise<Outcome> => {
    const context = testContext();
    const importModule = (specifier: string): Promise<unknown> => import(`file://${specifier}`);
    const args = line.replaceAll("F/", `${folder}/`).split(" ");
    const code = await runCli(args, { ...context, importModule });
    const shown = (text: string): string => text.replaceAll(`${folder}/`, "F/");
    return { code, stdout: shown(context.stdout()), stderr: shown(context.stderr()) };
  };
  try {
    await Deno.mkdir(`${folder}/p`);
    await Deno.writeTextFile(`${folder}/p/operator.ts`, `export { default } from "${OPERATOR}";\n`);
    await Deno.writeTextFile(`${folder}/p/xca.json`, '{ "name": "post", "domain": "example.org" }');
    await work(folder, xca);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("manifests: the same text each time, and --check names each file that differs", () =>
  inProject(async (folder, xca) => {
    const first = await xca("manifests F/p/");
    assert.equal(first.code, 0, first.stderr);
    assert.equal((await xca("manifests F/p/operator.ts")).stdout, first.stdout);
    const written = await xca("manifests F/p/ --output F/out");
    assert.match(written.stdout, /\+ crds\.yaml\n(\+ .*\n)+/);
    assert.equal((await xca("manifests F/p/ --output F/out --check")).code, 0);
    await Deno.writeTextFile(`${folder}/out/rbac.yaml`, "kind: List\n");
    await Deno.remove(`${folder}/out/crds.yaml`);
    const checked = await xca("manifests F/p/ --output F/out --replicas 3 --check");
    assert.deepEqual([checked.code, checked.stdout.trim().split("\n").sort()], [1, [
      "edited: F/out/rbac.yaml",
      "missing: F/out/crds.yaml",
      "outdated: F/out/manager.yaml",
    ]]);
    const refused = await xca("manifests F/p/ --output F/out");
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /^error: rbac\.yaml of .* nothing was written; --force replaces it/,
    );
    assert.equal((await xca("manifests F/p/ --output F/out --force")).code, 0);
  }));

Deno.test("build-installer writes one file, the text of manifests", () =>
  inProject(async (folder, xca) => {
    const { code, stderr } = await xca("build-installer F/p/");
    assert.equal(code, 0, stderr);
    const text = await Deno.readTextFile(`${folder}/p/dist/install.yaml`);
    assert.equal(text, (await xca("manifests F/p/")).stdout);
    assert.equal((await xca("build-installer F/p/ --check")).code, 0);
    assert.equal((await xca("build-installer F/p/ --check --image post:2")).code, 1);
  }));

Deno.test("commands on projects: wrong input gives one line and the exit code 2", () =>
  inProject(async (folder, xca) => {
    await Deno.mkdir(`${folder}/other`);
    await Deno.writeTextFile(
      `${folder}/other/operator.ts`,
      `export { default } from "${OPERATOR}";`,
    );
    await Deno.writeTextFile(
      `${folder}/other/xca.json`,
      '{ "name": "mail", "domain": "example.org" }',
    );
    const rows: [string, RegExp][] = [
      ["manifests F/p/ --format helm", /--format helm makes several files: name their folder/],
      [
        "manifests F/p/ --format tar",
        /--format must be one of yaml, kustomize, helm, olm, is "tar"/,
      ],
      ["manifests F/p/ --check", /--check compares a folder: name it with --output/],
      ["manifests F/p/ --force", /--force is about files/],
      [
        "manifests F/p/ --format olm --output F/o --certificates own",
        /OLM issues the certificates/,
      ],
      ["manifests F/p/ --replicas many", /--replicas must be a number/],
      ["manifests F/p/ --image Bad", /--image "Bad" must be the name of an image/],
      ["manifests F/p/ --image a:b:c", /--image "a:b:c" must be/],
      ["manifests F/p/ --system-namespace A", /"A" cannot be a namespace/],
      ["manifests F/p/ --certificates acme", /--certificates must be one of own, cert-manager/],
      ["manifests F/p/ --package-version 1", /--package-version must be a version/],
      ["manifests F/p/ --output F/p/xca.json", /cannot write F\/p\/xca\.json: .* is a file/],
      ["manifests F/nowhere", /"F\/nowhere" is no folder of a project and no module/],
      ["manifests F/nowhere.ts", /cannot load module F\/nowhere\.ts/],
      ["manifests F/other/", /names the project mail, and operator\.ts the operator post/],
      ["bundle F/p/ -n Shop", /--namespace "Shop" cannot be a namespace/],
      ["deploy F/p/ --timeout soon", /--timeout must be a duration/],
      ["undeploy F/p/ --keep-crds --force", /--keep-crds keeps all objects/],
      ["deploy F/p/ --kubeconfig F/none", /no kubeconfig at F\/none/],
    ];
    for (const [line, message] of rows) {
      const { code, stdout, stderr } = await xca(line);
      assert.deepEqual([code, stdout], [2, ""], `${line}: ${stderr}`);
      assert.match(stderr, message);
      const lines = stderr.trim().split("\n").filter((each) => !each.startsWith("See '"));
      assert.equal(lines.length, 1, stderr);
    }
  }));
