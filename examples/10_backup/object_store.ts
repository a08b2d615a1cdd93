/**
 * Client of HTTP servers that store bytes under a URL: an object store, and a database that exports
 * and imports a dump.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Clock } from "@xca/operator";

/** The timeout of one request to the database or the object store, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** The signal and the clock of a reconcile run, which limit its requests. */
export interface RequestBounds {
  /** The signal that cancels the request. */
  readonly signal: AbortSignal;
  /** The clock that measures the request's timeout. */
  readonly clock: Clock;
}

/** Error of a request that a server refused, or did not answer completely and in time. */
export class StoreError extends Error {
  /** The name of this error class, `StoreError`. */
  override readonly name = "StoreError";
}

/** The HTTP methods by which the bytes of a URL are read, written and deleted. */
export type StoreMethod = "GET" | "PUT" | "DELETE";

/**
 * Sends one request; returns the whole body of its response. The deletion of absent bytes succeeds.
 *
 * @throws {StoreError} When the server is unreachable, refuses, closes the connection or needs more
 * than 30 seconds, or the signal is aborted.
 */
export async function send(
  method: StoreMethod,
  url: string,
  { signal, clock }: RequestBounds,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const slow = new AbortController();
  using _timer = clock.after(TIMEOUT_MS, () => slow.abort(new Error("it took more than 30 s")));
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.any([signal, slow.signal]),
      ...(body && { body }),
    });
    const bytes = await response.bytes();
    if (response.ok || (method === "DELETE" && response.status === 404)) return bytes;
    throw new Error(`the response is ${response.status}`);
  } catch (error) {
    const { message } = error as Error;
    throw new StoreError(`${method} ${url} failed: ${message}`, { cause: error });
  }
}

/** Returns the SHA-256 checksum of bytes, in hexadecimal. */
export function checksumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
