import { ignoreRejection } from "@xca/apimachinery/internal/base";
import { getLogger, type Logger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import { isForbidden } from "../../client/errors/api_error.ts";
import type { WatchFailure } from "../watch/watch_failure.ts";
import type { Machine, Outcome, ReflectorState } from "./reflector_state.ts";
import type { WatchHealthRecorder } from "./watch_health_recorder.ts";

/**
 * The log of one reflector: logs and counts what happens, and passes errors to the user's callback.
 */
export class ReflectorLog {
  /** The logger of the reflector; its records carry the reflector's name. */
  readonly logger: Logger;
  readonly #health: WatchHealthRecorder;
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(health: WatchHealthRecorder, onError: ((error: unknown) => void) | undefined) {
    this.logger = getLogger(["xca", "cache", "reflector"]).with({ name: health.name });
    this.#health = health;
    this.#onError = onError;
  }

  /**
   * Logs, as a warning, an object or watch event that was left out because it could not be
   * processed; counts it, and passes the error to `onError`.
   */
  lost(error: unknown): void {
    this.#health.lost(error);
    this.logger.warn("{name}: left out an object that cannot be decoded or stored: {reason}", {
      reason: errorText(error),
    });
    this.#report(error);
  }

  /**
   * Logs a failure of a list or watch, as information if the version expired, otherwise as a
   * warning; counts it, and passes the error to `onError`. `then` describes the next step, `advice`
   * the remedy for the user.
   */
  failed(failure: WatchFailure, then: string, advice: string = ""): void {
    this.#health.failed(failure);
    const properties = { kind: failure.kind, reason: errorText(failure.error), then };
    if (failure.kind === "expired") {
      this.logger.info("{name}: the version is no longer kept, {then}: {reason}", properties);
    } else {
      this.logger.warn(`{name}: failed ({kind}), {then}: {reason}${advice}`, properties);
    }
    this.#report(failure.error);
  }

  /**
   * Logs that the server was restored from a backup with an older history, and counts the rebuild.
   */
  wentBack(seen: string, newest: string): void {
    this.#health.rebuilds++;
    this.logger.warn(
      "{name}: the server's resourceVersion decreased from {seen} to {newest}: replacing all cached objects",
      { seen, newest },
    );
  }

  /**
   * Logs the outcome of a reflector state: a failure with the next step (see {@linkcode
   * ReflectorLog.failed}; a refused WatchList is only logged as information), a sync, the end of a
   * watch, or a change that may be missing. Logs nothing for other outcomes.
   */
  outcome(before: ReflectorState, outcome: Outcome, { state, resourceVersion }: Machine): void {
    if (outcome.kind === "failed") {
      const { failure } = outcome;
      if (before.kind === "watchListing" && failure.kind === "refused") {
        this.logger.info(
          isForbidden(failure.error)
            ? "{name}: this user may not watch, listing instead: {reason}"
            : "{name}: the server does not stream lists, listing instead: {reason}",
          { reason: errorText(failure.error) },
        );
      } else this.failed(failure, describe(state), adviceOn(before, failure));
    } else if (outcome.kind === "synced") {
      this.logger.info("{name}: in sync at {resourceVersion}, by {how}", {
        resourceVersion,
        how: before.kind === "listing" ? "LIST" : "WatchList",
      });
    } else if (outcome.kind === "ended") {
      this.logger.debug("{name}: the watch ended; resuming after {resourceVersion}", {
        resourceVersion,
      });
    } else if (outcome.kind === "incomplete") {
      this.logger.info("{name}: a change may be missing; reading everything again", {});
    }
  }

  #report(error: unknown): void {
    try {
      ignoreRejection(this.#onError?.(error));
    } catch (thrown) {
      this.logger.error("{name}: onError threw: {reason}", { reason: errorText(thrown) });
    }
  }
}

/**
 * Returns the description of the reflector's next step for a log message: the kind of the state, or
 * for a pause the step after it.
 */
function describe(state: ReflectorState): string {
  if (state.kind !== "backingOff") return state.kind;
  return state.next.kind === "watching"
    ? "resuming after a pause"
    : "reading everything again after a pause";
}

/**
 * Returns the advice in a log message about a missing list or watch permission; empty for another
 * failure.
 */
function adviceOn(before: ReflectorState, failure: WatchFailure): string {
  if (!isForbidden(failure.error)) return "";
  return before.kind === "watching"
    ? "; grant this user the verb watch: until then changes show only when all is read again"
    : "; grant this user the verbs list and watch";
}
