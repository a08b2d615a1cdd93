// Mirrors `controller/serviceaccount/tokens_controller.go, TokensController.listTokenSecrets`.
import type { V1Secret, V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, type ObjectKey, Secret } from "@xca/apimachinery/meta";
import type { PackedObject } from "../../cache/packed/packed_object.ts";
import type { ChangeEvent, Predicate } from "../../controller/definition/predicate.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";

const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const ACCOUNT_UID = "kubernetes.io/service-account.uid";
const BY_ACCOUNT = "account";

/** A deeply read-only Secret. */
export type ReadSecret = DeepReadonly<V1Secret>;
/** A deeply read-only service account. */
export type ReadAccount = DeepReadonly<V1ServiceAccount>;

/**
 * Reports whether a Secret has the type of service account tokens; the token itself may be missing.
 */
export function isTokenSecret({ type }: ReadSecret): boolean {
  return type === "kubernetes.io/service-account-token";
}

/** A predicate that passes the events of Secrets with the type of service account tokens. */
export const ofTokenSecrets: Predicate<V1Secret> = ({ object }: ChangeEvent<V1Secret>): boolean =>
  isTokenSecret(object.object);

/** The service account that a token Secret names. */
export interface NamedAccount {
  /** The key of the service account; empty if the Secret names none. */
  readonly key: ObjectKey;
  readonly name: string;
  /** The UID of the service account; empty if the Secret has none yet. */
  readonly uid: string;
}

/**
 * Returns the reference to the service account that the annotations of a token Secret name, which
 * need not exist; with empty texts for what the annotations lack.
 */
export function accountOf({ metadata }: ReadSecret): NamedAccount {
  const { namespace = "", annotations = {} } = metadata;
  const name = annotations[ACCOUNT_NAME] ?? "";
  return {
    key: name === "" ? "" : `${namespace}/${name}`,
    name,
    uid: annotations[ACCOUNT_UID] ?? "",
  };
}

/** Returns the annotations by which a token Secret names its service account. */
export function accountAnnotations({ metadata }: ReadAccount): Record<string, string> {
  return { [ACCOUNT_NAME]: metadata.name!, [ACCOUNT_UID]: metadata.uid! };
}

/**
 * Reports whether a service account has the UID that a token Secret names; true if the Secret names
 * no UID.
 */
export function isNamed({ metadata }: ReadAccount, { uid }: NamedAccount): boolean {
  return uid === "" || metadata.uid === uid;
}

/**
 * The cache index of token Secrets by the key of their service account, as a record for the option
 * `indexes` of a source. {@linkcode secretsOf} reads the index.
 */
export const secretsByAccount: Readonly<
  Record<string, (secret: PackedObject<V1Secret>) => readonly string[]>
> = {
  [BY_ACCOUNT]: (packed) => {
    const secret = packed.read();
    return isTokenSecret(secret) ? [accountOf(secret).key] : [];
  },
};

/** Returns the cached token Secrets that name a service account. */
export async function secretsOf(
  cache: CacheReader,
  account: ObjectKey,
): Promise<readonly ReadSecret[]> {
  return await cache.shared.byIndex(Secret, BY_ACCOUNT, account);
}
