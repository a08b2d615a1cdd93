import type { ResponseHeaders } from "../transport/response_headers.ts";
import { ApiError, UNEXPECTED } from "../errors/api_error.ts";
import { withoutData } from "../errors/message_text.ts";
import { atUsersLine } from "../errors/users_line.ts";
import { isStatus, type Status, withoutMistyped } from "../errors/status.ts";

/**
 * The largest number of characters of a response body without a `Status` that an error message
 * quotes.
 */
const SNIPPET = 200;

/**
 * An HTTP response of a server that refused a call, from which {@linkcode apiErrorFromRefusal}
 * creates an error.
 */
export interface Refusal {
  /** The HTTP status code of the response that refused the call. */
  readonly code: number;
  /** The body of the response that refused the call, as text. */
  readonly body: string;
  /** The HTTP method of the refused call. */
  readonly method: string;
  /** The URL path of the refused call. */
  readonly path: string;
  /**
   * The wait in seconds that the `Retry-After` header of the response requests by a number or a
   * date; `undefined` without a valid header.
   */
  readonly retryAfterSeconds: number | undefined;
  /** The `Location` header of the response that refused the call; absent or `null` without one. */
  readonly location?: string | null;
  /**
   * The headers of the response that refused the call; the headers show whether the API server or a
   * proxy sent the response. Absent: counts as sent by a proxy.
   */
  readonly headers?: ResponseHeaders;
}

/**
 * The body with which the API server refuses paths of groups and versions that it does not serve.
 */
const NO_SUCH_PATH = "404 page not found";

/**
 * The names of headers by which a response of the API server is recognized: proxies do not set them
 * in responses of their own.
 */
const SERVER_HEADERS: readonly string[] = ["audit-id", "x-kubernetes-pf-flowschema-uid"];

/**
 * Creates an ApiError from an HTTP response that refuses a call, whether its body is a `Status` or
 * not. The code in a `Status` takes precedence over that of the response.
 */
export function apiErrorFromRefusal(refusal: Refusal): ApiError {
  const { code, body, method, path, retryAfterSeconds } = refusal;
  const status = parseStatus(body);
  const answered = status ? { ...status, code: status.code ?? code } : withoutStatus(refusal);
  return atUsersLine(() => new ApiError({ status: answered, method, path, retryAfterSeconds }));
}

function parseStatus(body: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isStatus(parsed) ? withoutMistyped(parsed) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a `Status` for a refusal whose body is not a `Status`, such as that of a proxy.
 *
 * A 404 of a proxy does not mean that an object is absent, and an operator may delete or create
 * other objects when one is absent. So a 404 that is not the API server's own has the reason
 * `UnexpectedServerResponse`, with which `isNotFound` is false. client-go gives every 404 the
 * reason `NotFound`, and names the unexpected response only in the causes.
 */
function withoutStatus(refusal: Refusal): Status {
  const { code, body, method, path, location } = refusal;
  const isAbsent = code === 404 && isOfServer(refusal);
  const said = withoutData(body.slice(0, 10_000)).replace(/\s+/g, " ").trim();
  const quote = said.length > SNIPPET ? `${said.slice(0, SNIPPET)}...` : said;
  const message = code < 400
    ? `the server redirects ${method} ${path} to ${placeOf(location)}; redirects are not ` +
      `followed, since that would hand out the credentials: use the right server URL`
    : isAbsent
    ? `the server could not find the requested resource (${method} ${path})`
    : code === 404
    ? `the answer to ${method} ${path} is 404 without a Status, so not of the API server (does a ` +
      "proxy answer for it?)"
    : `the server answered ${code} to ${method} ${path}`;
  return {
    code,
    ...(code === 404 && !isAbsent ? { reason: UNEXPECTED } : {}),
    message: quote && code >= 400 ? `${message}: ${quote}` : message,
  };
}

/**
 * Reports whether a refusal without a `Status` comes from the API server itself: its body is the
 * server's text for paths that are not served, and it has a header that only the server sets.
 */
function isOfServer({ body, headers }: Refusal): boolean {
  return body.trim() === NO_SUCH_PATH && SERVER_HEADERS.some((name) => headers?.get(name));
}

/**
 * Returns a URL without its user name, password, query and fragment, which may be secret; `nowhere`
 * without a URL.
 */
function placeOf(location: string | null = null): string {
  if (!location) return "nowhere";
  return location.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}
