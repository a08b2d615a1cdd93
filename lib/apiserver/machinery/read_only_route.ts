// Mirrors `server/routes/version.go, Version`.
import { methodNotAllowed, StatusError } from "@xca/apimachinery/internal/errors";

/** Checks that a request is a GET. @throws {StatusError} 405 */
export function checkGet({ method }: Request): void {
  if (method !== "GET") throw methodNotAllowed();
}

/**
 * Checks that a request to a route with one media type is a GET and that its `Accept` header names
 * the media type or any, as the router of kube-apiserver does. Ranges such as `application/*` do not
 * count.
 *
 * @throws {StatusError} 405, 406
 */
export function checkReadOnlyRoute(request: Request, mediaType: string): void {
  checkGet(request);
  const accept = request.headers.get("accept") ?? "";
  const types = accept.split(",").map((clause) => clause.split(";", 1)[0]!.trim());
  if (accept === "" || types.includes("*/*") || types.includes(mediaType)) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${mediaType}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}
