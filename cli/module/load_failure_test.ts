import assert from "node:assert/strict";
import { loadFailure } from "./load_failure.ts";

interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a temporary folder with files, given by name. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<Folder> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${path}/${name.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${path}/${name}`, text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Returns the runtime's error for an import whose name does not resolve. */
function unresolved(name: string): Error {
  return new TypeError(
    `Import "${name}" not a dependency\n  hint: If you want to use the npm package, try running ` +
      `\`deno add npm:${name}\`\n    at file:///a/operator.ts:1:8`,
  );
}

Deno.test("an import that does not resolve: the bundled plugin names the file for the import, and the directory to run in", async () => {
  await using project = await folderOf({ "deno.json": `{ "imports": { "known": "./x.ts" } }` });
  const module = `${project.path}/operator.ts`;
  const remedy = (name: string): string => loadFailure(unresolved(name), module, "bundle");
  assert.equal(
    remedy("known"),
    'Import "known" not a dependency at file:///a/operator.ts:1:8; ' +
      `call this in the folder of that file: cd ${project.path}`,
  );
  assert(
    remedy("ms").endsWith(
      `; name it in ${project.path}/deno.json, and call this in the folder of that file: ` +
        `cd ${project.path}`,
    ),
    remedy("ms"),
  );
  const own = remedy("@xca/operator/base");
  assert(own.includes(`name it in ${project.path}/deno.json, as { "links": [`), own);
  assert(!/deno (bundle|add)/.test(own), own);
  const here = new URL("../operator.ts", import.meta.url).pathname;
  assert.match(
    loadFailure(unresolved("ms"), here, "bundle"),
    /operator\.ts:1:8; name it in \S+deno\.json$/,
  );
});

Deno.test("an import that does not resolve: sources and binaries do not use the project's import map, and advise bundling", async () => {
  await using named = await folderOf({ "deno.json": `{ "imports": { "ms": "npm:ms@2" } }` });
  await using bare = await folderOf({});
  for (
    const [launch, why] of [
      ["sources", "a plugin that runs from its sources knows the names of their deno.json alone"],
      ["binary", "a compiled plugin knows no import map"],
    ] as const
  ) {
    const bundle = "deno bundle --platform=deno -o operator.js src/operator.ts";
    const said = loadFailure(unresolved("ms"), `${named.path}/src/operator.ts`, launch);
    assert(
      said.endsWith(
        `; ${why}: bundle the module, and run operator.js: cd ${named.path} && ${bundle}`,
      ),
      said,
    );
    const none = loadFailure(unresolved("@xca/operator"), `${bare.path}/operator.ts`, launch);
    assert(none.includes(`; ${why}: name it in ${bare.path}/deno.json, as { "links": [`), none);
    assert(none.includes(`, bundle the module, and run operator.js: cd ${bare.path} && `), none);
  }
});

Deno.test("a permission error of a module advises no flags that kubectl xca lacks", () => {
  const cases: [string, RegExp][] = [
    [
      'Requires import access to "example.com:443", run again with the --allow-import flag\n' +
      "    at file:///a/operator.ts:1:15",
      /^Requires import access to "example\.com:443" at file:\S+; .* from files alone: save it as one/,
    ],
    [
      'Requires write access to "/x", run again with the --allow-write flag',
      /^Requires write access to "\/x"; kubectl xca run does not give that to a module: start it from/,
    ],
    [
      'Requires run access to "ls", specify the required permissions during compilation using ' +
      "`deno compile --allow-run`",
      /^Requires run access to "ls"; kubectl xca run does not/,
    ],
  ];
  for (const [message, said] of cases) {
    const text = loadFailure(new Error(message), "./operator.ts");
    assert.match(text, said);
    assert(!/--allow/.test(text), text);
  }
});

Deno.test("a lock file without an import of the module: the error says how to write it", () => {
  const error = new Error(
    "The lockfile is out of date. Run `deno install --frozen=false`, or rerun with\nchanges:\n1 | {",
  );
  assert.equal(
    loadFailure(error, "./my operator.ts"),
    "The lockfile is out of date; kubectl xca does not write the file: update it by " +
      "deno cache './my operator.ts'",
  );
});
