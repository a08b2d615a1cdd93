import { pathToFileURL } from "node:url";

/** The URL of a module that is named by its path from the working directory, or by a URL. */
export function moduleUrl(specifier: string): string {
  return /^(file|https?|data|npm|jsr):/.test(specifier) ? specifier : pathToFileURL(specifier).href;
}
