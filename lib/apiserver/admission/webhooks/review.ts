// Mirrors `webhook/request/admissionreview.go, VerifyAdmissionResponse`.
import type { FailureStatus } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import { applyMergePatch } from "../../patch/json/merge_patch.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { requestObject } from "../request_object.ts";
import type { Match } from "../matching.ts";
import type { Hook } from "./hook.ts";

/** The versions of `AdmissionReview` that the server can send. */
const REVIEW_VERSIONS = ["v1", "v1beta1"];

/** The `response` of the `AdmissionReview` that a webhook returns. */
export interface ReviewResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<FailureStatus>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/**
 * The error for an admission webhook that cannot be called or returns an invalid response; the
 * message says why.
 */
export class BadReviewError extends Error {
  override readonly name = "BadReviewError";
}

/** The `AdmissionReview` to send to a webhook, with its version and uid. */
export interface Review {
  readonly version: string;
  readonly uid: string;
  readonly body: unknown;
}

/**
 * Returns the `AdmissionReview` of a write for a webhook, with a new uid, in the first version of
 * the webhook's `admissionReviewVersions` that the server supports.
 *
 * @throws {BadReviewError} If the webhook accepts no supported version.
 */
export function makeReview(
  hook: Hook,
  attributes: AdmissionAttributes,
  match: Match,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Review {
  const version = hook.admissionReviewVersions?.find((each) => REVIEW_VERSIONS.includes(each));
  if (version === undefined) {
    throw new BadReviewError(
      "could not create admission objects: " +
        "webhook does not accept known AdmissionReview versions (v1, v1beta1)",
    );
  }
  const uid = attributes.request.context.uid();
  const { options, ...request } = requestObject({ attributes, match, object, old });
  return {
    version,
    uid,
    body: {
      kind: "AdmissionReview",
      apiVersion: `admission.k8s.io/${version}`,
      request: {
        uid,
        ...request,
        object: object ?? null,
        oldObject: old ?? null,
        options,
      },
    },
  };
}

/**
 * Returns the response in the `AdmissionReview` that a webhook returns. For a review that was sent
 * in `v1beta1`, only the kind and the presence of a response are checked, and a patch is a JSON
 * patch whatever its type.
 *
 * @throws {BadReviewError} If it is not a valid response to the request.
 */
export function readReview(
  { version, uid }: Review,
  answered: unknown,
  mutating: boolean,
): ReviewResponse {
  const { kind, apiVersion, response: found } = (answered ?? {}) as {
    readonly kind?: string;
    readonly apiVersion?: string;
    readonly response?: Record<string, unknown> | null;
  };
  if (!kind || !apiVersion) {
    const missing = kind ? "apiVersion" : "Kind";
    throw new BadReviewError(
      `failed to call webhook: Object '${missing}' is missing in '${JSON.stringify(answered)}'`,
    );
  }
  if (kind !== "AdmissionReview") {
    throw new BadReviewError(
      `failed to call webhook: no kind ${goQuote(kind)} is registered for version ` +
        `${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const fail = (why: string): BadReviewError =>
    new BadReviewError(`received invalid webhook response: ${why}`);
  if (!found) throw fail("webhook response was absent");
  // Fields with null count as absent, as in Go.
  const response: ReviewResponse = applyMergePatch({}, found);
  if (version !== "v1") return { ...response, patchType: "JSONPatch" };
  if (response.uid !== uid) {
    throw fail(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? "")}`);
  }
  if (apiVersion !== "admission.k8s.io/v1") {
    throw fail(
      "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, " +
        `got ${apiVersion}, Kind=${kind}`,
    );
  }
  const { patch, patchType } = response;
  if (!mutating) {
    if (patch) throw fail("validating webhook may not return response.patch");
    if (patchType !== undefined) {
      throw fail("validating webhook may not return response.patchType");
    }
  } else if (patch && patchType === undefined) {
    throw fail("webhook returned response.patch but not response.patchType");
  } else if (!patch && patchType !== undefined) {
    throw fail("webhook returned response.patchType but not response.patch");
  } else if (patchType === "") throw fail('webhook returned invalid response.patchType of ""');
  return response;
}
