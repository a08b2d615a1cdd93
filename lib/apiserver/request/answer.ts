import type { StatusError } from "../machinery/status_error.ts";

/** What goes over the wire as JSON. */
export function jsonAnswer(
  code: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Response {
  return new Response(body as BodyInit, {
    status: code,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-cache, private",
      ...headers,
    },
  });
}

/** A refusal as it goes over the wire. */
export function statusAnswer({ status }: StatusError): Response {
  const retryAfter = status.details?.retryAfterSeconds;
  return jsonAnswer(
    status.code,
    JSON.stringify(status) + "\n",
    retryAfter ? { "Retry-After": String(retryAfter) } : {},
  );
}
