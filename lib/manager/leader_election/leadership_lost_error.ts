/**
 * Thrown when a leader lost its lease: it could not renew in time, or another identity holds
 * the lease. The process should end, so that its successor works alone.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LeadershipLostError } from "@xca/operator/manager";
 *
 * const error = new LeadershipLostError("shop/web", "another replica holds the lease");
 * assert.equal(error.message, "Lost the lease shop/web: another replica holds the lease");
 * ```
 */
export class LeadershipLostError extends Error {
  /** The name of the class. */
  override readonly name = "LeadershipLostError";
  /** The Lease as `namespace/name`. */
  readonly lease: string;

  /** Makes the error of a lease. */
  constructor(lease: string, reason: string, options?: ErrorOptions) {
    super(`Lost the lease ${lease}: ${reason}`, options);
    this.lease = lease;
  }
}
