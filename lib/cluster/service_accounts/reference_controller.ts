// Mirrors `controller/serviceaccount/tokens_controller.go, TokensController.removeSecretReference`.
import type { V1Secret, V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import { type ObjectKey, Secret, ServiceAccount } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { Predicate } from "../../controller/definition/predicate.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { accountOf, isNamed, type NamedAccount, ofTokenSecrets } from "./token_secrets.ts";

/**
 * Creates the controller that removes the references to deleted token Secrets from the `secrets` of
 * service accounts. The references to remove are kept in memory and lost when the controller stops,
 * as in kube-controller-manager.
 */
export function tokenReferenceController(): ControllerDefinition {
  const deleted = new DeletedSecrets();
  return controllerFor(ServiceAccount)
    .named("serviceaccount-token-references")
    .withPredicates(() => false)
    .watches(Secret, ({ object }) => deleted.add(object as V1Secret), {
      predicates: [isDeletion, ofTokenSecrets],
    })
    .options({ hotLoopRuns: Infinity })
    .reconcile((context) => removeReferences(context, deleted));
}

const isDeletion: Predicate<V1Secret> = ({ type }) => type === "deleted";

/** The deleted token Secrets that may still be listed in the `secrets` of their service account. */
class DeletedSecrets {
  readonly #byAccount = new Map<ObjectKey, Map<string, NamedAccount>>();

  /**
   * Records a deleted token Secret; returns the key of the service account that the Secret names,
   * as a list, which is empty if the Secret names none.
   */
  add(secret: V1Secret): ObjectKey[] {
    const account = accountOf(secret);
    if (account.name === "") return [];
    const ofAccount = this.#byAccount.get(account.key) ?? new Map<string, NamedAccount>();
    this.#byAccount.set(account.key, ofAccount.set(secret.metadata.name!, account));
    return [account.key];
  }

  /**
   * Returns the records of the deleted Secrets that named the service account with the given key:
   * the named service accounts, by the names of the Secrets. Later records are not in the result.
   */
  of(account: ObjectKey): ReadonlyMap<string, NamedAccount> {
    return new Map(this.#byAccount.get(account));
  }

  /**
   * Removes the given records, as {@linkcode of} returned them, of token Secrets whose references
   * have been removed. A record of a Secret of the same name that was deleted since then is kept.
   */
  forget(account: ObjectKey, records: ReadonlyMap<string, NamedAccount>): void {
    const ofAccount = this.#byAccount.get(account);
    for (const [name, record] of records) {
      if (ofAccount?.get(name) === record) ofAccount.delete(name);
    }
    if (ofAccount?.size === 0) this.#byAccount.delete(account);
  }
}

async function removeReferences(
  { client, key }: ReconcileContext,
  deleted: DeletedSecrets,
): Promise<void> {
  const names = deleted.of(key);
  if (names.size === 0) return;
  // The cache may lack an account or a reference that was written just before the deletion.
  const account = await ignoreNotFound(client.get(ServiceAccount, key));
  const { secrets = [] } = account ?? {};
  const kept = secrets.filter(({ name = "" }) => {
    const named = names.get(name);
    return !named || !account || !isNamed(account, named);
  });
  if (account && kept.length < secrets.length) {
    const changed = { ...account, secrets: kept } as V1ServiceAccount;
    await ignoreNotFound(client.update(ServiceAccount, changed));
  }
  deleted.forget(key, names);
}
