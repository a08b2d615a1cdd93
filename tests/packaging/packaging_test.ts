/** The published packages: their files, and projects elsewhere that import them. */
import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { PACKAGES } from "../support/packaging/packages.ts";
import {
  copyPackages,
  deno,
  FOREIGN,
  JSR_IMPORTS,
  lock,
  MAX_EMBEDDED_BYTES,
  MAX_OF_ALL_DOORS,
  publishedFiles,
  root,
  temporaryFolder,
} from "../support/packaging/packaging.ts";
import { standIn } from "../support/packaging/stand_in.ts";

Deno.test("packaging: each package is published whole, tests, examples and other packages are not", async () => {
  for (const each of PACKAGES) {
    const files = await publishedFiles(each);
    for (const door of each.doors.values()) assert(files.includes(door), door);
    for (const file of ["README.md", "LICENSE", "CHANGELOG.md", "deno.json"]) {
      assert(files.includes(`${each.folder}${file}`), `${each.name}: ${file}`);
    }
    const others = PACKAGES.map(({ folder }) => folder).filter((folder) =>
      folder !== each.folder && folder.startsWith(each.folder)
    );
    const strange = files.filter((path) =>
      path.includes("_test.") || !path.startsWith(each.folder) ||
      others.some((folder) => path.startsWith(folder)) ||
      !/^(lib\/|mod\.ts|README|LICENSE|CHANGELOG|deno\.json)/.test(path)
    );
    assert.deepEqual(strange, []);
  }
});

Deno.test("packaging: a project outside the repository imports every entry point by package name, and compiles", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await copyPackages(`${path}/package`);
  const project = {
    links: ["../package"],
    imports: JSR_IMPORTS,
    nodeModulesDir: "none",
    lock: false,
  };
  const doors = PACKAGES.flatMap((each) => [...each.doors.keys()]);
  const ofTypes = /\/(kubernetes-types|internal\/access)$/;
  const leastNames = doors.map((door) => ofTypes.test(door) ? 0 : 1);
  await Deno.mkdir(`${path}/project`);
  await Deno.writeTextFile(`${path}/project/deno.json`, JSON.stringify(project));
  await Deno.writeTextFile(
    `${path}/project/main.ts`,
    doors.map((door, i) => `import * as door${i} from "${door}";\n`).join("") +
      `const counts = [${doors.map((_, i) => `Object.keys(door${i}).length`).join(", ")}];\n` +
      `const least = ${JSON.stringify(leastNames)};\n` +
      `console.log(counts.every((n, i) => n >= least[i]!) ? "all doors open" : counts);\n`,
  );
  const cwd = `${path}/project`;
  const checked = await deno(["check", "main.ts"], { cwd });
  assert.equal(checked.code, 0, checked.stderr);
  const ran = await deno(["run", "--no-prompt", "main.ts"], { cwd });
  assert.equal(ran.stdout, "all doors open\n", ran.stderr);

  if (Deno.build.os !== "linux") return;
  const env = { DENORT_BIN: await standIn(path, { os: "linux", arch: "amd64" }) };
  const compiled = await deno(["compile", "--output=program", "main.ts"], { cwd, env });
  assert.equal(compiled.code, 0, compiled.stderr);
  const embedded = (await Deno.stat(`${cwd}/program`)).size -
    (await Deno.stat(env.DENORT_BIN)).size;
  assert(embedded < MAX_OF_ALL_DOORS, `a program with all doors embeds ${embedded} bytes`);
});

Deno.test("packaging: a compiled program contains only the modules it uses: no other client, no unused kinds", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const project = {
    links: [root.pathname],
    imports: JSR_IMPORTS,
    nodeModulesDir: "none",
    lock: false,
  };
  await Deno.writeTextFile(`${path}/deno.json`, JSON.stringify(project));
  await Deno.writeTextFile(
    `${path}/main.ts`,
    `import { controllerFor, createClient, defineOperator, Deployment, loadConfig, runOperator } from "${manifest.name}";
     import type { V1Deployment } from "${manifest.name}/kubernetes-types";
     const replicas = (web?: V1Deployment) => web?.spec?.replicas;
     const controller = controllerFor(Deployment).reconcile(({ cache, key }) => {
       console.log(replicas(cache.get(Deployment, key)));
     });
     const operator = defineOperator({ name: "o", controllers: [controller] });
     await runOperator(operator, { client: createClient(await loadConfig()) }).done;\n`,
  );
  const bundling = ["bundle", "--minify", "--platform=deno", "--output=main.js", "main.ts"];
  const bundled = await deno(bundling, { cwd: path });
  assert.equal(bundled.code, 0, bundled.stderr);
  const text = await Deno.readTextFile(`${path}/main.js`);
  assert(text.includes("deployments.v1.apps") && text.length > 50_000);
  assert(text.length < 500_000, `the bundle has ${text.length} bytes`);
  assert(!text.includes("validatingadmissionpolicies.v1"), "it has kinds that it does not name");

  const least = `import { keyOf } from "${manifest.name}"; console.log(keyOf({ key: "a" }));\n`;
  await Deno.writeTextFile(`${path}/least.ts`, least);
  const small = await deno([...bundling.slice(0, -1), "least.ts"], { cwd: path });
  assert.equal(small.code, 0, small.stderr);
  const bytes = (await Deno.stat(`${path}/main.js`)).size;
  assert(bytes < text.length / 2, `a program that runs no operator has ${bytes} bytes`);

  if (Deno.build.os !== "linux") return;
  const DENORT_BIN = await standIn(path, { os: "linux", arch: "amd64" });
  const args = ["compile", "--output=program", "main.ts"];
  const compiled = await deno(args, { cwd: path, env: { DENORT_BIN } });
  assert.equal(compiled.code, 0, compiled.stderr);
  const embedded = (await Deno.stat(`${path}/program`)).size - (await Deno.stat(DENORT_BIN)).size;
  assert(embedded < 2 * MAX_EMBEDDED_BYTES, `the program embeds ${embedded} bytes`);
});

/** The most npm packages that an operator brings, with those that they depend on. */
const MAX_PACKAGES = 10;

Deno.test("packaging: an operator has ten npm packages at most, in its graph and in its lock file", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const project = { links: [root.pathname], imports: JSR_IMPORTS, nodeModulesDir: "none" };
  await Deno.writeTextFile(`${path}/deno.json`, JSON.stringify(project));
  const readme = await Deno.readTextFile(new URL("README.md", root));
  const [, operator = ""] =
    /```ts\n((?:(?!```)[^])*export default defineOperator[^]*?)```/.exec(readme) ?? [];
  const main = `import operator from "./operator.ts";
    import { createClient, loadConfig, runOperator, startLogging } from "${manifest.name}";
    await using _logging = await startLogging();
    await runOperator(operator, { client: createClient(await loadConfig()) }).done;\n`;
  const kit = `import { ApiServer } from "${manifest.name}/testing";\nvoid ApiServer;\n`;
  await Deno.writeTextFile(`${path}/operator.ts`, operator);
  const programs = { "main.ts": main, "kit.ts": kit };
  for (const [file, text] of Object.entries(programs)) {
    await Deno.writeTextFile(`${path}/${file}`, text);
    const cached = await deno(["cache", file], { cwd: path });
    assert.equal(cached.code, 0, cached.stderr);
    const info = await deno(["info", "--json", file], { cwd: path });
    const graph = Object.keys(JSON.parse(info.stdout).npmPackages);
    assert(graph.length > 0 && graph.length <= MAX_PACKAGES, `${file}: ${graph.join(", ")}`);
    assert.deepEqual(graph.filter((name) => FOREIGN.test(name)), [], file);
  }
  const own = JSON.parse(await Deno.readTextFile(`${path}/deno.lock`));
  const locked = Object.keys(own.npm);
  assert(locked.length > 0 && locked.length <= MAX_PACKAGES, locked.join(", "));
  assert(!JSON.stringify(own).includes("client-node"), "the lock file names client-node");
});

Deno.test("packaging: client-node is in the configuration and lock file of its tests alone", async () => {
  const named = async (file: string): Promise<boolean> =>
    (await Deno.readTextFile(new URL(file, root))).includes("client-node@");
  for (const { folder } of PACKAGES) assert(!await named(`${folder}deno.json`), folder);
  assert.deepEqual(Object.keys(lock.npm).filter((name) => FOREIGN.test(name)), []);
  assert(await named("tests/client_node/deno.json") && await named("tests/client_node/deno.lock"));
});
