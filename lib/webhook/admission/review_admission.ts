// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/admission/validator_custom.go, validatorForType.
import { errorText } from "@xca/apimachinery/base";
import { beforeAbort, described, isInstance } from "@xca/apimachinery/internal/base";
import { formatKey, type KubeObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import type { WebhookRegistration } from "../../controller/definition/operator_webhook.ts";
import type { LoggerLike } from "../../controller/ports/logger_like.ts";
import type { AdmissionContext, Verdict } from "./admission_context.ts";
import { type AdmissionOutcome, allowed, denied, errored } from "./admission_outcome.ts";
import type { AdmissionRequest } from "./admission_request.ts";
import { DenialError } from "./denial.ts";
import { copyJson, jsonPatchBetween } from "./json_patch.ts";
import { isProblem, plainDenial } from "./plain_denial.ts";
import type { WebhookDefinition } from "./webhook_definition.ts";

/**
 * The dependencies of a webhook's handlers for one review, which the webhook server or `admit`
 * provides.
 */
export interface ReviewPorts {
  /**
   * The signal of the admission review, created at its first use: most handlers complete without
   * it.
   */
  readonly signal: AbortSignal;
  /** The logger of the admission review. */
  readonly log: LoggerLike;
  /** The client that the webhook's handlers use; `undefined` when there is none. */
  readonly client: Client | undefined;
  /** Adds a warning to the admission response. */
  readonly warn: (text: string) => void;
}

/**
 * Calls the handler of one webhook for a request; returns its outcome. Never rejects.
 *
 * A denial that the handler returns or throws refuses the request with the code of the denial. Any
 * other error, an invalid result, and a handler that has not settled when the signal of the review
 * is aborted refuse it with code 500 (504 for an abort), and are logged.
 */
export async function reviewAdmission(
  definition: WebhookDefinition,
  kind: WebhookRegistration["kind"],
  request: AdmissionRequest,
  ports: ReviewPorts,
): Promise<AdmissionOutcome> {
  try {
    const handled = kind === "mutating"
      ? applyDefaults(definition, request, ports)
      : validate(definition, request, ports);
    return await inTime(thrownDenials(handled, request), ports);
  } catch (error) {
    const what = kind === "mutating" ? "defaulter" : "validator";
    const reason = errorText(error) || "the thrown error has no message";
    const isLate = ports.signal.aborted && error === ports.signal.reason;
    ports.log.error("The {handler} failed: {reason}", { handler: what, reason, error });
    const text = `the ${what} of ${definition.type.kind} failed: ${reason}`;
    return { ...errored(isLate ? 504 : 500, text.slice(0, MESSAGE_CHARACTERS)), failed: true };
  }
}

/** Returns the outcome of a handler's call; a denial that the handler throws becomes a refusal. */
async function thrownDenials(
  handled: Promise<AdmissionOutcome>,
  request: AdmissionRequest,
): Promise<AdmissionOutcome> {
  try {
    return await handled;
  } catch (error) {
    if (isInstance(error, DenialError)) return denied(plainDenial(error), request);
    throw error;
  }
}

/** The largest length of a failed handler's error message in the response, in characters. */
const MESSAGE_CHARACTERS = 1_024;

/**
 * The number of microtasks after which a handler without `await` has settled; {@linkcode inTime}
 * waits for them first, so that such a review creates no abort signal.
 */
const QUICK_STEPS = 8;

/** Returns the outcome of a handler; rejects when the signal of the review is aborted before. */
async function inTime(
  handled: Promise<AdmissionOutcome>,
  ports: ReviewPorts,
): Promise<AdmissionOutcome> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  handled.then(settle, settle);
  for (let step = 0; step < QUICK_STEPS && !isSettled; step++) await undefined;
  return await (isSettled ? handled : beforeAbort(handled, ports.signal));
}

async function applyDefaults(
  { defaulting, type }: WebhookDefinition,
  request: AdmissionRequest,
  ports: ReviewPorts,
): Promise<AdmissionOutcome> {
  const { object, oldObject } = request;
  if (!defaulting || !object) return allowed(); // A deletion has no object to change.
  const changed = copyJson(object);
  const before = oldObject && copyJson(oldObject);
  const context = contextOf(type, request, ports, { object: changed, oldObject: before });
  const result: unknown = await defaulting(context);
  if (result instanceof Error) throw result; // A denial refuses the request, whether returned or thrown.
  const after = result === undefined ? changed : result;
  if (typeof after !== "object" || after === null || Array.isArray(after)) {
    throw new TypeError(
      `it returned a value that is ${
        described(after)
      }; return nothing, the changed ${type.kind}, or deny("...") to refuse the request`,
    );
  }
  const patch = jsonPatchBetween(object, after);
  const fixed = patch.find(({ path }) => IDENTITY.test(path));
  if (fixed) throw new TypeError(`it changed ${fixed.path || "the whole object"}, which is fixed`);
  return allowed(patch);
}

/**
 * A regular expression that matches the JSON pointers that a defaulter must not change: the whole
 * object, its whole metadata, and the fields that identify it.
 */
const IDENTITY = /^(\/(apiVersion|kind|metadata|metadata\/(name|namespace|uid)))?$/;

async function validate(
  definition: WebhookDefinition,
  request: AdmissionRequest,
  ports: ReviewPorts,
): Promise<AdmissionOutcome> {
  const verdict: unknown = await callValidator(definition, request, ports);
  if (verdict === undefined) return allowed();
  if (verdict instanceof DenialError) throw verdict;
  if (Array.isArray(verdict) && verdict.every(isProblem)) {
    if (verdict.length === 0) return allowed();
    throw new DenialError(verdict);
  }
  throw new TypeError(
    `it returned a value that is ${described(verdict)}; ` +
      `return nothing to allow the request, or deny("...") or a list of field problems to refuse it`,
  );
}

function callValidator(
  { validating, type }: WebhookDefinition,
  request: AdmissionRequest,
  ports: ReviewPorts,
): Verdict | Promise<Verdict> {
  const object = request.object!;
  const oldObject = request.oldObject!;
  switch (request.operation) {
    case "CREATE":
      return validating?.create?.(contextOf(type, request, ports, { object }));
    case "UPDATE":
      return validating?.update?.(contextOf(type, request, ports, { object, oldObject }));
    case "DELETE":
      return validating?.delete?.(contextOf(type, request, ports, { object: oldObject }));
    case "CONNECT":
      return validating?.connect?.(contextOf(type, request, ports, { object: { ...object } }));
  }
}

/** Returns the argument of a webhook's handler, with the objects that belong to its operation. */
function contextOf<Objects extends object>(
  { scope }: WebhookDefinition["type"],
  request: AdmissionRequest,
  ports: ReviewPorts,
  objects: Objects,
): AdmissionContext & Objects {
  const { object, oldObject, kind: _, ...rest } = request;
  const name = request.name || (object ?? oldObject as KubeObject).metadata?.name || "";
  // The request for a Namespace has its own name as the namespace.
  const namespace = scope === "Cluster" ? "" : request.namespace;
  return {
    ...rest,
    ...objects,
    name,
    key: formatKey({ namespace, name }),
    get signal() {
      return ports.signal;
    },
    log: ports.log,
    client: ports.client ?? (absent ??= absentClient()),
    warn: (text) => ports.warn(String(text)),
  };
}

/**
 * The placeholder that handlers receive as their client when there is none; created for the first
 * such review.
 */
let absent: Client | undefined;

/**
 * Returns a placeholder for a client; reading any of its methods throws an error that names the
 * missing option. Symbols and `then` read as `undefined`, so that the placeholder can be awaited.
 */
function absentClient(): Client {
  return new Proxy({} as Client, {
    get(_target, name) {
      if (typeof name === "symbol" || name === "then") return undefined;
      throw new Error(
        `Cannot use client.${name} of a webhook without a client: ` +
          `pass { client } to webhookServer() or admit()`,
      );
    },
  });
}
