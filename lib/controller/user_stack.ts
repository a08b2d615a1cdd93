const FRAME = /^\s+at /;
/** The end of a frame that names a place: not `at Array.map (<anonymous>)`, which says nothing alone. */
const PLACE = /:\d+:\d+\)?$/;
/** A frame of the runtime's. */
const RUNTIME = /[ (](?:ext|node):/;

/**
 * A stack without this library's own frames, so that it begins where the user can look. One that
 * shows nothing else stays as it is: the user's code may be bundled into the same files.
 *
 * @param library Where this library's code lies: what its files' URLs begin with.
 */
export function userStack(stack: string, library: string = libraryOf(import.meta.url)): string {
  const lines = stack.split("\n").filter((line) => !FRAME.test(line) || !line.includes(library));
  return lines.some(isPlace) ? lines.join("\n") : stack;
}

function isPlace(line: string): boolean {
  return FRAME.test(line) && PLACE.test(line) && !RUNTIME.test(line);
}

/** The folder `lib`, or that of a bundle. */
function libraryOf(module: string): string {
  const source = /^(.*\/lib\/)controller\/user_stack\.[jt]s$/.exec(module);
  return source?.[1] ?? new URL("./", module).href;
}
