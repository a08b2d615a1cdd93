/** Returns a JSON Web Token that expires at a time; its signature is not a signature. */
export function webToken(expires: Date, claims: Record<string, unknown> = {}): string {
  const part = (value: unknown): string =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const exp = Math.floor(expires.getTime() / 1000);
  const payload = { sub: "bob", iat: exp - 3600, exp, ...claims };
  return `${part({ alg: "RS256" })}.${part(payload)}.c2ln`;
}
