import { errorText } from "@xca/apimachinery/base";

/** Explanations of the operating system's errors with files, by error code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EEXIST: "a file is there, not a folder",
  ENOTDIR: "a part of it is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "nothing can be written there",
  ENOSPC: "the disk is full",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

/**
 * Returns an error message on why a file at `path` or below cannot be used, followed by the remedy
 * `next`. An error that is not the file system's is described by its own message alone.
 */
export function fileProblem(error: unknown, path: string, next: string): string {
  const { cause } = error as Error;
  const origin = cause instanceof Error ? cause : error;
  const { code = "", name = "", message = "" } = origin as Error & { code?: string };
  // The runtime denies access to some files of the system.
  const why = name === "NotCapable" ? WHY.EACCES : WHY[code];
  if (why === undefined) return errorText(error);
  const [, at = path] = /'([^']+)'$/.exec(message) ?? [];
  return `${at === path ? "" : `${at}: `}${why}; ${next}`;
}
