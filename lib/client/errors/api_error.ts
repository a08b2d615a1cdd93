import { markClass } from "@xca/apimachinery/internal/base";
import { cutText, messageText } from "./message_text.ts";
import { isStatus, type Status, withoutMistyped } from "./status.ts";
import { atUsersLine } from "./users_line.ts";

/**
 * The error of a request that the API server or a proxy before it refused, or of a watch that the
 * server ended with an error. The message is that of the server, such as `xcas.apps... "a" not
 * found`; {@linkcode ApiError.toString} puts kubectl's `Error from server (NotFound): ` before it.
 *
 * Distinguish refusals by the predicates ({@linkcode isNotFound}, {@linkcode isConflict}...), not
 * by status codes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, createClient } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const status = { kind: "Status", apiVersion: "v1", code: 404, message: 'pods "web" not found' };
 * const fetch = () => Promise.resolve(Response.json(status, { status: 404 }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const error = await client.get(Pod, "default/web").catch((error: unknown) => error);
 * assert(error instanceof ApiError);
 * assert.equal(String(error), 'Error from server (NotFound): pods "web" not found');
 * ```
 */
export class ApiError extends Error {
  /** The name of this error class, `ApiError`. */
  override readonly name = "ApiError";
  /**
   * The `Status` with which the server refused the request, without fields of a wrong type; its
   * messages are cut after 2000 characters and without the data of Secrets.
   */
  readonly status: Status;
  /** The code in the `Status`, or else of the HTTP response; 0 if an event's `Status` has none. */
  readonly code: number;
  /**
   * The machine-readable reason of the refusal, such as `NotFound`; derived from the code when the
   * server sends none, or `Unknown`.
   */
  readonly reason: string;
  /**
   * The time after which the server suggests a retry of the refused request, in seconds since the
   * response, from the `Retry-After` header or else the `Status`; `undefined` without either.
   */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The HTTP method of the refused request, `CONNECT` for a WebSocket; empty for an error inside a
   * watch.
   */
  readonly method: string;
  /** The path of the refused request, without its query; empty for an error inside a stream. */
  readonly path: string;

  /** Creates an ApiError from a `Status` and the request that it answered. */
  constructor(init: {
    /** The `Status` with which the server refused the request. */
    readonly status: Status;
    /** The HTTP method of the refused request; empty for an error inside a watch. @default {""} */
    readonly method?: string;
    /** The path of the refused request, without its query; empty for an error inside a stream. */
    readonly path?: string;
    /**
     * The wait that the `Retry-After` header of the refusal requests, in seconds.
     *
     * @default that of the `Status`, if any
     */
    readonly retryAfterSeconds?: number | undefined;
  }, options?: ErrorOptions) {
    const { method = "", path = "" } = init;
    const status = fitForMessages(init.status);
    const code = status.code ?? 0;
    super(status.message || `the server answered ${code} without a message`, options);
    this.status = status;
    this.code = code;
    this.reason = status.reason || (REASONS[code] ?? "Unknown");
    this.retryAfterSeconds = init.retryAfterSeconds ?? status.details?.retryAfterSeconds;
    this.method = method;
    this.path = path;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/ApiError"));
  }

  /**
   * Returns the ApiError as kubectl prints it: `Error from server (NotFound): pods "a" not found`.
   */
  override toString(): string {
    return `Error from server (${this.reason}): ${this.message}`;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/**
 * Creates an ApiError from a `Status` inside a stream (the object of an `ERROR` event).
 *
 * Never fails: any other object results in an error with code 500 that names its kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isGone } from "@xca/operator/client";
 * import { apiErrorFromObject } from "./api_error.ts";
 *
 * const object = { kind: "Status", apiVersion: "v1", code: 410, reason: "Expired" };
 * assert(isGone(apiErrorFromObject(object)));
 * assert.equal(apiErrorFromObject("nonsense").code, 500);
 * ```
 */
export function apiErrorFromObject(object: unknown): ApiError {
  if (isStatus(object)) return atUsersLine(() => new ApiError({ status: object }));
  return noStatus(kindOf(object));
}

/**
 * Creates an ApiError from the JSON bytes of a `Status`; other bytes result in an error with code
 * 500. See {@linkcode apiErrorFromObject}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isGone } from "@xca/operator/client";
 * import { apiErrorFromRaw } from "./api_error.ts";
 *
 * const text = '{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired"}';
 * assert(isGone(apiErrorFromRaw(new TextEncoder().encode(text))));
 * ```
 */
export function apiErrorFromRaw(object: Uint8Array): ApiError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(object));
  } catch {
    return noStatus("no JSON");
  }
  return apiErrorFromObject(parsed);
}

/**
 * Creates the ApiError of an ERROR event without a Status. The message omits the object, which may
 * be a Secret.
 */
function noStatus(what: string): ApiError {
  const message = `the watch sent an error that is not a Status but ${what}`;
  return atUsersLine(() => new ApiError({ status: { code: 500, message } }));
}

/** Returns kind and apiVersion of an object, or the JavaScript type of another value, as a text. */
function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return value === null ? "null" : `a ${typeof value}`;
  }
  const { kind, apiVersion } = value as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (typeof kind !== "string" || typeof apiVersion !== "string") return "an object without a kind";
  return `a ${cutText(kind, 60)} of ${cutText(apiVersion, 60)}`;
}

/** Returns a well-typed `Status` with its texts cut and without the data of Secrets. */
function fitForMessages(sent: Status): Status {
  const status = withoutMistyped(sent);
  const { message, details } = status;
  const causes = details?.causes?.map((cause) => {
    return cause.message ? { ...cause, message: messageText(cause.message) } : cause;
  });
  return {
    ...status,
    ...(message ? { message: messageText(message) } : {}),
    ...(causes ? { details: { ...details, causes } } : {}),
  };
}

/**
 * Reports whether an error says that the object or resource does not exist (`NotFound`, or 404 of
 * unknown reason).
 *
 * A 404 that is not of the API server, such as a proxy's without a `Status`, says nothing about the
 * object: its reason is `UnexpectedServerResponse`, and the result is `false`, unlike in client-go.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isConflict, isNotFound } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 404, reason: "NotFound" } });
 * assert(isNotFound(refusal) && !isConflict(refusal));
 * ```
 */
export function isNotFound(error: unknown): error is ApiError {
  return is(error, 404, "NotFound");
}

/**
 * Reports whether an error says that the object changed since it was read, or that a precondition
 * failed (`Conflict`, or 409 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isAlreadyExists, isConflict } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 409, reason: "Conflict" } });
 * assert(isConflict(refusal) && !isAlreadyExists(refusal));
 * ```
 */
export function isConflict(error: unknown): error is ApiError {
  return is(error, 409, "Conflict");
}

/**
 * Reports whether an error says that an object of that name exists (reason `AlreadyExists`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isAlreadyExists, isConflict } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 409, reason: "AlreadyExists" } });
 * assert(isAlreadyExists(refusal) && !isConflict(refusal));
 * ```
 */
export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === "AlreadyExists";
}

/**
 * Reports whether an error says that the requested resourceVersion or continue token has expired
 * (code 410, or reason `Expired` or `Gone`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isGone, isNotFound } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 410, reason: "Expired" } });
 * assert(isGone(refusal) && !isNotFound(refusal));
 * ```
 */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError &&
    (error.code === 410 || error.reason === "Expired" || error.reason === "Gone");
}

/**
 * Reports whether an error is a failed authentication (`Unauthorized`, or 401 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isForbidden, isUnauthorized } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 401, reason: "Unauthorized" } });
 * assert(isUnauthorized(refusal) && !isForbidden(refusal));
 * ```
 */
export function isUnauthorized(error: unknown): error is ApiError {
  return is(error, 401, "Unauthorized");
}

/**
 * Reports whether an error says that access is denied (`Forbidden`, or 403 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isForbidden, isUnauthorized } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 403, reason: "Forbidden" } });
 * assert(isForbidden(refusal) && !isUnauthorized(refusal));
 * ```
 */
export function isForbidden(error: unknown): error is ApiError {
  return is(error, 403, "Forbidden");
}

/**
 * Reports whether an error says that the object is invalid (`Invalid`, or 422 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isBadRequest, isInvalid } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 422, reason: "Invalid" } });
 * assert(isInvalid(refusal) && !isBadRequest(refusal));
 * ```
 */
export function isInvalid(error: unknown): error is ApiError {
  return is(error, 422, "Invalid");
}

/**
 * Reports whether an error says that the request is malformed (`BadRequest`, or 400 of unknown
 * reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isBadRequest, isInvalid } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 400, reason: "BadRequest" } });
 * assert(isBadRequest(refusal) && !isInvalid(refusal));
 * ```
 */
export function isBadRequest(error: unknown): error is ApiError {
  return is(error, 400, "BadRequest");
}

/**
 * Reports whether an error says that the resource does not support the verb (`MethodNotAllowed`, or
 * 405 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isMethodNotSupported, isNotFound } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 405, reason: "MethodNotAllowed" } });
 * assert(isMethodNotSupported(refusal) && !isNotFound(refusal));
 * ```
 */
export function isMethodNotSupported(error: unknown): error is ApiError {
  return is(error, 405, "MethodNotAllowed");
}

/**
 * Reports whether an error says that the request is too large for the server
 * (`RequestEntityTooLarge`, or 413 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isBadRequest, isRequestEntityTooLarge } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 413, reason: "RequestEntityTooLarge" } });
 * assert(isRequestEntityTooLarge(refusal) && !isBadRequest(refusal));
 * ```
 */
export function isRequestEntityTooLarge(error: unknown): error is ApiError {
  return is(error, 413, "RequestEntityTooLarge");
}

/**
 * Reports whether an error says that the server refuses the request for now (`TooManyRequests`, or
 * 429 of unknown reason): a rate limit, or a disruption budget that does not allow an eviction.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isServiceUnavailable, isTooManyRequests } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 429, reason: "TooManyRequests" } });
 * assert(isTooManyRequests(refusal) && !isServiceUnavailable(refusal));
 * ```
 */
export function isTooManyRequests(error: unknown): error is ApiError {
  return is(error, 429, "TooManyRequests");
}

/**
 * Reports whether an error says that the server failed (`InternalError`, or 500 of unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isInternalError, isServiceUnavailable } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 500, reason: "InternalError" } });
 * assert(isInternalError(refusal) && !isServiceUnavailable(refusal));
 * ```
 */
export function isInternalError(error: unknown): error is ApiError {
  return is(error, 500, "InternalError");
}

/**
 * Reports whether an error says that the server is unavailable (`ServiceUnavailable`, or 503 of
 * unknown reason).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isInternalError, isServiceUnavailable } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 503, reason: "ServiceUnavailable" } });
 * assert(isServiceUnavailable(refusal) && !isInternalError(refusal));
 * ```
 */
export function isServiceUnavailable(error: unknown): error is ApiError {
  return is(error, 503, "ServiceUnavailable");
}

/**
 * Reports whether an error says that the request timed out in the server (code 504, or reason
 * `Timeout` or `ServerTimeout`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isServiceUnavailable, isTimeout } from "@xca/operator/client";
 *
 * const refusal: unknown = new ApiError({ status: { code: 504, reason: "Timeout" } });
 * assert(isTimeout(refusal) && !isServiceUnavailable(refusal));
 * ```
 */
export function isTimeout(error: unknown): error is ApiError {
  return error instanceof ApiError &&
    (error.code === 504 || error.reason === "Timeout" || error.reason === "ServerTimeout");
}

/**
 * Reports whether an error is an ApiError whose `Status` has a cause with the given reason, such as
 * `NamespaceTerminating`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError } from "@xca/operator/client";
 * import { hasStatusCause } from "./api_error.ts";
 *
 * const causes = [{ reason: "NamespaceTerminating", message: "namespace old is being terminated" }];
 * const refusal: unknown = new ApiError({ status: { code: 403, details: { causes } } });
 * assert(hasStatusCause(refusal, "NamespaceTerminating"));
 * ```
 */
export function hasStatusCause(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError &&
    (error.status.details?.causes?.some((cause) => cause.reason === reason) ?? false);
}

/**
 * Resolves with the result of a call, or with `undefined` when the call fails because the object
 * does not exist.
 *
 * @throws {unknown} The rejection of the promise, unless {@linkcode isNotFound}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, ignoreNotFound } from "@xca/operator/client";
 *
 * const gone = new ApiError({ status: { code: 404, reason: "NotFound" } });
 * assert(await ignoreNotFound(Promise.reject(gone)) === undefined);
 * ```
 */
export async function ignoreNotFound<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Reports whether an error is an ApiError with a reason. An error whose reason is unknown is judged
 * by its code.
 */
function is(error: unknown, code: number, reason: string): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.reason === reason) return true;
  return error.code === code && !KNOWN_REASONS.has(error.reason);
}

/** The reason of a 404 that the API server did not send; client-go has a cause of that name. */
export const UNEXPECTED = "UnexpectedServerResponse";

/** The reasons of an ApiError that outrank its HTTP code, as in client-go's `ReasonForError`. */
const KNOWN_REASONS: ReadonlySet<string> = new Set([
  ...Object.values(REASONS),
  "AlreadyExists",
  "Expired",
  "ServerTimeout",
  UNEXPECTED,
]);
