/**
 * The rules for the paths and the permission bits of files in the volumes of pods. Each function
 * returns the problems of a path or of permission bits.
 *
 * @module
 */

/**
 * Returns the problems of a file path, which must have no `..` segment
 * (`core/validation/validation.go`, `validatePathNoBacksteps`).
 */
export function backstepProblems(path: string): string[] {
  return path.split("/").includes("..") ? ["must not contain '..'"] : [];
}

/** Returns the problems of a file path, which must be relative without a `..` segment. */
export function descendingPathProblems(path: string): string[] {
  return [...path.startsWith("/") ? ["must be a relative path"] : [], ...backstepProblems(path)];
}

/**
 * Returns the problems of a file's path in a volume: relative, without `..`, and not starting with
 * `..`.
 */
export function localPathProblems(path: string): string[] {
  const problems = descendingPathProblems(path);
  if (path.startsWith("..") && !path.startsWith("../")) problems.push("must not start with '..'");
  return problems;
}

/**
 * Returns the problems of a file's permission bits, which must be 0 to 0777 (octal); none if they
 * are absent.
 */
export function fileModeProblems(mode: number | undefined): string[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return ["must be a number between 0 and 0777 (octal), both inclusive"];
}
