/** The import map that the plugin is bundled with. */
import { fileURLToPath } from "node:url";
import manifest from "../deno.json" with { type: "json" };

/** A file that is removed when it is disposed. */
export interface TemporaryFile extends AsyncDisposable {
  /** Its path. */
  readonly path: string;
}

/** Writes the import map of deno.json, save what is too large to be in a bundle. */
export async function writeBundleImports(): Promise<TemporaryFile> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  const imports = {
    ...manifest.imports,
    "@kubernetes/client-node": new URL("./client_node_on_demand.ts", import.meta.url).href,
  };
  await Deno.writeTextFile(path, JSON.stringify({ imports }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));
