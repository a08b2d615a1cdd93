import { getLogger } from "@logtape/logtape";
import { messageText } from "../errors/message_text.ts";
import type { PreparedCall } from "./prepared_call.ts";

const logger = getLogger(["xca", "client", "warnings"]);

/** Warnings told apart; beyond that many the first are told again. */
const REMEMBERED = 1_000;

/** The call that the server warned of. */
export type WarnedCall = Parameters<OnWarning>[1];

/**
 * Called with the text of each `Warning` that the server sends, and the call that it answered: once per
 * text, method and collection, so that a field that is unknown in each of many objects is told of once.
 */
export type OnWarning = (text: string, call: {
  /** The HTTP method. */
  readonly method: string;
  /** The path, which names the object; of a creation, the collection. */
  readonly path: string;
  /** The name of the object that was sent; empty when it had none. */
  readonly name: string;
}) => void;

/** Logs it; the default {@linkcode OnWarning}. */
export function logWarning(text: string, { method, path, name }: WarnedCall): void {
  const object = name === "" || path.split("/").includes(name) ? "" : ` of ${name}`;
  logger.warn("{text} ({method} {path}{object})", { text, method, path, name, object });
}

/** Tells each of the server's warnings once per client and collection. */
export class Warnings {
  readonly #seen = new Set<string>();
  readonly #onWarning: OnWarning;

  /** Makes one that has told nothing. */
  constructor(onWarning: OnWarning = logWarning) {
    this.#onWarning = onWarning;
  }

  /** Tells the new ones among the warnings of the answer to a call, cleaned of secrets. */
  note(
    headers: Headers,
    call: Pick<PreparedCall, "method" | "path" | "body">,
    clean: (text: string) => string = (text) => text,
  ): void {
    const header = headers.get("warning");
    if (header === null) return;
    for (const text of parseWarnings(header).map(clean)) {
      const { method, path } = call;
      const seen = JSON.stringify([text, method, collectionOf(path)]);
      if (this.#seen.has(seen)) continue;
      if (this.#seen.size >= REMEMBERED) this.#seen.clear();
      this.#seen.add(seen);
      this.#onWarning(messageText(text), { method, path, name: nameIn(call.body) });
    }
  }
}

/** A path without what stands behind the resource's plural, and without the namespace. */
function collectionOf(path: string): string {
  const [, root, plural] =
    /^(.*?\/(?:api|apis\/[^/]+)\/[^/]+\/)(?:namespaces\/[^/]+\/(?=[^/]))?([^/]+)/
      .exec(path) ?? [];
  return root === undefined ? path : root + plural;
}

/** The name of the object that a body is; empty when it is none. */
function nameIn(body: PreparedCall["body"]): string {
  if (typeof body !== "string") return "";
  try {
    const { name, generateName } = JSON.parse(body)?.metadata ?? {};
    const found: unknown = name ?? generateName;
    return typeof found === "string" ? found : "";
  } catch {
    return "";
  }
}

/** The texts of a `Warning` header (RFC 7234 section 5.5) with code 299, the one Kubernetes uses. */
export function parseWarnings(header: string): string[] {
  const found = header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(found)
    .filter(([, code]) => code === "299")
    .map(([, , text]) => text!.replace(/\\(.)/g, "$1"));
}
