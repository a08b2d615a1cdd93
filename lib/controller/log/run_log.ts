import { errorText } from "@xca/apimachinery/base";
import { attempt, causesOf, isInstance, textMember } from "@xca/apimachinery/internal/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { ApiError, isConflict } from "../../client/errors/api_error.ts";
import type { ImpersonateConfig } from "../../client/config/config.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../../client/errors/unreachable_error.ts";
import type { LoggerLike } from "../ports/logger_like.ts";
import { isFieldConflict, refusalAdvice } from "./refusal_advice.ts";
import { RetryAfterError } from "../definition/retry_after_error.ts";
import { TerminalError } from "../definition/terminal_error.ts";
import { userStack } from "./user_stack.ts";

/**
 * The number of failed attempts in a row from which on a conflict is logged as an error instead of
 * at level `info`: by then retries for some ten seconds have not resolved the conflict.
 */
const MOST_CONFLICTS = 12;

/**
 * Reports whether the error of a reconcile run, or one of its causes, is a conflict with another
 * writer, which a retry may resolve. False if the error or a cause is a conflict about fields that
 * another field manager owns.
 */
function isRivalry(error: unknown): boolean {
  return isCausedBy(error, isConflict) && !isCausedBy(error, isFieldConflict);
}

/**
 * Reports whether a predicate returns true for a thrown error or one of its causes. Never throws,
 * although user code may throw an object that throws when it is read.
 */
function isCausedBy(error: unknown, predicate: (cause: unknown) => boolean): boolean {
  return causesOf(error).some((cause) => {
    try {
      return predicate(cause);
    } catch {
      return false;
    }
  });
}

const RIVALRY_ADVICE =
  "the conflict repeats: another writer changes the object before each write, or " +
  "the write names a version or UID that is not the object's; read the object again, or patch only " +
  "the fields that the controller owns";

/** The log properties of a failed reconcile run that is retried. */
export interface Retry {
  /** The number of the failed reconcile attempt, from 1, counted since the key's last success. */
  readonly attempt: number;
  /** The time from now to the next reconcile attempt, in milliseconds. */
  readonly nextTryInMs: number;
}

/**
 * The log of a controller's failed reconcile runs: a record for each, with advice for refusals by
 * the API server. Never throws, whatever a run threw.
 */
export class FailureLog {
  readonly #impersonate: ImpersonateConfig | undefined;

  /**
   * Creates the log of a controller's failed reconcile runs; `impersonate` is the identity that its
   * client impersonates.
   */
  constructor(impersonate: ImpersonateConfig | undefined) {
    this.#impersonate = impersonate;
  }

  /**
   * Logs a failed reconcile run that is retried, as an error; a conflict with another writer at
   * level `info` before the twelfth attempt.
   */
  retrying(log: LoggerLike, error: unknown, retry: Retry): void {
    this.#tell(log, error, retry, () => {
      const properties = { error: reasonOf(error), ...retry, ...originOf(error) };
      const isRival = isRivalry(error);
      if (isRival && retry.attempt < MOST_CONFLICTS) {
        log.info("Reconcile met a conflict, retrying in {nextTryInMs} ms: {error}", properties);
        return;
      }
      log.error(
        "Reconcile failed (attempt {attempt}), retrying in {nextTryInMs} ms: {error}" +
          (isRival ? `; ${RIVALRY_ADVICE}` : this.#advice(error)),
        properties,
      );
    });
  }

  /** Logs, as an error, a failed reconcile run that is not retried. */
  terminal(log: LoggerLike, error: unknown): void {
    this.#tell(
      log,
      error,
      {},
      () =>
        log.error(`Reconcile failed and will not be retried: {error}${this.#advice(error)}`, {
          error: reasonOf(error),
          ...originOf(error),
        }),
    );
  }

  /**
   * Calls `tell`, which logs a failed reconcile run, then logs at level `debug` the stack of an
   * error whose log record has none. When the error cannot be read, since user code may throw any
   * object, logs the run without the error's details.
   */
  #tell(log: LoggerLike, error: unknown, properties: Partial<Retry>, tell: () => void): void {
    try {
      tell();
      if (isAnswer(error)) log.debug("The stack of the reconcile error", stackOf(error));
    } catch (cause) {
      attempt(() =>
        log.error("Reconcile failed: {error}; its details cannot be read: {cause}", {
          error: reasonOf(error),
          cause: errorText(cause),
          ...properties,
        })
      );
    }
  }

  #advice(error: unknown): string {
    for (const cause of causesOf(error)) {
      const advice = refusalAdvice(cause, this.#impersonate);
      if (advice !== undefined) return `; ${advice}`;
    }
    return "";
  }
}

/**
 * Returns the message of a thrown value with its causes, as one line; a fixed text if it has none.
 */
export function reasonOf(error: unknown): string {
  return errorText(error) || "it failed without an error";
}

const MOST_KEYS_SHOWN = 10;

/**
 * Returns the first ten object keys, and the number of the others if there are any, as one line.
 */
export function keysText(keys: readonly ObjectKey[]): string {
  const more = keys.length - MOST_KEYS_SHOWN;
  const first = keys.slice(0, MOST_KEYS_SHOWN).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/**
 * Returns log properties that locate an error: the method and path of the call that the server
 * refused, or the stack of an unexpected error; none for other errors.
 */
function originOf(error: unknown): { readonly call?: string; readonly stack?: string } {
  const refusal = causesOf(error).find((cause) => isInstance(cause, ApiError));
  if (refusal?.method) return { call: `${refusal.method} ${refusal.path}` };
  return isAnswer(error) ? {} : stackOf(error);
}

function stackOf(error: unknown): { readonly stack?: string } {
  const stack = isInstance(error, Error) && textMember(error, "stack");
  return stack ? { stack: userStack(stack) } : {};
}

/**
 * Reports whether a stack trace of an error is useless: the error or one of its causes is a refusal
 * by the server, a network failure, a timeout, an abort or a RetryAfterError, or the error is a
 * TerminalError without a cause.
 */
function isAnswer(error: unknown): boolean {
  if (isInstance(error, TerminalError) && causesOf(error).length === 1) return true;
  return causesOf(error).some((cause) =>
    ANSWERS.some((type) => isInstance(cause, type)) ||
    isInstance(cause, DOMException) && ENDED.includes(textMember(cause, "name"))
  );
}

const ENDED: readonly (string | undefined)[] = ["TimeoutError", "AbortError"];
const ANSWERS = [
  RetryAfterError,
  ApiError,
  UnreachableError,
  IdleTimeoutError,
  StreamBrokenError,
] as const;
