/**
 * The packages, the plugin and the binary as a release makes them, for tests that use them as users do.
 *
 * @module
 */
import { dirname } from "node:path";
import { type Package, PACKAGES } from "./packages.ts";

/** The maximum size of the files that are embedded beside the runtime, in bytes. */
export const MAX_EMBEDDED_BYTES: number = 5 * 1024 * 1024;

/** The most that a program embeds that imports every door: the sources of the API server, mostly. */
export const MAX_OF_ALL_DOORS: number = 24 * 1024 * 1024;

/** The file name of a bill of materials. */
export const UUID_URN: RegExp =
  /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const root: URL = new URL("../../../", import.meta.url);

/** The packages as a project elsewhere imports them. */
export const JSR_IMPORTS: Record<string, string> = Object.fromEntries(
  PACKAGES.map(({ name, version }) => [name, `jsr:${name}@^${version}`]),
);
export const lock: { npm: Record<string, { integrity: string }> } = JSON.parse(
  Deno.readTextFileSync(new URL("deno.lock", root)),
);

/** The packages that only users of client-node load: client-node and its dependencies. */
export const FOREIGN: RegExp = /^(@kubernetes\/|undici|openid-client|jsonpath-plus|@types\/)/;

/** The outcome of a program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of `deno info --json`. */
export interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly { readonly specifier: string; readonly isDynamic?: true }[];
  }[];
}

export async function run(
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

export function deno(
  args: readonly string[],
  options?: { cwd?: string; env?: Record<string, string> },
): Promise<Outcome> {
  return run(Deno.execPath(), args, options);
}

/** A temporary folder, removed at the end of the test. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Returns the files of a package that `deno publish` would upload, as paths from the root. */
export async function publishedFiles({ folder }: Package): Promise<string[]> {
  const args = ["publish", "--dry-run", "--allow-dirty", "--no-check"];
  const { stdout, stderr } = await deno(args, { cwd: new URL(folder, root).pathname });
  return [...(stdout + stderr).matchAll(/file:\/\/\S+/g)]
    .map(([url]) => url)
    .filter((url) => url.startsWith(root.href))
    .map((url) => url.slice(root.href.length));
}

/** Copies the files of all packages that would be uploaded into a folder. */
export async function copyPackages(folder: string): Promise<void> {
  for (const file of (await Promise.all(PACKAGES.map(publishedFiles))).flat()) {
    const copy = `${folder}/${file}`;
    await Deno.mkdir(dirname(copy), { recursive: true });
    await Deno.copyFile(new URL(file, root), copy);
  }
}
