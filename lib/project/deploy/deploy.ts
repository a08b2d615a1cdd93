import type { KubeObject } from "@xca/apimachinery/meta";
import { ApplySet } from "./apply_set.ts";
import { applyObjects, type ApplyObjectsOptions } from "./apply_objects.ts";
import type { ClusterRun } from "./cluster_run.ts";
import { untilEstablished } from "./definitions.ts";
import { resourceLookup, resourcesOf } from "./resource_lookup.ts";
import { untilRolledOut } from "./rollout.ts";
import type { OperatorPlace } from "./running_operator.ts";

/**
 * Options of {@linkcode installDefinitions}, which installs CustomResourceDefinitions in a cluster.
 */
export interface InstallOptions extends ApplyObjectsOptions {
  /** The time limit of each wait during the installation, in milliseconds. */
  readonly timeoutMs: number;
}

/** Options of {@linkcode deployObjects}, which applies the objects of an operator's deployment. */
export interface DeployOptions extends InstallOptions {
  /**
   * Sets whether the deployment waits until the replicas of the operator's Deployment are
   * available.
   * @default {true}
   */
  readonly wait?: boolean | undefined;
  /**
   * The operator of the deployment. The objects of its earlier deployments that are not part of
   * this deployment are deleted, except for CustomResourceDefinitions and namespaces.
   *
   * @default no object is deleted
   */
  readonly operator?: OperatorPlace | undefined;
}

/**
 * The kinds of objects through which the API server calls an operator, or validates objects by the
 * operator's rules.
 */
export const CONFIGURATIONS: ReadonlySet<string> = new Set([
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
]);

/**
 * Applies the CustomResourceDefinitions among objects, and waits until the API server serves them.
 * The function is idempotent.
 *
 * @throws {ClusterError} When other managers own fields, or a definition is not served in time.
 * @throws {ApiError} When the server refuses a definition.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { systemClock } from "@xca/operator/base";
 * import { type ClusterStep, installDefinitions } from "@xca/operator/project";
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
 * await installDefinitions(run, objects, { timeoutMs: 30_000 });
 * assert.equal(lines[0], "customresourcedefinition.apiextensions.k8s.io/xcas.apps.xca.k8s.kb.cx created");
 * ```
 */
export async function installDefinitions(
  run: ClusterRun,
  objects: readonly KubeObject[],
  { timeoutMs, ...options }: InstallOptions,
): Promise<void> {
  const crds = objects.filter(isDefinition);
  await applyObjects(run, await resourcesOf(crds, resourceLookup(run)), options);
  await untilEstablished(run, crds, timeoutMs);
}

/**
 * Applies the objects of a deployment: first namespaces and CustomResourceDefinitions, then the
 * others in their order. Unless `wait` is false, waits until the replicas of the operator are
 * available. If `operator` is given, deletes the objects of earlier deployments that are not part
 * of this one: webhook and policy configurations before that wait, the others at the end. The
 * function is idempotent.
 *
 * @throws {ClusterError} When the cluster lacks a kind, before anything is written; when other
 * managers own fields, or a wait times out.
 * @throws {ApiError} When the server refuses an object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { systemClock } from "@xca/operator/base";
 * import { type ClusterStep, deployObjects } from "@xca/operator/project";
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
 * await deployObjects(run, objects, { timeoutMs: 30_000 });
 * await deployObjects(run, objects, { timeoutMs: 30_000 });
 * assert(lines.includes("customresourcedefinition.apiextensions.k8s.io/xcas.apps.xca.k8s.kb.cx unchanged"));
 * ```
 */
export async function deployObjects(
  run: ClusterRun,
  objects: readonly KubeObject[],
  { timeoutMs, wait = true, operator, ...options }: DeployOptions,
): Promise<void> {
  const set = operator && await ApplySet.read(run, operator);
  const all = set?.labelled(objects) ?? objects;
  const resources = await resourcesOf(all, resourceLookup(run));
  const crds = all.filter(isDefinition);
  const ready = all.filter(({ kind }) => kind === "Namespace");
  const others = all.filter((each) => !isDefinition(each) && !ready.includes(each));
  const apply = (part: readonly KubeObject[]): Promise<void> =>
    applyObjects(run, new Map(part.map((each) => [each, resources.get(each)!])), options);
  await apply([...ready, ...crds]);
  await untilEstablished(run, crds, timeoutMs);
  await set?.begin(all);
  await apply(others);
  // The configurations of removed webhooks are deleted first, since the new replicas may not serve
  // them. The other objects are deleted last, since the old replicas need their rights until they
  // end.
  await set?.prune(all, (kind) => CONFIGURATIONS.has(kind));
  if (wait) {
    for (const each of all.filter(({ kind }) => kind === "Deployment")) {
      await untilRolledOut(run, each, timeoutMs);
    }
  }
  await set?.prune(all);
  await set?.end(all);
}

/** Reports whether an object is a CustomResourceDefinition. */
export function isDefinition({ kind }: KubeObject): boolean {
  return kind === "CustomResourceDefinition";
}
