/**
 * The bundler of this package's programs: bundles a program into several files, so that each run
 * loads only the files that it uses.
 */
import { onDemand } from "./on_demand.ts";
import { root } from "./root.ts";

/**
 * Bundles a program into a folder. The former content of the folder stays until the bundle is
 * complete.
 *
 * @throws {Error} When the bundler fails.
 */
export async function bundle(program: string, folder: string): Promise<void> {
  const fresh = `${folder}.new`;
  await removeFolder(fresh);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      "--platform=deno",
      `--config=${root}deno.json`,
      "--code-splitting",
      `--outdir=${fresh}`,
      program,
    ],
    stdout: "null",
    stderr: "piped",
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0" },
  }).output();
  if (!success) {
    const why = new TextDecoder().decode(stderr).trim().replace(/^error: /, "");
    throw new Error(`Cannot bundle ${program}: ${why}`);
  }
  for await (const { name } of Deno.readDir(fresh)) {
    const path = `${fresh}/${name}`;
    await Deno.writeTextFile(path, onDemand(await Deno.readTextFile(path)));
  }
  await removeFolder(folder);
  await Deno.rename(fresh, folder);
}

async function removeFolder(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
