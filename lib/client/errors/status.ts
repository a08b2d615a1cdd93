import type { ListMeta } from "@xca/apimachinery/meta";

/** The answer of a Kubernetes server that is no object; see `metav1.Status`. */
export interface Status {
  /** `v1`. */
  apiVersion?: string;
  /** `Status`. */
  kind?: string;
  /** Of a list that was refused half-way: where to continue. */
  metadata?: ListMeta;
  /** `Success` or `Failure`. */
  status?: string;
  /** A sentence for people. */
  message?: string;
  /** A word for machines, as `NotFound`. */
  reason?: string;
  /** More about the refusal. */
  details?: {
    /** The name of the object. */
    name?: string;
    /** The API group of the resource. */
    group?: string;
    /** The plural of the resource (or, for some refusals, its kind). */
    kind?: string;
    /** The identity of the object. */
    uid?: string;
    /** Every single cause. */
    causes?: ({
      /** A word for machines, as `FieldValueRequired` or `ResourceVersionTooLarge`. */
      reason?: string;
      /** A sentence for people. */
      message?: string;
      /** The field, as `spec.replicas`. */
      field?: string;
    })[];
    /** After how many seconds to try again. */
    retryAfterSeconds?: number;
  };
  /** The HTTP status code. */
  code?: number;
}

/**
 * Whether a parsed answer is a `Status`.
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
