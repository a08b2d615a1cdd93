// Mirrors `controller/serviceaccount/serviceaccounts_controller.go, ServiceAccountsController`.
import { Namespace, ServiceAccount } from "@xca/apimachinery/meta";
import { ignoreAlreadyExists, isNamespaceGone } from "../writes/expected_failures.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";

/** The name of the service account of pods whose spec names no service account. */
const DEFAULT = "default";

/** The controller that keeps a service account named `default` in each active namespace. */
export const serviceAccountController: ControllerDefinition = controllerFor(Namespace)
  .named("serviceaccount-controller")
  .watches(
    ServiceAccount,
    ({ name, namespace }) => name === DEFAULT ? [namespace] : [],
  )
  .options({ hotLoopRuns: Infinity })
  .reconcile(keepDefaultAccount);

async function keepDefaultAccount({ cache, client, key }: ReconcileContext): Promise<void> {
  const namespace = cache.shared.get(Namespace, key);
  if (namespace?.status?.phase !== "Active") return;
  if (cache.shared.get(ServiceAccount, `${key}/${DEFAULT}`)) return;
  try {
    const metadata = { name: DEFAULT, namespace: key };
    await ignoreAlreadyExists(client.create(ServiceAccount, { metadata }));
  } catch (error) {
    if (!isNamespaceGone(error)) throw error;
  }
}
