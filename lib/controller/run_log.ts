import { errorText } from "../base/error_text.ts";
import { hasStatusCause, isConflict } from "../client/api_error.ts";
import type { LoggerLike } from "./logger_like.ts";

/** Whether someone else wrote in between: part of normal life, mended by another try. */
export function isRivalry(error: unknown): boolean {
  return causesOf(error).some(isConflict);
}

/** Whether the write was refused because its namespace is on its way out: no retry can mend it. */
export function isNamespaceGoing(error: unknown): boolean {
  return causesOf(error).some((cause) => hasStatusCause(cause, "NamespaceTerminating"));
}

/** Tells of a run that failed and will be tried again. */
export function logFailure(
  log: LoggerLike,
  error: unknown,
  retry: { readonly attempt: number; readonly nextTryInMs: number | undefined },
): void {
  const properties = { error: reasonOf(error), ...retry, ...stackOf(error) };
  if (isRivalry(error)) {
    log.info("Reconcile met a conflict, retrying in {nextTryInMs} ms: {error}", properties);
  } else {
    log.error(
      "Reconcile failed (attempt {attempt}), retrying in {nextTryInMs} ms: {error}",
      properties,
    );
  }
}

/** Tells of a run that failed for good. */
export function logTerminal(log: LoggerLike, error: unknown): void {
  log.error("Reconcile failed and will not be retried: {error}", {
    error: reasonOf(error),
    ...stackOf(error),
  });
}

/** What a run threw, as one line; it may have been nothing at all. */
export function reasonOf(error: unknown): string {
  return errorText(error) || "it failed without an error";
}

function stackOf(error: unknown): { stack?: string } {
  return error instanceof Error && error.stack ? { stack: error.stack } : {};
}

/** The error and what it was caused by, outermost first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && !causes.includes(at);) {
    causes.push(at);
    at = at instanceof Error ? at.cause : undefined;
  }
  return causes;
}
