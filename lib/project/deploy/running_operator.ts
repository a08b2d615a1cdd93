import { Deployment, Lease } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ClusterRun } from "./cluster_run.ts";

/**
 * The identification of an operator in a cluster: the name of its Deployment and Lease, and their
 * namespace.
 */
export interface OperatorPlace {
  /** The name of the operator's Deployment, ServiceAccount and Lease. */
  readonly name: string;
  /** The namespace in which the operator runs. */
  readonly namespace: string;
}

/**
 * The time after its expiry for which a Lease still counts as held, in seconds: the permitted
 * difference between the clocks of the cluster and of this machine.
 */
const CLOCK_SKEW_SECONDS = 10;

/**
 * Returns the reason to believe that an operator runs, as text; `undefined` when there is none. An
 * operator runs when its Deployment has an available replica, or when its Lease has a holder, for
 * instance `kubectl xca run --leader-elect`, and did not expire more than ten seconds ago.
 */
export async function runningOperator(
  { client, clock, signal }: ClusterRun,
  { name, namespace }: OperatorPlace,
): Promise<string | undefined> {
  const key = `${namespace}/${name}` as const;
  const deployment = await ignoreNotFound(client.get(Deployment, key, { signal }));
  const available = deployment?.status?.availableReplicas ?? 0;
  if (available > 0) return `Deployment ${key} has ${available} available`;
  const { spec } = await ignoreNotFound(client.get(Lease, key, { signal })) ?? {};
  if (!spec?.holderIdentity || !spec.renewTime) return undefined;
  const endMs = Date.parse(spec.renewTime) +
    ((spec.leaseDurationSeconds ?? 15) + CLOCK_SKEW_SECONDS) * 1000;
  return endMs > clock.now().getTime()
    ? `${spec.holderIdentity} holds the Lease ${key}`
    : undefined;
}
