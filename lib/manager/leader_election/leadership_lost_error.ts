import { isMarked, mark } from "@xca/apimachinery/internal/base";

/** The mark of {@linkcode LeadershipLostError} in all copies of this library in a process. */
const LEADERSHIP_LOST = Symbol.for("@xca/operator/LeadershipLostError");
/**
 * Error of a leader that lost its lease: it could not renew in time, another process holds the
 * lease, or the server prefers another leader. The process should end, so that only the next leader
 * works. A write that a process starts without leading fails with this error too.
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
  /** The name of this error class, `LeadershipLostError`. */
  override readonly name = "LeadershipLostError";
  /** The key of the lost Lease, `namespace/name`. */
  readonly lease: string;

  /** Creates the error of a lost Lease. */
  constructor(lease: string, reason: string, options?: ErrorOptions) {
    super(`Lost the lease ${lease}: ${reason}`, options);
    this.lease = lease;
  }

  static {
    mark(this.prototype, LEADERSHIP_LOST);
  }

  /**
   * Reports whether a value is a LeadershipLostError, of this copy of the library or of another.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A Proxy that a runnable throws may have all marks, and is no error.
    return Error.isError(value) && isMarked(value, LEADERSHIP_LOST, this, LeadershipLostError);
  }
}
