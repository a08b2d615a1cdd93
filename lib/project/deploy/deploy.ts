import type { KubeObject } from "@xca/apimachinery/meta";
import { applyObjects, type ApplyObjectsOptions } from "./apply_objects.ts";
import type { ClusterRun } from "./cluster_run.ts";
import { untilEstablished } from "./definitions.ts";
import { resourceLookup, resourcesOf } from "./resource_lookup.ts";
import { untilRolledOut } from "./rollout.ts";

/** Options of {@linkcode installDefinitions}. */
export interface InstallOptions extends ApplyObjectsOptions {
  /** The longest time that each wait may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Options of {@linkcode deployObjects}. */
export interface DeployOptions extends InstallOptions {
  /** Whether the Deployment is waited for, until its replicas are available. @default {true} */
  readonly wait?: boolean | undefined;
}

/**
 * Applies the CustomResourceDefinitions among objects, and waits until the API server serves them. Applying
 * them again changes nothing.
 *
 * @throws {ClusterError} When others own fields, or a definition is not served in time.
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
 * Applies the objects of a deployment in their order, and waits until the replicas of the operator are
 * available. Applying them again changes nothing.
 *
 * @throws {ClusterError} When the cluster lacks a kind, others own fields, or a wait does not end in time.
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
  { timeoutMs, wait = true, ...options }: DeployOptions,
): Promise<void> {
  const resources = await resourcesOf(objects, resourceLookup(run));
  const crds = objects.filter(isDefinition);
  const ready = objects.filter(({ kind }) => kind === "Namespace");
  const others = objects.filter((each) => !isDefinition(each) && !ready.includes(each));
  for (const part of [[...ready, ...crds], others]) {
    await applyObjects(run, new Map(part.map((each) => [each, resources.get(each)!])), options);
    if (part !== others) await untilEstablished(run, crds, timeoutMs);
  }
  if (!wait) return;
  for (const each of objects.filter(({ kind }) => kind === "Deployment")) {
    await untilRolledOut(run, each, timeoutMs);
  }
}

/** Reports whether an object is a CustomResourceDefinition. */
export function isDefinition({ kind }: KubeObject): boolean {
  return kind === "CustomResourceDefinition";
}
