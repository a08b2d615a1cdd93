import { LIBRARY } from "../../client/errors/library_frames.ts";

const FRAME = /^\s+at /;
/** Matches the end of a stack frame with a file position; `at Array.map (<anonymous>)` has none. */
const PLACE = /:\d+:\d+\)?$/;
/** Matches a line of an error's stack that is of the runtime or of an npm package. */
const FOREIGN = /[ (](?:ext|node):|\/node_modules\//;

/**
 * Returns a stack trace without the frames of this library, so that it begins with the user's code.
 * A stack trace of the library's frames only is returned unchanged: in a bundle, the user's code
 * may be in the same file.
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
 * Decodes the URL in a stack frame, which may be percent-encoded or not; returns the text unchanged
 * when it is not.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
