import { DecodeError } from "../errors/decode_error.ts";

/**
 * A record of the continue tokens that the server sent in the pages of one list, which detects a
 * repeated token.
 */
export class PageTokens {
  readonly #what: string;
  readonly #named = new Set<string>();

  /**
   * Creates an empty record of the continue tokens of a list; error messages name the list by
   * `what`.
   */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Adds the continue token of a page of the list. Ignores an absent or empty token.
   *
   * @throws {DecodeError} When an earlier page of the list had the same token: the list would never
   * end.
   */
  note(token: string | undefined): void {
    if (!token) return;
    if (this.#named.has(token)) {
      throw new DecodeError(
        `Cannot list all pages of ${this.#what}: the server names the same next page twice; ` +
          "does a proxy repeat its answers?",
      );
    }
    this.#named.add(token);
  }
}
