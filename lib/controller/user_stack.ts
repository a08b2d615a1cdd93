const FRAME = /^\s+at /;
/** The end of a frame that names a place: not `at Array.map (<anonymous>)`, which says nothing alone. */
const PLACE = /:\d+:\d+\)?$/;
/** A frame of the runtime's, or of a package that the user has not written either. */
const FOREIGN = /[ (](?:ext|node):|\/node_modules\//;

/**
 * A stack without this library's own frames, so that it begins where the user can look. One that
 * shows nothing of the user's then stays as it is: in a bundle, theirs may lie in the same files.
 *
 * @param library Where this library's code lies: what its files' URLs begin with.
 */
export function userStack(stack: string, library: string = libraryOf(import.meta.url)): string {
  const own = decoded(library);
  const lines = stack.split("\n")
    .filter((line) => !FRAME.test(line) || !decoded(line).includes(own));
  return lines.some(isPlace) ? lines.join("\n") : stack;
}

function isPlace(line: string): boolean {
  return FRAME.test(line) && PLACE.test(line) && !FOREIGN.test(line);
}

/** The folder `lib`, or that of a bundle, by the URL of this module. */
export function libraryOf(module: string): string {
  const source = /^(.*\/lib\/)controller\/user_stack\.[jt]s$/.exec(module);
  return source?.[1] ?? new URL("./", module).href;
}

/** Frames have URLs percent-encoded or not, so they are compared decoded. What is not encoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
