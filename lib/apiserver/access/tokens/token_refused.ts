// Mirrors `pkg/serviceaccount/jwt.go, jwtTokenAuthenticator.AuthenticateToken`.
/**
 * The error for a service account token that names this server's issuer and is not valid. The
 * message says why.
 */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}
