import {
  checkOptionNames,
  type OptionNames,
  withoutUndefined,
} from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import type { KubeObject, UnstructuredObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import type {
  WebhookOperation,
  WebhookRegistration,
} from "../../controller/definition/operator_webhook.ts";
import type { AdmissionUser, RequestKind } from "./admission_context.ts";
import type { AdmissionOutcome } from "./admission_outcome.ts";
import type { AdmissionRequest } from "./admission_request.ts";
import type { FieldProblem } from "./denial.ts";
import { copyJson, type JsonPatchOperation } from "./json_patch.ts";
import { patchedJson } from "./patched_json.ts";
import { reviewAdmission } from "./review_admission.ts";
import type { WebhookDefinition } from "./webhook_definition.ts";

/** A simulated request to the API server, whose admission by webhooks {@linkcode admit} tests. */
export interface AdmitRequest<T extends KubeObject> {
  /**
   * The object of the simulated request, for a connection its options; a deletion uses it only if
   * there is no `oldObject`.
   *
   * @default none: only a deletion needs no object
   */
  readonly object?: T | undefined;
  /**
   * The object before the simulated request; {@linkcode admit} ignores it for a creation and for a
   * connection, which have no object before.
   *
   * @default `object`
   */
  readonly oldObject?: T | undefined;
  /**
   * The operation of the simulated request.
   *
   * @default {"UPDATE"} with both objects, `DELETE` with `oldObject` alone, else `CREATE`
   */
  readonly operation?: WebhookOperation | undefined;
  /**
   * The user who makes the simulated request; an absent field takes its value from the default.
   *
   * @default {{ username: "admin", groups: ["system:masters"] }}
   */
  readonly user?: Partial<AdmissionUser> | undefined;
  /** Sets whether the simulated request is a dry run. @default {false} */
  readonly dryRun?: boolean | undefined;
  /**
   * The kind of the simulated request, before a conversion of the object for the webhook.
   *
   * @default the kind of the webhook
   */
  readonly requestKind?: RequestKind | undefined;
  /** The options of the simulated request, such as `CreateOptions`. @default none */
  readonly options?: UnstructuredObject | undefined;
  /** The client of the webhook's handlers. @default none: a handler that uses it fails */
  readonly client?: Client | undefined;
  /** The signal that the handlers of the webhooks receive. @default one that is never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** The names of all fields of a simulated request. */
const ADMIT_OPTIONS: OptionNames<AdmitRequest<KubeObject>> = {
  object: true,
  oldObject: true,
  operation: true,
  user: { username: true, uid: true, groups: true, extra: true },
  dryRun: true,
  requestKind: true,
  options: true,
  client: true,
  signal: true,
};

/** The result of {@linkcode admit}, which tests how an operator's webhooks decide on a request. */
export interface Admission<T extends KubeObject> {
  /** Reports whether the webhooks allow the request. */
  readonly allowed: boolean;
  /** The HTTP status code that the API server's user receives; 200 for an allowed request. */
  readonly code: number;
  /** The message with which the webhooks refuse the request; empty for an allowed request. */
  readonly message: string;
  /** The problems of single fields for which the webhooks refuse the object; empty for none. */
  readonly causes: readonly FieldProblem[];
  /** The warnings that the defaulter and the validator added, in their order. */
  readonly warnings: readonly string[];
  /**
   * The object with its defaults; `undefined` on deletions and when the defaulter refused the
   * request.
   */
  readonly object: T | undefined;
  /**
   * The JSON patch operations by which the webhook's defaulter changed the object; empty for none.
   */
  readonly patch: readonly JsonPatchOperation[];
}

/**
 * Calls the defaulter and then the validator of a resource for a request, as the API server would,
 * without a server: for unit tests. The objects of the request are not changed.
 *
 * The validator is not called when the defaulter refuses the request. A handler that fails refuses
 * the request with code 500, one that has not settled when `signal` is aborted with 504. Rules in
 * CEL are not evaluated, and the options that restrict when the API server calls a webhook are
 * ignored.
 *
 * @throws {TypeError} When the request has neither an object nor an old one, it has no object
 * although its operation is not `DELETE`, or a field is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { admit, webhookFor } from "@xca/operator/webhook";
 *
 * const webhook = webhookFor(ConfigMap)
 *   .defaulter(({ object }) => void (object.data ??= { mode: "slow" }));
 * const result = await admit(webhook, { object: { metadata: { name: "a", namespace: "default" } } });
 * assert.deepEqual(result.object?.data, { mode: "slow" });
 * assert.deepEqual(result.patch, [{ op: "add", path: "/data", value: { mode: "slow" } }]);
 * ```
 */
export async function admit<T extends KubeObject>(
  webhook: WebhookDefinition<T>,
  given: AdmitRequest<T>,
): Promise<Admission<T>> {
  checkOptionNames("Cannot admit a request", given, ADMIT_OPTIONS);
  const request = requestOf(webhook, given);
  const warnings: string[] = [];
  const ports = {
    signal: given.signal ?? new AbortController().signal,
    log: getLogger(["xca", "webhook"]).with({ name: request.name, namespace: request.namespace }),
    client: given.client,
    warn: (text: string) => void warnings.push(text),
  };
  const review = (
    kind: WebhookRegistration["kind"],
    asked: AdmissionRequest,
  ): Promise<AdmissionOutcome> =>
    reviewAdmission(webhook as unknown as WebhookDefinition, kind, asked, ports);
  const mutated = await review("mutating", request);
  const object = mutated.allowed && request.object && patchedJson(request.object, mutated.patch);
  const { allowed, status } = mutated.allowed
    ? await review("validating", { ...request, object: object || undefined })
    : mutated;
  return {
    allowed,
    code: status.code,
    message: status.message ?? "",
    causes: status.details?.causes ?? [],
    warnings,
    object: (object || undefined) as T | undefined,
    patch: mutated.patch,
  };
}

function requestOf<T extends KubeObject>(
  { type, subresource }: WebhookDefinition<T>,
  given: AdmitRequest<T>,
): AdmissionRequest {
  const { object, oldObject } = given;
  const known = object ?? oldObject;
  if (!known) throw new TypeError("Cannot admit a request without an object or oldObject");
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const full = (each: T): KubeObject =>
    copyJson({ apiVersion: type.apiVersion, kind: type.kind, ...each });
  const guess = object && oldObject ? "UPDATE" : object ? "CREATE" : "DELETE";
  const { operation = guess } = given;
  if (!object && operation !== "DELETE") {
    throw new TypeError(`Cannot admit a request with operation ${operation} without an object`);
  }
  const hasOldObject = operation === "UPDATE" || operation === "DELETE";
  const { name = "", namespace = "" } = known.metadata ?? {};
  return {
    uid: "00000000-0000-0000-0000-000000000000",
    kind,
    requestKind: given.requestKind ?? kind,
    operation,
    name,
    // The API server sends the name of a Namespace as its namespace too.
    namespace: type.group === "" && type.plural === "namespaces" ? name : namespace,
    subresource,
    dryRun: given.dryRun ?? false,
    user: {
      username: "admin",
      uid: "",
      groups: ["system:masters"],
      extra: {},
      ...withoutUndefined(given.user ?? {}),
    },
    object: operation === "DELETE" ? undefined : object && full(object),
    oldObject: hasOldObject ? full(oldObject ?? known) : undefined,
    options: given.options,
  };
}
