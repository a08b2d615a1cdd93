const FRAME = /^\s+at /;
/** The end of a frame that names a place: not `at Array.map (<anonymous>)`, which says nothing alone. */
const PLACE = /:\d+:\d+\)?$/;
/** A frame of the runtime's. */
const RUNTIME = /[ (](?:ext|node):/;

/**
 * A stack without this library's own frames, so that it begins where the user can look. One that
 * shows nothing else stays as it is, and so does any in a bundle: the user's code may lie in the same
 * files.
 *
 * @param library Where this library's code lies: what its files' URLs begin with. Empty in a bundle.
 */
export function userStack(stack: string, library: string = libraryOf(import.meta.url)): string {
  if (library === "") return stack;
  const own = decoded(library);
  const lines = stack.split("\n")
    .filter((line) => !FRAME.test(line) || !decoded(line).includes(own));
  return lines.some(isPlace) ? lines.join("\n") : stack;
}

function isPlace(line: string): boolean {
  return FRAME.test(line) && PLACE.test(line) && !RUNTIME.test(line);
}

/** The folder `lib`, by the URL of this module; empty in a bundle. */
export function libraryOf(module: string): string {
  return /^(.*\/lib\/)controller\/user_stack\.[jt]s$/.exec(module)?.[1] ?? "";
}

/** Frames have URLs percent-encoded or not, so they are compared decoded. What is not encoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
