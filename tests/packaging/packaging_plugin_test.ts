/** The plugin as a folder for PATH, and the bundle in it. */
import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { onDemand } from "../../plugin/on_demand.ts";
import { packagePlugin, pathLine } from "../../plugin/package.ts";
import {
  copyPackages,
  deno,
  JSR_IMPORTS,
  type ModuleGraph,
  root,
  run,
  temporaryFolder,
} from "../support/packaging/packaging.ts";

const shared = await Deno.makeTempDir();
/** The folder of the plugin, which is put together once for the file. */
const plugin = `${shared}/plugin`;

Deno.test.beforeAll(() => packagePlugin(plugin));
Deno.test.afterAll(() => Deno.remove(shared, { recursive: true }));

Deno.test("packaging: the plugin's folder runs from anywhere, through a link, without its sources", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await Deno.mkdir(`${shared}/bin`);
  await Deno.symlink("../plugin/kubectl-xca", `${shared}/bin/kubectl-xca`);
  const task = ["run", "-A", new URL("plugin/package.ts", root).pathname];
  const again = await deno([...task, plugin]); // Over what an earlier version left.
  assert.match(again.stdout, /\nexport PATH=\/.*\/plugin:"\$PATH"\n$/, again.stderr);
  let bytes = 0;
  for await (const { name } of Deno.readDir(`${plugin}/kubectl-xca.d`)) {
    bytes += (await Deno.stat(`${plugin}/kubectl-xca.d/${name}`)).size;
  }
  assert(bytes > 100_000 && bytes < 3 * 1024 * 1024, `the bundle has ${bytes} bytes`);

  const PATH = `${plugin}:${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`;
  const version = await run(`${shared}/bin/kubectl-xca`, ["version"], { cwd: path, env: { PATH } });
  assert.match(version.stdout, new RegExp(`^kubectl-xca ${manifest.version} `), version.stderr);
  const usage = await run(`${shared}/bin/kubectl-xca`, ["frobnicate"], {
    cwd: path,
    env: { PATH },
  });
  assert.equal(usage.code, 2);
  const words = await run(`${plugin}/kubectl_complete-xca`, ["sta"], {
    cwd: path,
    env: { PATH },
  });
  assert.match(words.stdout, /^status\t.*\n:4\n$/);
});

Deno.test("packaging: run uses the library of the user's project, and prints its version", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
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
  const { code, stderr } = await run(`${plugin}/kubectl-xca`, args, { cwd, env: { PATH } });
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

  // A library of another version may not know of the gate that a lease opens.
  const elected = await run(`${plugin}/kubectl-xca`, [...args, "--leader-elect"], {
    cwd,
    env: { PATH },
  });
  assert.equal(elected.code, 2, elected.stderr);
  assert.match(
    elected.stderr,
    /Cannot elect a leader: the operator brings @xca\/operator 9\.9\.9-of/,
  );
});

Deno.test("packaging: the shell line for PATH quotes the name of the folder", async () => {
  for (const folder of ["/a", "/a b/$HOME", '/`id`\'s "x"']) {
    const line = `PATH=/bin; ${pathLine(folder)}; echo "$PATH"`;
    const { stdout } = await run("/bin/sh", ["-c", line], {});
    assert.equal(stdout, `${folder}:/bin\n`);
  }
});

Deno.test("packaging: a folder that is not writable is reported in one line", async () => {
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

Deno.test("packaging: the command line loads only the files that it runs", async () => {
  const main = `${plugin}/kubectl-xca.d/main.js`;
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

Deno.test("packaging: a bundled file loads modules on demand, and is otherwise unchanged", async () => {
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
