/**
 * The rules for paths of files. Each function gives what is wrong with a path.
 *
 * @module
 */

/** A path that does not climb. */
export function backstepProblems(path: string): string[] {
  return path.split("/").includes("..") ? ["must not contain '..'"] : [];
}

/** A path below some directory. */
export function descendingPathProblems(path: string): string[] {
  return [...path.startsWith("/") ? ["must be a relative path"] : [], ...backstepProblems(path)];
}

/** A path of a file that a volume makes: below it, and not of the names that it uses itself. */
export function localPathProblems(path: string): string[] {
  const problems = descendingPathProblems(path);
  if (path.startsWith("..") && !path.startsWith("../")) problems.push("must not start with '..'");
  return problems;
}

/** What is wrong with the mode of a file. */
export function fileModeProblems(mode: number | undefined): string[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return ["must be a number between 0 and 0777 (octal), both inclusive"];
}
