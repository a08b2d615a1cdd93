import {
  badRequest,
  conflict,
  FieldPath,
  invalid,
  invalidObject,
  notFound,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import { type LabelSelectorFields, selectorMatches } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Pod, V1PodDisruptionBudget } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { Endpoint } from "../machinery/endpoint.ts";
import type { Registry } from "../machinery/registry.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { budgetInProgress, countDisruption } from "./disruption_budget.ts";
import { setPodCondition } from "./pod_condition.ts";
import { success } from "./success.ts";

const PODS = { group: "", resource: "pods" };

/** The `DeleteOptions` in the body of an eviction. */
interface Options {
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/**
 * The endpoint of `pods/eviction`, which deletes a pod, or answers with 429 if its disruption
 * budget forbids it (`core/pod/storage/eviction.go`, `EvictionREST.Create`).
 */
export const eviction: Endpoint = {
  acceptedVersions: ["policy/v1beta1"],
  async create(body, context, registry) {
    if ((body.metadata?.name ?? "") !== context.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const options = (body["deleteOptions"] ?? {}) as Options;
    checkOptions(context.name, options);
    const dryRun = context.dryRun || (options.dryRun ?? []).length > 0;
    const pod = registry.get("", "pods", context.namespace, context.name) as V1Pod | undefined;
    if (!pod) throw notFound(PODS, context.name);
    if (isDone(pod)) {
      const raced = pod.status?.phase === "Pending" && pod.metadata.deletionTimestamp === undefined;
      await remove(
        context,
        registry,
        options,
        dryRun,
        raced ? pod.metadata.resourceVersion : undefined,
      );
      return success();
    }
    const budget = budgetOf(context, registry, pod);
    const spared = budget !== undefined && mayGoUnhealthy(pod, budget);
    if (budget && !spared) await count(context, registry, budget, dryRun);
    try {
      await remove(
        context,
        registry,
        options,
        dryRun,
        spared ? pod.metadata.resourceVersion : undefined,
      );
    } catch (error) {
      const moved = error instanceof StatusError && error.reason === "Conflict";
      if (moved && spared && !options.preconditions?.resourceVersion) {
        throw budgetInProgress(budget.metadata.name!);
      }
      throw error;
    }
    return success();
  },
};

function checkOptions(
  name: string,
  { ignoreStoreReadErrorWithClusterBreakingPotential }: Options,
): void {
  if (!ignoreStoreReadErrorWithClusterBreakingPotential) return;
  const path = FieldPath.of("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential");
  const detail = "can not be set for pod eviction, try after removing the option";
  throw invalidObject({ group: "policy", kind: "Eviction" }, name, [invalid(path, true, detail)]);
}

/**
 * Reports whether a pod is pending, finished or being deleted, so that it can be evicted without
 * regard to its disruption budget (`core/pod/storage/eviction.go`, `canIgnorePDB`).
 */
function isDone({ metadata, status }: V1Pod): boolean {
  const phase = status?.phase ?? "";
  return ["Succeeded", "Failed", "Pending"].includes(phase) ||
    metadata.deletionTimestamp !== undefined;
}

function isReady({ status }: V1Pod): boolean {
  return (status?.conditions ?? []).some((each) => each.type === "Ready" && each.status === "True");
}

/**
 * Returns the PodDisruptionBudget that selects a pod, if any.
 *
 * @throws {StatusError} 500 if several do.
 */
function budgetOf(
  context: RequestContext,
  registry: Registry,
  { metadata: { labels = {} } }: V1Pod,
): V1PodDisruptionBudget | undefined {
  const budgets = [...registry.list("policy", "poddisruptionbudgets", context.namespace)]
    .map((each) => each as unknown as V1PodDisruptionBudget)
    .filter(({ spec }) =>
      spec?.selector && selectorMatches(spec.selector as LabelSelectorFields, labels)
    );
  if (budgets.length > 1) {
    throw new StatusError(
      500,
      "",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not " +
        "support.",
    );
  }
  return budgets[0];
}

/**
 * Reports whether a pod is not ready and may therefore be evicted without counting as a disruption
 * of its budget: always under the budget's policy `AlwaysAllow`, otherwise only if the budget
 * desires healthy pods and has them all.
 */
function mayGoUnhealthy(pod: V1Pod, { spec, status }: V1PodDisruptionBudget): boolean {
  if (isReady(pod)) return false;
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/**
 * Counts an eviction in the status of the pod's disruption budget, and repeats this after
 * conflicts. A dry run only checks that the budget allows the eviction.
 *
 * @throws {StatusError} 429 or 403 if the budget does not allow the eviction.
 */
async function count(
  context: RequestContext,
  registry: Registry,
  budget: V1PodDisruptionBudget,
  dryRun: boolean,
): Promise<void> {
  const now = formatTime(context.now);
  if (dryRun) return countDisruption(budget, context.name, now);
  const address = {
    group: "policy",
    resource: "poddisruptionbudgets",
    namespace: context.namespace,
    name: budget.metadata.name!,
  };
  await registry.update(address, (current) => {
    countDisruption(current as unknown as V1PodDisruptionBudget, context.name, now);
    return current;
  }, { subresource: "status", fieldManager: "kube-apiserver" });
}

/**
 * Evicts a pod: sets its `DisruptionTarget` condition, and deletes the pod; with `version`, only if
 * the pod still has that resourceVersion. A dry run changes nothing.
 *
 * @throws {StatusError} 409 if the pod has another uid or resourceVersion than required.
 */
async function remove(
  context: RequestContext,
  registry: Registry,
  { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions }: Options,
  dryRun: boolean,
  version: string | undefined,
): Promise<void> {
  const address = { ...PODS, namespace: context.namespace, name: context.name };
  let wanted = preconditions?.resourceVersion || version;
  const uid = preconditions?.uid;
  if (!dryRun) {
    const marked = await registry.update(address, (current): ApiObject => {
      checkPreconditions(current, uid, wanted);
      setPodCondition(current as V1Pod, "DisruptionTarget", context.now, {
        reason: "EvictionByEvictionAPI",
        message: "Eviction API: evicting",
      });
      return current;
    }, { user: context.user, subresource: "status", managed: true });
    if (wanted) wanted = marked.metadata.resourceVersion;
  }
  await registry.delete(address, {
    user: context.user,
    dryRun,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagation: propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    preconditions: { ...(uid && { uid }), ...(wanted && { resourceVersion: wanted }) },
  });
}

function checkPreconditions(
  { metadata }: ApiObject,
  uid: string | undefined,
  resourceVersion: string | undefined,
): void {
  const refuse = (what: string, wanted: string, found: string | undefined, why: string) =>
    conflict(
      { group: "", resource: "Pod" },
      metadata.name!,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record ` +
        `(${found}). ${why}`,
    );
  if (uid && uid !== metadata.uid) {
    throw refuse("UID", uid, metadata.uid, "The object might have been deleted and then recreated");
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const why = "The object might have been modified";
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion, why);
  }
}
