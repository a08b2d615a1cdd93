import { errorText } from "@xca/apimachinery/base";
import {
  ApiError,
  isGone,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from "../../client/errors/api_error.ts";
import { DecodeError, FrameTooLargeError } from "../../client/errors/decode_error.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../../client/errors/unreachable_error.ts";

/**
 * The kind of failure that ended a request or a stream, as far as the next step depends on it.
 *
 * - `network`: no response, or an error that no other kind covers.
 * - `cut`: the stream broke, or ended before it was complete.
 * - `throttled`: 429.
 * - `server`: 5xx or 408, or a timeout that the server reported, except for errors of the kinds
 *   `internal`, `storeRead` and `tooLarge`.
 * - `expired`: 410, the server no longer has the requested version.
 * - `tooLarge`: the requested version is newer than the server's newest.
 * - `missing`: 404, the server has no such resource (a CRD that is not installed, or was deleted).
 * - `unauthorized`: 401.
 * - `refused`: any other 4xx.
 * - `internal`: the server reported InternalError.
 * - `storeRead`: the server cannot read an object from its storage, or ended a watch by an
 *   InternalError that is not tolerated.
 * - `idle`: nothing arrived for longer than the idle deadline, or for 90 s after a bookmark.
 * - `shortWatch`: the server accepted a watch and closed it within a second, without an event.
 * - `noInitialEventsEnd`: the bookmark that ends the initial events did not come in time.
 * - `undecodable`: a response or an event could not be decoded or was too large, or an object could
 *   not be packed or passed to the cache.
 * - `timeTravel`: a list or a bookmark was older than a state seen before.
 */
export type FailureKind =
  | "network"
  | "cut"
  | "throttled"
  | "server"
  | "expired"
  | "tooLarge"
  | "missing"
  | "unauthorized"
  | "refused"
  | "internal"
  | "storeRead"
  | "idle"
  | "shortWatch"
  | "noInitialEventsEnd"
  | "undecodable"
  | "timeTravel";

/** A failure of a list or watch, classified by its effect on the next attempt. */
export interface WatchFailure {
  /** The kind of the list or watch failure. */
  readonly kind: FailureKind;
  /** The error of the failed list or watch. */
  readonly error: unknown;
  /**
   * The wait that the server requested by `Retry-After` with its error response, in milliseconds,
   * not capped; `undefined` if it requested none.
   */
  readonly retryAfterMs?: number | undefined;
  /**
   * Reports whether the reflector does not count the failure as a failed watch: either no
   * connection was made, so that a LIST would fail as well, or the failure is an InternalError
   * within the retry window. Absent means false.
   */
  readonly tolerated?: boolean;
}

/**
 * The error of a list or watch failure whose kind the code that throws the error determined, such
 * as a watchdog.
 */
export class WatchFailureError extends Error {
  override readonly name = "WatchFailureError";

  /** Creates the error of a failed list or watch, with the kind of the failure. */
  constructor(readonly kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/**
 * Returns the classified failure of a list or a watch that failed by an error: its kind, and the
 * wait that the server requested in its response, if any. An error of an unknown class is of the
 * kind `network`.
 */
export function watchFailure(error: unknown): WatchFailure {
  if (error instanceof ApiError) {
    const seconds = error.retryAfterSeconds;
    return {
      kind: kindOfRefusal(error),
      error,
      retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    };
  }
  if (error instanceof WatchFailureError) return { kind: error.kind, error };
  if (error instanceof IdleTimeoutError) return { kind: "idle", error };
  if (error instanceof StreamBrokenError) return { kind: "cut", error };
  if (error instanceof DecodeError || error instanceof FrameTooLargeError) {
    return { kind: "undecodable", error };
  }
  const tolerated = error instanceof UnreachableError && error.neverSent;
  return { kind: "network", error, tolerated };
}

/**
 * Returns the error of an open watch stream unchanged, unless it is of the kind `network`: that is
 * wrapped in a {@linkcode WatchFailureError} of the kind `cut`, so that the reflector resumes an
 * established watch without a pause.
 */
export function cutUnlessKnown(error: unknown): unknown {
  if (watchFailure(error).kind !== "network") return error;
  return new WatchFailureError("cut", `the stream broke: ${errorText(error)}`, { cause: error });
}

function kindOfRefusal(error: ApiError): FailureKind {
  const rule = RULES.find(([applies]) => applies(error));
  if (rule) return rule[1];
  return error.code >= 400 && error.code < 500 ? "refused" : "server";
}

/**
 * The rules that classify a server's error response as a kind of failure; the first rule that
 * applies decides, and without one the status code: `refused` for 4xx, `server` otherwise.
 */
const RULES: readonly (readonly [(error: ApiError) => boolean, FailureKind])[] = [
  [isGone, "expired"],
  [isTooLarge, "tooLarge"],
  [(error) => error.reason === "StorageReadError", "storeRead"],
  [isTooManyRequests, "throttled"],
  [isUnauthorized, "unauthorized"],
  [isNotFound, "missing"],
  [(error) => error.reason === "InternalError", "internal"],
  [(error) => error.code === 408 || isTimeout(error), "server"],
];

/**
 * Reports whether an error response says that the requested version is newer than the server's
 * newest. Servers have reported that in three ways: by the reason of a cause, by the message of a
 * cause in a timeout (1.17.0 to 1.18.5), and by the message of a timeout (before 1.17).
 */
function isTooLarge(error: ApiError): boolean {
  if (error.status.details?.causes?.some((cause) => cause.reason === "ResourceVersionTooLarge")) {
    return true;
  }
  const text = "Too large resource version";
  const { message, details } = error.status;
  const timedOut: boolean = isTimeout(error);
  return timedOut &&
    (message?.includes(text) || details?.causes?.some((cause) => cause.message === text) || false);
}
