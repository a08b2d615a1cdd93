/**
 * A task that packages the plugin as one folder for PATH: the launcher, the completion, and the
 * command line as a folder of bundled files.
 *
 * ```sh
 * deno task plugin            # into dist/plugin
 * deno task plugin /usr/local/bin
 * ```
 *
 * @module
 */
import { resolve } from "node:path";
import { shellWord } from "../cli/arguments.ts";
import { bundle } from "./bundle.ts";
import { root } from "./root.ts";
import { print, runTask } from "./task.ts";

/** The name of the folder with the bundled command line, next to the launcher. */
const BUNDLE = "kubectl-xca.d";
const COPIES = ["plugin/kubectl-xca", "plugin/kubectl_complete-xca", "LICENSE"];

/**
 * Writes the kubectl plugin into a folder, which is created if it does not exist: the launcher, the
 * completion, the license and the bundled command line.
 *
 * @throws {Error} When the command line cannot be bundled, or the folder cannot be written.
 */
export async function packagePlugin(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true });
    await bundle(`${root}cli/main.ts`, `${folder}/${BUNDLE}`);
    for (const path of COPIES) {
      await Deno.copyFile(`${root}${path}`, `${folder}/${path.split("/").at(-1)}`);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot put the plugin together in ${folder}: ${why}; another folder can be given: ` +
        "deno task plugin FOLDER",
      { cause },
    );
  }
}

/** Returns the shell command that puts a folder first on PATH. */
export function pathLine(folder: string): string {
  return `export PATH=${shellWord(folder)}:"$PATH"`;
}

async function main(): Promise<void> {
  const folder = resolve(Deno.args[0] ?? `${root}dist/plugin`);
  await packagePlugin(folder);
  print(`The plugin is in ${folder}. To have kubectl find it:\n\n${pathLine(folder)}\n`);
}

if (import.meta.main) await runTask(main);
