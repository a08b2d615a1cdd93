import type { ListMeta } from "@xca/apimachinery/meta";

/** The answer of a Kubernetes server that is not an object; see `metav1.Status`. */
export interface Status {
  /** `v1`. */
  apiVersion?: string;
  /** `Status`. */
  kind?: string;
  /** The metadata of a list that was refused half-way: its continue token. */
  metadata?: ListMeta;
  /** `Success` or `Failure`. */
  status?: string;
  /** The message for people. */
  message?: string;
  /** The machine-readable reason, as `NotFound`. */
  reason?: string;
  /** Details of the refusal. */
  details?: {
    /** The name of the object. */
    name?: string;
    /** The API group of the resource. */
    group?: string;
    /** The plural of the resource (or, for some refusals, its kind). */
    kind?: string;
    /** The UID of the object. */
    uid?: string;
    /** The causes. */
    causes?: ({
      /** The machine-readable reason, as `FieldValueRequired` or `ResourceVersionTooLarge`. */
      reason?: string;
      /** The message for people. */
      message?: string;
      /** The path of the field, as `spec.replicas`. */
      field?: string;
    })[];
    /** The time after which a retry is suggested, in seconds. */
    retryAfterSeconds?: number;
  };
  /** The HTTP status code. */
  code?: number;
}

/**
 * Reports whether a parsed answer is a `Status`.
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
