// Mirrors `endpoints/handlers/rest.go, ConnectResource`.
import { badRequest } from "@xca/apimachinery/internal/errors";

/**
 * Refuses a dry run of a forwarded request, whose effects are unknown.
 *
 * @throws {StatusError} 400
 */
export function refuseDryRun(query: URLSearchParams): void {
  if (query.has("dryRun")) throw badRequest("dryRun is not supported");
}
