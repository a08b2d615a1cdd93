import { unknownPath } from "@xca/apimachinery/internal/errors";
import { checkReadOnlyRoute } from "../machinery/read_only_route.ts";
import { ISSUER, type TokenIssuer } from "./tokens/token_issuer.ts";

const DISCOVERY = "/.well-known/openid-configuration";
const KEYS = "/openid/v1/jwks";
const KEYS_TYPE = "application/jwk-set+json";

/**
 * Returns the response to a request for the OpenID discovery document of the service account token
 * issuer, or for its public keys, by which other programs verify tokens
 * (`routes/openidmetadata.go, OpenIDMetadataServer`); `undefined` for other paths.
 *
 * @throws {StatusError} 404 for paths below the two, 405, 406
 */
export function openIdAnswer(request: Request, issuer: TokenIssuer): Response | undefined {
  const { pathname, origin } = new URL(request.url);
  if (isRoute(request, pathname, DISCOVERY, "application/json")) {
    return answer("application/json", {
      issuer: ISSUER,
      jwks_uri: `${origin}${KEYS}`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [issuer.algorithm],
    });
  }
  if (isRoute(request, pathname, KEYS, KEYS_TYPE)) return answer(KEYS_TYPE, { keys: issuer.keys });
  return undefined;
}

/**
 * Reports whether a path is a route, with or without a final slash, and if so checks the method and
 * the `Accept` header of the request.
 *
 * @throws {StatusError} 404 for paths below the route, 405, 406
 */
function isRoute(request: Request, path: string, route: string, mediaType: string): boolean {
  if (path !== route && !path.startsWith(`${route}/`)) return false;
  if (path.length > route.length + 1) throw unknownPath();
  checkReadOnlyRoute(request, mediaType);
  return true;
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
