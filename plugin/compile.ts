/**
 * A task that compiles the plugin to one binary per platform, in `dist/`. Deno fetches the runtime
 * of each platform, or embeds the program into the runtime file that the environment variable
 * `DENORT_BIN` names.
 *
 * ```sh
 * deno task compile                       # for this machine: dist/kubectl-xca
 * deno task compile --all                 # for every platform: dist/kubectl-xca-OS-ARCH
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { root } from "./root.ts";
import { print, runTask } from "./task.ts";

/** The platforms of a release, with their names in krew and for `deno compile`. */
export const PLATFORMS: readonly Platform[] = [
  { os: "linux", arch: "amd64", target: "x86_64-unknown-linux-gnu" },
  { os: "linux", arch: "arm64", target: "aarch64-unknown-linux-gnu" },
  { os: "darwin", arch: "amd64", target: "x86_64-apple-darwin" },
  { os: "darwin", arch: "arm64", target: "aarch64-apple-darwin" },
  { os: "windows", arch: "amd64", target: "x86_64-pc-windows-msvc" },
];

/** A platform that the plugin is compiled for. */
export interface Platform {
  /** The operating system as krew names it. */
  readonly os: "linux" | "darwin" | "windows";
  /** The CPU architecture as krew names it. */
  readonly arch: "amd64" | "arm64";
  /** The platform as `deno compile --target` names it. */
  readonly target: string;
}

/**
 * The Deno permissions of the compiled plugin: all that the launcher gives to any command. A
 * command that connects to a cluster gives up the permission to write files, and the permission to
 * run programs unless the kubeconfig has a credential plugin or a legacy auth provider
 * (docs/decisions/0005-who-may-run-programs.md). A command with an embedded API server, other than
 * `dev`, gives up the permission to run programs.
 */
export const PERMISSIONS: readonly string[] = [
  "--no-prompt",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
];

/**
 * Compiles the plugin for one platform, or for this machine, into a folder, which is created if it
 * does not exist; returns the path of the binary. A former binary stays until the new one is
 * complete. The variables of `env` are added to the compiler's environment.
 *
 * @throws {Error} When the compiler fails.
 */
export async function compilePlugin(
  folder: string,
  platform?: Platform,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  const suffix = platform ? `-${platform.os}-${platform.arch}` : "";
  const isWindows = (platform?.os ?? Deno.build.os) === "windows";
  const name = `kubectl-xca${suffix}${isWindows ? ".exe" : ""}`;
  // The compiler deletes the old file first, and may then fail to download the runtime.
  await using fresh = await temporaryFolder(folder);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--bundle",
      // `deno task check` checks the types; the types of unused packages are not installed here.
      "--no-check",
      "--minify",
      ...PERMISSIONS,
      `--config=${root}deno.json`,
      `--output=${fresh.path}/${name}`,
      ...(platform ? [`--target=${platform.target}`] : []),
      `${root}cli/main.ts`,
    ],
    stdout: "null",
    stderr: "piped",
    cwd: root,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...env },
  }).output();
  const output = `${folder}/${name}`;
  if (!success) {
    throw new Error(
      `Cannot compile ${output}: ${compilerProblem(new TextDecoder().decode(stderr))}`,
    );
  }
  await Deno.rename(`${fresh.path}/${name}`, output);
  return output;
}

/**
 * Returns the compiler's standard error unchanged, or a message with the remedy when the compiler
 * could not fetch the runtime of the binary.
 */
export function compilerProblem(stderr: string): string {
  const [, why, url] = /^ *\d+: (.*\((https:.*denort.*?)\).*)$/m.exec(stderr) ?? [];
  if (url === undefined) return stderr;
  return `Deno's runtime cannot be fetched: ${why}; check the network, or bring ${url} from where it ` +
    "can be fetched, unpack it, and set DENORT_BIN to the file in it";
}

async function temporaryFolder(dir: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ dir, prefix: ".compile-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function main(): Promise<void> {
  const { all } = parseArgs({ args: Deno.args, options: { all: { type: "boolean" } } }).values;
  for (const platform of all ? PLATFORMS : [undefined]) {
    const path = await compilePlugin(`${root}dist`, platform);
    const { size } = await Deno.stat(path);
    print(`${path.slice(root.length)} ${size} bytes\n`);
  }
}

if (import.meta.main) await runTask(main);
