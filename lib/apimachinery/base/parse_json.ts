/**
 * `JSON.parse` whose errors quote nothing of the text: it may be a Secret, and errors end up in logs.
 *
 * @throws {SyntaxError} When the text is not JSON; the message tells where, as far as it is known.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(withoutText(error instanceof Error ? error.message : ""));
  }
}

/** The engine's messages either have a position, or quote what is wrong and have none. */
function withoutText(message: string): string {
  if (message === "Unexpected end of JSON input") return message;
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  return position === undefined ? "it is not JSON" : `it is not JSON at position ${position}`;
}
