/**
 * Puts the plugin together in one folder that can stand on PATH: the launcher, the completion, and the
 * command line as a folder of bundled files.
 *
 * ```sh
 * deno task plugin            # into dist/plugin
 * deno task plugin /usr/local/bin
 * ```
 *
 * @module
 */
import { root, writeBundleImports } from "./bundle_imports.ts";

/** Where the bundled command line lies, beside the launcher. */
const BUNDLE = "kubectl-xca.d";
const COPIES = ["plugin/kubectl-xca", "plugin/kubectl_complete-xca", "LICENSE"];

/**
 * Writes the plugin into a folder.
 *
 * @throws {Error} When the command line cannot be bundled.
 */
export async function packagePlugin(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await using imports = await writeBundleImports();
  const bundle = `${folder}/${BUNDLE}`;
  await Deno.remove(bundle, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      "--platform=deno",
      `--config=${root}deno.json`,
      `--import-map=${imports.path}`,
      // What a command does not use is not loaded: a ninth of the CPU of a cold start.
      "--code-splitting",
      `--outdir=${bundle}`,
      `${root}cli/main.ts`,
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot bundle cli/main.ts: ${new TextDecoder().decode(stderr)}`);
  for (const path of COPIES) {
    await Deno.copyFile(`${root}${path}`, `${folder}/${path.split("/").at(-1)}`);
  }
}

if (import.meta.main) await packagePlugin(Deno.args[0] ?? `${root}dist/plugin`);
