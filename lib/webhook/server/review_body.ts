// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/admission/http.go, Webhook.
import { parseJson } from "@xca/apimachinery/internal/base";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { PlainRequest } from "@xca/apimachinery/serving";
import { BadReviewError } from "../admission/bad_review_error.ts";

/**
 * A descriptor of a kind of review that the API server sends to webhooks: API group, kind, and the
 * name of a configuration field.
 */
export interface ReviewKind {
  /** The API group of the kind of review. */
  readonly group: string;
  /** The name of the kind of review, such as `AdmissionReview`. */
  readonly kind: "AdmissionReview" | "ConversionReview";
  /**
   * The name of the field that lists the review versions that a webhook supports: in a webhook
   * configuration, or in the conversion of a CustomResourceDefinition.
   */
  readonly versionsField: string;
}

/**
 * The descriptor (API group, kind, versions field) of AdmissionReview, which admission webhooks
 * receive.
 */
export const ADMISSION_REVIEW: ReviewKind = {
  group: "admission.k8s.io",
  kind: "AdmissionReview",
  versionsField: "admissionReviewVersions",
};

/**
 * The descriptor (API group, kind, versions field) of ConversionReview, which conversion webhooks
 * receive.
 */
export const CONVERSION_REVIEW: ReviewKind = {
  group: "apiextensions.k8s.io",
  kind: "ConversionReview",
  versionsField: "conversionReviewVersions",
};

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Returns the review in the body of a webhook request.
 *
 * @throws {BadReviewError} With 405 for another method than POST, 415 for another content type than
 * JSON, and 400 for a body that is not a review of the kind in version v1.
 */
export function readReview(
  request: PlainRequest,
  expected: ReviewKind,
): Readonly<Record<string, unknown>> {
  checkHead(request);
  const { body: bytes } = request;
  if (bytes === undefined || bytes.length === 0) {
    throw new BadReviewError(400, "request body is empty");
  }
  const review = parse(bytes);
  if (typeof review !== "object" || review === null || Array.isArray(review)) {
    throw new BadReviewError(400, `the body is no ${expected.kind}`);
  }
  const { kind, apiVersion } = review as Readonly<Record<string, unknown>>;
  const wanted = `${expected.group}/v1`;
  if (kind === expected.kind && apiVersion === wanted) return review as Record<string, unknown>;
  if (kind === expected.kind && apiVersion === `${expected.group}/v1beta1`) {
    throw new BadReviewError(
      400,
      `${expected.kind} v1beta1 is not supported: configure ${expected.versionsField}: ["v1"]`,
    );
  }
  const shown = [apiVersion, kind].map((each) => goQuote(String(each ?? "").slice(0, 100)));
  throw new BadReviewError(
    400,
    `the body is no ${expected.kind} of ${wanted}: apiVersion is ${shown[0]}, kind ${shown[1]}`,
  );
}

function checkHead(request: PlainRequest): void {
  const { method } = request;
  if (method !== "POST") throw new BadReviewError(405, `${method} is not allowed: use POST`);
  const type = request.header("content-type") ?? "";
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  throw new BadReviewError(415, `contentType=${type.slice(0, 100)}, expected application/json`);
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    throw new BadReviewError(400, "the body is not UTF-8");
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw new BadReviewError(400, `the body cannot be decoded: ${(error as Error).message}`);
  }
}
