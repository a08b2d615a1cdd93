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

/** A command that failed. The message is one line. */
class ChangedError extends Error {
  override name = "ChangedError";
}

Deno.exit(await run(Deno.args));

async function run(args: readonly string[]): Promise<number> {
  try {
    return await runChanged(args);
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
    print(Deno.stderr, error.message);
    return 2;
  }
}

async function runChanged(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--all");
  const [base = "HEAD"] = args.filter((arg) => !arg.startsWith("-"));
  const changed = await changedSince(base);
  if (changed.length === 0) {
    print(Deno.stdout, `No file changed since ${base}; no tests to run`);
    return 0;
  }
  const tests = allTests();
  const { near, further } = testsOf(changed, tests, await readImporters(tests));
  const chosen = args.includes("--all") ? [...near, ...further] : near;
  const left = near.length + further.length - chosen.length;
  const command = `deno task test:changed ${base === "HEAD" ? "" : `${base} `}--all`;
  const rest = `${count(left, "further test file")} can reach the change; to run all: ${command}`;
  print(
    Deno.stdout,
    `${count(changed.length, "changed file")}, ${count(chosen.length, "test file")}` +
      (left === 0 ? ", which are all that can reach the change" : ` near to the change; ${rest}`),
  );
  if (chosen.length === 0) return 0;
  const examples = changed.filter((path) => /^(lib|cli|examples|docs)\/|^README/.test(path))
    .filter((path) => existsSync(new URL(path, root)));
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tests/run/all.ts", ...flags, "--doc", ...chosen, ...examples],
    cwd: root,
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (left > 0) print(Deno.stdout, `Not run: ${rest}`);
  return code;
}

/** Returns the files that differ from the commit at which HEAD left a branch, untracked ones too. */
async function changedSince(base: string): Promise<readonly string[]> {
  const untracked = await git("ls-files", "--others", "--exclude-standard", "-z");
  const diff = ["diff", "--name-only", "--no-renames", "--relative", "--merge-base", "-z"];
  const tracked = await git(...diff, base, "--");
  return [...new Set([...tracked, ...untracked])].sort();
}

/** Runs git. Returns the paths that it prints. */
async function git(...args: readonly string[]): Promise<readonly string[]> {
  const advice = "give a branch or a commit of a git repository, or run deno task test";
  try {
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: [...args],
      cwd: root,
      env: { LC_ALL: "C" },
    }).output();
    if (success) return decoder.decode(stdout).split("\0").filter((path) => path !== "");
    const [reason = ""] = decoder.decode(stderr).split("\n");
    throw new ChangedError(`Cannot list the changed files: git: ${reason}; ${advice}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ChangedError(
      "Cannot list the changed files: git is not installed; install it, or run deno task test",
    );
  }
}

/** Returns the paths of all test files. */
function allTests(): readonly string[] {
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
      throw new ChangedError(
        `Cannot read the imports of the tests: ${decoder.decode(stderr).trim()}`,
      );
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
