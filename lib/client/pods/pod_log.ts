import { type ObjectKey, Pod } from "@xca/apimachinery/meta";
import { FrameTooLargeError } from "../errors/decode_error.ts";
import { MAX_FRAME_BYTES } from "../decode/lines.ts";
import type { CallOptions } from "../calls/options.ts";
import { withoutCallOptions } from "../calls/query.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestCalls } from "../calls/rest.ts";
import { bodyError } from "../raw/expected_body.ts";
import { hideOf } from "../transport/answer.ts";

/** Options of {@linkcode podLogs} and {@linkcode podLogLines}. */
export interface PodLogOptions extends CallOptions {
  /**
   * The container whose log is read; must be named if the pod has several.
   *
   * @default the only one
   */
  readonly container?: string | undefined;
  /**
   * Sets whether the stream continues with lines that the container writes later, until the
   * container ends.
   *
   * @default {false}
   */
  readonly follow?: boolean | undefined;
  /**
   * Sets whether the log of the previous run of the container is read, instead of that of the
   * current one.
   *
   * @default {false}
   */
  readonly previous?: boolean | undefined;
  /** The largest age of the log lines to read, in seconds before the request. @default no limit */
  readonly sinceSeconds?: number | undefined;
  /**
   * The time (RFC 3339) after which the log lines to read were written. Excludes `sinceSeconds`.
   *
   * @default no limit
   */
  readonly sinceTime?: string | undefined;
  /** The largest number of log lines to read, counted from the end of the log. @default all */
  readonly tailLines?: number | undefined;
  /** The largest number of bytes of the log to read; the last line may be cut. @default no limit */
  readonly limitBytes?: number | undefined;
  /**
   * Sets whether each log line begins with the time at which it was written (RFC 3339).
   *
   * @default {false}
   */
  readonly timestamps?: boolean | undefined;
  /**
   * The output stream of the container whose log is read.
   *
   * @default both; servers before 1.32 support no choice
   */
  readonly stream?: "Stdout" | "Stderr" | undefined;
  /** Sets whether the server accepts any certificate of the kubelet. @default {false} */
  readonly insecureSkipTLSVerifyBackend?: boolean | undefined;
}

/**
 * Returns the log of a container of a pod as a stream of bytes, which are read on demand. A
 * followed log may be silent without limit, and the default deadline of the client ({@linkcode
 * ClientConfig.requestTimeoutMs}) does not apply to it; the stream ends with the container, with
 * the signal of the call, or when the stream is cancelled.
 *
 * @throws {DecodeError} When the response is an HTML or XML page by its media type, or has no body
 * by its status.
 * @throws {ApiError} `isBadRequest` when the container must be named, or has not started yet.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, podLogs } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(new Response("ready\n"));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const log = await podLogs(client, "default/web-0", { tailLines: 100 });
 * assert.equal(await new Response(log).text(), "ready\n");
 * ```
 */
export async function podLogs(
  client: RestCalls,
  key: ObjectKey,
  options: PodLogOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const { signal, timeoutMs, caller } = options;
  const path = objectPath(Pod, key, "log");
  const response = await client.request({
    path,
    query: withoutCallOptions(options),
    // A refusal is JSON; the log is not.
    headers: [["Accept", "application/json, */*"]],
    signal,
    caller,
    what: `log of pod ${key}`,
    ...(options.follow ? { timeoutMs: timeoutMs ?? 0, idleTimeoutMs: 0 } : { timeoutMs }),
  });
  const { status, headers, body } = response;
  const wanted = { path, wanted: `the log of pod ${key}` };
  const unfit = bodyError({ status, headers, hide: hideOf(response) }, wanted);
  if (unfit === undefined) return body ?? new Blob([]).stream();
  await body?.cancel(unfit).catch(() => {});
  throw unfit;
}

/**
 * Yields the lines of the log of a container of a pod, without their newlines. Invalid UTF-8
 * becomes replacement characters; a last line without a newline is yielded too.
 *
 * @throws {ApiError} When the server refuses; see {@linkcode podLogs}.
 * @throws {FrameTooLargeError} When a line is longer than 16 Mi characters.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, podLogLines } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(new Response("starting\nready\n"));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const lines: string[] = [];
 * for await (const line of podLogLines(client, "default/web-0")) lines.push(line);
 * assert.deepEqual(lines, ["starting", "ready"]);
 * ```
 */
export async function* podLogLines(
  client: RestCalls,
  key: ObjectKey,
  options: PodLogOptions = {},
): AsyncIterableIterator<string> {
  const reader = (await podLogs(client, key, options)).getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const [first = "", ...more] = decoder.decode(next.value, { stream: true }).split("\n");
      rest += first;
      if (rest.length > MAX_FRAME_BYTES) throw new FrameTooLargeError("line", MAX_FRAME_BYTES);
      for (const text of more) {
        yield rest;
        rest = text;
      }
    }
    rest += decoder.decode();
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
