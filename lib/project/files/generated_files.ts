import { dirname, join } from "node:path";
import { isGenerated } from "../formats/generated_text.ts";
import type { ManifestFile } from "../formats/manifest_file.ts";
import { ProjectError } from "../project.ts";
import type { ProjectFiles } from "./project_files.ts";
import { writeFiles, type WrittenFile } from "./write_files.ts";

/** A difference between a file in a folder and the text that is generated now. */
export interface FileDifference {
  /** The path of the file that differs, relative to the folder. */
  readonly path: string;
  /**
   * The kind of the difference: `missing` when the file does not exist; `outdated` when it was
   * generated with another text; `edited` when it was changed or written by hand; `stale` when it
   * was generated and is no longer needed.
   */
  readonly kind: "missing" | "outdated" | "edited" | "stale";
}

/**
 * Returns the differences between the files in a folder and those that are generated now; an empty
 * list if there are none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareGenerated, diskFiles } from "@xca/operator/project";
 *
 * const files = [{ path: "rbac.yaml", text: "{}" }];
 * assert.deepEqual(await compareGenerated("/no/such/folder", files, diskFiles), [
 *   { path: "rbac.yaml", kind: "missing" },
 * ]);
 * ```
 */
export async function compareGenerated(
  folder: string,
  generated: readonly ManifestFile[],
  files: ProjectFiles,
): Promise<FileDifference[]> {
  const differences: FileDifference[] = [];
  for (const { path, text } of generated) {
    const found = await files.read(join(folder, path));
    if (found === text) continue;
    const kind = found === undefined ? "missing" : isGenerated(found) ? "outdated" : "edited";
    differences.push({ path, kind });
  }
  const stale = await staleFiles(folder, generated, files);
  return [...differences, ...stale.map((path) => ({ path, kind: "stale" as const }))];
}

/** The result of writing generated files into a folder. */
export interface GeneratedFolder {
  /** The result of the write of each generated file, in the given order. */
  readonly written: readonly WrittenFile[];
  /** The paths of the files that were removed, since they are generated and no longer needed. */
  readonly removed: readonly string[];
}

/** Options of {@linkcode writeGenerated}, which writes generated files into a folder. */
export interface WriteGeneratedOptions {
  /** Sets whether files that were edited or written by hand are replaced. @default {false} */
  readonly force?: boolean | undefined;
  /** Sets whether generated files that are no longer needed are kept. @default {false} */
  readonly keepStale?: boolean | undefined;
}

/**
 * Writes generated files into a folder, all of them or none, and then removes unedited generated
 * files that are no longer needed (YAML, `.Dockerfile` and `.helmignore`) from the folders that it
 * writes into. An existing file with a different text that was edited by hand, or is not generated,
 * is an error, unless `force` is set. Returns the change of each generated file, in the given order,
 * and the paths of the removed ones.
 *
 * @throws {ProjectError} When a file would be lost; names it.
 * @throws {Error} The error of the disk when a file cannot be read, written or removed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { diskFiles, generatedText, writeGenerated } from "@xca/operator/project";
 *
 * const folder = await Deno.makeTempDir();
 * const files = [{ path: "rbac.yaml", text: generatedText("kind: Role\n") }];
 * const { written } = await writeGenerated(folder, files, diskFiles);
 * assert.equal(written[0]?.change, "created");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeGenerated(
  folder: string,
  generated: readonly ManifestFile[],
  files: ProjectFiles,
  { force = false, keepStale = false }: WriteGeneratedOptions = {},
): Promise<GeneratedFolder> {
  const edited = (await compareGenerated(folder, generated, files))
    .filter(({ kind }) => kind === "edited").map(({ path }) => path);
  if (edited.length > 0 && !force) {
    throw new ProjectError(
      `${edited.join(", ")} of ${folder} ${
        edited.length === 1 ? "is" : "are"
      } not as generated: written or edited by hand; nothing was written; --force replaces ${
        edited.length === 1 ? "it" : "them"
      }`,
    );
  }
  const planned = generated.map((file) => ({ ...file, isEdit: true }));
  const written = await writeFiles(folder, planned, files, { force });
  const removed = keepStale ? [] : await staleFiles(folder, generated, files);
  for (const path of removed) await files.remove(join(folder, path));
  return { written, removed };
}

/**
 * Returns the paths of the generated and unedited files (YAML, `.Dockerfile` and `.helmignore`) that
 * are no longer needed, in the folders that files are generated into. Other folders below may belong
 * to other commands.
 */
async function staleFiles(
  folder: string,
  generated: readonly ManifestFile[],
  files: ProjectFiles,
): Promise<string[]> {
  const needed = new Set(generated.map(({ path }) => path));
  const stale: string[] = [];
  for (const below of new Set(generated.map(({ path }) => dirname(path)))) {
    for (const name of await files.list(join(folder, below))) {
      const path = below === "." ? name : `${below}/${name}`;
      if (needed.has(path) || !/\.(ya?ml|Dockerfile|helmignore)$/.test(name)) continue;
      const text = await files.read(join(folder, path)).catch(() => undefined);
      if (text !== undefined && isGenerated(text)) stale.push(path);
    }
  }
  return stale;
}
