import { LIBRARY } from "./library_frames.ts";

/**
 * The least number of stack frames to capture: enough to include the line of the user's program,
 * after the frames of the library.
 */
const FRAMES = 50;

/** The pattern of a stack frame of the JavaScript runtime. */
const RUNTIME = /\((?:ext|node|internal):|at (?:async )?(?:ext|node|internal):/;

/**
 * Returns the error that `make` creates, with a stack that begins with the line of the user's
 * program that awaits the call, if there is one: the frames of the library do not help readers of a
 * log. Calls `make` once.
 *
 * The frames are those of another error, made at the same place. Deno prints an uncaught error by
 * the frames that it has noted when the stack of the error was first read, whatever the stack is
 * set to afterwards; the text of a stack that is set before is printed as it is.
 */
export function atUsersLine<E extends Error>(make: () => E): E {
  const frames = usersFrames();
  const error = make();
  if (frames !== undefined) error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

/** Returns the frames of the stack from the line of the user's program on; `undefined` for none. */
function usersFrames(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(FRAMES, stackTraceLimit);
  let place: Error;
  try {
    place = new Error();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const stack = usersStack(place.stack, LIBRARY, stackTraceLimit);
  return stack?.slice(stack.indexOf("    at "));
}

/**
 * Returns a stack trace that begins with the first frame which is neither of the library nor of the
 * runtime, and has at most `limit` frames; `undefined` when there is no such frame.
 */
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

/**
 * Reports whether a line of a stack trace is a frame of this library. Tests of the library count as
 * users.
 */
function isOfLibrary(line: string, library: string): boolean {
  return line.includes(library) && !/_test\.ts[:)]/.test(line);
}
