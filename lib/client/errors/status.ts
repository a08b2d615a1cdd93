import type { ListMeta } from "@xca/apimachinery/meta";

/** A Kubernetes server's response that is not an object, such as an error; see `metav1.Status`. */
export interface Status {
  /** The apiVersion of a `Status`, which is `v1`. */
  apiVersion?: string;
  /** The kind of a `Status`, which is `Status`. */
  kind?: string;
  /** The list metadata of a `Status` that refuses a list half-way: its continue token. */
  metadata?: ListMeta;
  /** The outcome that a `Status` states: `Success` or `Failure`. */
  status?: string;
  /** The message of a `Status` for people. */
  message?: string;
  /** The machine-readable reason of a `Status`, as `NotFound`. */
  reason?: string;
  /** The details of a `Status` on the refused object. */
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
       * The machine-readable reason of the cause, as `FieldValueRequired` or
       * `ResourceVersionTooLarge`.
       */
      reason?: string;
      /** The message of the cause for people. */
      message?: string;
      /** The path of the field that the cause is about, as `spec.replicas`. */
      field?: string;
    })[];
    /** The time after which the server suggests a retry, in seconds. */
    retryAfterSeconds?: number;
  };
  /** The HTTP status code that a `Status` repeats. */
  code?: number;
}

/**
 * Reports whether a parsed response is a `Status`.
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
