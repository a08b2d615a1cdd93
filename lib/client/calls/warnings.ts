import { getLogger } from "@logtape/logtape";
import { attempt } from "@xca/apimachinery/internal/base";
import type { ResponseHeaders } from "../transport/response_headers.ts";
import { messageText } from "../errors/message_text.ts";
import type { PreparedCall } from "./prepared_call.ts";

const logger = getLogger(["xca", "client", "warnings"]);

/**
 * The largest number of server warnings that a client remembers as reported. At this number the
 * client forgets all of them, so that each may be reported once more.
 */
const REMEMBERED = 1_000;

/** The request whose response had a warning. */
export type WarnedCall = Parameters<OnWarning>[1];

/**
 * A callback that receives the text of each `Warning` header of the server (code 299) and the
 * request whose response had the header. A client calls the callback, except for WebSockets, once
 * per text, HTTP method and resource (in whatever namespace), so that an unknown field in many
 * objects is reported once. The client ignores errors of the callback.
 */
export type OnWarning = (text: string, call: {
  /** The HTTP method of the warned request. */
  readonly method: string;
  /**
   * The URL path of the warned request, such as that of an object; for a creation, that of the
   * collection.
   */
  readonly path: string;
  /**
   * The name, or else the generateName, of the object in the body of the warned request; empty
   * without one.
   */
  readonly name: string;
}) => void;

/** Writes a warning of the server to the log; the default {@linkcode OnWarning}. */
export function logWarning(text: string, { method, path, name }: WarnedCall): void {
  const object = name === "" || path.split("/").includes(name) ? "" : ` of ${name}`;
  logger.warn("{text} ({method} {path}{object})", { text, method, path, name, object });
}

/**
 * A reporter of the server's `Warning` headers to a callback, each text once per HTTP method and
 * resource, until {@linkcode REMEMBERED} were reported; then it begins anew.
 */
export class Warnings {
  readonly #seen = new Set<string>();
  readonly #onWarning: OnWarning;

  constructor(onWarning: OnWarning = logWarning) {
    this.#onWarning = onWarning;
  }

  /**
   * Passes the warnings in the headers of a response that were not reported before to the callback,
   * whose errors are ignored. `clean` removes credentials from the texts of the warnings.
   */
  note(
    headers: ResponseHeaders,
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
      // A failing callback must not turn a request that succeeded into one that failed.
      attempt(() => this.#onWarning(messageText(text), { method, path, name: nameIn(call.body) }));
    }
  }
}

/**
 * Returns a URL path up to the plural of the resource, without the namespace; a path of no resource
 * unchanged.
 */
function collectionOf(path: string): string {
  const [, root, plural] =
    /^(.*?\/(?:api|apis\/[^/]+)\/[^/]+\/)(?:namespaces\/[^/]+\/(?=[^/]))?([^/]+)/
      .exec(path) ?? [];
  return root === undefined ? path : root + plural;
}

/**
 * Returns the name, or else the generateName, of the object in a request body; empty without one.
 */
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

/**
 * Returns the texts of a `Warning` header (RFC 7234 section 5.5) with code 299, which Kubernetes
 * uses.
 */
export function parseWarnings(header: string): string[] {
  const found = header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(found)
    .filter(([, code]) => code === "299")
    .map(([, , text]) => text!.replace(/\\(.)/g, "$1"));
}
