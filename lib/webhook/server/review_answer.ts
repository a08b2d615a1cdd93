import type { PlainAnswer } from "@xca/apimachinery/serving";
import type { AdmissionOutcome } from "../admission/admission_outcome.ts";
import type { ConversionResponse } from "../conversion/review_conversion.ts";

/**
 * Returns the response to an AdmissionReview, with the UID of its request and HTTP status 200, also
 * for a refusal.
 */
export function admissionAnswer(
  uid: string,
  { allowed, status, patch }: AdmissionOutcome,
  warnings: readonly string[],
): PlainAnswer {
  return json(200, {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    response: {
      uid,
      allowed,
      status,
      ...(patch.length > 0 && { patchType: "JSONPatch", patch: base64(JSON.stringify(patch)) }),
      ...(warnings.length > 0 && { warnings }),
    },
  });
}

/**
 * Returns the response to a ConversionReview, with the UID of its request and HTTP status 200, also
 * for a failure.
 */
export function conversionAnswer(response: ConversionResponse): PlainAnswer {
  const apiVersion = "apiextensions.k8s.io/v1";
  return json(200, { kind: "ConversionReview", apiVersion, response });
}

/**
 * Returns the response to a request that no webhook could answer, such as one that is not a valid
 * review: an HTTP status code that the API server treats as a failed call, and as the body, also
 * for conversions, an AdmissionReview that refuses the request, with an empty UID.
 */
export function refusal(code: number, message: string): PlainAnswer {
  const headers = code === 405 ? { allow: "POST" } : undefined;
  return json(code, {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    response: { uid: "", allowed: false, status: { code, message } },
  }, headers);
}

/** Returns the response to a request that the server refuses before a webhook handles it. */
export function refusalResponse(code: number, message: string): Response {
  const { headers, body } = refusal(code, message);
  return new Response(new Uint8Array(body), {
    status: code,
    headers: { ...headers, "content-length": String(body.length) },
  });
}

const UTF_8 = new TextEncoder();

function json(
  code: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): PlainAnswer {
  return {
    code,
    headers: {
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      ...headers,
    },
    body: UTF_8.encode(JSON.stringify(value)),
  };
}

function base64(text: string): string {
  return UTF_8.encode(text).toBase64();
}
