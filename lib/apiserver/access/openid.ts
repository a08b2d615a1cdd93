import { ISSUER, type TokenIssuer } from "./tokens/token_issuer.ts";

/**
 * Returns the response to a request for the OpenID discovery document of the service account token
 * issuer, or for its public keys, by which other programs verify tokens
 * (`routes/openidmetadata.go, OpenIDMetadataServer`); `undefined` for other paths.
 */
export function openIdAnswer(request: Request, issuer: TokenIssuer): Response | undefined {
  const { pathname, origin } = new URL(request.url);
  if (pathname === "/.well-known/openid-configuration") {
    return answer("application/json", {
      issuer: ISSUER,
      jwks_uri: `${origin}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [issuer.algorithm],
    });
  }
  if (pathname === "/openid/v1/jwks") {
    return answer("application/jwk-set+json", { keys: issuer.keys });
  }
  return undefined;
}

function answer(type: string, body: unknown): Response {
  const text = JSON.stringify(body);
  return new Response(text, {
    headers: {
      "Content-Type": type,
      "Cache-Control": "public, max-age=3600",
      "Content-Length": String(new TextEncoder().encode(text).length),
    },
  });
}
