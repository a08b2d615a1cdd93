// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/admission/response.go, ValidationResponse.
import { formatGroupKind, goQuote } from "@xca/apimachinery/internal/values";
import type { AdmissionRequest } from "./admission_request.ts";
import type { FieldProblem } from "./denial.ts";
import type { JsonPatchOperation } from "./json_patch.ts";
import type { PlainDenial } from "./plain_denial.ts";

/** The `status` of an admission response, which the user of the API server receives. */
export interface AdmissionStatus {
  /** The HTTP status code that the API server's user receives; 200 for an allowed request. */
  readonly code: number;
  /**
   * The machine-readable reason why the webhook refuses the request, such as `Invalid`; absent for
   * an allowed request, and for a refusal without a reason.
   */
  readonly reason?: string | undefined;
  /** The message of the refusal; absent for an allowed request. */
  readonly message?: string | undefined;
  /**
   * The details of the refusal: the invalid object, with a cause for each field problem; absent
   * unless the webhook refuses the request for field problems.
   */
  readonly details?: {
    readonly name?: string | undefined;
    readonly group?: string | undefined;
    readonly kind?: string | undefined;
    readonly causes: readonly FieldProblem[];
  } | undefined;
}

/** The result of the handlers of one webhook for one request. */
export interface AdmissionOutcome {
  /** Reports whether the webhook allows the request. */
  readonly allowed: boolean;
  /** The status of the admission response. */
  readonly status: AdmissionStatus;
  /** The JSON patch with the changes that a defaulter made; empty for none. */
  readonly patch: readonly JsonPatchOperation[];
  /**
   * Reports whether the handler of the webhook failed (threw, returned an invalid value or took too
   * long), so that the request is refused without its decision; absent when the handler decided.
   */
  readonly failed?: boolean;
}

/** Returns the outcome that allows a request, with the changes of a defaulter. */
export function allowed(patch: readonly JsonPatchOperation[] = []): AdmissionOutcome {
  return { allowed: true, status: { code: 200 }, patch };
}

/**
 * Returns the outcome that refuses a request with an HTTP status code and a message, because the
 * webhook's handler failed or the review is invalid. The reason is `InternalError` with code 500,
 * `BadRequest` with code 400, otherwise absent. The outcome lacks `failed`.
 */
export function errored(code: number, message: string): AdmissionOutcome {
  const reason = code === 500 ? "InternalError" : code === 400 ? "BadRequest" : undefined;
  return { allowed: false, status: { code, ...(reason && { reason }), message }, patch: [] };
}

/**
 * Returns the outcome that refuses a request by the denial of a handler: with the denial's code and
 * message, or with its field problems as causes and a message that joins these. The status has no
 * `reason` if that of the denial is empty.
 */
export function denied(
  { message, code, reason, problems }: PlainDenial,
  { kind, name }: AdmissionRequest,
): AdmissionOutcome {
  if (problems.length === 0) {
    const text = message || "denied by the webhook without a message";
    const status = { code, ...(reason !== "" && { reason }), message: text };
    return { allowed: false, status, patch: [] };
  }
  const texts = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  const all = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
  const status = {
    code,
    ...(reason !== "" && { reason }),
    message: `${formatGroupKind(kind)} ${goQuote(name)} is invalid: ${all}`,
    details: { name, group: kind.group, kind: kind.kind, causes: problems },
  };
  return { allowed: false, status, patch: [] };
}
