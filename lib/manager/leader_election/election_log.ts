import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import { ApiError } from "../../client/errors/api_error.ts";

const logger = getLogger(["xca", "manager", "leader-election"]);

/**
 * The log of one leader elector, by which the elector logs its steps; a failure that repeats with
 * the same text is logged once.
 */
export class ElectionLog {
  readonly #facts: { readonly identity: string; readonly lease: string };
  #lastFailure = "";

  /** Creates the log of an elector, for a Lease and an identity. */
  constructor(identity: string, lease: string) {
    this.#facts = { identity, lease };
  }

  /**
   * The text of the last attempt's failure; empty when the last attempt had no error, and before
   * the first.
   */
  get lastFailure(): string {
    return this.#lastFailure;
  }

  /**
   * Records that an attempt to acquire or renew the lease had no error, whether or not this process
   * leads.
   */
  succeeded(): void {
    this.#lastFailure = "";
  }

  /**
   * Logs the failure of an attempt to read or write the Lease, unless the last attempt failed with
   * the same text.
   */
  failed(error: unknown): void {
    const text = errorText(error);
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    const forbidden = error instanceof ApiError && error.code === 403;
    logger.warn(
      "cannot acquire or renew the lease {lease}: {error}" +
        (forbidden
          ? "; grant get, create and update of leases in coordination.k8s.io in that namespace"
          : ""),
      { ...this.#facts, error: text },
    );
  }

  /**
   * Logs that another process acquired the lease first, as happens when replicas start together.
   */
  outrun(error: unknown): void {
    logger.debug("another process took the lease {lease} first: {error}", {
      ...this.#facts,
      error: errorText(error),
    });
  }

  /** Logs a lease renewal that must read the Lease first, since the update failed. */
  slow(error: unknown): void {
    logger.debug("reading the lease {lease}, since its update failed: {error}", {
      ...this.#facts,
      error: errorText(error),
    });
  }

  /** Logs that this process has become the leader. */
  leads(): void {
    logger.info("{identity} leads: it holds the lease {lease}", this.#facts);
  }

  /** Logs that this process has released the lease. */
  released(): void {
    logger.info("{identity} released the lease {lease}", this.#facts);
  }

  /** Logs that this process failed to release the lease. */
  notReleased(): void {
    logger.warn(
      "{identity} could not release the lease {lease}: others wait until it expires",
      this.#facts,
    );
  }

  /** Logs that the Lease names this process's identity although this process does not hold it. */
  namesake(): void {
    logger.warn(
      "the lease {lease} is held by another process with the identity {identity}, or by an earlier " +
        "one: each process needs an identity of its own; waiting until the lease expires",
      this.#facts,
    );
  }
}
