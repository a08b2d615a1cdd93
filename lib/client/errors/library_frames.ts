/** Matches the URL of this module in the sources of the library, up to the folder `lib`. */
const SOURCE = /^(.*\/)lib\/client\/errors\/library_frames\.[jt]s$/;

/** Matches the folder of the package in a registry, up to the names of the library's packages. */
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
