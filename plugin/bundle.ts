/** How programs of this package are bundled: in several files, so that each loads what it uses. */
import { root, writeBundleImports } from "./bundle_imports.ts";
import { onDemand } from "./on_demand.ts";

/**
 * Bundles a program into a folder, which is emptied first.
 *
 * @throws {Error} When it cannot be bundled.
 */
export async function bundle(program: string, folder: string): Promise<void> {
  await using imports = await writeBundleImports();
  await Deno.remove(folder, { recursive: true }).catch((error) => {
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
      "--code-splitting",
      `--outdir=${folder}`,
      program,
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot bundle ${program}: ${new TextDecoder().decode(stderr)}`);
  for await (const { name } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    await Deno.writeTextFile(path, onDemand(await Deno.readTextFile(path)));
  }
}
