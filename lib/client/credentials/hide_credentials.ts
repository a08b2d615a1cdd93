import type { CredentialHeaders } from "./credentials.ts";

const HIDDEN = "REDACTED";
/**
 * The length, in characters, of the shortest secret that is hidden in a server's text, since
 * shorter texts occur by chance.
 */
const SHORTEST = 4;

/**
 * Returns a text of the server in which `REDACTED` replaces the secrets of the `Authorization`
 * header that was sent to it, if they have at least four characters. A server or proxy may quote
 * the request in its response.
 */
export function hideCredentials(text: string, credentials: CredentialHeaders): string {
  let clean = text;
  for (const secret of secretsOf(credentials)) {
    clean = clean.replaceAll(secret, HIDDEN);
    const quoted = JSON.stringify(secret).slice(1, -1);
    if (quoted !== secret) clean = clean.replaceAll(quoted, HIDDEN);
  }
  return clean;
}

/**
 * Returns the secrets of the `Authorization` headers that have at least {@linkcode SHORTEST}
 * characters, the longest first: a token, or a password and the base64 text of user name and
 * password.
 */
function secretsOf(credentials: CredentialHeaders): string[] {
  const secrets = credentials.flatMap(([name, value]) => {
    const [, scheme = "", secret = ""] = /^(\S+) +(.*)$/.exec(value) ?? [];
    if (name.toLowerCase() !== "authorization") return [];
    return /^basic$/i.test(scheme) ? [secret, passwordOf(secret)] : [secret];
  });
  return secrets.filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
}

function passwordOf(basic: string): string {
  const bytes = Uint8Array.from(atob(basic), (byte) => byte.charCodeAt(0));
  return new TextDecoder().decode(bytes).replace(/^[^:]*:/, "");
}
