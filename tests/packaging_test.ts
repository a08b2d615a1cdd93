/**
 * What reaches users: the published files, the bundle, the binary, krew's manifest, the bill of
 * materials. Each is made as a release makes it, and used as its users do.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { load } from "js-yaml";
import manifest from "../deno.json" with { type: "json" };
import { archiveName, krewManifest } from "../plugin/krew.ts";
import { compilePlugin, compilerProblem, PERMISSIONS, PLATFORMS } from "../plugin/compile.ts";
import { onDemand } from "../plugin/on_demand.ts";
import { packagePlugin, pathLine } from "../plugin/package.ts";
import { components, sbom } from "../plugin/sbom.ts";
import { type Package, PACKAGES } from "./support/packages.ts";
import { standIn } from "./support/stand_in.ts";

/** The most that may be embedded beside the runtime. */
const MAX_EMBEDDED_BYTES = 5 * 1024 * 1024;

/** The most that a program embeds that imports every door: the sources of the API server, mostly. */
const MAX_OF_ALL_DOORS = 20 * 1024 * 1024;

/** How a bill of materials is named. */
const UUID_URN = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const root = new URL("../", import.meta.url);

/** The packages as a project elsewhere imports them. */
const JSR_IMPORTS = Object.fromEntries(
  PACKAGES.map(({ name, version }) => [name, `jsr:${name}@^${version}`]),
);
const lock: { npm: Record<string, { integrity: string }> } = JSON.parse(
  Deno.readTextFileSync(new URL("deno.lock", root)),
);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `deno info --json` says. */
interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly { readonly specifier: string; readonly isDynamic?: true }[];
  }[];
}

async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    ...options,
    env: { NO_COLOR: "1", ...options.env },
  }).output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

function deno(
  args: readonly string[],
  options?: { cwd?: string; env?: Record<string, string> },
): Promise<Outcome> {
  return run(Deno.execPath(), args, options);
}

/** A folder that goes with the test. */
async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The files of a package that `deno publish` would upload, as paths from the root. */
async function publishedFiles({ folder }: Package): Promise<string[]> {
  const args = ["publish", "--dry-run", "--allow-dirty", "--no-check"];
  const { stdout, stderr } = await deno(args, { cwd: new URL(folder, root).pathname });
  return [...(stdout + stderr).matchAll(/file:\/\/\S+/g)]
    .map(([url]) => url)
    .filter((url) => url.startsWith(root.href))
    .map((url) => url.slice(root.href.length));
}

/** Copies the files of all packages that would be uploaded into a folder. */
async function copyPackages(folder: string): Promise<void> {
  for (const file of (await Promise.all(PACKAGES.map(publishedFiles))).flat()) {
    const copy = `${folder}/${file}`;
    await Deno.mkdir(dirname(copy), { recursive: true });
    await Deno.copyFile(new URL(file, root), copy);
  }
}

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

Deno.test("packaging: a project elsewhere imports every door by its package's name, and compiles", async () => {
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

Deno.test("packaging: a program carries what it uses: no client of another's, no kinds that it does not name", async () => {
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

/** The packages that nobody has who did not ask for them: client-node, and what it depends on. */
const FOREIGN = /^(@kubernetes\/|undici|openid-client|jsonpath-plus|@types\/)/;

Deno.test("packaging: an operator brings ten npm packages at most, in its graph and in its lock file", async () => {
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
    const checked = await deno(["check", file], { cwd: path });
    assert.equal(checked.code, 0, checked.stderr);
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

Deno.test("packaging: the plugin's folder runs from anywhere, through a link, without its sources", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await packagePlugin(`${path}/plugin`);
  await Deno.mkdir(`${path}/bin`);
  await Deno.symlink("../plugin/kubectl-xca", `${path}/bin/kubectl-xca`);
  const task = ["run", "-A", new URL("plugin/package.ts", root).pathname];
  const again = await deno([...task, `${path}/plugin`]); // Over what an earlier version left.
  assert.match(again.stdout, /\nexport PATH=\/.*\/plugin:"\$PATH"\n$/, again.stderr);
  let bytes = 0;
  for await (const { name } of Deno.readDir(`${path}/plugin/kubectl-xca.d`)) {
    bytes += (await Deno.stat(`${path}/plugin/kubectl-xca.d/${name}`)).size;
  }
  assert(bytes > 100_000 && bytes < 2 * 1024 * 1024, `the bundle has ${bytes} bytes`);

  const PATH = `${path}/plugin:${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`;
  const version = await run(`${path}/bin/kubectl-xca`, ["version"], { cwd: path, env: { PATH } });
  assert.match(version.stdout, new RegExp(`^kubectl-xca ${manifest.version} `), version.stderr);
  const usage = await run(`${path}/bin/kubectl-xca`, ["frobnicate"], { cwd: path, env: { PATH } });
  assert.equal(usage.code, 2);
  const words = await run(`${path}/plugin/kubectl_complete-xca`, ["sta"], {
    cwd: path,
    env: { PATH },
  });
  assert.match(words.stdout, /^status\t.*\n:4\n$/);
});

Deno.test("packaging: run uses the library of the user's project, in its version, and says which", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await packagePlugin(`${path}/plugin`);
  const version = "9.9.9-of-the-project";
  await copyPackages(`${path}/package`);
  const agent = `${path}/package/lib/client/transport/user_agent.ts`;
  const text = await Deno.readTextFile(agent);
  assert(text.includes(`"${manifest.version}"`));
  await Deno.writeTextFile(agent, text.replace(`"${manifest.version}"`, `"${version}"`));
  await Deno.mkdir(`${path}/project`);
  const project = {
    links: ["../package"],
    imports: JSR_IMPORTS,
    lock: false,
  };
  await Deno.writeTextFile(`${path}/project/deno.json`, JSON.stringify(project));
  await Deno.writeTextFile(
    `${path}/project/operator.ts`,
    `import { ConfigMap, controllerFor, defineOperator } from "${manifest.name}";
     const controller = controllerFor(ConfigMap).reconcile(() => {});
     export default defineOperator({ name: "mine", controllers: [controller] });`,
  );
  const args = ["run", "./operator.ts", "--embedded", "--once", "--audit", "audit.log"];
  const PATH = `${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`;
  const cwd = `${path}/project`;
  const { code, stderr } = await run(`${path}/plugin/kubectl-xca`, args, { cwd, env: { PATH } });
  assert.equal(code, 0, stderr);
  assert(stderr.includes(`library="${version}"`), stderr);
  assert(!stderr.includes("does not bring"), stderr);
  const audit = await Deno.readTextFile(`${cwd}/audit.log`);
  const watches = audit.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ verb, objectRef }) => verb === "watch" && objectRef?.resource === "configmaps");
  assert(watches.length > 0);
  for (const { userAgent } of watches) {
    assert.match(userAgent, /^xca-operator\/9\.9\.9-of-the-project /);
  }
});

Deno.test("packaging: the line that puts the plugin on PATH takes a folder as it is named", async () => {
  for (const folder of ["/a", "/a b/$HOME", '/`id`\'s "x"']) {
    const line = `PATH=/bin; ${pathLine(folder)}; echo "$PATH"`;
    const { stdout } = await run("/bin/sh", ["-c", line], {});
    assert.equal(stdout, `${folder}:/bin\n`);
  }
});

Deno.test("packaging: a folder that the plugin cannot be written into is told in one line", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  const task = ["run", "-A", new URL("plugin/package.ts", root).pathname];
  const { code, stdout, stderr } = await deno([...task, `${folder.path}/file`]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^error: Cannot put the plugin together in .*\/file: .*: deno task plugin FOLDER\n$/,
  );
});

Deno.test("packaging: the command line reads no more at its start than it runs", async () => {
  await using folder = await temporaryFolder();
  await packagePlugin(folder.path);
  const main = `${folder.path}/kubectl-xca.d/main.js`;
  const { stdout, stderr } = await deno(["info", "--json", "--no-config", main]);
  const { modules }: ModuleGraph = JSON.parse(stdout);
  assert(modules.length > 0, stderr);
  const dynamic = modules.flatMap(({ dependencies = [] }) => dependencies)
    .filter(({ specifier, isDynamic }) => isDynamic && specifier.startsWith("."));
  assert.deepEqual(dynamic, [], "read ahead, whether it comes to that or not");
  const builtins = modules.map(({ specifier }) => specifier).filter((each) => /^node:/.test(each));
  const spared = ["node:fs", "node:child_process", "node:module"];
  assert.deepEqual(builtins.filter((each) => spared.includes(each)), []);
});

Deno.test("packaging: a bundled file loads on demand, and otherwise stays as it was", async () => {
  assert.equal(
    onDemand('import a from "./a.js";a("import(x)");'),
    'import a from "./a.js";a("import(x)");',
  );
  await using folder = await temporaryFolder();
  const bundled = [
    'import {createRequire as $c} from "node:module";var q$=$c(import.meta.url);',
    'import $f from"node:fs";import {join} from "node:path";',
    'const {two}=await import("./b-X1.js");',
    'console.log(two,q$("node:os").EOL==="\\n",$f.existsSync(join("/","nowhere","at all")));',
  ].join("");
  await Deno.writeTextFile(`${folder.path}/b-X1.js`, "export const two=2;");
  await Deno.writeTextFile(`${folder.path}/a.js`, onDemand(bundled));
  const args = ["run", "--no-config", "--allow-read", "--allow-env", `${folder.path}/a.js`];
  const { stdout, stderr } = await deno(args);
  assert.equal(stdout, "2 true false\n", stderr);
});

Deno.test("packaging: the binary of each platform embeds less than 5 MB", async () => {
  await using folder = await temporaryFolder();
  for (const platform of PLATFORMS) {
    const DENORT_BIN = await standIn(folder.path, platform);
    const path = await compilePlugin(folder.path, platform, { DENORT_BIN });
    const embedded = (await Deno.stat(path)).size - (await Deno.stat(DENORT_BIN)).size;
    assert(embedded > 100_000, `${path} embeds only ${embedded} bytes`);
    assert(embedded < MAX_EMBEDDED_BYTES, `${path} embeds ${embedded} bytes`);
  }
});

Deno.test("packaging: a binary that cannot be compiled leaves the one that was there", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const linux = PLATFORMS[0]!;
  const binary = await compilePlugin(path, linux, { DENORT_BIN: await standIn(path, linux) });
  const { size } = await Deno.stat(binary);
  const DENORT_BIN = `${path}/missing`;
  await assert.rejects(
    compilePlugin(path, linux, { DENORT_BIN }),
    /^Error: Cannot compile .*kubectl-xca-linux-amd64: [^]*missing/,
  );
  assert.deepEqual([...Deno.readDirSync(path)].map(({ name }) => name), [
    "kubectl-xca-linux-amd64",
  ]);
  assert.equal((await Deno.stat(binary)).size, size);
});

Deno.test("packaging: who cannot fetch the runtime to compile into is told of DENORT_BIN", () => {
  const zip = "https://dl.deno.land/release/v2.9.6/denort-x86_64-unknown-linux-gnu.zip";
  const why = `error sending request for url (${zip}): client error (Connect): tcp connect error`;
  const stderr = "Compile main.mjs to kubectl-xca\nerror: Writing deno compile executable to " +
    `temporary file 'kubectl-xca.tmp-1'\n\nCaused by:\n    0: Setting up base binary.\n    1: ${why}\n`;
  assert.equal(
    compilerProblem(stderr),
    `Deno's runtime cannot be fetched: ${why}; check the network, or bring ${zip} from where it can ` +
      "be fetched, unpack it, and set DENORT_BIN to the file in it",
  );
  assert.equal(compilerProblem("error: something else"), "error: something else");
});

Deno.test({
  name: "packaging: what is embedded runs",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await temporaryFolder();
    const { path } = folder;
    const DENORT_BIN = await standIn(path, { os: "linux", arch: "amd64" });
    const binary = await compilePlugin(path, undefined, { DENORT_BIN });
    const bundle = `${path}/main.js`;
    const bundling = ["bundle", "--quiet", "--minify", "--platform=deno", `--output=${bundle}`];
    const config = `--config=${root.pathname}deno.json`;
    const bundled = await deno([...bundling, config, `${root.pathname}cli/main.ts`]);
    assert.equal(bundled.code, 0, bundled.stderr);
    const embedded = Buffer.from(await Deno.readFile(binary));
    assert(
      embedded.includes(Buffer.from(await Deno.readFile(bundle))),
      "the binary holds this very bundle",
    );

    const run = ["run", "--no-config", ...PERMISSIONS, bundle];
    const version = await deno([...run, "version"], { cwd: path });
    assert.match(version.stdout, new RegExp(`^kubectl-xca ${manifest.version} `), version.stderr);
    const args = ["run", "--embedded", "--once"];
    const { code, stdout, stderr } = await deno([...run, ...args], { cwd: path });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "0 reconciled, 0 failed, 0 scheduled\n");
  },
});

Deno.test("packaging: krew's manifest names an archive, its checksum and its files for each platform", () => {
  const text = krewManifest({
    repository: "owner/name",
    version: "1.2.3",
    sha256: ({ os }) => os.length.toString(16).repeat(64),
  });
  const { apiVersion, kind, metadata, spec } = load(text) as Record<string, never> & {
    metadata: { name: string };
    spec: {
      version: string;
      homepage: string;
      shortDescription: string;
      description: string;
      platforms: {
        selector: { matchLabels: { os: string; arch: string } };
        uri: string;
        sha256: string;
        files: { from: string; to: string }[];
        bin: string;
      }[];
    };
  };
  assert.equal(apiVersion, "krew.googlecontainertools.github.com/v1alpha2");
  assert.equal(kind, "Plugin");
  assert.equal(metadata.name, "xca");
  assert.equal(spec.version, "v1.2.3");
  assert(spec.shortDescription.length < 50);
  assert(!text.includes("@VERSION@") && !text.includes("@REPOSITORY@"));
  assert.equal(spec.platforms.length, PLATFORMS.length);
  spec.platforms.forEach((entry, index) => {
    const platform = PLATFORMS[index]!;
    assert.deepEqual(entry.selector.matchLabels, { os: platform.os, arch: platform.arch });
    assert(entry.uri.endsWith(`/v1.2.3/${archiveName(platform)}`), entry.uri);
    assert.match(entry.sha256, /^[0-9a-f]{64}$/);
    assert(entry.files.some(({ from }) => from === entry.bin));
    assert(entry.files.some(({ from }) => from === "LICENSE"));
  });
});

Deno.test("packaging: the bill of materials lists every package that the lock file pins", () => {
  const listed = components(lock);
  assert.equal(listed.length, Object.keys(lock.npm).length);
  for (const { name, version, hashes } of listed) {
    const id = `${name}@${version}`;
    assert(Object.keys(lock.npm).some((key) => key === id || key.startsWith(`${id}_`)), id);
    assert.match(hashes[0]!.content, /^[0-9a-f]{128}$/);
  }
  assert(listed.some(({ name }) => name === "commander"));
  assert(listed.every(({ name }) => !FOREIGN.test(name)), "packages of tests are in the bill");
  const { bomFormat, specVersion, serialNumber } = sbom(lock);
  assert.deepEqual([bomFormat, specVersion], ["CycloneDX", "1.6"]);
  assert.match(String(serialNumber), UUID_URN);
  assert.equal(sbom(lock)["serialNumber"], serialNumber, "the same bill has the same number");
  assert.notEqual(sbom({ npm: {} })["serialNumber"], serialNumber);
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

Deno.test("packaging: the release pins what it uses, and runs no code of ours where it may write", () => {
  const text = Deno.readTextFileSync(new URL(".github/workflows/release.yml", root));
  const { permissions, jobs } = load(text) as {
    permissions: unknown;
    jobs: Readonly<Record<string, Job>>;
  };
  assert.deepEqual(permissions, {}, "no right that a job does not name");
  for (const [name, job] of Object.entries(jobs)) {
    assert(job.permissions, name);
    const mayWrite = job.permissions["contents"] === "write";
    for (const { uses, run, with: inputs } of job.steps) {
      if (uses !== undefined) assert.match(uses, /@[0-9a-f]{40}$/, `${name}: ${uses}`);
      if (uses?.startsWith("actions/checkout@")) {
        assert(!mayWrite, `${name} may write, and has the code`);
        assert.equal(inputs?.["persist-credentials"], false, name);
      }
      assert(!run?.includes("${{"), `${name}: ${run} is put together from outside`);
    }
  }
});
