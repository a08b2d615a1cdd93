// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/admission/http.go, Webhook.
import { getLogger } from "@logtape/logtape";
import { type Clock, errorText } from "@xca/apimachinery/base";
import { beforeAbort, isInstance } from "@xca/apimachinery/internal/base";
import type { Peer, PlainAnswer, PlainRequest } from "@xca/apimachinery/serving";
import type { Client } from "../../client/typed/client.ts";
import type { WebhookMetrics } from "../../controller/ports/webhook_metrics.ts";
import type { WebhookRegistration } from "../../controller/definition/operator_webhook.ts";
import { type AdmissionOutcome, errored } from "../admission/admission_outcome.ts";
import { type AdmissionRequest, admissionRequest } from "../admission/admission_request.ts";
import { BadReviewError } from "../admission/bad_review_error.ts";
import { CONVERT_PATH } from "../admission/paths.ts";
import { reviewAdmission } from "../admission/review_admission.ts";
import type { WebhookDefinition } from "../admission/webhook_definition.ts";
import type { Conversion } from "../conversion/conversion.ts";
import { conversionRequest, reviewConversion } from "../conversion/review_conversion.ts";
import { ADMISSION_REVIEW, CONVERSION_REVIEW, readReview } from "./review_body.ts";
import { ReviewDeadline } from "./review_deadline.ts";
import { admissionAnswer, conversionAnswer, refusal } from "./review_answer.ts";

const logger = getLogger(["xca", "webhook"]);

/**
 * The timeout of the API server's calls to conversion webhooks, in milliseconds
 * (webhook_converter.go).
 */
const CONVERSION_MS = 30_000;

/** Options of {@linkcode webhookHandler}, which handles the requests of webhooks. */
export interface WebhookHandlerOptions {
  /** The admission webhooks that the server provides. */
  readonly webhooks: readonly WebhookDefinition[];
  /** The conversions that the server provides at `/convert`. */
  readonly conversions: readonly Conversion[];
  /** Reports whether a client may call the webhooks; another client gets HTTP status 403. */
  readonly accepts: (peer: Peer) => boolean;
  /** The client that the webhooks' handlers use; `undefined` for none. */
  readonly client: Client | undefined;
  /**
   * The receiver of the metrics of requests to the served paths by accepted clients; `undefined`
   * for none.
   */
  readonly metrics: WebhookMetrics | undefined;
  /** The clock of the deadlines of reviews. */
  readonly clock: Clock;
}

/** A function that handles the webhook requests of one URL path. */
type Endpoint = (request: PlainRequest) => Promise<PlainAnswer>;

/**
 * Returns the handler of a webhook server: reviews at the paths of its webhooks, and conversions at
 * `/convert`; HTTP status 404 at other paths. The handler never allows a request that it could not
 * parse, and never rejects.
 *
 * @throws {TypeError} When two webhooks have one path, or one is at `/convert`.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
): (request: PlainRequest) => Promise<PlainAnswer> {
  const endpoints = new Map<string, Endpoint>();
  for (const webhook of options.webhooks) {
    for (const registration of webhook.registrations) {
      const { path } = registration;
      if (endpoints.has(path) || path === CONVERT_PATH) {
        throw new TypeError(`Cannot serve two webhooks at ${path}: give one of them another path`);
      }
      endpoints.set(path, (request) => admission(webhook, registration, request, options));
    }
  }
  if (options.conversions.length > 0) {
    endpoints.set(CONVERT_PATH, (request) => conversion(request, options));
  }
  return async (request) => {
    const { path } = request;
    const endpoint = endpoints.get(path);
    if (!options.accepts(request.peer)) {
      const reason = request.peer.certificateError ?? "none was sent";
      return refusal(403, `the client certificate of an API server is needed: ${reason}`);
    }
    if (!endpoint) return refusal(404, "no webhook is served at this path");
    return await measured(path, () => answered(endpoint, request), options);
  };
}

/**
 * Returns the response of an endpoint to a webhook request; logs an error of the endpoint, and
 * returns an HTTP error response for it.
 */
async function answered(endpoint: Endpoint, request: PlainRequest): Promise<PlainAnswer> {
  try {
    return await endpoint(request);
  } catch (error) {
    if (isInstance(error, BadReviewError)) {
      logger.warn("Refused a request to {path}: {reason}", {
        path: request.path,
        reason: error.message,
      });
      return refusal(error.code, error.message);
    }
    // A body that is nested too deeply ends in a RangeError of the engine.
    const reason = errorText(error);
    logger.error("A review failed: {reason}", { reason, error });
    return refusal(isInstance(error, RangeError) ? 400 : 500, "the review could not be answered");
  }
}

async function measured(
  path: string,
  answer: () => Promise<PlainAnswer>,
  { metrics, clock }: WebhookHandlerOptions,
): Promise<PlainAnswer> {
  if (!metrics) return await answer();
  const startMs = clock.monotonicMs();
  const end = metrics.begin(path);
  const response = await answer();
  end(response.code, (clock.monotonicMs() - startMs) / 1_000);
  return response;
}

async function admission(
  webhook: WebhookDefinition,
  registration: WebhookRegistration,
  request: PlainRequest,
  options: WebhookHandlerOptions,
): Promise<PlainAnswer> {
  const review = readReview(request, ADMISSION_REVIEW);
  const warnings: string[] = [];
  let uid = "";
  let outcome: AdmissionOutcome;
  try {
    const asked = admissionRequest(review, webhook, registration);
    uid = asked.uid;
    outcome = await handled(webhook, registration, { request, asked, warnings }, options);
  } catch (error) {
    if (!isInstance(error, BadReviewError) || error.uid === "") throw error;
    uid = error.uid;
    logger.warn("Refused a review: {reason}", {
      webhook: registration.path,
      reason: error.message,
    });
    outcome = errored(error.code, error.message);
  }
  return admissionAnswer(uid, outcome, warnings);
}

interface Asked {
  readonly request: PlainRequest;
  readonly asked: AdmissionRequest;
  readonly warnings: string[];
}

async function handled(
  webhook: WebhookDefinition,
  { kind, path, timeoutSeconds }: WebhookRegistration,
  { request, asked, warnings }: Asked,
  { client, clock, metrics }: WebhookHandlerOptions,
): Promise<AdmissionOutcome> {
  using deadline = new ReviewDeadline(request, timeoutSeconds * 1_000, clock);
  const { uid, namespace, name } = asked;
  const outcome = await reviewAdmission(webhook, kind, asked, {
    get signal() {
      return deadline.signal;
    },
    log: logger.with({ webhook: path, uid, namespace, name }),
    client,
    warn: (text) => void warnings.push(text),
  });
  if (outcome.failed) metrics?.failed("admission");
  return outcome;
}

async function conversion(
  request: PlainRequest,
  options: WebhookHandlerOptions,
): Promise<PlainAnswer> {
  const asked = conversionRequest(readReview(request, CONVERSION_REVIEW));
  using deadline = new ReviewDeadline(request, CONVERSION_MS, options.clock);
  const failed = (error: unknown, message: string): void => {
    options.metrics?.failed("conversion");
    logger.error("{message}", { message, uid: asked.uid, error });
  };
  try {
    const response = reviewConversion(options.conversions, asked, failed);
    return conversionAnswer(await beforeAbort(response, deadline.signal));
  } catch (error) {
    const message = `Cannot convert to ${asked.desiredAPIVersion}: ${errorText(error)}`;
    failed(error, message);
    const result = { status: "Failure", message } as const;
    return conversionAnswer({ uid: asked.uid, result, convertedObjects: [] });
  }
}
