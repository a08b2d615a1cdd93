import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { DecodeError } from "../decode/errors.ts";
import { isListOf } from "../decode/list_kind.ts";
import { atUsersLine } from "../users_line.ts";
import { cutText } from "../message_text.ts";

/** The call that was answered, for messages. */
export interface AnsweredCall {
  /** The HTTP method. @default {"GET"} */
  readonly method?: string | undefined;
  /** The path. */
  readonly path: string;
}

/** The part of an answer that is checked. */
interface Answer {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly message?: unknown;
  readonly metadata?: unknown;
  readonly [field: string]: unknown;
}

/**
 * An answer as the object of the resource that was asked for.
 *
 * @throws {DecodeError} When it is none: `null`, a `Status`, another kind, or without metadata.
 */
export function expectObject<T extends KubeObject>(
  answer: unknown,
  type: Pick<ResourceType<T>, "kind" | "apiVersion">,
  call: AnsweredCall,
): T {
  const wanted = type.kind ? `a ${type.kind} of ${type.apiVersion}` : `an object`;
  const object = expectKind(answer, { ...type, wanted }, call);
  const { metadata } = object;
  if (!isRecord(metadata)) throw unexpected(call, wanted, "it has no metadata");
  if (object.kind === undefined && !isText(metadata["name"])) {
    throw unexpected(call, wanted, "it has neither a kind nor a name");
  }
  return object as unknown as T;
}

/**
 * The items of an answer that should be a list of a resource; see {@linkcode expectObject}.
 *
 * @throws {DecodeError} When it is no list, or an item is none of that resource.
 */
export function expectItems<T extends KubeObject>(
  answer: unknown,
  type: Pick<ResourceType<T>, "id" | "group" | "kind" | "apiVersion">,
  call: AnsweredCall,
): readonly T[] {
  const wanted = `a list of ${type.id}`;
  const list = expectKind(answer, { kind: "", apiVersion: type.apiVersion, wanted }, call);
  if (!isListOf(type, list)) {
    throw unexpected(call, wanted, `it is a ${text(list.kind)} of ${text(list.apiVersion)}`);
  }
  const { items, metadata } = list;
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
 * A field of an answer that is no object of a resource, such as a review.
 *
 * @throws {DecodeError} When the answer has no such field, or is of another kind.
 */
export function expectField<T>(
  answer: unknown,
  { kind, field }: { readonly kind: string; readonly field: string },
  call: AnsweredCall,
): T {
  const wanted = `a ${kind}`;
  const value = expectKind(answer, { kind, wanted }, call)[field];
  if (!isRecord(value)) throw unexpected(call, wanted, `it has no ${field}`);
  return value as T;
}

function expectKind(
  answer: unknown,
  { kind, apiVersion, wanted }: {
    readonly kind: string;
    readonly apiVersion?: string;
    readonly wanted: string;
  },
  call: AnsweredCall,
): Answer {
  if (!isRecord(answer)) throw unexpected(call, wanted, `it is ${nameOf(answer)}`);
  const found: Answer = answer;
  const isStatus = found.kind === "Status" && found.apiVersion === "v1";
  const isOther = kind !== "" && found.kind !== undefined && found.kind !== kind;
  const isOtherVersion = kind !== "" && found.kind !== undefined && apiVersion !== undefined &&
    found.apiVersion !== undefined && found.apiVersion !== apiVersion;
  if (!isStatus && !isOther && !isOtherVersion) return found;
  const said = isStatus && isText(found.message)
    ? `, saying ${JSON.stringify(cutText(found.message, 200))}`
    : "";
  throw unexpected(call, wanted, `it is a ${text(found.kind)} of ${text(found.apiVersion)}${said}`);
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

/** Names the type of a value without showing the value. */
function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function text(value: unknown): string {
  return isText(value) ? cutText(value, 60) : "?";
}
