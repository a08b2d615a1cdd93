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

/** What a failed command says, and what it ends with. */
export interface ErrorReport {
  /** Lines for standard error, without the last line end. */
  readonly text: string;
  /** The exit code. */
  readonly code: ExitCode;
}

/**
 * Puts an error that ended a command into words. Never a stack trace.
 *
 * @param flags What the command was called with, as far as is known.
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

/** What the server answered, in kubectl's words, with what to do next where we know it. */
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

/** kubectl's question for the rights of whoever was refused, in the same place and as the same user. */
function rightsQuery(flags: GlobalFlags): string {
  const given: GlobalFlags = {
    ...flags,
    server: flags.server ?? flags.master, // kubectl has no --master.
    master: undefined,
    token: flags.token && "TOKEN", // Never the secret itself.
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
