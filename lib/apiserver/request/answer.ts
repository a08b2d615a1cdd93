// Mirrors `endpoints/handlers/responsewriters/writers.go, ErrorNegotiated`.
import type { Random } from "@xca/apimachinery/base";
import type { Work } from "@xca/apimachinery/internal/base";
import type { FailureStatus, StatusError } from "@xca/apimachinery/internal/errors";
import { streamPieces } from "../machinery/byte_pieces.ts";
import { encodeAnswer, encodeBytes } from "./encode.ts";
import { type Negotiated, negotiatePlain } from "./media_types.ts";
import { isLongStatus, statusPieces } from "./status_pieces.ts";
import { warningHeaders } from "./warning_headers.ts";

/**
 * The form of a response with an error for clients that accept none of the available media types:
 * indented JSON.
 */
const FOR_PEOPLE: Negotiated = { type: "json", pretty: true, as: undefined };

/**
 * Returns the response for a StatusError, in the media type that the client prefers if possible,
 * otherwise as JSON. A long JSON is encoded in steps of `work`, between which other requests may
 * run. The header `Retry-After` has the status's `retryAfterSeconds`, if any.
 */
export async function statusAnswer(
  { status }: StatusError,
  request: Request,
  work: () => Work,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const negotiated = negotiatePlain(request.headers, searchParams) ?? FOR_PEOPLE;
  const inSteps = negotiated.type === "json" && !negotiated.pretty && isLongStatus(status);
  const response = inSteps
    ? await longAnswer(status, negotiated, work())
    : encodeAnswer(status.code, status, negotiated);
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter) response.headers.set("Retry-After", String(retryAfter));
  return response;
}

async function longAnswer(
  status: FailureStatus,
  negotiated: Negotiated,
  work: Work,
): Promise<Response> {
  const pieces = await work.run(statusPieces(status));
  return encodeBytes(streamPieces(pieces, work), negotiated, null, status.code);
}

/** Returns the plain-text 404 response of kube-apiserver's outermost router. */
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

/** The facts about a request that {@linkcode finishAnswer} adds to its response as headers. */
export interface AnswerNotes {
  /** The texts of the response's `Warning` headers. */
  readonly warnings: ReadonlySet<string>;
  /**
   * The flow schema and priority level of the request; `undefined` if the request was refused
   * before its user was known, matches no flow schema, or is long-running other than a watch.
   */
  readonly flow: { readonly schemaUid: string; readonly levelUid: string } | undefined;
  readonly random: Random;
}

/**
 * Adds to a response the headers of priority level and warnings, and, unless the response has one,
 * the audit ID that the client sent or a random one.
 */
export function finishAnswer(response: Response, request: Request, notes: AnswerNotes): void {
  const { headers } = response;
  const { warnings, flow, random } = notes;
  if (!headers.has("audit-id")) {
    headers.set("Audit-Id", request.headers.get("audit-id") ?? random.uuid());
  }
  if (flow) {
    headers.set("X-Kubernetes-PF-FlowSchema-UID", flow.schemaUid);
    headers.set("X-Kubernetes-PF-PriorityLevel-UID", flow.levelUid);
  }
  for (const header of warningHeaders(warnings)) headers.append("Warning", header);
}
