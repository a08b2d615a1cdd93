/**
 * Parses JSON. The message of an error contains nothing of the text, since the text may be a Secret
 * and errors are logged.
 *
 * @throws {SyntaxError} When the text is not JSON; the message has the position, if the engine
 * states it.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(withoutText(error instanceof Error ? error.message : ""));
  }
}

/**
 * Returns the message for an error of the engine's JSON parser: the position, if the engine states
 * it, and nothing of the text. The engine's messages either have a position or quote the text.
 */
function withoutText(message: string): string {
  if (message === "Unexpected end of JSON input") return message;
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  return position === undefined ? "it is not JSON" : `it is not JSON at position ${position}`;
}
