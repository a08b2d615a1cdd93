import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { docExamples } from "./doc_examples.ts";
import { MAX_MEMBERS, testModules } from "./groups.ts";

const root = new URL("../../", import.meta.url);
const all = new URL("all.ts", import.meta.url).pathname;

/** Creates a folder with files, and removes it after the use. */
function folderOf(files: Readonly<Record<string, string>>): { readonly url: URL } & Disposable {
  const folder = Deno.makeTempDirSync();
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(`${folder}/${path}`, text);
  }
  return {
    url: new URL(`file://${folder}/`),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

/** Returns the files below the paths that git tracks or would add. */
async function known(...patterns: readonly string[]): Promise<readonly string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns];
  const { stdout } = await new Deno.Command("git", { args, cwd: root }).output();
  const paths = new TextDecoder().decode(stdout).split("\n").filter((path) => path !== "");
  return paths.filter((path) => existsSync(new URL(path, root)));
}

/** Runs a command of Deno in the repository. Returns the exit code and the output without colors. */
async function deno(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1", XCA_TEST_SERVERS: "embedded" },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("test run: each test file is in exactly one module, and no module has too many members", async () => {
  const paths = ["lib", "cli", "tests", "examples", "docs", "README.md"];
  const exclude = ["tests/client_node", "tests/schema_libraries"];
  const modules = testModules({ root, paths, exclude, examples: true });
  const files = modules.flatMap((module) => module.files);
  const expected = (await known("*_test.ts"))
    .filter((path) => !exclude.some((folder) => path.startsWith(`${folder}/`)));
  assert.deepEqual(files.toSorted(), expected.toSorted());
  assert.equal(new Set(modules.map(({ name }) => name)).size, modules.length);
  for (const { name, files, sources } of modules) {
    assert(files.length + sources.length <= MAX_MEMBERS, name);
    assert(files.length + sources.length > 0, name);
  }
  const alone = modules.filter(({ files }) => files[0]?.startsWith("tests/"));
  assert.deepEqual(modules.slice(0, alone.length), alone, "the files below tests/ are first");
});

Deno.test("test run: a run with few members has a module for each core", () => {
  const cores = navigator.hardwareConcurrency;
  const names = Array.from({ length: 2 * cores }, (_, index) => `lib/a/a${index}_test.ts`);
  using folder = folderOf(Object.fromEntries(names.map((name) => [name, ""])));
  const modules = testModules({ root: folder.url, paths: ["lib"], exclude: [], examples: false });
  assert.deepEqual(modules.map(({ files }) => files.length), Array(cores).fill(2));
});

Deno.test("test run: conformance suites of a folder share a module, those with servers of their own do not", () => {
  const plain = "const conformance = conformanceSuite(import.meta.url);\n";
  const own = "const conformance = conformanceSuite(import.meta.url, { ownServer: true });\n";
  using folder = folderOf({
    "lib/a/a_test.ts": "",
    "tests/conformance/kinds/a_test.ts": plain,
    "tests/conformance/kinds/b_test.ts": own,
    "tests/conformance/kinds/c_test.ts": plain,
    "tests/conformance/verbs/a_test.ts": plain,
    "tests/real/a_test.ts": "",
  });
  const paths = ["lib", "tests"];
  const modules = testModules({ root: folder.url, paths, exclude: [], examples: false });
  // A run with few members splits a folder on many cores.
  const names = new Set(modules.map(({ name }) => name.replace(/ \d+$/, "")));
  assert.deepEqual([...names], [
    "tests/conformance/kinds/b_test.ts",
    "tests/real/a_test.ts",
    "tests/conformance/kinds",
    "tests/conformance/verbs",
    "lib/a",
  ]);
});

Deno.test("test run: each code block of TypeScript in doc comments and pages is an example", async () => {
  const paths = (await known("lib", "cli", "examples", "docs", "README.md"))
    .filter((path) => /\.(ts|md)$/.test(path));
  for (const path of paths) {
    const url = new URL(path, root);
    const text = Deno.readTextFileSync(url);
    const fence = path.endsWith(".md") ? /^ *```ts$/gm : /^ *\* ```ts$/gm;
    assert.equal(docExamples(path, url, text).length, text.match(fence)?.length ?? 0, path);
  }
});

Deno.test("test run: an example keeps its line numbers, and its relative imports are resolved", () => {
  const text = [
    "/**",
    " * Returns one.",
    " *",
    " * ```ts",
    ' * import { one } from "./one.ts";',
    " *",
    " * export default one();",
    " * ```",
    " */",
  ].join("\n");
  const [example, ...rest] = docExamples("lib/a/b.ts", new URL("file:///r/lib/a/b.ts"), text);
  assert.deepEqual(rest, []);
  assert.equal(example?.name, "lib/a/b.ts:5");
  const lines = example!.source.split("\n");
  assert.equal(lines[4], 'import { one } from "file:///r/lib/a/one.ts";');
  assert.equal(lines[6], 'Deno.test("lib/a/b.ts:5", async () => { void one();');
});

Deno.test("test run: an import statement after other statements is refused by file and line", () => {
  const text = '```ts\nconst a = 1;\nimport { b } from "b";\n```\n';
  assert.throws(() => docExamples("docs/a.md", new URL("file:///docs/a.md"), text), {
    name: "DocExampleError",
    message: /docs\/a\.md:2: line 2 of it is an import statement/,
  });
});

Deno.test("test run: a failing test and a failing example are printed with their file and line", async () => {
  using folder = folderOf({
    "a_test.ts": 'Deno.test("a", () => {\n  throw new Error("from a");\n});\n',
    "b_test.ts": 'Deno.test("b", () => {});\n',
    "page.md": "Text.\n\n```ts\nconst one = 1;\nthrow new Error(`from the page ${one}`);\n```\n",
  });
  const path = folder.url.pathname.replace(/\/$/, "").slice(1);
  const { code, text } = await deno("run", "-A", all, "-A", "--doc", `${"../".repeat(20)}${path}`);
  assert.equal(code, 1, text);
  assert.match(text, /Error: from a\n[^]*a_test\.ts:2:9/);
  assert.match(text, /page\.md:4 =>/);
  assert.match(text, /Error: from the page 1\n/);
  assert.match(text, /1 passed \| 2 failed/);
});

Deno.test("test run: a path that does not exist is one line with exit code 2", async () => {
  const { code, text } = await deno("run", "-A", all, "-A", "lib/no_such_folder");
  assert.equal(code, 2);
  assert.match(text, /no_such_folder/);
  assert.equal(text.trim().split("\n").length, 1, text);
});

Deno.test("test run: an error outside of the tests of a file fails the run", async () => {
  using folder = folderOf({
    "a_test.ts": 'Deno.test("a", () => {});\n',
    "b_test.ts": 'throw new Error("at import");\n',
  });
  const path = folder.url.pathname.replace(/\/$/, "").slice(1);
  const { code, text } = await deno("run", "-A", all, "-A", `${"../".repeat(20)}${path}`);
  assert.equal(code, 1);
  assert.match(text, /at import[^]*b_test\.ts:1:7/);
});
