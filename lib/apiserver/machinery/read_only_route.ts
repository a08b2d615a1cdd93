// Mirrors `server/routes/version.go, Version`.
import { methodNotAllowed, StatusError } from "@xca/apimachinery/internal/errors";

/** Checks that a request is a GET. @throws {StatusError} 405 */
export function checkGet({ method }: Request): void {
  if (method !== "GET") throw methodNotAllowed();
}

/**
 * Throws an error unless a request to a route with one media type is a GET, and its `Accept` header
 * is absent or names the media type or the range of all types, as the router of kube-apiserver
 * requires. Ranges such as `application/*` do not match.
 *
 * @throws {StatusError} 405 for another method, 406 for another media type.
 */
export function checkReadOnlyRoute(request: Request, mediaType: string): void {
  checkGet(request);
  const accept = request.headers.get("accept") ?? "";
  const types = accept.split(",").map((clause) => clause.split(";", 1)[0]!.trim());
  if (accept === "" || types.includes("*/*") || types.includes(mediaType)) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${mediaType}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}
