import { errorText } from "@xca/apimachinery/base";

/** Why a file or a folder cannot be used, in words, where it is the operating system that says so. */
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
 * Why the file at `path` cannot be used, or one within it, and what to do next; what is no trouble with
 * files says both itself.
 */
export function fileProblem(error: unknown, path: string, next: string): string {
  const { cause } = error as Error;
  const origin = cause instanceof Error ? cause : error;
  const { code = "", name = "", message = "" } = origin as Error & { code?: string };
  // Files of the system that the runtime keeps for itself.
  const why = name === "NotCapable" ? WHY.EACCES : WHY[code];
  if (why === undefined) return errorText(error);
  const [, at = path] = /'([^']+)'$/.exec(message) ?? [];
  return `${at === path ? "" : `${at}: `}${why}; ${next}`;
}
