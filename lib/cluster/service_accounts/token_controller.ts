// Mirrors `controller/serviceaccount/tokens_controller.go, TokensController.syncSecret`.
import { signLegacyToken, TokenKey } from "@xca/apimachinery/internal/pki";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { keyOf, Secret, ServiceAccount } from "@xca/apimachinery/meta";
import { ignoreNotFound, isConflict, isNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import {
  accountAnnotations,
  accountOf,
  isNamed,
  type NamedAccount,
  ofTokenSecrets,
  type ReadAccount,
  type ReadSecret,
  secretsByAccount,
  secretsOf,
} from "./token_secrets.ts";

/**
 * Options of {@linkcode tokenController}, which creates the controller of service account tokens in
 * Secrets.
 */
export interface TokenControllerOptions {
  /** The private key that signs service account tokens, as PEM text (PKCS #8). */
  readonly key: string;
  /**
   * The certificates of the API server's authority, as PEM; if `undefined`, Secrets get no
   * `ca.crt`.
   */
  readonly rootCa?: string | undefined;
}

/**
 * Creates the controller that fills the Secrets of type `kubernetes.io/service-account-token` with
 * a token, the namespace and the certificates of the API server's authority, and deletes those
 * whose service account does not exist. A Secret that names no service account is left alone.
 *
 * @throws {Error} When the key is unreadable, or neither ECDSA on P-256 nor RSA.
 */
export function tokenController(options: TokenControllerOptions): ControllerDefinition {
  const key = TokenKey.fromPem(options.key);
  const { rootCa } = options;
  const authority = rootCa === undefined ? undefined : base64(rootCa);
  return controllerFor(Secret, { indexes: secretsByAccount })
    .named("serviceaccount-token-controller")
    .withPredicates(ofTokenSecrets)
    .watches(
      ServiceAccount,
      async (account, { cache }) => (await secretsOf(cache, account.key)).map(keyOf),
    )
    .options({ workers: 5, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      const secret = context.cache.shared.get(Secret, context.key);
      if (!secret) return;
      const named = accountOf(secret);
      if (named.name === "") return;
      const account = await findAccount(context, named);
      if (account) await fill(context, secret, account, key, authority);
      else await remove(context, secret);
    });
}

/**
 * Returns the service account that a Secret names, from the cache or else from the server;
 * `undefined` if it does not exist.
 */
async function findAccount(
  { cache, client }: ReconcileContext,
  named: NamedAccount,
): Promise<ReadAccount | undefined> {
  const cached = cache.shared.get(ServiceAccount, named.key);
  if (cached && isNamed(cached, named)) return cached;
  const stored = await ignoreNotFound(client.get(ServiceAccount, named.key));
  return stored && isNamed(stored, named) ? stored : undefined;
}

async function remove({ client, key }: ReconcileContext, { metadata }: ReadSecret): Promise<void> {
  try {
    await client.delete(Secret, key, { preconditions: { uid: metadata.uid! } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/**
 * Adds the missing token and namespace to a token Secret, and sets its certificates and the
 * annotations that name the service account. A complete Secret is not written.
 */
async function fill(
  { client }: ReconcileContext,
  secret: ReadSecret,
  account: ReadAccount,
  key: TokenKey,
  authority: string | undefined,
): Promise<void> {
  const { metadata, data = {} } = secret;
  const isCertified = authority === undefined || data["ca.crt"] === authority;
  if (isCertified && data["namespace"] && data["token"]) return;
  const filled = {
    ...secret,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...accountAnnotations(account) },
    },
    data: {
      ...data,
      ...(authority !== undefined && { "ca.crt": authority }),
      namespace: data["namespace"] || base64(metadata.namespace!),
      token: data["token"] || base64(tokenOf(secret, account, key)),
    },
  };
  try {
    await client.update(Secret, filled as unknown as V1Secret);
  } catch (error) {
    // A Secret that has changed is reconciled again.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function tokenOf(
  { metadata: secret }: ReadSecret,
  { metadata }: ReadAccount,
  key: TokenKey,
): string {
  return signLegacyToken(key, {
    namespace: metadata.namespace!,
    secretName: secret.name!,
    accountName: metadata.name!,
    accountUid: metadata.uid!,
  });
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
