import { markClass } from "@xca/apimachinery/internal/base";
import type { ObjectKey } from "@xca/apimachinery/meta";

/**
 * Options of the class {@linkcode DecodeError}, the error about a response of the server, or a part
 * of one, that cannot be decoded.
 */
export type DecodeErrorOptions = NonNullable<ConstructorParameters<typeof DecodeError>[1]>;

/**
 * The error of a response of the server, or of one object or line in it, that cannot be decoded:
 * bad UTF-8, bad JSON, another object than the requested one, an object without a name, a continue
 * token that repeats.
 *
 * A watch continues after a line that cannot be decoded, and ends at an object of another resource.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listWatchFrom } from "@xca/operator/cache";
 * import { DecodeError } from "@xca/operator/client";
 *
 * const listerWatcher = listWatchFrom({
 *   list: () => Promise.resolve(JSON.parse('{"items":"none"}')),
 *   watch: async function* () {},
 * });
 * const { signal } = new AbortController();
 * await assert.rejects(listerWatcher.list({}, () => {}, { signal }), DecodeError); // not a list
 * ```
 */
export class DecodeError extends Error {
  /** The name of this error class, `DecodeError`. */
  override readonly name = "DecodeError";
  /**
   * The key of the object that could not be decoded; `undefined` when it is unknown, or the error
   * is not about one object.
   */
  readonly key: ObjectKey | undefined;

  /** Creates the error of one object, line or response that cannot be decoded. */
  constructor(message: string, options: ErrorOptions & {
    /**
     * The key of the object that could not be decoded; `undefined` when it is unknown, or the error
     * is not about one object.
     */
    readonly key?: ObjectKey | undefined;
  } = {}) {
    super(message, options);
    this.key = options.key;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/DecodeError"));
  }
}

/**
 * The error of a watch line or list item that is too large. The decoder ends the stream, and does
 * not read the rest of the line or item into memory.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { FrameTooLargeError } from "@xca/operator/client";
 * import { LineSplitter } from "../decode/lines.ts";
 *
 * const splitter = new LineSplitter({ maxBytes: 8 });
 * assert.throws(() => splitter.push(new Uint8Array(9)), FrameTooLargeError);
 * ```
 */
export class FrameTooLargeError extends Error {
  /** The name of this error class, `FrameTooLargeError`. */
  override readonly name = "FrameTooLargeError";
  /** The limit for a watch line or list item, in bytes. */
  readonly maxBytes: number;

  /**
   * Creates the error of a watch line or list item that is too large; `what` is its name, such as
   * `list item`.
   */
  constructor(what: string, maxBytes: number) {
    super(
      `Cannot decode ${what}: it is longer than ${maxBytes} bytes; ` +
        "raise the cap, or make the object smaller",
    );
    this.maxBytes = maxBytes;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/FrameTooLargeError"));
  }
}

/**
 * The error of a response that is too large to be read as a whole. The rest of the response is not
 * read.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { AnswerTooLargeError, createClient } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ text: "x".repeat(100) }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * await assert.rejects(
 *   client.requestJson({ path: "/version", maxBytes: 64 }),
 *   AnswerTooLargeError,
 * );
 * ```
 */
export class AnswerTooLargeError extends Error {
  /** The name of this error class, `AnswerTooLargeError`. */
  override readonly name = "AnswerTooLargeError";
  /** The limit for a response, in bytes. */
  readonly maxBytes: number;

  /** Creates the error of a response to `call`, such as `GET /version`, that is too large. */
  constructor(call: string, maxBytes: number) {
    super(
      `Cannot take the answer to ${call}: it is longer than ${maxBytes} bytes; ask for less at once ` +
        "(limit, selectors), or read it as a stream",
    );
    this.maxBytes = maxBytes;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/AnswerTooLargeError"));
  }
}
