import type { Random } from "@xca/apimachinery/base";
import type { StatusError } from "@xca/apimachinery/internal/errors";
import { encodeAnswer } from "./encode.ts";
import { type Negotiated, negotiatePlain } from "./media_types.ts";
import { warningHeaders } from "./warning_headers.ts";

/** The format of kube-apiserver's error for clients that accept none of its media types. */
const FOR_PEOPLE: Negotiated = { type: "json", pretty: true, as: undefined };

/** A refusal as it goes over the wire: as the caller likes it where that can be had, else as JSON. */
export function statusAnswer({ status }: StatusError, request: Request): Response {
  const { searchParams } = new URL(request.url);
  const negotiated = negotiatePlain(request.headers, searchParams) ?? FOR_PEOPLE;
  const response = encodeAnswer(status.code, status, negotiated);
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter) response.headers.set("Retry-After", String(retryAfter));
  return response;
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

/** The headers and warnings that {@linkcode finishAnswer} adds. */
export interface AnswerNotes {
  /** The texts of `Warning` headers. */
  readonly warnings: ReadonlySet<string>;
  /** The flow that the request belongs to, once it is known who asks. */
  readonly flow: { readonly schemaUid: string; readonly levelUid: string } | undefined;
  readonly random: Random;
}

/** Adds what every answer has: its identity, its flow, and the warnings. */
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
