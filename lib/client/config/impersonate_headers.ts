import { ConfigError, type ImpersonateConfig } from "./config.ts";
import { headerValue } from "./header_value.ts";

/**
 * The pattern of a character that is not escaped in the name of an `Impersonate-Extra-*` header:
 * the characters of a token (RFC 9110), except `%`.
 */
const PLAIN = /[A-Za-z0-9!#$&'*+.^_`|~-]/;

/**
 * Returns the `Impersonate-*` HTTP headers of an identity; an empty list for an identity without
 * fields. `Impersonate-Group` and `Impersonate-Extra-*` are repeated, one pair for each value.
 * Characters of a name in `extra` that the name of a header cannot contain are percent-encoded.
 *
 * @throws {ConfigError} When groups, a UID or extra fields are given without a user, or a value has
 * control characters.
 */
export function impersonateHeaders(config: ImpersonateConfig = {}): [string, string][] {
  const { user = "", groups = [], uid = "", extra = {} } = config;
  const facts: [string, string][] = [];
  if (uid !== "") facts.push(["Impersonate-Uid", uid]);
  for (const group of groups) facts.push(["Impersonate-Group", group]);
  for (const [key, values] of Object.entries(extra)) {
    const name = `Impersonate-Extra-${escapeHeaderName(key)}`;
    for (const value of values) facts.push([name, value]);
  }
  if (user === "") {
    if (facts.length === 0) return [];
    throw new ConfigError(
      "Cannot impersonate groups, a UID or extras without a user: name the user too (--as)",
    );
  }
  const headers: [string, string][] = [["Impersonate-User", user], ...facts];
  return headers.map(([name, value]) => [name, valueOf(name, value)]);
}

function escapeHeaderName(key: string): string {
  let name = "";
  for (const byte of new TextEncoder().encode(key)) {
    const char = String.fromCharCode(byte);
    name += PLAIN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return name;
}

function valueOf(name: string, value: string): string {
  try {
    return headerValue(value);
  } catch {
    throw new ConfigError(`Cannot send ${name}: its value has control characters; remove them`);
  }
}
