import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../values/api_object.ts";
import { type FieldError, type FieldErrorType, joinFieldErrors } from "./field_error.ts";
import { goQuote } from "../values/go_text.ts";

/** One cause of a refusal. */
export interface StatusCause {
  readonly reason?: FieldErrorType | string;
  readonly message?: string;
  readonly field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body of a refusal, as it goes over the wire. */
export interface FailureStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  /** `continue`: where a list whose token expired can go on. */
  readonly metadata: { readonly continue?: string };
  readonly status: "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** The request is refused with a `Status`. Every refusal of the server is one of these. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  /** The body of the answer. */
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

  /** The HTTP status code. */
  get code(): number {
    return this.status.code;
  }

  /** The reason, as `NotFound`. */
  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** Empty fields are left out on the wire. */
function withoutEmpty(details: StatusDetails): StatusDetails {
  const kept = Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value)
  );
  return Object.fromEntries(kept);
}

function about({ group, resource }: GroupResource, name: string): StatusDetails {
  return { name, group, kind: resource };
}

/** 404: the object is not there. */
export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} not found`;
  return new StatusError(404, "NotFound", message, about(resource, name));
}

/** 404 for a path, a resource or a subresource that the server does not know. */
export function unknownPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** 409: the name is taken, perhaps by an object on its way out. */
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

/** 409: the object is not in the state that the request takes for granted. */
export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const what = `${formatGroupResource(resource)} ${goQuote(name)}`;
  const message = `Operation cannot be fulfilled on ${what}: ${why}`;
  return new StatusError(409, "Conflict", message, about(resource, name));
}

/** 409: fields belong to other managers. */
export function applyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return new StatusError(409, "Conflict", message, { causes });
}

/** 403: policy refuses it, whoever asks or whatever is asked. */
export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const what = formatGroupResource(resource);
  let message = `${what} ${goQuote(name)} is forbidden: ${why}`;
  if (what === "") message = `forbidden: ${why}`;
  else if (name === "") message = `${what} is forbidden: ${why}`;
  return new StatusError(403, "Forbidden", message, about(resource, name));
}

/** 422: fields are refused. */
export function invalidObject(
  kind: GroupKind,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
  const what = `${formatGroupKind(kind)} ${goQuote(name)} is invalid`;
  const message = errors.length === 0 ? what : `${what}: ${joinFieldErrors(errors)}`;
  const { group, kind: kindName } = kind;
  return new StatusError(422, "Invalid", message, { name, group, kind: kindName, causes });
}

/** 400: the request makes no sense. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/** 401: nobody vouches for the caller. */
export function unauthorized(message = "Unauthorized"): StatusError {
  return new StatusError(401, "Unauthorized", message);
}

/** 405: the resource exists, this verb on it does not. */
export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, {});
}

/** 405 where the storage of the resource has no such verb. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ` +
    goQuote(formatGroupResource(resource));
  return new StatusError(405, "MethodNotAllowed", message, about(resource, ""));
}

/** 406: no media type that the caller accepts. */
export function notAcceptable(accepted: readonly string[], target = ""): StatusError {
  const when = target === "" ? "" : ` when converting to ${target}`;
  const message = `only the following media types are accepted${when}: ${accepted.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message);
}

/** 415: a body of a media type that is not read here. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = "the body of the request was in an unknown format - " +
    `accepted media types include: ${accepted.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

/** 410: the resourceVersion is compacted away. */
export function expired(message: string): StatusError {
  return new StatusError(410, "Expired", message);
}

/** 410: the state that a list's token goes on with is compacted away; `token` goes on with the newest. */
export function expiredContinue(token: string): StatusError {
  const message = "The provided continue parameter is too old to display a consistent list " +
    "result. You can start a new list without the continue parameter, or use the continue token " +
    "in this response to retrieve the remainder of the results. Continuing with the provided " +
    "token results in an inconsistent list - objects that were created, modified, or deleted " +
    "between the time the first chunk was returned and now may show up in the list.";
  return new StatusError(410, "Expired", message, undefined, { continue: token });
}

/** 504: the server has not seen that resourceVersion yet. */
export function tooLargeVersion(asked: number | string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** 413: the body or the object is larger than the server takes. */
export function tooLarge(message: string): StatusError {
  return new StatusError(
    413,
    "RequestEntityTooLarge",
    `Request entity too large: ${message}`,
  );
}

/** 500: the server's own fault, or that of something it calls. */
export function internalError(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/** 501: the real server can, this one cannot. `docs/embedded_server.md` lists each of them. */
export function notImplemented(what: string): StatusError {
  const message = `the embedded API server does not implement ${what}; ` +
    "see docs/embedded_server.md for what it does, or use a real control plane";
  return new StatusError(501, "NotImplemented", message);
}
