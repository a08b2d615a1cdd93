import { ApiError } from "../errors/api_error.ts";
import { withoutData } from "../errors/message_text.ts";
import { atUsersLine } from "../errors/users_line.ts";
import { isStatus, type Status } from "../errors/status.ts";

/** How much of an answer that is not a `Status` is quoted, in characters. */
const SNIPPET = 200;

/** What an {@linkcode ApiError} is made of when the server refused a call. */
export interface Refusal {
  /** The HTTP status code. */
  readonly code: number;
  /** The body's text. */
  readonly body: string;
  /** The HTTP method of the call. */
  readonly method: string;
  /** The path of the call. */
  readonly path: string;
  /** The `Retry-After` header, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** The `Location` header. */
  readonly location?: string | null;
}

/** The error of a refused call, be its body a `Status` or anything else. */
export function apiErrorFromRefusal(refusal: Refusal): ApiError {
  const { code, body, method, path, retryAfterSeconds } = refusal;
  const status = parseStatus(body);
  const answered = status ? { ...status, code: status.code ?? code } : withoutStatus(refusal);
  return atUsersLine(() => new ApiError({ status: answered, method, path, retryAfterSeconds }));
}

function parseStatus(body: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isStatus(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A proxy or a dying server answered: its text is all there is to go by. */
function withoutStatus({ code, body, method, path, location }: Refusal): Status {
  const said = withoutData(body.slice(0, 10_000)).replace(/\s+/g, " ").trim();
  const quote = said.length > SNIPPET ? `${said.slice(0, SNIPPET)}...` : said;
  const message = code < 400
    ? `the server redirects ${method} ${path} to ${placeOf(location)}; redirects are not ` +
      `followed, since that would hand out the credentials: use the right server URL`
    : code === 404
    ? `the server could not find the requested resource (${method} ${path})`
    : `the server answered ${code} to ${method} ${path}`;
  return { code, message: quote && code >= 400 ? `${message}: ${quote}` : message };
}

/** Without a query, which may carry what the request carried, and without a user's name and password. */
function placeOf(location: string | null = null): string {
  if (!location) return "nowhere";
  return location.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}
