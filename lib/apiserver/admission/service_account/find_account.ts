// Mirrors `serviceaccount/admission.go, Plugin.getServiceAccount`.
import { type Clock, linkedAbort, type Random } from "@xca/apimachinery/base";
import type { V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import type { AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import type { Accounts } from "./accounts.ts";

/**
 * The name of the service account that a controller creates in each namespace; admission waits for
 * it.
 */
const AWAITED = "default";
/**
 * The number of times that kube-apiserver looks for a service account, at intervals of
 * `LEAST_PAUSE_MS` to `MOST_PAUSE_MS` milliseconds.
 */
const LOOKS = 10;
const LEAST_PAUSE_MS = 100;
const MOST_PAUSE_MS = 200;

/** The clock, the random number source and the stop signal of the waits for a service account. */
export interface Patience {
  readonly clock: Clock;
  readonly random: Random;
  /** The signal that ends the waits for service accounts when the API server stops. */
  readonly signal: AbortSignal;
}

/**
 * Returns the service account with a name in the namespace of a write; `undefined` if there is
 * none. For the name `default`, first waits for the account to be created, as in a new namespace,
 * for at most 1.8 seconds or until the request or the API server ends.
 */
export async function findAccount(
  accounts: Accounts,
  registry: Registry,
  { context }: AdmissionRequest,
  name: string,
  { clock, random, signal }: Patience,
): Promise<V1ServiceAccount | undefined> {
  const { namespace } = context;
  const find = () => accounts.get(registry, namespace, name);
  const account = find();
  if (account || name !== AWAITED) return account;
  const pauseMs = LEAST_PAUSE_MS + random.next() * (MOST_PAUSE_MS - LEAST_PAUSE_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals = [signal, context.signal];
  using ending = linkedAbort({ signals, timeoutMs: (LOOKS - 1) * pauseMs, clock });
  using _changes = registry.subscribe(({ group, resource, namespace: within, name: changed }) => {
    const isAccount = group === "" && resource === "serviceaccounts";
    if (isAccount && within === namespace && changed === name) resolve();
  });
  ending.signal.addEventListener("abort", () => resolve());
  if (ending.signal.aborted) resolve();
  await promise;
  return find();
}
