import type { Span } from "@opentelemetry/api";
import { errorText } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import type { Telemetry } from "./telemetry.ts";

/**
 * Ends a tracing span; if its work failed, first records the error as an exception and as the
 * span's status. An error that the SDK throws is ignored; the span is ended even if the recording
 * fails.
 */
export function endSpan(
  span: Span,
  failure?: { readonly api: Telemetry; readonly error: unknown },
): void {
  attempt(() => {
    if (failure) {
      const message = errorText(failure.error);
      span.recordException({ name: nameOf(failure.error), message });
      span.setStatus({ code: failure.api.SpanStatusCode.ERROR, message });
    }
  });
  attempt(() => span.end());
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
