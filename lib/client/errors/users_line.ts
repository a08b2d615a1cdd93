/** The number of frames captured to find the user's line; the library's own come first. */
const FRAMES = 50;

/** The folder of this library, or the file that it was bundled into. */
const LIBRARY = libraryOf(import.meta.url);

/** Frames of the runtime. */
const RUNTIME = /\((?:ext|node|internal):|at (?:async )?(?:ext|node|internal):/;

/**
 * Makes an error whose stack begins with the line of the user's program that awaits the call, as long
 * as there is one: what the library did in between helps nobody who reads a log. `make` is called once.
 */
export function atUsersLine<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(FRAMES, stackTraceLimit);
  let error: E;
  try {
    error = make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const stack = usersStack(error.stack, LIBRARY, stackTraceLimit);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** A stack without the frames of the library before the first that is not; `undefined` when there is none. */
export function usersStack(
  stack: string | undefined,
  library: string,
  limit: number,
): string | undefined {
  const lines = stack?.split("\n") ?? [];
  const first = lines.findIndex((line) => line.startsWith("    at "));
  if (first < 0) return undefined;
  const frames = lines.slice(first);
  const users = frames.findIndex((line) => !isOfLibrary(line, library) && !RUNTIME.test(line));
  if (users < 0) return undefined;
  return [...lines.slice(0, first), ...frames.slice(users, users + limit)].join("\n");
}

/** Tests of the library are its users. */
function isOfLibrary(line: string, library: string): boolean {
  return line.includes(library) && !/_test\.ts[:)]/.test(line);
}

/** In the sources, `lib/`; elsewhere the bundle. */
function libraryOf(url: string): string {
  return url.endsWith("/lib/client/errors/users_line.ts") ? new URL("../", url).href : url;
}
