import { errorText } from "@xca/apimachinery/base";
import {
  ApiError,
  ConfigError,
  isForbidden,
  isUnauthorized,
  UnreachableError,
} from "../lib/client/mod.ts";
import { shellWord } from "./arguments.ts";
import { ExitCode } from "./exit_code.ts";
import { CONNECTION_FLAGS, flagWord, type GlobalFlags } from "./global_flags.ts";
import { MissingResourceError } from "./missing_resource.ts";
import { UsageError } from "./usage_error.ts";

/** The message and the exit code of a failed command. */
export interface ErrorReport {
  /** The text about the failed command for standard error, without a newline at its end. */
  readonly text: string;
  /** The exit code of the failed command. */
  readonly code: ExitCode;
}

/**
 * Returns the message, without a stack trace, and the exit code for an error that ended a command:
 * 2 for an error of the command line, the project or the configuration, 3 when the server does not
 * answer, otherwise 1.
 *
 * @param command The name of the command, for the advice on a usage error.
 * @param flags The flags of the command, as far as they are known, for the advice on a refusal.
 */
export function reportError(
  error: unknown,
  command: string,
  flags: GlobalFlags = {},
): ErrorReport {
  if (error instanceof UsageError) {
    return {
      text: `error: ${error.message}\nSee '${command} --help' for usage.`,
      code: ExitCode.usage,
    };
  }
  // Tested by name, so that commands without a project do not load the code of projects.
  if (error instanceof Error && error.name === "ProjectError") {
    return { text: `error: ${error.message}`, code: ExitCode.usage };
  }
  if (error instanceof ConfigError) {
    const text = errorText(error);
    const isNone = /^Cannot find a cluster|: it is empty \(no contexts/.test(text);
    const next = isNone ? ", or start a cluster of your own: kubectl xca serve" : "";
    return { text: `error: ${text}${next}`, code: ExitCode.usage };
  }
  if (error instanceof UnreachableError) {
    return { text: `error: ${errorText(error)}`, code: ExitCode.unreachable };
  }
  if (error instanceof MissingResourceError) {
    return { text: `error: ${error.message}`, code: ExitCode.notSo };
  }
  if (error instanceof ApiError) return { text: apiErrorText(error, flags), code: ExitCode.notSo };
  return { text: `error: ${errorText(error)}`, code: ExitCode.notSo };
}

/**
 * Returns the message for an error response of the server in kubectl's words, with the remedy where
 * it is known.
 */
export function apiErrorText(error: ApiError, flags: GlobalFlags = {}): string {
  if (isUnauthorized(error as unknown)) {
    return "error: You must be logged in to the server (Unauthorized); " +
      "check the user of your context: kubectl config view --minify";
  }
  const text = String(error);
  return isForbidden(error as unknown)
    ? `${text}\nSee what you may do: ${rightsQuery(flags)}`
    : text;
}

/**
 * Returns the kubectl command that lists the rights of the refused user, with the connection flags
 * and the namespace of the failed command; `TOKEN` replaces a token.
 */
function rightsQuery(flags: GlobalFlags): string {
  const given: GlobalFlags = {
    ...flags,
    server: flags.server ?? flags.master, // kubectl has no flag --master.
    master: undefined,
    token: flags.token && "TOKEN", // The token itself is never shown.
  };
  const words = [...CONNECTION_FLAGS, "namespace" as const].flatMap((name) => {
    const value = given[name];
    if (value === undefined || value === "") return [];
    if (value === true) return [flagWord(name)];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => [flagWord(name), shellWord(String(each))]);
  });
  return ["kubectl auth can-i --list", ...words].join(" ");
}
