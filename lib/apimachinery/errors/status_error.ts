// Mirrors `api/errors/errors.go, StatusError`.
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../values/api_object.ts";
import { type FieldError, type FieldErrorType, joinFieldErrorsInSteps } from "./field_error.ts";
import { runAll } from "../base/time/loop_share.ts";
import { goQuote } from "../values/go_text.ts";

/**
 * A cause in the details of a `Status`: a reason, a message, and the field if the cause is about
 * one.
 */
export interface StatusCause {
  readonly reason?: FieldErrorType | string;
  readonly message?: string;
  readonly field?: string;
}

/**
 * The details of a `Status` about a failure: the object (`kind` may be the plural name of its
 * resource), the causes, and the seconds after which the client may retry.
 */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` object that is the body of an error response. */
export interface FailureStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  /**
   * The metadata of the `Status`: the token with which the client can continue an expired list;
   * empty for every other error.
   */
  readonly metadata: { readonly continue?: string };
  readonly status: "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** An error that an API server sends to a client as a `Status`. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  /** The `Status` that is the body of the error response. */
  readonly status: FailureStatus;

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    metadata: FailureStatus["metadata"] = {},
  ) {
    super(message);
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata,
      status: "Failure",
      ...(message && { message }),
      ...(reason && { reason }),
      ...(details && { details: withoutEmpty(details) }),
      code,
    };
  }

  /** The HTTP status code of the error response. */
  get code(): number {
    return this.status.code;
  }

  /** The reason of the error response, such as `NotFound`; empty when it has none. */
  get reason(): string {
    return this.status.reason ?? "";
  }
}

/**
 * Returns the details of a `Status` without the fields that are absent, empty (texts and lists) or
 * 0, which are not sent.
 */
function withoutEmpty(details: StatusDetails): StatusDetails {
  const kept = Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value)
  );
  return Object.fromEntries(kept);
}

function about({ group, resource }: GroupResource, name: string): StatusDetails {
  return { name, group, kind: resource };
}

/** Returns the 404 error about a missing object. */
export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} not found`;
  return new StatusError(404, "NotFound", message, about(resource, name));
}

/** Returns the 404 error about an unknown path, resource or subresource. */
export function unknownPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/**
 * Returns the 409 error about an object whose name exists already. `deleting` means that the
 * existing object is being deleted; `generated`, that the server generated the name, so that the
 * client may retry after a second.
 */
export function alreadyExists(
  resource: GroupResource,
  name: string,
  { deleting = false, generated = false }: { deleting?: boolean; generated?: boolean } = {},
): StatusError {
  const taken = `${formatGroupResource(resource)} ${goQuote(name)} already exists`;
  const what = generated
    ? `${taken}, the server was not able to generate a unique name for the object`
    : taken;
  const message = deleting ? `object is being deleted: ${what}` : what;
  const details = { ...about(resource, name), ...(generated && { retryAfterSeconds: 1 }) };
  return new StatusError(409, "AlreadyExists", message, details);
}

/**
 * Returns the 409 error about an object that has changed, or whose state does not permit the
 * request; `why` is the end of the message.
 */
export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const what = `${formatGroupResource(resource)} ${goQuote(name)}`;
  const message = `Operation cannot be fulfilled on ${what}: ${why}`;
  return new StatusError(409, "Conflict", message, about(resource, name));
}

/** Returns the 409 error about applied fields that other field managers own. */
export function applyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return new StatusError(409, "Conflict", message, { causes });
}

/**
 * Returns the 403 error about a request that authorization, admission or another rule of the server
 * does not permit; `why` is the end of the message.
 */
export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const what = formatGroupResource(resource);
  let message = `${what} ${goQuote(name)} is forbidden: ${why}`;
  if (what === "") message = `forbidden: ${why}`;
  else if (name === "") message = `${what} is forbidden: ${why}`;
  return new StatusError(403, "Forbidden", message, about(resource, name));
}

/** Returns the 422 error about invalid fields, with a cause for each field error. */
export function invalidObject(
  kind: GroupKind,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  return runAll(invalidObjectInSteps(kind, name, errors));
}

/**
 * Returns the same error as {@linkcode invalidObject}, as a generator that yields from time to time
 * so that other work may run: the field errors may be many.
 */
export function* invalidObjectInSteps(
  kind: GroupKind,
  name: string,
  errors: readonly FieldError[],
): Generator<void, StatusError> {
  const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
  const what = `${formatGroupKind(kind)} ${goQuote(name)} is invalid`;
  yield;
  const message = errors.length === 0 ? what : `${what}: ${yield* joinFieldErrorsInSteps(errors)}`;
  const { group, kind: kindName } = kind;
  return new StatusError(422, "Invalid", message, { name, group, kind: kindName, causes });
}

/** Returns the 400 error about a malformed request. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/**
 * The number of nested levels that an object in any request may have; kube-apiserver allows 10 000.
 */
const SURE_LEVELS = 1000;

/**
 * Returns the 400 error about an object with more nested levels than the call stack has room for.
 */
export function nestedTooDeep(): StatusError {
  return badRequest(NESTED_TOO_DEEP);
}

const NESTED_TOO_DEEP =
  `the object has more levels than this server can handle: every request may have ${SURE_LEVELS}, ` +
  "and some may have more";

/**
 * Reports whether an error is about an object with too many nested levels: that of
 * {@linkcode nestedTooDeep}, or the JavaScript engine's about an exhausted call stack.
 */
export function isNestedTooDeep(error: unknown): boolean {
  return isStackOverflow(error) ||
    error instanceof StatusError && error.message === NESTED_TOO_DEEP;
}

/** Reports whether an error is the JavaScript engine's error about an exhausted call stack. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

/** Returns the 401 error about a missing or invalid credential of a request. */
export function unauthorized(message = "Unauthorized"): StatusError {
  return new StatusError(401, "Unauthorized", message);
}

/** Returns the 405 error about a verb that the resource does not support. */
export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, {});
}

/**
 * Returns the 405 error about a verb, named by `action`, that the storage of the resource lacks.
 */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ` +
    goQuote(formatGroupResource(resource));
  return new StatusError(405, "MethodNotAllowed", message, about(resource, ""));
}

/**
 * Returns the 406 error about a request that accepts none of the media types of the server, which
 * are listed in the message; the message also names `target`, the kind that the response would be
 * converted to, unless it is empty.
 */
export function notAcceptable(accepted: readonly string[], target = ""): StatusError {
  const when = target === "" ? "" : ` when converting to ${target}`;
  const message = `only the following media types are accepted${when}: ${accepted.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message);
}

/**
 * Returns the 415 error about a request body of an unknown media type; the message lists the known
 * ones.
 */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = "the body of the request was in an unknown format - " +
    `accepted media types include: ${accepted.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

/** Returns the 410 error about a compacted resourceVersion. */
export function expired(message: string): StatusError {
  return new StatusError(410, "Expired", message);
}

/**
 * Returns the 410 error about a list whose `continue` token refers to a compacted resourceVersion.
 * The `Status` carries `token`, with which the client can continue the list at the newest
 * resourceVersion.
 */
export function expiredContinue(token: string): StatusError {
  const message = "The provided continue parameter is too old to display a consistent list " +
    "result. You can start a new list without the continue parameter, or use the continue token " +
    "in this response to retrieve the remainder of the results. Continuing with the provided " +
    "token results in an inconsistent list - objects that were created, modified, or deleted " +
    "between the time the first chunk was returned and now may show up in the list.";
  return new StatusError(410, "Expired", message, undefined, { continue: token });
}

/**
 * Returns the 504 error about a request for a newer resourceVersion than the current one; the
 * client may retry after a second.
 */
export function tooLargeVersion(asked: number | string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** Returns the 413 error about a request body or an object that is too large. */
export function tooLarge(message: string): StatusError {
  return new StatusError(
    413,
    "RequestEntityTooLarge",
    `Request entity too large: ${message}`,
  );
}

/** Returns the 500 error about an internal failure of the server or of a dependency. */
export function internalError(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/**
 * Returns the 501 error about a feature that kube-apiserver supports and this server does not;
 * `docs/embedded_server.md` lists these features.
 */
export function notImplemented(what: string): StatusError {
  const message = `the embedded API server does not implement ${what}; ` +
    "see docs/embedded_server.md for what it does, or use a real control plane";
  return new StatusError(501, "NotImplemented", message);
}
