import type { Random } from "../../base/random.ts";
import type { StatusError } from "../machinery/status_error.ts";
import { encodeAnswer } from "./encode.ts";
import { negotiate } from "./media_types.ts";
import { warningHeaders } from "./warning_headers.ts";

/** A refusal as it goes over the wire: as the caller likes it where that can be had, else as JSON. */
export function statusAnswer({ status }: StatusError, request: Request): Response {
  const response = encodeAnswer(status.code, status, negotiatedFor(request));
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter) response.headers.set("Retry-After", String(retryAfter));
  return response;
}

function negotiatedFor(request: Request): ReturnType<typeof negotiate> {
  try {
    const { searchParams } = new URL(request.url);
    return { ...negotiate(request.headers, searchParams, undefined, false), as: undefined };
  } catch {
    return { type: "json", pretty: false, as: undefined };
  }
}

/** What is answered where not even the server's outermost router knows the path. */
export function plainNotFound(): Response {
  return new Response("404 page not found\n", {
    status: 404,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-cache, private",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** Adds what every answer has: its identity, and the warnings. */
export function finishAnswer(
  response: Response,
  request: Request,
  warnings: ReadonlySet<string>,
  random: Random,
): void {
  const { headers } = response;
  if (!headers.has("audit-id")) {
    headers.set("Audit-Id", request.headers.get("audit-id") ?? random.uuid());
  }
  for (const header of warningHeaders(warnings)) headers.append("Warning", header);
}
