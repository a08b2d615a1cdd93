import { errorText } from "@xca/apimachinery/base";
import { ConfigError } from "./config.ts";

/** A value together with where somebody wrote it, so that a message can point there. */
export interface Sourced<T> {
  /** The value; the zero value (empty text, `false`) when nobody wrote one, as in kubectl. */
  readonly value: T;
  /** `users[name=bob].user.token in /home/u/.kube/config`, or `--token`. */
  readonly place: string;
  /** The folder of the file that holds it; `undefined` for a flag. Relative paths start here. */
  readonly folder: string | undefined;
}

const LONGEST_SHOWN = 120;
// deno-lint-ignore no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A value that no file and no flag gave. */
export function unset<T>(value: T): Sourced<T> {
  return { value, place: "", folder: undefined };
}

/** A flag's value. */
export function fromFlag<T>(flag: string, value: T): Sourced<T> {
  return { value, place: flag, folder: undefined };
}

/** A text as one printable line of bounded length, for messages. */
export function shown(text: string): string {
  const line = text.replace(UNPRINTABLE, "\ufffd");
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
}

/** A text in quotes, as {@linkcode shown}. */
export function quoted(text: string): string {
  return `"${shown(text)}"`;
}

/** Some names in one line, sorted; the first ten and a count. */
export function namesText(names: Iterable<string>): string {
  const sorted = [...names].sort();
  if (sorted.length === 0) return "none";
  const first = sorted.slice(0, 10).map((name) => shown(name) || '""').join(", ");
  return sorted.length > 10 ? `${first} and ${sorted.length - 10} more` : first;
}

/** The error for something at a place; `advice` says what to do. */
export function refused(place: string, reason: string, advice: string): ConfigError {
  return new ConfigError(`Cannot use ${place}: ${reason}; ${advice}`);
}

/** Why a file could not be read, with what to do about it. */
export function unreadable(what: string, path: string, cause: unknown): ConfigError {
  const start = `Cannot read ${what} ${shown(path)}: `;
  const known = knownFailure(path, cause);
  // What the runtime says adds nothing to what is known.
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
