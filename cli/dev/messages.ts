/**
 * A message of an operator's process to `kubectl xca dev`, a line of JSON on standard output.
 *
 * - `loaded`: the operator is loaded, and waits for a line on standard input.
 * - `failed`: the operator cannot be loaded or run, with the reason.
 * - `said`: a line for the user.
 * - `running`: the operator runs.
 */
export type DevMessage =
  | { readonly type: "loaded" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "said"; readonly line: string }
  | { readonly type: "running" };

/**
 * The line on standard input that starts a loaded operator. The end of standard input stops the
 * operator.
 */
export const GO = "go";

/**
 * Returns the message of an operator's process in an output line; `undefined` for other output,
 * such as that of `console.log` in the operator.
 */
export function parseMessage(line: string): DevMessage | undefined {
  if (!line.startsWith(MARK)) return undefined;
  try {
    return JSON.parse(line.slice(MARK.length)) as DevMessage;
  } catch {
    return undefined;
  }
}

/** Returns a message to `kubectl xca dev` as a line, with the line end. */
export function messageLine(message: DevMessage): string {
  return `${MARK}${JSON.stringify(message)}\n`;
}

/** The prefix of each message to `kubectl xca dev`; other lines are output of the operator. */
const MARK = "\x1exca ";
