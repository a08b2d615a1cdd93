// Mirrors `webhook/validating/dispatcher.go, validatingDispatcher.callHook` and
// `webhook/errors/statuserror.go, ToStatusErr`.
import {
  badRequest,
  type FailureStatus,
  internalError,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, goQuote } from "@xca/apimachinery/internal/values";
import type { AdmissionAttributes } from "../attributes.ts";
import type { Match } from "../matching.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { Hook } from "./hook.ts";
import { BadReviewError, makeReview, readReview, type ReviewResponse } from "./review.ts";

const DEFAULT_TIMEOUT_SECONDS = 10;

/** The inputs of one call of an admission webhook. */
export interface HookCall {
  readonly hook: Hook;
  readonly attributes: AdmissionAttributes;
  readonly match: Match;
  readonly mutating: boolean;
  readonly ports: AdmissionPorts;
}

/**
 * Returns a copy of an object, converted to the version in which an admission webhook or policy
 * matched the write; the object itself if that is the version of the write; `undefined` without an
 * object. Rejects if the conversion fails.
 */
export async function asMatched(
  object: ApiObject | undefined,
  { equivalent }: Match,
  { request }: AdmissionAttributes,
): Promise<ApiObject | undefined> {
  if (!object || !equivalent) return object;
  const { convert } = request.context.resource;
  const { group, version, kind } = equivalent;
  const copy = cloneJson(object);
  const [converted = copy] = await convert?.([copy], version) ?? [];
  converted.apiVersion = group === "" ? version : `${group}/${version}`;
  converted.kind = kind;
  return converted;
}

/**
 * Calls an admission webhook with the given object, in the version of the match, and adds the
 * webhook's warnings to the response of the write. Returns the webhook's response, or `undefined`
 * if the call failed and `failurePolicy` is `Ignore`.
 *
 * @throws {StatusError} The webhook's code, at least 400, if the webhook refuses the write; 400 if
 * the write is a dry run, which the webhook does not support; 500 if the call failed and
 * `failurePolicy` is not `Ignore`; the error of a failed conversion of the old object.
 */
export async function callHook(
  call: HookCall,
  object: ApiObject | undefined,
): Promise<ReviewResponse | undefined> {
  const { hook, attributes: { request: { context } } } = call;
  if (context.dryRun && !["None", "NoneOnDryRun"].includes(hook.sideEffects ?? "")) {
    throw badRequest(`admission webhook ${goQuote(hook.name)} does not support dry run`);
  }
  let response: ReviewResponse;
  try {
    response = await ask(call, object);
  } catch (error) {
    if (!(error instanceof BadReviewError)) throw error;
    if (hook.failurePolicy === "Ignore") return undefined;
    throw callFailure(hook, error.message);
  }
  for (const warning of response.warnings ?? []) context.warn(warning);
  if (!response.allowed) throw refusal(hook.name, response.status);
  return response;
}

/** Returns the 500 error about a failed webhook call. */
export function callFailure(hook: Hook, why: string): StatusError {
  return internalError(`failed calling webhook ${goQuote(hook.name)}: ${why}`);
}

async function ask(
  { hook, attributes, match, mutating, ports }: HookCall,
  object: ApiObject | undefined,
): Promise<ReviewResponse> {
  const { request } = attributes;
  const old = await asMatched(request.old, match, attributes);
  const review = makeReview(hook, attributes, match, object, old);
  let answered: unknown;
  try {
    answered = await ports.callWebhook({
      clientConfig: hook.clientConfig,
      review: review.body,
      timeoutSeconds: hook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
      signal: request.context.signal,
    });
  } catch (error) {
    const { message } = error as Error;
    throw new BadReviewError(`failed to call webhook: ${message}`, { cause: error });
  }
  return readReview(review, answered, mutating);
}

/**
 * Returns the error for a write that an admission webhook refuses: the webhook's status, with a
 * message that names the webhook. A code below 400 becomes 400.
 */
function refusal(name: string, result: Partial<FailureStatus> = {}): StatusError {
  const denied = `admission webhook ${goQuote(name)} denied the request`;
  const why = result.message || result.reason;
  const message = why ? `${denied}: ${why}` : `${denied} without explanation`;
  const code = Math.max(400, result.code ?? 0);
  return new StatusError(code, result.reason ?? "", message, result.details);
}
