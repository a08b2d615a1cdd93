import { DecodeError } from "../errors/decode_error.ts";

/** The continue tokens that a server named in one list. Each leads to another page. */
export class PageTokens {
  readonly #what: string;
  readonly #named = new Set<string>();

  /** Creates the empty record of a list, which `what` names in the error. */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Notes the token that a page of the list names.
   *
   * @throws {DecodeError} When an earlier page named it too: the list would never end.
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
