/**
 * Returns the bearer token of the value of an `Authorization` header, without the scheme;
 * `undefined` for another scheme or an empty token
 * (`k8s.io/apiserver/pkg/authentication/request/bearertoken`, `Authenticator.AuthenticateRequest`).
 */
export function bearerToken(header: string): string | undefined {
  const [scheme = "", token = ""] = header.trim().split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}
