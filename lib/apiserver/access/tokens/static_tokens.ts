// Mirrors `authentication/token/tokenfile/tokenfile.go, TokenAuthenticator.AuthenticateToken`.
import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestUser } from "@xca/apimachinery/internal/access";

/**
 * The users that static bearer tokens authenticate, by token. The server adds the group
 * `system:authenticated` to each user.
 */
export type StaticTokens = Readonly<Record<string, RequestUser>>;

/**
 * A lookup of the users of static bearer tokens. Tokens are compared by their hashes in constant
 * time, so that the time of a failed look-up does not reveal a prefix of a token.
 */
export class StaticTokenBook {
  readonly #entries: readonly { readonly hash: Uint8Array; readonly user: RequestUser }[];

  constructor(tokens: StaticTokens) {
    this.#entries = Object.entries(tokens).map(([token, user]) => ({ hash: hashOf(token), user }));
  }

  /** Returns the user of a static bearer token; `undefined` for an unknown token. */
  find(token: string): RequestUser | undefined {
    if (this.#entries.length === 0) return undefined;
    const asked = hashOf(token);
    return this.#entries.find(({ hash }) => timingSafeEqual(hash, asked))?.user;
  }
}

function hashOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
