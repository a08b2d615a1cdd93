import type { ListMeta } from "@xca/apimachinery/meta";

/**
 * The `Status` with which a Kubernetes server responds instead of an object: an error, or the
 * success of a deletion; see `metav1.Status`.
 */
export interface Status {
  /** The apiVersion of a `Status`, which is `v1`. */
  apiVersion?: string;
  /** The kind of a `Status`, which is `Status`. */
  kind?: string;
  /** The list metadata of a `Status` that refuses a list half-way: its continue token. */
  metadata?: ListMeta;
  /** The outcome that a `Status` states: `Success` or `Failure`. */
  status?: string;
  /** The message of a `Status` for users. */
  message?: string;
  /** The machine-readable reason of a `Status`, such as `NotFound`. */
  reason?: string;
  /** The details of a `Status`: the refused object, and the causes of the refusal. */
  details?: {
    /** The name of the object that the `Status` is about. */
    name?: string;
    /** The API group of the resource that the `Status` is about. */
    group?: string;
    /** The plural of the resource that the `Status` is about (or, for some refusals, its kind). */
    kind?: string;
    /** The UID of the object that the `Status` is about. */
    uid?: string;
    /** The causes of the refusal, such as one per invalid field. */
    causes?: ({
      /**
       * The machine-readable reason of the cause, such as `FieldValueRequired` or
       * `ResourceVersionTooLarge`.
       */
      reason?: string;
      /** The message of the cause for users. */
      message?: string;
      /** The path of the field that the cause is about, such as `spec.replicas`. */
      field?: string;
    })[];
    /** The time after which the server suggests a retry, in seconds. */
    retryAfterSeconds?: number;
  };
  /** The HTTP status code of the response, which a `Status` repeats. */
  code?: number;
}

/**
 * Reports whether a parsed response is a `Status`, by its kind and apiVersion alone.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isStatus } from "./status.ts";
 *
 * assert(isStatus({ kind: "Status", apiVersion: "v1", status: "Failure", code: 404 }));
 * assert(!isStatus({ kind: "Pod", apiVersion: "v1", status: {} }));
 * ```
 */
export function isStatus(value: unknown): value is Status {
  return typeof value === "object" && value !== null &&
    (value as Status).kind === "Status" && (value as Status).apiVersion === "v1";
}

/**
 * Returns a copy of a `Status` with only those fields of `metav1.Status` whose values have the
 * right type; a proxy or a webhook may send others.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withoutMistyped } from "./status.ts";
 *
 * const sent: unknown = { kind: "Status", code: "404", reason: 7, message: "gone", details: [] };
 * assert.deepEqual(withoutMistyped(sent as object), { kind: "Status", message: "gone" });
 * ```
 */
export function withoutMistyped(status: Status): Status {
  const { apiVersion, kind, metadata, status: outcome, message, reason, details, code } = status;
  return {
    ...kept(isString, { apiVersion, kind, status: outcome, message, reason }),
    ...kept(isNumber, { code }),
    ...(isRecord(metadata) ? { metadata } : {}),
    ...(details && isRecord(details) ? { details: detailsWithoutMistyped(details) } : {}),
  };
}

type Details = NonNullable<Status["details"]>;

function detailsWithoutMistyped(details: Details): Details {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...kept(isString, { name, group, kind, uid }),
    ...kept(isNumber, { retryAfterSeconds }),
    ...(Array.isArray(causes)
      ? {
        causes: causes.filter(isRecord)
          .map(({ reason, message, field }) => kept(isString, { reason, message, field })),
      }
      : {}),
  };
}

/** Returns a copy of an object with only the fields whose values pass a test. */
function kept<T extends object>(passes: (value: unknown) => boolean, fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => passes(value));
  return Object.fromEntries(entries) as Partial<T>;
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
