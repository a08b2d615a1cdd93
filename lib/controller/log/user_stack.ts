import { LIBRARY } from "../../client/errors/library_frames.ts";

const FRAME = /^\s+at /;
/**
 * A regular expression that matches the end of a stack frame with a file position;
 * `at Array.map (<anonymous>)` has none.
 */
const PLACE = /:\d+:\d+\)?$/;
/** A regular expression that matches a stack frame of the runtime or of an npm package. */
const FOREIGN = /[ (](?:ext|node):|\/node_modules\//;

/**
 * Returns a stack trace without the frames of this library, at whatever position. A stack trace
 * without a frame of user code is returned unchanged: in a bundle, the user's code may be in the
 * same file as the library.
 *
 * @param library The prefix of the URLs of this library's files.
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
