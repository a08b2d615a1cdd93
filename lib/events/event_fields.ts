/**
 * The validation rules of the fields of an Event (apis/core/validation/events.go,
 * ValidateEventCreate).
 */
import type { OptionNames } from "@xca/apimachinery/internal/base";
import type { Random } from "@xca/apimachinery/base";
import type { V1ObjectReference } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly, KubeObject, ResourceType } from "@xca/apimachinery/meta";

/** The fields of an event about an object that the caller of `EventRecorder.record` gives. */
export interface EventInit {
  /**
   * The type of the event: `Normal` for an expected event, `Warning` for one that calls for
   * attention.
   *
   * @default {"Normal"}
   */
  readonly type?: "Normal" | "Warning" | undefined;
  /** The cause of the event in CamelCase, for programs: at most 128 bytes. */
  readonly reason: string;
  /** The note of the event: its text for users, cut to at most 1024 bytes. @default {""} */
  readonly note?: string | undefined;
  /**
   * The action that the controller took or failed to take, in CamelCase: at most 128 bytes.
   * @default the reason
   */
  readonly action?: string | undefined;
  /** A second object that the event is about, such as a child. @default none */
  readonly related?:
    | { readonly type: ResourceType; readonly object: DeepReadonly<KubeObject> }
    | undefined;
}

/** The maximum length of an event's note, in bytes. */
const LONGEST_NOTE = 1_024;
/** The maximum length of an event's reason and of its action, in bytes. */
const LONGEST_REASON = 128;
/** The maximum length of an object's name, in characters. */
const LONGEST_NAME = 253;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const encoder = new TextEncoder();

/** The names of all fields of an event that a caller gives. */
const EVENT_FIELDS: OptionNames<EventInit> = {
  type: true,
  reason: true,
  note: true,
  action: true,
  related: true,
};

/**
 * Returns the reason why the given fields of an event are not valid, so that the recorder drops the
 * event; `undefined` when they are valid. A note of any length is valid: {@linkcode shortNote} cuts
 * it.
 */
export function eventProblem(init: EventInit): string | undefined {
  const { type, reason, action, note } = init;
  const unknown = Object.entries(init)
    .find(([name, value]) => value !== undefined && !Object.hasOwn(EVENT_FIELDS, name))?.[0];
  if (unknown !== undefined) {
    return `there is no field ${unknown}, only ${Object.keys(EVENT_FIELDS).join(", ")}`;
  }
  if (type !== undefined && type !== "Normal" && type !== "Warning") {
    return `the type must be "Normal" or "Warning", is ${JSON.stringify(type)}`;
  }
  if (typeof reason !== "string" || reason === "") return "the reason is missing";
  if (note !== undefined && typeof note !== "string") return "the note is not a text";
  for (const [name, value] of [["reason", reason], ["action", action]] as const) {
    if (value === undefined) continue;
    if (typeof value !== "string" || value === "") return `the ${name} is not a text`;
    if (encoder.encode(value).length > LONGEST_REASON) {
      return `the ${name} is longer than ${LONGEST_REASON} bytes`;
    }
  }
  return undefined;
}

/**
 * Returns the ObjectReference of an object, without the fields that its metadata lacks
 * (tools/reference/ref.go, GetReference).
 */
export function referenceTo(
  type: ResourceType,
  { metadata }: DeepReadonly<KubeObject>,
): V1ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion: type.apiVersion,
    kind: type.kind,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

/**
 * Returns a note, cut to the length that the server accepts if it is longer, with `...` at its end
 * and no character split.
 */
export function shortNote(note: string): string {
  const bytes = encoder.encode(note);
  if (bytes.length <= LONGEST_NOTE) return note;
  let end = LONGEST_NOTE - "...".length;
  while ((bytes[end]! & 0xc0) === 0x80) end--; // A byte inside of a character.
  return `${new TextDecoder().decode(bytes.subarray(0, end))}...`;
}

/**
 * Returns the name of an Event: the name of the object, a dot, and the time in hexadecimal
 * nanoseconds since 1970, or a UUID if this text is not a valid name (tools/record/util/util.go,
 * GenerateEventName). `count`, modulo a million, takes the place of the nanoseconds within the
 * millisecond, and so distinguishes its events.
 */
export function eventNameOf(object: string, at: Date, count: number, random: Random): string {
  const nanoseconds = BigInt(at.getTime()) * 1_000_000n + BigInt(count % 1_000_000);
  const name = `${object}.${nanoseconds.toString(16)}`;
  return name.length <= LONGEST_NAME && SUBDOMAIN.test(name) ? name : random.uuid();
}
