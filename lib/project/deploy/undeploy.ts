import type { KubeObject } from "@xca/apimachinery/meta";
import { ApplySet } from "./apply_set.ts";
import type { ClusterRun } from "./cluster_run.ts";
import { endConversion, installedDefinitions } from "./definitions.ts";
import { deleteDefinitions, deleteNamespace, deleteObjects } from "./delete_objects.ts";
import { CONFIGURATIONS, isDefinition } from "./deploy.ts";
import { drainObjects } from "./drain.ts";
import { resourceLookup } from "./resource_lookup.ts";
import { type OperatorPlace, runningOperator } from "./running_operator.ts";

/**
 * Options of {@linkcode uninstallDefinitions}, which deletes CustomResourceDefinitions from a
 * cluster.
 */
export interface UninstallOptions {
  /** The operator that removes the finalizers from the objects of its kinds. */
  readonly operator: OperatorPlace;
  /**
   * Sets whether the removal assumes that the operator runs, although the cluster has no evidence
   * of that.
   * @default {false}
   */
  readonly drain?: boolean | undefined;
  /**
   * Sets whether the removal deletes the custom objects and removes their finalizers when no
   * operator does so. Without a running operator, the webhook and policy configurations are then
   * deleted first, and conversion by webhooks is disabled.
   *
   * @default {false}
   */
  readonly force?: boolean | undefined;
  /** The time limit of each wait of the removal, in milliseconds. */
  readonly timeoutMs: number;
}

/** Options of {@linkcode undeployObjects}, which removes a deployed operator from a cluster. */
export interface UndeployOptions extends UninstallOptions {
  /**
   * Sets whether the CustomResourceDefinitions are kept, and with them their objects, except for
   * those in the deployment's namespace, which is deleted.
   *
   * @default {false}
   */
  readonly keepCrds?: boolean | undefined;
}

/**
 * Deletes the CustomResourceDefinitions among `objects` from a cluster. First deletes their custom
 * objects, and waits until the running operator has removed its finalizers and none is left; with
 * `force`, removes the remaining finalizers. Definitions that do not exist are reported as absent.
 *
 * @throws {ClusterError} When there are custom objects and no operator runs (unless `drain` or
 * `force` is set), or custom objects or definitions remain at the end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { systemClock } from "@xca/operator/base";
 * import { type ClusterStep, uninstallDefinitions } from "@xca/operator/project";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const objects = xcaOperator.crds;
 * const lines: string[] = [];
 * const run = {
 *   client,
 *   clock: systemClock,
 *   signal: new AbortController().signal,
 *   onStep: ({ object, action }: ClusterStep) => void lines.push(`${object} ${action}`),
 * };
 * const operator = { name: "xca", namespace: "xca-system" };
 * await uninstallDefinitions(run, objects, { operator, timeoutMs: 30_000 });
 * assert.equal(lines[0], "customresourcedefinition.apiextensions.k8s.io/xcas.apps.xca.k8s.kb.cx absent");
 * ```
 */
export async function uninstallDefinitions(
  run: ClusterRun,
  objects: readonly KubeObject[],
  options: UninstallOptions,
): Promise<void> {
  await drain(run, objects, options);
  await deleteDefinitions(run, objects.filter(isDefinition), options.timeoutMs);
}

/**
 * Deletes the objects of a deployment: first the custom objects while the operator runs, then its
 * webhook and policy configurations, the operator, its permissions, its CustomResourceDefinitions
 * and its namespace. With `keepCrds`, the CustomResourceDefinitions are kept, and the custom
 * objects are not deleted first. Objects of earlier deployments are deleted too. Objects that do
 * not exist are reported as `absent`; a namespace that the deployment did not create is kept.
 *
 * @throws {ClusterError} When there are custom objects and no operator runs (unless `drain`,
 * `force` or `keepCrds` is set), or objects remain at the end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { systemClock } from "@xca/operator/base";
 * import { type ClusterStep, undeployObjects } from "@xca/operator/project";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const objects = xcaOperator.crds;
 * const lines: string[] = [];
 * const run = {
 *   client,
 *   clock: systemClock,
 *   signal: new AbortController().signal,
 *   onStep: ({ object, action }: ClusterStep) => void lines.push(`${object} ${action}`),
 * };
 * const operator = { name: "xca", namespace: "xca-system" };
 * await undeployObjects(run, objects, { operator, timeoutMs: 30_000 });
 * assert.equal(lines[0], "customresourcedefinition.apiextensions.k8s.io/xcas.apps.xca.k8s.kb.cx absent");
 * ```
 */
export async function undeployObjects(
  run: ClusterRun,
  objects: readonly KubeObject[],
  options: UndeployOptions,
): Promise<void> {
  const { keepCrds = false, operator, timeoutMs } = options;
  const set = await ApplySet.read(run, operator);
  if (!keepCrds) await drain(run, objects, options);
  const lookup = resourceLookup(run);
  const crds = objects.filter(isDefinition);
  const namespaces = objects.filter(({ kind }) => kind === "Namespace");
  const called = objects.filter(({ kind = "" }) => CONFIGURATIONS.has(kind));
  const apart = new Set([...crds, ...namespaces, ...called]);
  // Webhook configurations are deleted first: without the operator's server, the API server would
  // refuse objects of users.
  await deleteObjects(run, called, lookup);
  await deleteObjects(run, objects.filter((each) => !apart.has(each)).reverse(), lookup);
  if (set.exists) {
    // Objects of an earlier deployment that the present manifests do not have.
    await set.prune(objects);
    await set.delete();
  }
  if (!keepCrds) await deleteDefinitions(run, crds, timeoutMs);
  for (const each of namespaces) await deleteNamespace(run, each, timeoutMs);
}

async function drain(
  run: ClusterRun,
  objects: readonly KubeObject[],
  { operator, force = false, drain = false, timeoutMs }: UninstallOptions,
): Promise<void> {
  const crds = await installedDefinitions(run, objects.filter(isDefinition));
  const running = await runningOperator(run, operator) ??
    (drain ? "--drain says that it runs" : undefined);
  if (force && running === undefined) {
    // Webhooks of an operator that is gone refuse the removal of finalizers, and the reading of
    // objects.
    const called = objects.filter(({ kind = "" }) => CONFIGURATIONS.has(kind));
    await deleteObjects(run, called, resourceLookup(run));
    for (const crd of crds) await endConversion(run, crd);
  }
  await drainObjects(run, crds, { running, force, timeoutMs });
}
