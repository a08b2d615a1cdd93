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
import { bundle } from "./bundle.ts";
import { root } from "./bundle_imports.ts";

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
  await bundle(`${root}cli/main.ts`, `${folder}/${BUNDLE}`);
  for (const path of COPIES) {
    await Deno.copyFile(`${root}${path}`, `${folder}/${path.split("/").at(-1)}`);
  }
}

if (import.meta.main) await packagePlugin(Deno.args[0] ?? `${root}dist/plugin`);
