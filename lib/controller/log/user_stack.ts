import { LIBRARY } from "../../client/errors/library_frames.ts";

const FRAME = /^\s+at /;
/**
 * A regular expression that matches the line and column at the end of a stack frame; `at Array.map
 * (<anonymous>)` has none.
 */
const PLACE = /:\d+:\d+\)?$/;
/**
 * A regular expression that matches, in a stack frame, a position in the runtime (`ext:`, `node:`)
 * or in an npm package, in a folder `node_modules` or in Deno's cache (`npm/HOST/NAME/1.2.3/`).
 */
const FOREIGN = /[ (](?:ext|node):|\/node_modules\/|\/npm\/[^/]+\/(?:@[^/]+\/)?[^/]+\/\d+\.\d+\.\d/;

/**
 * Returns a stack trace without the frames of this library, wherever they are in the trace. A stack
 * trace without a frame of user code is returned unchanged: in a bundle, the user's code may be in
 * the same file as the library.
 *
 * @param library The text that the URLs of this library's files contain, percent-encoded or not; by
 * default the URL of the library's root.
 */
export function userStack(stack: string, library: string = LIBRARY): string {
  const own = decoded(library);
  const lines = stack.split("\n")
    .filter((line) => !FRAME.test(line) || !decoded(line).includes(own));
  return lines.some(isPlace) ? lines.join("\n") : stack;
}

function isPlace(line: string): boolean {
  return FRAME.test(line) && PLACE.test(line) && !FOREIGN.test(line);
}

/**
 * Returns a stack frame or URL with its percent-encoded characters decoded; returns the text
 * unchanged when its encoding is not valid.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
