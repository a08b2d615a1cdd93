import { dirname, join } from "node:path";
import { systemRandom } from "@xca/apimachinery/base";
import { ProjectError } from "../project.ts";
import type { ProjectFiles } from "./project_files.ts";

/** A file that a command is about to write. */
export interface PlannedFile {
  /** The path of the file, relative to the folder that the command writes to, with slashes. */
  readonly path: string;
  /** The whole text of the planned file. */
  readonly text: string;
  /**
   * Sets whether the text replaces an existing file without `force`, since it was derived from the
   * file's present text, for instance by an insertion.
   *
   * @default {false}
   */
  readonly isEdit?: boolean | undefined;
}

/** The result of writing a planned file. */
export interface WrittenFile {
  /** The path of the written file, relative to the folder that the command writes to. */
  readonly path: string;
  /**
   * The change of the file: created, changed (or replaced), or unchanged since it already had the
   * planned text.
   */
  readonly change: "created" | "changed" | "unchanged";
}

/** Options of {@linkcode writeFiles}, which writes files into a folder. */
export interface WriteFilesOptions {
  /** Sets whether existing files with a different text are replaced. @default {false} */
  readonly force?: boolean | undefined;
}

/**
 * Writes files into a folder, all of them or none: after a failure the files that were already
 * written get their former text back, and new folders are removed.
 *
 * Returns the change of each file, in the given order. An existing file with a different text is an
 * error, unless the planned file has `isEdit` or `force` is set.
 *
 * @throws {ProjectError} When files with a different text exist.
 * @throws {Error} The error of the disk when a file cannot be read or written.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { diskFiles, writeFiles } from "@xca/operator/project";
 *
 * const folder = await Deno.makeTempDir();
 * const plan = [{ path: "api/v1/shop.ts", text: "export {};\n" }];
 * assert.equal((await writeFiles(folder, plan, diskFiles))[0]?.change, "created");
 * assert.equal((await writeFiles(folder, plan, diskFiles))[0]?.change, "unchanged");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeFiles(
  folder: string,
  planned: readonly PlannedFile[],
  files: ProjectFiles,
  { force = false }: WriteFilesOptions = {},
): Promise<readonly WrittenFile[]> {
  const before = new Map<string, string | undefined>();
  for (const { path } of planned) before.set(path, await files.read(join(folder, path)));
  const isChanged = ({ path, text }: PlannedFile): boolean => before.get(path) !== text;
  const changed = planned.filter(isChanged);
  const taken = changed.filter(({ path, isEdit }) => before.get(path) !== undefined && !isEdit);
  if (taken.length > 0 && !force) throw alreadyThere(folder, taken.map(({ path }) => path));
  await replaceAll(folder, changed, before, files);
  return planned.map((file) => ({
    path: file.path,
    change: !isChanged(file)
      ? "unchanged"
      : before.get(file.path) === undefined
      ? "created"
      : "changed",
  }));
}

function alreadyThere(folder: string, paths: readonly string[]): ProjectError {
  const [is, differs, them] = paths.length === 1
    ? ["exists", "differs", "it"]
    : ["exist", "differ", "them"];
  return new ProjectError(
    `${paths.join(", ")} ${is} already in ${folder} and ${differs}; nothing was written; ` +
      `--force replaces ${them}`,
  );
}

/**
 * Replaces the changed files, and undoes all changes after a failure. Writes each file under a
 * temporary name first, so that a full disk is detected before any file is replaced.
 */
async function replaceAll(
  folder: string,
  changed: readonly PlannedFile[],
  before: ReadonlyMap<string, string | undefined>,
  files: ProjectFiles,
): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  // The name is the command's own, so that commands may write a file at the same time.
  const suffix = `.${systemRandom.uuid().slice(0, 8)}.xca-new`;
  const fresh = (place: string): string => `${place}${suffix}`;
  try {
    for (const { path, text } of changed) {
      const place = join(folder, path);
      const made = await files.makeFolder(dirname(place));
      undo.push(...made.map((each) => () => files.remove(each)));
      await files.create(fresh(place), text);
      undo.push(() => files.remove(fresh(place)).catch(() => {})); // Fails after the rename.
    }
    for (const { path } of changed) {
      const place = join(folder, path);
      const old = before.get(path);
      await files.rename(fresh(place), place);
      undo.push(
        old === undefined ? () => files.remove(place) : async () => {
          await files.create(fresh(place), old);
          await files.rename(fresh(place), place);
        },
      );
    }
  } catch (error) {
    // The first failure is reported. Changes that cannot be undone stay.
    for (const step of undo.reverse()) await step().catch(() => {});
    throw error;
  }
}
