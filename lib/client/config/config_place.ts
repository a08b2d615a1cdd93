import { errorText } from "@xca/apimachinery/base";
import { ConfigError } from "./config.ts";

/** A configured value with the field and file, or the flag, that it comes from. */
export interface Sourced<T> {
  /**
   * The configured value; the zero value (empty text, `false`) when it is not configured, as in
   * kubectl.
   */
  readonly value: T;
  /**
   * The origin of the configured value: field and file, `users[name=bob].user.token in
   * /home/u/.kube/config`, or flag, `--token`; empty when the value is not configured.
   */
  readonly place: string;
  /**
   * The folder of the configuration file, where relative paths start; `undefined` for a flag, and
   * for a value that is not configured.
   */
  readonly folder: string | undefined;
}

const LONGEST_SHOWN = 120;
// deno-lint-ignore no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Returns a value, usually the zero value, as one that neither a file nor a flag configures: its
 * origin is empty.
 */
export function unset<T>(value: T): Sourced<T> {
  return { value, place: "", folder: undefined };
}

/** Returns the value of a command line flag as a configured value whose origin is the flag. */
export function fromFlag<T>(flag: string, value: T): Sourced<T> {
  return { value, place: flag, folder: undefined };
}

/**
 * Returns a text as one printable line for error messages, with U+FFFD for each unprintable
 * character: at most 120 characters, and `...` if the text is longer.
 */
export function shown(text: string): string {
  const line = text.replace(UNPRINTABLE, "\ufffd");
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
}

/** Returns a text as {@linkcode shown} does, in double quotes. */
export function quoted(text: string): string {
  return `"${shown(text)}"`;
}

/**
 * Returns names sorted in one line for an error message: the first ten, and the number of the
 * others; `none` without names.
 */
export function namesText(names: Iterable<string>): string {
  const sorted = [...names].sort();
  if (sorted.length === 0) return "none";
  const first = sorted.slice(0, 10).map((name) => shown(name) || '""').join(", ");
  return sorted.length > 10 ? `${first} and ${sorted.length - 10} more` : first;
}

/** Creates the ConfigError for an invalid value; `place` names the field, `advice` the remedy. */
export function refused(place: string, reason: string, advice: string): ConfigError {
  return new ConfigError(`Cannot use ${place}: ${reason}; ${advice}`);
}

/** Creates the ConfigError for a configured file that cannot be read, with the remedy. */
export function unreadable(what: string, path: string, cause: unknown): ConfigError {
  const start = `Cannot read ${what} ${shown(path)}: `;
  const known = knownFailure(path, cause);
  // The error of the runtime is no cause here: it adds nothing to these messages.
  if (known) return new ConfigError(start + known);
  return new ConfigError(`${start}${shown(errorText(cause))}; check the path`, { cause });
}

function knownFailure(path: string, cause: unknown): string | undefined {
  if (cause instanceof Deno.errors.NotFound) return "there is no such file; correct the path";
  if (cause instanceof Deno.errors.NotCapable) {
    return `this program may not; run it with --allow-read=${shown(path)}`;
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    return "permission denied; check the file's owner and mode";
  }
  if (cause instanceof Deno.errors.IsADirectory) return "it is a folder; name a file";
  return undefined;
}
