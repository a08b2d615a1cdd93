import { getLogger } from "@logtape/logtape";

const logger = getLogger(["xca", "client", "warnings"]);

/** Warnings told apart; beyond that many the first are told again. */
const REMEMBERED = 1_000;

/** Called with the text of each `Warning` that the server sends, once per text. */
export type OnWarning = (text: string) => void;

/** Logs it; the default {@linkcode OnWarning}. */
export function logWarning(text: string): void {
  logger.warn("{text}", { text });
}

/** Tells each of the server's warnings once per client. */
export class Warnings {
  readonly #seen = new Set<string>();
  readonly #onWarning: OnWarning;

  /** Makes one that has told nothing. */
  constructor(onWarning: OnWarning = logWarning) {
    this.#onWarning = onWarning;
  }

  /** Tells the new ones among an answer's warnings, cleaned of secrets. */
  note(headers: Headers, clean: (text: string) => string = (text) => text): void {
    const header = headers.get("warning");
    if (header === null) return;
    for (const text of parseWarnings(header).map(clean)) {
      if (this.#seen.has(text)) continue;
      if (this.#seen.size >= REMEMBERED) this.#seen.clear();
      this.#seen.add(text);
      this.#onWarning(text);
    }
  }
}

/** The texts of a `Warning` header (RFC 7234 section 5.5) with code 299, the one Kubernetes uses. */
export function parseWarnings(header: string): string[] {
  const found = header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(found)
    .filter(([, code]) => code === "299")
    .map(([, , text]) => text!.replace(/\\(.)/g, "$1"));
}
