/**
 * Files and folders that only their owner may use: a user who can write the kubeconfig or the keys
 * of a server is its administrator.
 *
 * @module
 */
import type { CliContext } from "../context.ts";
import { UsageError } from "../usage_error.ts";

const FILE_MODE = 0o600;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const EVERYBODY_WRITES = 0o002;
/** The mode bit of sticky folders, in which users may replace only their own files. */
const STICKY = 0o1000;

/**
 * Reports whether the system's files have Unix modes; false on Windows, where a user's profile is
 * private.
 */
const HAS_MODES = Deno.build.os !== "windows";

/**
 * A regular expression that matches the beginning of the names of the files and folders that the
 * embedded server keeps in the folder of `--data`; other entries are not changed.
 */
const KEPT = /^(kubeconfig|pki|objects)/;

/**
 * Creates the folder of `--data` if it is missing. Removes the rights of other users to write to
 * the folder, and all their rights to the server's files in it; warns if others could write to the
 * folder.
 *
 * @throws {UsageError} When every user of the machine may replace the folder, the rights cannot be
 * removed, or an entry belongs to another user or is a link.
 * @throws {Error} When the folder cannot be created or read.
 */
export function ownFolder(path: string, context: CliContext): void {
  const what = `--data ${JSON.stringify(path)}`;
  const problem = folderProblem(firstMissing(path));
  if (problem) throw new UsageError(`cannot keep the cluster in ${what}: ${problem}`);
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!HAS_MODES) return;
  const { mode, uid } = Deno.statSync(path);
  if (mend(path, mode, OTHERS_WRITE, what)) {
    context.err(`WARNING: others could write the folder ${path}; now only its owner may.\n`);
  }
  const kept = [...Deno.readDirSync(path)].map(({ name }) => name).filter((name) =>
    KEPT.test(name)
  );
  for (const name of kept) ownEntry(`${path}/${name}`, uid, what);
}

/**
 * Makes an entry of the folder of `--data`, with all entries below it, private to its owner.
 *
 * @throws {UsageError} When the entry, or one below it, is a link, belongs neither to the folder's
 * owner nor to root, or has rights that cannot be removed.
 */
function ownEntry(path: string, owner: number | null, what: string): void {
  const { isSymlink, isDirectory, uid, mode } = Deno.lstatSync(path);
  // An administrator may own entries in a user's folder.
  if (isSymlink || (uid !== owner && uid !== 0)) {
    throw new UsageError(
      `cannot keep the cluster in ${what}: ${path} is ${isSymlink ? "a link" : "another user's"};` +
        " remove it, or give a folder of your own",
    );
  }
  mend(path, mode, OTHERS, what);
  if (!isDirectory) return;
  for (const { name } of Deno.readDirSync(path)) ownEntry(`${path}/${name}`, owner, what);
}

/**
 * Makes a file with secrets private to its owner, and warns if it was not private before. A
 * terminal or a pipe is left unchanged.
 *
 * @throws {UsageError} When other users have rights to the file that cannot be removed, since the
 * file belongs to another user.
 */
export function ownFile(path: string, flag: string, context: CliContext): void {
  if (!HAS_MODES) return;
  const { isFile, mode } = Deno.statSync(path);
  if (!isFile || !mend(path, mode, OTHERS, `${flag} ${JSON.stringify(path)}`)) return;
  context.err(`WARNING: others could use the file ${path}; now only its owner may.\n`);
}

/**
 * Removes the given rights of other users (mode bits) to a file or folder, and reports whether
 * these users had any of the rights; false without Unix modes.
 *
 * @throws {UsageError} When the rights cannot be removed.
 */
function mend(path: string, mode: number | null, rights: number, what: string): boolean {
  if (mode === null || (mode & rights) === 0) return false;
  try {
    Deno.chmodSync(path, mode & 0o7777 & ~rights);
  } catch (error) {
    throw new UsageError(
      `cannot use ${what}: others may use ${path}, and it is not yours to change; give one of your own`,
      { cause: error },
    );
  }
  return true;
}

/**
 * Returns the reason why a private file must not be written to a path: the path is a link, or every
 * user of the machine may write to its folder. Returns `undefined` when it may be written.
 */
export function whyNotThere(path: string): string | undefined {
  return isLink(path) ? "it is a link; give the file itself" : folderProblem(path);
}

/**
 * Returns the reason why a log must not be written to a path, as {@linkcode whyNotThere} does for
 * files with secrets; `undefined` for devices, pipes and terminals, which may be shared, and have
 * links in `/dev`.
 */
export function whyNotLogged(path: string): string | undefined {
  if (path.startsWith("/dev/") || stat(() => Deno.statSync(path))?.isFile === false) {
    return undefined;
  }
  return whyNotThere(path);
}

/** Returns the uppermost missing folder of a path; the path itself if it exists. */
function firstMissing(path: string): string {
  const folder = folderOf(path);
  const exists = stat(() => Deno.lstatSync(path)) || stat(() => Deno.statSync(folder));
  return exists || folder === path ? path : firstMissing(folder);
}

/**
 * Returns the path of the folder that contains a file or folder; `.` for a name without a folder.
 */
function folderOf(path: string): string {
  return (/^(.*)[/\\][^/\\]+[/\\]*$/.exec(path)?.[1] ?? ".") || "/";
}

/**
 * Returns an error message if every user of the machine may write to the folder that contains a
 * path, and so may replace the file or folder at the path; otherwise `undefined`. Sticky folders
 * such as `/tmp` are accepted, and so are folders that do not exist or cannot be read.
 */
function folderProblem(path: string): string | undefined {
  const folder = folderOf(path);
  const mode = stat(() => Deno.statSync(folder))?.mode ?? 0;
  if (!HAS_MODES || (mode & EVERYBODY_WRITES) === 0 || (mode & STICKY) !== 0) return undefined;
  return `any user may replace the files in ${folder}; give a place in a folder of your own`;
}

function isLink(path: string): boolean {
  return stat(() => Deno.lstatSync(path))?.isSymlink ?? false;
}

function stat(look: () => Deno.FileInfo): Deno.FileInfo | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/**
 * Writes a file that only its owner may read and write, in place of a file or link at the path:
 * first to `<path>.new`, so that readers never see a partial file.
 */
export function writePrivate(path: string, text: string): void {
  const fresh = `${path}.new`;
  if (stat(() => Deno.lstatSync(fresh))) Deno.removeSync(fresh);
  Deno.writeTextFileSync(fresh, text, { createNew: true, mode: FILE_MODE });
  Deno.renameSync(fresh, path);
}
