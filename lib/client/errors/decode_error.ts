import type { ObjectKey } from "@xca/apimachinery/meta";

/** What a {@linkcode DecodeError} knows beside its message. */
export type DecodeErrorOptions = NonNullable<ConstructorParameters<typeof DecodeError>[1]>;

/**
 * Bytes from the server that are not what they should be: bad UTF-8, bad JSON, no object, no name.
 *
 * It concerns one object or one line, never the stream it came in.
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
  /** The class's name. */
  override readonly name = "DecodeError";
  /** The key of the object whose text cannot be decoded, when it is known. */
  readonly key: ObjectKey | undefined;

  /** Makes an error of one object or line. */
  constructor(message: string, options: ErrorOptions & {
    /** The key of the object whose text cannot be decoded, when it is known. */
    readonly key?: ObjectKey | undefined;
  } = {}) {
    super(message, options);
    this.key = options.key;
  }
}

/**
 * A line or list item longer than the cap: the stream cannot go on, and nothing more is held.
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
  /** The class's name. */
  override readonly name = "FrameTooLargeError";
  /** The cap that was passed, in bytes. */
  readonly maxBytes: number;

  /** Makes an error of a frame that passed `maxBytes`; `what` names it, as `watch event`. */
  constructor(what: string, maxBytes: number) {
    super(
      `Cannot decode ${what}: it is longer than ${maxBytes} bytes; ` +
        "raise the cap, or make the object smaller",
    );
    this.maxBytes = maxBytes;
  }
}

/**
 * The answer to one call is longer than the cap: nothing more of it is read or held.
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
  /** The class's name. */
  override readonly name = "AnswerTooLargeError";
  /** The cap that was passed, in bytes. */
  readonly maxBytes: number;

  /** Makes an error of the answer to `call`, as `GET /version`, that passed `maxBytes`. */
  constructor(call: string, maxBytes: number) {
    super(
      `Cannot take the answer to ${call}: it is longer than ${maxBytes} bytes; ask for less at once ` +
        "(limit, selectors), or read it as a stream",
    );
    this.maxBytes = maxBytes;
  }
}
