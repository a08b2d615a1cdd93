const HIDDEN = "REDACTED";
/**
 * The length, in characters, of the shortest known secret that is hidden in another program's text,
 * since shorter texts occur by chance.
 */
const SHORTEST_SECRET = 6;

/** The pattern of a PEM private key of any kind, complete or cut off. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** The pattern of a JSON Web Token, `header.payload.signature`, complete or cut off. */
const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}(\.[\w-]*){0,2}/g;
const SCHEME = /\b(bearer|basic)\s+[^\s"',;]+/gi;
/**
 * The pattern of a secret after its name: `token: x`, `"client-secret": "x"`,
 * `AWS_SECRET_ACCESS_KEY=x`, `--password x`. The first group is the name with the separator, the
 * second the opening quote, if any.
 */
const NAMED =
  /((?:token|password|passwd|secret|access[-_]?key|private[-_]?key|key[-_]?data|credential|authorization)[\w-]*["']?\s*[=:]\s*|--[\w-]*(?:token|password|secret)[\w-]*\s+)(["']?)(?!REDACTED)[^\s"',;&]+/gi;
/**
 * The pattern of the beginning of a URL with user information, up to the `@`; the first group is
 * the scheme and `://`.
 */
const USER_INFO = /(\w+:\/\/)[^\s/@]+@/g;

/**
 * Returns the text of another program with `REDACTED` in place of its secrets: known secrets of at
 * least {@linkcode SHORTEST_SECRET} characters, and texts that look like secrets (private keys,
 * JSON Web Tokens, the word after `bearer` or `basic`, values as in `token=...`, the user
 * information of URLs).
 */
export function hideSecretsInText(text: string, known: Iterable<string> = []): string {
  let clean = text;
  const secrets = [...known].filter((secret) => secret.length >= SHORTEST_SECRET);
  for (const secret of secrets.sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, HIDDEN);
  }
  return clean.replace(PRIVATE_KEY, HIDDEN).replace(JSON_WEB_TOKEN, HIDDEN)
    .replace(SCHEME, `$1 ${HIDDEN}`).replace(NAMED, `$1$2${HIDDEN}`)
    .replace(USER_INFO, `$1${HIDDEN}@`);
}
