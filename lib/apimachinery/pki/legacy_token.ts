// Mirrors `pkg/serviceaccount/legacy.go, LegacyClaims`.
import type { TokenKey } from "./json_web_token.ts";

/** The issuer (`iss`) of the service account tokens that are stored in Secrets. */
export const LEGACY_ISSUER = "kubernetes/serviceaccount";

/** The prefix of the claim names in a service account token that is stored in a Secret. */
const PREFIX = "kubernetes.io/serviceaccount/";

/** The service account and the Secret that a stored token names in its claims. */
export interface LegacyClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** A record of the claim name of each field of {@linkcode LegacyClaims}. */
export const LEGACY_CLAIMS: Readonly<Record<keyof LegacyClaims, string>> = {
  namespace: `${PREFIX}namespace`,
  secretName: `${PREFIX}secret.name`,
  accountName: `${PREFIX}service-account.name`,
  accountUid: `${PREFIX}service-account.uid`,
};

/** Returns a signed service account token without an expiry, to be stored in a Secret. */
export function signLegacyToken(key: TokenKey, claims: LegacyClaims): string {
  const named = Object.entries(LEGACY_CLAIMS).map(([field, claim]) =>
    [claim, claims[field as keyof LegacyClaims]] as const
  );
  return key.sign({
    iss: LEGACY_ISSUER,
    sub: `system:serviceaccount:${claims.namespace}:${claims.accountName}`,
    ...Object.fromEntries(named),
  });
}
