import assert from "node:assert/strict";
import { type Importers, NEAR, testsOf } from "./near.ts";

/** Returns importers by lists of the files that each file imports. */
function importersOf(imports: Readonly<Record<string, readonly string[]>>): Importers {
  const pairs = Object.entries(imports)
    .flatMap(([importer, paths]) => paths.map((path) => ({ path, importer })));
  const byPath = Map.groupBy(pairs, ({ path }) => path);
  return new Map([...byPath].map(([path, list]) => [path, list.map(({ importer }) => importer)]));
}

/** Creates a folder with changed.ts and without tests, and removes it after the use. */
function emptyProject(): { readonly path: string; readonly script: string } & Disposable {
  const path = Deno.makeTempDirSync();
  for (const folder of ["lib", "cli", "examples", "tests/run"]) {
    Deno.mkdirSync(`${path}/${folder}`, { recursive: true });
  }
  for (const name of ["changed.ts", "near.ts", "groups.ts", "doc_examples.ts"]) {
    Deno.copyFileSync(new URL(name, import.meta.url), `${path}/tests/run/${name}`);
  }
  Deno.writeTextFileSync(`${path}/deno.json`, '{ "exclude": [] }');
  return {
    path,
    script: `${path}/tests/run/changed.ts`,
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}

/** Runs a program. Returns the exit code and the output without colors. */
async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("test:changed: tests behind an entry point are in the order of their names", () => {
  const tests = [
    "lib/a/x_test.ts",
    "lib/client/errors/status_test.ts",
    "lib/client/pods/log_test.ts",
  ];
  const importers = importersOf({
    "lib/client/mod.ts": ["lib/client/errors/status.ts"],
    ...Object.fromEntries(tests.map((test) => [test, ["lib/client/mod.ts"]])),
  });
  const { near } = testsOf(["lib/client/errors/status.ts"], tests, importers);
  assert.deepEqual(near, [tests[1], tests[2], tests[0]]);
});

Deno.test("test:changed: the tests of a file do not displace the nearest test of another file", () => {
  const many = Array.from({ length: 2 * NEAR }, (_, index) => `lib/a/a_${index}_test.ts`);
  const importers = importersOf({
    ...Object.fromEntries(many.map((test) => [test, ["lib/a/a.ts"]])),
    "lib/b/other_test.ts": ["lib/b/b.ts"],
  });
  const tests = [...many, "lib/b/other_test.ts"];
  const { near, further } = testsOf(["lib/a/a.ts", "lib/b/b.ts"], tests, importers);
  assert.equal(near.length, NEAR);
  assert(near.includes("lib/b/other_test.ts"));
  assert.deepEqual([...near, ...further].toSorted(), tests.toSorted());
});

Deno.test("test:changed: a suite of another folder is near when it changed or nothing else is", () => {
  const tests = ["lib/a/a_test.ts", "tests/real/a_test.ts"];
  const importers = importersOf({
    "lib/a/a_test.ts": ["lib/a/a.ts"],
    "tests/real/a_test.ts": ["lib/a/a.ts", "tests/support/b.ts"],
  });
  const near = (path: string) => testsOf([path], tests, importers).near;
  assert.deepEqual(near("lib/a/a.ts"), ["lib/a/a_test.ts"]);
  assert.deepEqual(near("tests/support/b.ts"), ["tests/real/a_test.ts"]);
  assert.deepEqual(near("tests/real/a_test.ts"), ["tests/real/a_test.ts"]);
});

Deno.test("test:changed: files that no test imports are tested by the tests that read them", () => {
  const tests = [
    "tests/conformance/kinds/pods_test.ts",
    "tests/conformance/kinds/secrets_test.ts",
    "tests/documents/prose_test.ts",
    "tests/layers_test.ts",
    "tests/packaging/exports_test.ts",
  ];
  const near = (path: string) => testsOf([path], tests, new Map()).near;
  assert.deepEqual(near("docs/cache.md"), ["tests/documents/prose_test.ts"]);
  assert.deepEqual(near("lib/client/mod.ts"), ["tests/packaging/exports_test.ts"]);
  assert.deepEqual(near("deno.json"), ["tests/layers_test.ts", "tests/packaging/exports_test.ts"]);
  assert.deepEqual(near("lib/apiserver/kinds/pods/mounts.ts"), [tests[0]]);
  assert.deepEqual(near("tests/conformance/records/pods.json"), [tests[0]]);
  assert.deepEqual(near("LICENSE"), []);
});

Deno.test("test:changed: an unchanged repository has no tests to run, and an unknown commit is refused", async () => {
  using project = emptyProject();
  const git = (...args: readonly string[]) => run("git", ["-C", project.path, ...args]);
  const changed = (...args: readonly string[]) =>
    run(Deno.execPath(), ["run", "-A", project.script, ...args]);
  await git("init");
  await git("add", ".");
  await git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "a");
  assert.deepEqual(await changed(), {
    code: 0,
    text: "No file changed since HEAD, so no test was run\n",
  });
  Deno.writeTextFileSync(`${project.path}/LICENSE`, "");
  assert.deepEqual(await changed(), {
    code: 0,
    text: "No test can be affected by the 1 changed file\n",
  });
  const { code, text } = await changed("no-such-branch");
  assert.equal(code, 2, text);
  assert.match(
    text,
    /^Cannot list the files changed since no-such-branch: .*no-such-branch.*; .*\n$/,
  );
});

Deno.test("test:changed: a folder without a repository, and a missing git, are one line with exit code 2", async () => {
  using project = emptyProject();
  const args = ["run", "-A", project.script];
  const outside = await run(Deno.execPath(), args, { GIT_CEILING_DIRECTORIES: "/" });
  assert.equal(outside.code, 2, outside.text);
  assert.match(
    outside.text,
    /^Cannot list the files changed since HEAD: not a git repository.*\n$/,
  );
  const without = await run(Deno.execPath(), args, { PATH: "" });
  assert.equal(without.code, 2, without.text);
  assert.match(
    without.text,
    /^Cannot list the files changed since HEAD: git is not installed; .*\n$/,
  );
});
