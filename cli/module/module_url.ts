import { pathToFileURL } from "node:url";

/** Returns the URL of a module, given by its path from the working directory or by URL. */
export function moduleUrl(specifier: string): string {
  return /^(file|https?|data|npm|jsr):/.test(specifier) ? specifier : pathToFileURL(specifier).href;
}
