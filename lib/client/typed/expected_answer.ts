import { storedAs } from "@xca/apimachinery/internal/meta";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { DecodeError } from "../errors/decode_error.ts";
import { isListOf } from "../decode/list_kind.ts";
import { atUsersLine } from "../errors/users_line.ts";
import { cutText, messageText } from "../errors/message_text.ts";

/** A request whose response is checked, for error messages. */
export interface AnsweredCall {
  /** The HTTP method of the request whose response is checked. @default {"GET"} */
  readonly method?: string | undefined;
  /** The URL path of the request whose response is checked. */
  readonly path: string;
}

/** The fields of a response that the client checks. */
interface AnswerFields {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly message?: unknown;
  readonly metadata?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Checks that a response is an object of the requested resource and returns it. `wanted` is the
 * name of the object in error messages.
 *
 * @throws {DecodeError} When the response is not an object, is a `Status` or of another kind or
 * version, or has no metadata, or neither a kind nor a name.
 */
export function expectObject<T extends KubeObject>(
  answer: unknown,
  type: Pick<ResourceType, "kind" | "apiVersion">,
  call: AnsweredCall,
  wanted: string = type.kind ? `a ${type.kind} of ${type.apiVersion}` : "an object",
): T {
  const object = expectKind(answer, { ...type, wanted }, call);
  const { metadata } = object;
  if (!isRecord(metadata)) throw unexpected(call, wanted, "it has no metadata");
  if (object.kind === undefined && !isText(metadata["name"])) {
    throw unexpected(call, wanted, "it has neither a kind nor a name");
  }
  return object as unknown as T;
}

/**
 * Checks that a response is a list of the requested resource and returns its items; see {@linkcode
 * expectObject}. A list whose `items` are `null` is empty, as for client-go.
 *
 * @throws {DecodeError} When the response is not a list, or has no `items` or no metadata, or an
 * item is not an object of that resource with metadata.
 */
export function expectItems<T extends KubeObject>(
  answer: unknown,
  type: Pick<ResourceType<T>, "id" | "group" | "kind" | "apiVersion">,
  call: AnsweredCall,
  wanted: string = `a list of ${type.id}`,
): readonly T[] {
  const list = expectKind(answer, { kind: "", apiVersion: type.apiVersion, wanted }, call);
  if (!isListOf(type, list)) {
    throw unexpected(call, wanted, `it is a ${text(list.kind)} of ${text(list.apiVersion)}`);
  }
  const { metadata } = list;
  const items = list.items === null ? [] : list.items;
  if (!Array.isArray(items) || !isRecord(metadata)) {
    throw unexpected(call, wanted, "it has no items or no metadata");
  }
  for (const [index, item] of items.entries()) {
    const of = `item ${index} of ${wanted}`;
    const object = expectKind(item, { ...type, wanted: of }, call);
    if (!isRecord(object.metadata)) throw unexpected(call, of, "it has no metadata");
  }
  return items as T[];
}

/**
 * Checks that the object of a watch event is of the watched resource and returns it.
 *
 * @throws {DecodeError} When the object is anything else; see {@linkcode expectObject}.
 */
export function expectEventObject<T extends KubeObject>(
  object: unknown,
  type: ResourceType<T>,
  call: AnsweredCall,
): T {
  const { id, metadataOnly } = type;
  const isReduced = metadataOnly && isRecord(object) && object.kind === storedAs(type).kind;
  return expectObject(
    object,
    isReduced ? storedAs(type) : type,
    call,
    `the object of a watch event of ${id}`,
  );
}

/**
 * Checks the response to a deletion: a `Status` of success (the objects are gone), the object (its
 * deletion has begun), or a list of the resource (the objects of a collection).
 *
 * @throws {DecodeError} When the response is anything else, and so does not confirm the deletion.
 */
export function expectDeleted(
  answer: unknown,
  type: Pick<ResourceType, "id" | "group" | "kind" | "apiVersion">,
  call: AnsweredCall,
): void {
  const wanted = `confirmation that ${type.id} are deleted`;
  const { kind, items, status }: AnswerFields = isRecord(answer) ? answer : {};
  if (isRecord(answer) && isStatus(answer) && status === "Success") return;
  if ((Array.isArray(items) || items === null) && (!kind || kind !== type.kind)) {
    expectItems(answer, type, call, wanted);
  } else {
    expectObject(answer, type, call, wanted);
  }
}

/**
 * Checks that a response that is not an object of a resource, such as a review, has an object in
 * the field `field`, and returns that object. `has` names a field which that object must have, with
 * the type of the field's value.
 *
 * @throws {DecodeError} When the response has no such fields, or is of another kind.
 */
export function expectField<T>(
  answer: unknown,
  { kind, field, has }: {
    readonly kind: string;
    readonly field: string;
    readonly has?: readonly [field: string, type: "boolean" | "string" | "object"];
  },
  call: AnsweredCall,
): T {
  const wanted = aKind(kind);
  const value = expectKind(answer, { kind, wanted }, call)[field];
  if (!isRecord(value)) throw unexpected(call, wanted, `it has no ${field}`);
  const [name, type] = has ?? [];
  if (name !== undefined && (typeof value[name] !== type || value[name] === null)) {
    throw unexpected(call, wanted, `it has no ${field}.${name}`);
  }
  return value as T;
}

/**
 * Checks the response to the creation of a subresource that is an action, such as an eviction: a
 * `Status` of success, or the object that was sent.
 *
 * @throws {DecodeError} When the response is anything else, and so does not confirm the action.
 */
export function expectDone(
  answer: unknown,
  sent: { readonly kind: string; readonly apiVersion: string },
  call: AnsweredCall,
): void {
  const wanted = `confirmation of ${aKind(sent.kind)}`;
  const { kind, status }: AnswerFields = isRecord(answer) ? answer : {};
  if (isRecord(answer) && isStatus(answer) && status === "Success") return;
  expectKind(answer, { ...sent, wanted }, call);
  if (kind !== sent.kind) throw unexpected(call, wanted, "it has no kind");
}

/**
 * Checks that a response without a kind, such as a version, has a field of text, and returns the
 * response.
 *
 * @throws {DecodeError} When the response is anything else, or has a kind.
 */
export function expectPlain<T>(
  answer: unknown,
  { wanted, field }: { readonly wanted: string; readonly field: string },
  call: AnsweredCall,
): T {
  const object = expectKind(answer, { kind: "", wanted }, call);
  const { kind, apiVersion } = object;
  if (kind !== undefined) {
    throw unexpected(call, wanted, `it is a ${text(kind)} of ${text(apiVersion)}`);
  }
  if (!isText(object[field])) throw unexpected(call, wanted, `it has no ${field}`);
  return object as T;
}

/**
 * Checks that a response is of a kind, or has none, and has a list in the field `field`, and returns
 * that list. A field that is `null` is an empty list, as Go writes it.
 *
 * @throws {DecodeError} When the response is anything else.
 */
export function expectArray<T>(
  answer: unknown,
  { kind, field }: { readonly kind: string; readonly field: string },
  call: AnsweredCall,
): readonly T[] {
  const value = expectKind(answer, { kind, wanted: aKind(kind) }, call)[field];
  if (value === null) return [];
  if (!Array.isArray(value)) throw unexpected(call, aKind(kind), `it has no ${field}`);
  return value as T[];
}

function expectKind(
  answer: unknown,
  { kind, apiVersion, wanted }: {
    readonly kind: string;
    readonly apiVersion?: string;
    readonly wanted: string;
  },
  call: AnsweredCall,
): AnswerFields {
  if (!isRecord(answer)) throw unexpected(call, wanted, `it is ${nameOf(answer)}`);
  const found: AnswerFields = answer;
  const isOther = kind !== "" && found.kind !== undefined && found.kind !== kind;
  const isOtherVersion = kind !== "" && found.kind !== undefined && apiVersion !== undefined &&
    found.apiVersion !== undefined && found.apiVersion !== apiVersion;
  if (!isStatus(found) && !isOther && !isOtherVersion) return found;
  const said = isStatus(found) && isText(found.message)
    ? `, saying ${JSON.stringify(cutText(messageText(found.message), 200))}`
    : "";
  throw unexpected(call, wanted, `it is a ${text(found.kind)} of ${text(found.apiVersion)}${said}`);
}

function aKind(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}

function isStatus({ kind, apiVersion }: AnswerFields): boolean {
  return kind === "Status" && apiVersion === "v1";
}

function unexpected(
  { method = "GET", path }: AnsweredCall,
  wanted: string,
  why: string,
): DecodeError {
  const message = `Cannot take the answer to ${method} ${path} as ${wanted}: ${why}; ` +
    "does a proxy or another server answer for the API server?";
  return atUsersLine(() => new DecodeError(message));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the type of a value for an error message, without the value, which may be secret. */
function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function text(value: unknown): string {
  return isText(value) ? cutText(value, 60) : "?";
}
