import { dirname } from "node:path";
import type { ProjectFiles } from "./project_files.ts";

/**
 * The implementation of the file operations of a project on the disk.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { diskFiles } from "@xca/operator/project";
 *
 * assert.deepEqual(await diskFiles.list("/no/such/folder"), []);
 * ```
 */
export const diskFiles: ProjectFiles = {
  read: async (path) => await unlessAbsent(() => Deno.readTextFile(path)),
  list: async (path) =>
    await unlessAbsent(async () => {
      const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
      return names.sort();
    }) ?? [],
  makeFolder: async (path) => {
    const missing: string[] = [];
    for (let at = path; await unlessAbsent(() => Deno.stat(at)) === undefined; at = dirname(at)) {
      missing.unshift(at);
      if (dirname(at) === at) break;
    }
    await Deno.mkdir(path, { recursive: true });
    return missing;
  },
  create: (path, text) => Deno.writeTextFile(path, text, { createNew: true }),
  // A file that a link names is replaced, and not the link.
  rename: async (from, to) =>
    await Deno.rename(from, await unlessAbsent(() => Deno.realPath(to)) ?? to),
  remove: (path) => Deno.remove(path),
};

async function unlessAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
