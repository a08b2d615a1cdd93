import { errorText } from "../lib/base/mod.ts";
import {
  ApiError,
  ConfigError,
  isForbidden,
  isUnauthorized,
  UnreachableError,
} from "../lib/client/mod.ts";
import { ExitCode } from "./exit_code.ts";
import { MissingResourceError } from "./missing_resource.ts";
import { UsageError } from "./usage_error.ts";

/** What a failed command says, and what it ends with. */
export interface ErrorReport {
  /** Lines for standard error, without the last line end. */
  readonly text: string;
  /** The exit code. */
  readonly code: ExitCode;
}

/** Puts an error that ended a command into words. Never a stack trace. */
export function reportError(error: unknown, command: string): ErrorReport {
  if (error instanceof UsageError) {
    return {
      text: `error: ${error.message}\nSee '${command} --help' for usage.`,
      code: ExitCode.usage,
    };
  }
  if (error instanceof ConfigError) {
    return { text: `error: ${errorText(error)}`, code: ExitCode.usage };
  }
  if (error instanceof UnreachableError) {
    return { text: `error: ${errorText(error)}`, code: ExitCode.unreachable };
  }
  if (error instanceof MissingResourceError) {
    return { text: `error: ${error.message}`, code: ExitCode.notSo };
  }
  if (error instanceof ApiError) return { text: apiErrorText(error), code: ExitCode.notSo };
  return { text: `error: ${errorText(error)}`, code: ExitCode.notSo };
}

/** What the server answered, in kubectl's words, with what to do next where we know it. */
export function apiErrorText(error: ApiError): string {
  if (isUnauthorized(error as unknown)) {
    return "error: You must be logged in to the server (Unauthorized); " +
      "check the user of your context: kubectl config view --minify";
  }
  const text = String(error);
  return isForbidden(error as unknown)
    ? `${text}\nSee what you may do: kubectl auth can-i --list`
    : text;
}
