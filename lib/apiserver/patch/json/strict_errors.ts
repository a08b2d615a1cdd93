// Mirrors `endpoints/handlers/rest.go, addStrictDecodingWarnings`.
import type { RequestContext } from "../../machinery/request_context.ts";
import type { StatusError } from "@xca/apimachinery/internal/errors";

/**
 * Reports the errors of a patch's strict decoding by the request's field validation: not at all for
 * `Ignore`, as an error for `Strict`, and otherwise as warnings.
 *
 * @throws {StatusError} The error that `refuse` returns, if validation is strict.
 */
export function tellStrict(
  context: Pick<RequestContext, "fieldValidation" | "warn">,
  complaints: readonly string[],
  refuse: (why: string) => StatusError,
): void {
  if (complaints.length === 0 || context.fieldValidation === "Ignore") return;
  if (context.fieldValidation === "Strict") {
    throw refuse(`strict decoding error: ${complaints.join(", ")}`);
  }
  for (const text of complaints) context.warn(text);
}
