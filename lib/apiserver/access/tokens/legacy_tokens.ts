// Mirrors `pkg/serviceaccount/legacy.go, legacyValidator.Validate`.
import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { LEGACY_CLAIMS, type LegacyClaims } from "@xca/apimachinery/internal/pki";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import type { V1Secret, V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { Registry } from "../../machinery/registry.ts";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import { serviceAccountGroups } from "./service_account_groups.ts";
import { TokenRefused } from "./token_refused.ts";

const LAST_USED = "kubernetes.io/legacy-token-last-used";
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
const DAY_MS = 86_400_000;
/** The field manager of the labels that the API server writes on token Secrets. */
const MANAGER = "kube-apiserver";

const WARNING = "Use tokens from the TokenRequest API or manually created secret-based tokens " +
  "instead of auto-generated secret-based tokens.";

/**
 * The result of {@linkcode legacyUser}: the user of a service account token that is stored in a
 * Secret, and a warning to the client.
 */
export interface LegacyUser {
  readonly user: RequestUser;
  /** The warning to the client; absent unless the service account lists the token's Secret. */
  readonly warning?: string;
}

/**
 * The dependencies of the verification of service account tokens that are stored in Secrets: the
 * registry, and a function that is called at each use of a token.
 */
export interface LegacyTokenPorts {
  readonly registry: RegistryReader;
  /**
   * A function that {@linkcode legacyUser} calls with the Secret of each verified token, including
   * tokens that are marked as invalid.
   */
  readonly noteUse: (secret: ApiObject) => void;
}

/**
 * Returns the user of a service account token of the issuer `kubernetes/serviceaccount`, whose
 * signature the caller has verified. Calls `noteUse` with the token's Secret.
 *
 * @throws {TokenRefused} When a claim is missing or wrong, the Secret does not exist, is being
 * deleted, stores another token or marks the token as invalid, or the account does not exist, is
 * being deleted or has another uid.
 */
export function legacyUser(
  token: string,
  claims: Readonly<Record<string, unknown>>,
  { registry, noteUse }: LegacyTokenPorts,
): LegacyUser {
  const { namespace, secretName, accountName, accountUid } = checkedClaims(claims);
  const secret = secretOf(registry, namespace, secretName, token);
  const account = accountOf(registry, namespace, accountName, accountUid);
  noteUse(secret);
  const { name, labels } = secret.metadata;
  if (labels?.[INVALID_SINCE]) {
    throw new TokenRefused(
      `the token in secret ${namespace}/${secretName} for service account ` +
        `${namespace}/${accountName} has been marked invalid. Use tokens from the TokenRequest API ` +
        `or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the ` +
        "secret to temporarily allow use of this token",
    );
  }
  const isListed = account.secrets?.some((reference) => reference.name === name);
  return {
    user: {
      name: `system:serviceaccount:${namespace}:${accountName}`,
      uid: accountUid,
      groups: serviceAccountGroups(namespace),
    },
    ...(isListed && { warning: WARNING }),
  };
}

function checkedClaims(claims: Readonly<Record<string, unknown>>): LegacyClaims {
  const text = (claim: string, name: string): string => {
    const value = claims[claim];
    if (value === undefined || value === "") throw new TokenRefused(`${name} claim is missing`);
    if (typeof value === "string") return value;
    throw new TokenRefused(`the claim ${claim} has another type`);
  };
  const subject = text("sub", "sub");
  const read = {
    namespace: text(LEGACY_CLAIMS.namespace, "namespace"),
    secretName: text(LEGACY_CLAIMS.secretName, "secretName"),
    accountName: text(LEGACY_CLAIMS.accountName, "serviceAccountName"),
    accountUid: text(LEGACY_CLAIMS.accountUid, "serviceAccountUID"),
  };
  if (subject === `system:serviceaccount:${read.namespace}:${read.accountName}`) return read;
  throw new TokenRefused("sub claim is invalid");
}

function secretOf(
  registry: RegistryReader,
  namespace: string,
  name: string,
  token: string,
): ApiObject {
  const secret = registry.get("", "secrets", namespace, name);
  if (!secret || secret.metadata.deletionTimestamp !== undefined) {
    throw new TokenRefused("Token has been invalidated");
  }
  const stored = (secret as V1Secret).data?.["token"] ?? "";
  if (isSameToken(stored, token)) return secret;
  throw new TokenRefused("Token does not match server's copy");
}

/**
 * Reports whether a bearer token equals the base64-encoded token in a Secret, by a comparison in
 * constant time.
 */
function isSameToken(stored: string, token: string): boolean {
  const hash = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();
  return timingSafeEqual(hash(Uint8Array.fromBase64(stored)), hash(token));
}

function accountOf(
  registry: RegistryReader,
  namespace: string,
  name: string,
  uid: string,
): V1ServiceAccount {
  const account = registry.get("", "serviceaccounts", namespace, name);
  if (!account) throw new TokenRefused(`serviceaccounts ${goQuote(name)} not found`);
  if (account.metadata.deletionTimestamp !== undefined) {
    throw new TokenRefused(`ServiceAccount ${namespace}/${name} has been deleted`);
  }
  if (account.metadata.uid === uid) return account as V1ServiceAccount;
  throw new TokenRefused(
    `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`,
  );
}

/**
 * Labels a Secret with the day on which its service account token was last used, unless the label
 * already has that day or the next (`legacyValidator.patchSecretWithLastUsedDate`). Leaves a new
 * Secret of the same name unchanged, and ignores a failed write.
 */
export async function labelLastUse(
  registry: Registry,
  secret: ApiObject,
  now: Date,
): Promise<void> {
  const { name, namespace, uid, labels } = secret.metadata;
  const dayAfter = (days: number): string =>
    formatTime(new Date(now.getTime() + days * DAY_MS)).slice(0, 10);
  const today = dayAfter(0);
  if ([today, dayAfter(1)].includes(labels?.[LAST_USED] ?? "")) return;
  const address = { group: "", resource: "secrets", namespace: namespace!, name: name! };
  const label = ({ metadata, ...fields }: ApiObject): ApiObject =>
    metadata.uid !== uid ? { metadata, ...fields } : {
      ...fields,
      metadata: { ...metadata, labels: { ...metadata.labels, [LAST_USED]: today } },
    };
  await registry.update(address, label, { fieldManager: MANAGER }).catch(() => {});
}
