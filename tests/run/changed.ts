/**
 * Runs the tests nearest to the files that changed since the last commit, or since this branch left
 * another, and says how many further ones the change can reach:
 *
 * ```sh
 * deno run -A tests/run/changed.ts -A --parallel          # since the last commit
 * deno run -A tests/run/changed.ts -A --parallel main     # since this branch left main
 * deno run -A tests/run/changed.ts -A --parallel --all    # the further ones too
 * ```
 *
 * Other arguments that begin with a hyphen are flags of `deno test`. The examples in the changed files
 * run too.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { testModules } from "./groups.ts";
import { type Importers, testsOf } from "./near.ts";

const root = new URL("../../", import.meta.url);
const decoder = new TextDecoder();

/** A step that failed before the tests. The message is one line. */
class ChangedError extends Error {
  override name = "ChangedError";
}

// An interrupt reaches `deno test` too; this process prints the last line after it.
Deno.addSignalListener("SIGINT", () => {});

Deno.exit(await run(Deno.args));

async function run(args: readonly string[]): Promise<number> {
  try {
    return await runTests(args);
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
    print(Deno.stderr, error.message);
    return 2;
  }
}

async function runTests(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--all");
  const [base = "HEAD"] = args.filter((arg) => !arg.startsWith("-"));
  const changed = await changedSince(base);
  if (changed.length === 0) {
    print(Deno.stdout, `No file changed since ${base}, so no test was run`);
    return 0;
  }
  const files = testFiles();
  const { near, further } = testsOf(changed, files, await readImporters(files));
  if (near.length === 0) {
    print(Deno.stdout, `No test can be affected by the ${count(changed.length, "changed file")}`);
    return 0;
  }
  const isAll = args.includes("--all") || further.length === 0;
  const tests = isAll ? [...near, ...further] : near;
  const rest = `${count(further.length, "further test file")} can be affected; to run all: ` +
    ["deno task test:changed", ...(base === "HEAD" ? [] : [base]), "--all"].join(" ");
  print(
    Deno.stdout,
    `Running ${isAll ? "all" : "the nearest"} ${count(tests.length, "test file")} of ` +
      `${count(changed.length, "changed file")}${isAll ? "" : `; ${rest}`}`,
  );
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tests/run/all.ts", ...flags, "--doc", ...tests, ...withExamples(changed)],
    cwd: root,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!isAll) print(Deno.stdout, `Not run: ${rest}`);
  return code;
}

/** Returns the paths of files that differ from the commit at which HEAD left a branch. */
async function changedSince(base: string): Promise<readonly string[]> {
  const prefix = `Cannot list the files changed since ${base}: `;
  const git = async (...args: readonly string[]): Promise<readonly string[]> => {
    try {
      const { success, stdout, stderr } = await new Deno.Command("git", {
        args: [...args],
        cwd: root,
        env: { LC_ALL: "C" },
      }).output();
      if (success) return decoder.decode(stdout).split("\0").filter((path) => path !== "");
      const [reason = ""] = decoder.decode(stderr).split("\n");
      const advice = "name a branch or commit of a clone, or run all tests: deno task test";
      throw new ChangedError(`${prefix}${reason.replace("fatal: ", "")}; ${advice}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new ChangedError(`${prefix}git is not installed; run all tests: deno task test`);
    }
  };
  const untracked = await git("ls-files", "--others", "--exclude-standard", "-z");
  const options = ["--name-only", "--no-renames", "--relative", "--merge-base", "-z"];
  return [...new Set([...await git("diff", ...options, base, "--"), ...untracked])].sort();
}

/** Returns those of the changed files whose examples run as tests. */
function withExamples(changed: readonly string[]): readonly string[] {
  return changed.filter((path) => /^(lib|cli|examples|docs)\/|^README\.md$/.test(path))
    .filter((path) => existsSync(new URL(path, root)));
}

/** Returns the paths of all test files. */
function testFiles(): readonly string[] {
  const { exclude } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));
  const paths = ["lib", "cli", "tests", "examples"];
  return testModules({ root, paths, exclude, examples: false }).flatMap(({ files }) => files);
}

/** The part of the output of `deno info --json` that is used. */
interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier?: string };
      readonly type?: { readonly specifier?: string };
    }[];
  }[];
}

/** Returns the imports of the tests and of all that they import, backwards. */
async function readImporters(tests: readonly string[]): Promise<Importers> {
  const entry = Deno.makeTempFileSync({ prefix: "xca-tests-", suffix: ".ts" });
  try {
    const imports = tests.map((path) => `import ${JSON.stringify(new URL(path, root).href)};\n`);
    Deno.writeTextFileSync(entry, imports.join(""));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", new URL("deno.json", root).pathname, entry],
      cwd: root,
    }).output();
    if (!success) {
      const [reason] = decoder.decode(stderr).split("\n");
      throw new ChangedError(`Cannot read the imports of the tests: deno info: ${reason}`);
    }
    return importersIn(JSON.parse(decoder.decode(stdout)));
  } finally {
    Deno.removeSync(entry);
  }
}

function importersIn({ modules }: ModuleGraph): Importers {
  const importers = new Map<string, string[]>();
  for (const { specifier, dependencies = [] } of modules) {
    if (!specifier.startsWith(root.href)) continue;
    for (const { code, type } of dependencies) {
      for (const imported of new Set([code?.specifier, type?.specifier])) {
        if (!imported?.startsWith(root.href)) continue;
        const path = imported.slice(root.href.length);
        const list = importers.get(path) ?? [];
        importers.set(path, [...list, specifier.slice(root.href.length)]);
      }
    }
  }
  return importers;
}

/** Returns a number with a noun. */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function print(stream: typeof Deno.stdout | typeof Deno.stderr, line: string): void {
  stream.writeSync(new TextEncoder().encode(`${line}\n`));
}
