import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestUser } from "@xca/apimachinery/internal/access";

/** Users by the bearer tokens that they show. */
export type StaticTokens = Readonly<Record<string, RequestUser>>;

/** Looks tokens up without telling by the time it takes how much of one was right. */
export class StaticTokenBook {
  readonly #entries: readonly { readonly hash: Uint8Array; readonly user: RequestUser }[];

  constructor(tokens: StaticTokens) {
    this.#entries = Object.entries(tokens).map(([token, user]) => ({ hash: hashOf(token), user }));
  }

  /** Whose token it is. */
  find(token: string): RequestUser | undefined {
    if (this.#entries.length === 0) return undefined;
    const asked = hashOf(token);
    return this.#entries.find(({ hash }) => timingSafeEqual(hash, asked))?.user;
  }
}

function hashOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
