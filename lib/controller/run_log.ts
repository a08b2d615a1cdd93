import { errorText } from "@xca/apimachinery/base";
import { attempt, causesOf, isInstance, textMember } from "@xca/apimachinery/internal/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { ApiError, hasStatusCause, isConflict } from "../client/errors/api_error.ts";
import type { ImpersonateConfig } from "../client/config/config.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../client/errors/unreachable_error.ts";
import type { LoggerLike } from "./logger_like.ts";
import { refusalAdvice } from "./refusal_advice.ts";
import { RetryAfterError } from "./retry_after_error.ts";
import { userStack } from "./user_stack.ts";

/** Whether someone else wrote in between: part of normal life, mended by another try. */
export function isRivalry(error: unknown): boolean {
  return isCausedBy(error, isConflict);
}

/** Whether the write was refused because its namespace is on its way out: no retry can mend it. */
export function isNamespaceGoing(error: unknown): boolean {
  return isCausedBy(error, (cause) => hasStatusCause(cause, "NamespaceTerminating"));
}

/**
 * Reports whether a predicate holds for an error or one of its causes. Never throws: an error may
 * be hostile.
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

/** What is known of a run that failed and will be tried again. */
export interface Retry {
  /** Which try it was. */
  readonly attempt: number;
  /** Until the next one, in milliseconds. */
  readonly nextTryInMs: number;
}

/** Tells of runs that failed. Never throws, whatever a run threw. */
export class FailureLog {
  readonly #impersonate: ImpersonateConfig | undefined;

  /** Makes the log of a controller; `impersonate` is whom its client acts as. */
  constructor(impersonate: ImpersonateConfig | undefined) {
    this.#impersonate = impersonate;
  }

  /** Tells of one that will be tried again. */
  retrying(log: LoggerLike, error: unknown, retry: Retry): void {
    this.#tell(log, error, retry, () => {
      const properties = { error: reasonOf(error), ...retry, ...originOf(error) };
      if (isRivalry(error)) {
        log.info("Reconcile met a conflict, retrying in {nextTryInMs} ms: {error}", properties);
      } else {
        log.error(
          "Reconcile failed (attempt {attempt}), retrying in {nextTryInMs} ms: {error}" +
            this.#advice(error),
          properties,
        );
      }
    });
  }

  /** Tells of one that failed for good. */
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

  /** An error may look like one of ours and throw at the first touch of a member. */
  #tell(log: LoggerLike, error: unknown, properties: Partial<Retry>, tell: () => void): void {
    try {
      tell();
      if (isAnswer(error)) log.debug("Where that error was made", stackOf(error));
    } catch (cause) {
      attempt(() =>
        log.error("Reconcile failed: {error}; more cannot be told: {cause}", {
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

/** What a run threw, as one line; it may have been nothing at all. */
export function reasonOf(error: unknown): string {
  return errorText(error) || "it failed without an error";
}

const MOST_KEYS_SHOWN = 10;

/** Some keys in one line: the first ten, and how many more. */
export function keysText(keys: readonly ObjectKey[]): string {
  const more = keys.length - MOST_KEYS_SHOWN;
  const first = keys.slice(0, MOST_KEYS_SHOWN).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** Which call was refused; for an error that nobody expected, where it came from. */
function originOf(error: unknown): { readonly call?: string; readonly stack?: string } {
  const refusal = causesOf(error).find((cause) => isInstance(cause, ApiError));
  if (refusal?.method) return { call: `${refusal.method} ${refusal.path}` };
  return isAnswer(error) ? {} : stackOf(error);
}

function stackOf(error: unknown): { readonly stack?: string } {
  const stack = isInstance(error, Error) && textMember(error, "stack");
  return stack ? { stack: userStack(stack) } : {};
}

/** Whether it tells of the world and not of a mistake in the program, so that no stack says more. */
function isAnswer(error: unknown): boolean {
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
