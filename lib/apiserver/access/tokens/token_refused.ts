// Mirrors `pkg/serviceaccount/jwt.go, jwtTokenAuthenticator.AuthenticateToken`.
/**
 * The error for a service account token that is not valid, although it names an issuer that the API
 * server accepts. The message says why.
 */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}
