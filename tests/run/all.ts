/**
 * Runs `deno test` on folders, with the test files of a folder in few modules, and with one
 * kube-apiserver for all conformance suites that can share it:
 *
 * ```sh
 * deno run -A tests/run/all.ts -A --parallel --doc lib/client docs
 * ```
 *
 * Arguments that begin with a hyphen are flags of `deno test` (`--filter=NAME`, with the sign of
 * equality). `--doc` adds the examples in comments and pages. The tests, their names and their
 * sanitizers are those of `deno test`; a failure names the file and the line in the repository.
 *
 * @module
 */
import { DocExampleError } from "./doc_examples.ts";
import { type TestModule, testModules } from "./groups.ts";
import { startSharedServer } from "./shared_server.ts";

const root = new URL("../../", import.meta.url);

// An interrupt reaches `deno test` too; this process removes the server and the modules after it.
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});

Deno.exit(await run(Deno.args));

async function run(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--doc");
  const paths = args.filter((arg) => !arg.startsWith("-"));
  let modules: readonly TestModule[];
  try {
    const { exclude } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));
    modules = testModules({ root, paths, exclude, examples: args.includes("--doc") });
  } catch (error) {
    if (!(error instanceof DocExampleError || error instanceof Deno.errors.NotFound)) throw error;
    Deno.stderr.writeSync(new TextEncoder().encode(`${error.message}\n`));
    return 2;
  }
  const folder = Deno.makeTempDirSync({ prefix: "xca-tests-" });
  try {
    const shares = modules.some(({ files }) => files[0]?.startsWith("tests/conformance/"));
    await using server = shares ? await startSharedServer() : undefined;
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["test", ...flags, ...modules.map((module) => write(folder, module))],
      cwd: root,
      env: server?.environment ?? {},
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    return code;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Writes the source of a module into a folder. Returns the path for `deno test`. */
function write(folder: string, { name, files, sources }: TestModule): string {
  if (files.length === 1 && sources.length === 0) return files[0]!;
  const path = `${folder}/${name.replaceAll(/[^a-z0-9]+/gi, "_")}`;
  const imports = [
    ...files.map((file) => new URL(file, root).href),
    ...sources.map((source, index) => {
      const example = `${path}_${index + 1}.ts`;
      Deno.writeTextFileSync(example, source);
      return `file://${example}`;
    }),
  ];
  const text = imports.map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");
  Deno.writeTextFileSync(`${path}.ts`, text);
  return `${path}.ts`;
}
