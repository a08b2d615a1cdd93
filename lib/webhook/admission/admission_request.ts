// Mirrors k8s.io/api/admission/v1/types.go, AdmissionRequest.
import { goQuote } from "@xca/apimachinery/internal/values";
import type { KubeObject, UnstructuredObject } from "@xca/apimachinery/meta";
import type {
  OperatorWebhook,
  WebhookOperation,
  WebhookRegistration,
} from "../../controller/definition/operator_webhook.ts";
import type { AdmissionUser, RequestKind } from "./admission_context.ts";
import { BadReviewError } from "./bad_review_error.ts";

/**
 * The field `request` of an AdmissionReview, validated by {@linkcode admissionRequest}; the
 * handlers of the webhook receive most of its fields.
 */
export interface AdmissionRequest {
  /** The UID of the admission review. */
  readonly uid: string;
  /** The kind of the request's `object`, after a conversion for the webhook. */
  readonly kind: RequestKind;
  /** The kind of the original request, before a conversion for the webhook. */
  readonly requestKind: RequestKind;
  /** The operation of the admission request. */
  readonly operation: WebhookOperation;
  /** The name of the request's object; empty when the server has still to generate it. */
  readonly name: string;
  /**
   * The namespace of the request's object; for a Namespace its own name; empty for other
   * cluster-scoped objects.
   */
  readonly namespace: string;
  /** The subresource of the request; empty for the object itself. */
  readonly subresource: string;
  /** Reports whether the admission request is a dry run. */
  readonly dryRun: boolean;
  /** The user who made the admission request. */
  readonly user: AdmissionUser;
  /** The object of the request; `undefined` for deletions. */
  readonly object: KubeObject | undefined;
  /** The object before the request; `undefined` for creations and connections. */
  readonly oldObject: KubeObject | undefined;
  /**
   * The options of the original request, such as `CreateOptions`; `undefined` when the API server
   * sent none.
   */
  readonly options: UnstructuredObject | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const OPERATIONS: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/**
 * Returns the validated request of an AdmissionReview, for the webhook of `registration`.
 *
 * @throws {BadReviewError} When a field that handlers rely on is missing or of the wrong type, or
 * the request is about another resource.
 */
export function admissionRequest(
  review: Fields,
  webhook: Pick<OperatorWebhook, "type" | "subresource">,
  { match }: Pick<WebhookRegistration, "match">,
): AdmissionRequest {
  const request = mapOf(review.request, "request");
  const uid = textOf(request.uid, "request.uid");
  const fail = (reason: string): BadReviewError => new BadReviewError(400, reason, uid);
  if (uid === "") throw fail("request.uid is missing");
  const operation = textOf(request.operation, "request.operation", uid);
  if (!OPERATIONS.includes(operation)) throw fail(`unknown operation ${goQuote(operation)}`);
  checkResource(request, webhook, match.apiVersions, uid);
  const kind = kindOf(request.kind, "request.kind", uid);
  const isObject = operation !== "CONNECT";
  const object = objectOf(request.object, "request.object", { uid, isObject });
  const oldObject = objectOf(request.oldObject, "request.oldObject", { uid, isObject });
  if (!object && operation !== "DELETE") throw fail(`request.object is missing on ${operation}`);
  if (!oldObject && (operation === "UPDATE" || operation === "DELETE")) {
    throw fail(`request.oldObject is missing on ${operation}`);
  }
  const options = request.options ?? undefined;
  return {
    uid,
    kind,
    requestKind: request.requestKind ? kindOf(request.requestKind, "requestKind", uid) : kind,
    operation: operation as WebhookOperation,
    name: textOf(request.name ?? "", "request.name", uid),
    namespace: textOf(request.namespace ?? "", "request.namespace", uid),
    subresource: textOf(request.subResource ?? "", "request.subResource", uid),
    dryRun: request.dryRun === true,
    user: userOf(request.userInfo, uid),
    object,
    oldObject,
    options: options && mapOf(options, "request.options", uid) as unknown as UnstructuredObject,
  };
}

/**
 * Checks that an admission request is about the resource of the webhook.
 *
 * @throws {BadReviewError} When it is about another resource, subresource or version, because the
 * webhook configuration is wrong.
 */
function checkResource(
  request: Fields,
  { type, subresource }: Pick<OperatorWebhook, "type" | "subresource">,
  versions: readonly string[],
  uid: string,
): void {
  const resource = mapOf(request.resource, "request.resource", uid);
  const sub = request.subResource ?? "";
  const isOwn = resource.group === type.group && resource.resource === type.plural &&
    sub === subresource;
  const isKnown = versions.includes("*") || versions.includes(String(resource.version));
  if (isOwn && isKnown) return;
  const { group, version, resource: plural } = resource;
  const asked = [plural, ...(sub === "" ? [] : [sub])].map(String).join("/");
  const own = [type.plural, ...(subresource === "" ? [] : [subresource])].join("/");
  throw new BadReviewError(
    400,
    `this webhook is for ${own} of ${type.apiVersion}, not for ` +
      `${asked} of ${group ? `${String(group)}/` : ""}${
        String(version)
      }; correct its configuration`,
    uid,
  );
}

function kindOf(value: unknown, path: string, uid: string): RequestKind {
  const { group = "", version, kind } = mapOf(value, path, uid);
  return {
    group: textOf(group, `${path}.group`, uid),
    version: textOf(version, `${path}.version`, uid),
    kind: textOf(kind, `${path}.kind`, uid),
  };
}

function userOf(value: unknown, uid: string): AdmissionUser {
  const user = mapOf(value ?? {}, "request.userInfo", uid);
  const groups = user.groups ?? [];
  if (!Array.isArray(groups) || !groups.every((each) => typeof each === "string")) {
    throw new BadReviewError(400, "request.userInfo.groups is not a list of texts", uid);
  }
  return {
    username: textOf(user.username ?? "", "request.userInfo.username", uid),
    uid: textOf(user.uid ?? "", "request.userInfo.uid", uid),
    groups,
    extra: mapOf(user.extra ?? {}, "request.userInfo.extra", uid) as AdmissionUser["extra"],
  };
}

/**
 * Returns an object of the admission request, checked for `apiVersion`, `kind` and, unless it is
 * the options of a connection, `metadata`; `undefined` for `null` and an absent object. Throws a
 * {@linkcode BadReviewError} if a check fails.
 */
function objectOf(
  value: unknown,
  path: string,
  { uid, isObject }: { readonly uid: string; readonly isObject: boolean },
): KubeObject | undefined {
  if (value === undefined || value === null) return undefined;
  const object = mapOf(value, path, uid);
  for (const name of ["apiVersion", "kind"]) {
    if (typeof object[name] === "string") continue;
    throw new BadReviewError(400, `${path}.${name} is missing or not a text`, uid);
  }
  // Options of connections, such as PodExecOptions, have no metadata.
  if (isObject) mapOf(object.metadata, `${path}.metadata`, uid);
  return object as unknown as KubeObject;
}

function mapOf(value: unknown, path: string, uid = ""): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new BadReviewError(400, `${path} is missing or not an object`, uid);
}

function textOf(value: unknown, path: string, uid = ""): string {
  if (typeof value === "string") return value;
  throw new BadReviewError(400, `${path} is missing or not a text`, uid);
}
