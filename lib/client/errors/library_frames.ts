/**
 * The pattern of this module's URL in the sources of the library; the group is the URL of the
 * folder that contains `lib`, with a slash at its end.
 */
const SOURCE = /^(.*\/)lib\/client\/errors\/library_frames\.[jt]s$/;

/**
 * The pattern of the URL of the package's folder in a registry, with or without a folder of the
 * version. The group is the URL up to the scope, `@xca/` or `xca__`, with which the URLs of all
 * packages of the library begin.
 */
const PUBLISHED = /^(.*(?:\/@xca\/|\/xca__))operator\/(?:[^/]+\/)?$/;

/** The prefix of the URLs of this library's files in stack traces. */
export const LIBRARY: string = libraryOf(import.meta.url);

/**
 * Returns the prefix of the URLs of the library's files, from the URL of this module: the folder
 * `lib`, the folder of the library's packages in a registry, or the folder of a bundle.
 */
export function libraryOf(module: string): string {
  const parent = SOURCE.exec(module)?.[1];
  if (parent === undefined) return new URL("./", module).href;
  return PUBLISHED.exec(parent)?.[1] ?? `${parent}lib/`;
}
