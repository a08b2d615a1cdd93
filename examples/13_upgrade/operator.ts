/**
 * An operator that upgrades an application together with the schema of its database, and rolls both
 * back when a step fails.
 *
 * The status names the phase of an upgrade, and all children follow from the phase. Each reconcile
 * run checks whether the phase has ended, and writes the next one. So a crash at any time only
 * delays the upgrade. README.md in this folder has a picture and the guarantees.
 *
 * ```sh
 * kubectl xca run --install-crds examples/13_upgrade/operator.ts
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  Deployment,
  loadConfig,
  type Operator,
  Pod,
  type ReconcileContext,
  type RequeueAfter,
  Service,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { childSource, patchStatus } from "@xca/operator/controller";
import { formatKey, formatTime, isConditionTrue, Job, type Summary } from "@xca/operator/meta";
import { runExample } from "../run_example.ts";
import { children, jobName, SHOP_LABEL } from "./children.ts";
import {
  conditionsOf,
  type Phase,
  refusalOf,
  Shop,
  type ShopStatus,
  type Upgrade,
} from "./shop.ts";

/** The schema version of an empty database. */
const NONE = "none";

async function reconcile(context: ReconcileContext): Promise<void | RequeueAfter> {
  const shop = context.cache.get(Shop, context.key);
  if (!shop || shop.metadata.deletionTimestamp) return;
  await children.reconcile(context, shop);
  const { upgrade } = shop.status ?? {};
  return upgrade ? await STEPS[upgrade.phase](context, shop, upgrade) : await rest(context, shop);
}

/**
 * The functions that execute each phase of an upgrade; they write the next phase once the phase has
 * ended.
 */
const STEPS: Record<
  Phase,
  (context: ReconcileContext, shop: Shop, upgrade: Upgrade) => Promise<void | RequeueAfter>
> = {
  Draining: async (context, shop, upgrade) => {
    if (shop.spec.version !== upgrade.to) return await write(context, shop, { upgrade: null });
    if (await hasNoPods(context, shop)) await enter(context, shop, upgrade, "Migrating");
  },
  Migrating: async (context, shop, upgrade) => {
    const outcome = outcomeOf(context, shop, "up");
    if (outcome === "Complete") return await enter(context, shop, upgrade, "Starting");
    if (outcome === undefined) return;
    // A migration that failed may have done a part of its work.
    await enter(context, shop, upgrade, "Reverting", `the migration failed: ${outcome}`);
  },
  Starting: async (context, shop, upgrade) => {
    if (isAvailable(context, shop)) return await finish(context, shop, upgrade);
    const endMs = Date.parse(upgrade.since) + shop.spec.startSeconds * 1000;
    const leftMs = endMs - context.clock.now().getTime();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const problem = `its pods were not available after ${shop.spec.startSeconds} s`;
    await enter(context, shop, upgrade, "Stopping", problem);
  },
  Stopping: async (context, shop, upgrade) => {
    if (await hasNoPods(context, shop)) await enter(context, shop, upgrade, "Reverting");
  },
  Reverting: async (context, shop, upgrade) => {
    const outcome = outcomeOf(context, shop, "down");
    if (outcome === "Complete") return await giveUp(context, shop, upgrade);
    if (outcome === undefined) return;
    // Pods of either version could damage the data now.
    const message =
      `${upgrade.to} cannot be taken back: ${outcome}; repair the schema, then delete ` +
      `the Job ${jobName(shop, "down")} to try again`;
    const isNew = !shop.status?.conditions?.some(({ reason }) => reason === "RevertFailed");
    if (isNew) record(context, shop, "Warning", "RevertFailed", message);
    await write(context, shop, {}, { state: "Degraded", reason: "RevertFailed", message });
  },
};

/**
 * Starts an upgrade of a Shop that has none in progress, if the version differs from the desired
 * version and the upgrade is permitted; otherwise writes the summary of the present state or the
 * reason of the refusal.
 */
async function rest(context: ReconcileContext, shop: Shop): Promise<void> {
  const { version, failed, upgrades = 0 } = shop.status ?? {};
  const wanted = shop.spec.version;
  if (wanted === version) {
    const summary: Summary = isAvailable(context, shop)
      ? { state: "Ready", reason: "Serving" }
      : { state: "Degraded", reason: "PodsNotAvailable", message: "too few pods are available" };
    return await write(context, shop, { failed: null }, summary);
  }
  const refusal = refusalOf(version, wanted);
  if (refusal !== undefined) {
    const summary: Summary = { state: "Degraded", reason: "VersionRefused", message: refusal };
    return await write(context, shop, {}, summary);
  }
  if (failed?.version === wanted) {
    const message = `${wanted} was taken back: ${failed.problem}; give another version`;
    const summary: Summary = { state: "Degraded", reason: "UpgradeFailed", message };
    return await write(context, shop, {}, summary);
  }
  const number = upgrades + 1;
  const since = formatTime(context.clock.now());
  const from = version ?? NONE;
  const upgrade: Upgrade = { from, to: wanted, number, phase: "Draining", since };
  record(context, shop, "Normal", "UpgradeStarted", `From ${from} to ${wanted}`);
  await write(context, shop, { upgrade, upgrades: number }, progress(upgrade));
}

/** Writes the next phase of an upgrade to the status; emits an event about a given problem. */
async function enter(
  context: ReconcileContext,
  shop: Shop,
  upgrade: Upgrade,
  phase: Phase,
  problem?: string,
): Promise<void> {
  const since = formatTime(context.clock.now());
  const next: Upgrade = { ...upgrade, phase, since, ...(problem !== undefined && { problem }) };
  if (problem !== undefined) {
    record(context, shop, "Warning", "UpgradeFailed", `${upgrade.to} is taken back: ${problem}`);
  }
  await write(context, shop, { upgrade: next }, progress(next));
}

/** Writes to the status, and in an event, that an upgrade has completed. */
async function finish(context: ReconcileContext, shop: Shop, { to }: Upgrade): Promise<void> {
  record(context, shop, "Normal", "Upgraded", `${to} serves`);
  const change = { version: to, upgrade: null, failed: null };
  await write(context, shop, change, { state: "Ready", reason: "Serving" });
}

/**
 * Writes to the status, and in an event, that an upgrade was rolled back. The controller does not
 * try the version again while it remains the desired version.
 */
async function giveUp(context: ReconcileContext, shop: Shop, upgrade: Upgrade): Promise<void> {
  const { from, to, problem = "" } = upgrade;
  record(context, shop, "Normal", "Reverted", `The schema is that of ${from} again`);
  const change = { upgrade: null, failed: { version: to, problem } };
  const message = `${to} was taken back: ${problem}; give another version`;
  await write(context, shop, change, { state: "Degraded", reason: "UpgradeFailed", message });
}

function progress({ from, to, phase }: Upgrade): Summary {
  return { state: "Progressing", reason: phase, message: `from ${from} to ${to}` };
}

/**
 * Reports whether a Shop has no pods left. The function lists the pods on the API server, since the
 * cache may lack a new pod; the status of an existing Deployment must also show that its controller
 * has observed zero replicas.
 */
async function hasNoPods(
  { cache, client, key, namespace }: ReconcileContext,
  shop: Shop,
): Promise<boolean> {
  const deployment = cache.get(Deployment, key);
  const { spec, status, metadata } = deployment ?? {};
  const isObserved = status?.observedGeneration === metadata?.generation;
  if (deployment && (!isObserved || spec?.replicas !== 0 || status?.replicas)) return false;
  const labelSelector = `${SHOP_LABEL}=${shop.metadata.name}`;
  return (await client.list(Pod, { namespace, labelSelector })).items.length === 0;
}

/** Reports whether all pods of a Shop have the current template and are available. */
function isAvailable({ cache, key }: ReconcileContext, { spec }: Shop): boolean {
  const { metadata, status } = cache.get(Deployment, key) ?? {};
  return status?.observedGeneration === metadata?.generation &&
    status?.updatedReplicas === spec.replicas && status.availableReplicas === spec.replicas;
}

/**
 * Returns `Complete`, or the reason why a Job of an upgrade failed; `undefined` while the Job runs,
 * or is not in the cache yet.
 */
function outcomeOf(
  { cache, namespace }: ReconcileContext,
  shop: Shop,
  step: "up" | "down",
): string | undefined {
  const job = cache.get(Job, formatKey({ namespace, name: jobName(shop, step) }));
  const conditions = job?.status?.conditions ?? [];
  if (isConditionTrue(conditions as never, "Complete")) return "Complete";
  const failed = conditions.find(({ type, status }) => type === "Failed" && status === "True");
  return failed && (failed.message ?? failed.reason ?? "it failed");
}

/** The fields of a Shop's status that a step changes; `null` removes a field. */
type StatusChange = { [F in keyof ShopStatus]: ShopStatus[F] | null };

/** Writes the changed fields of a Shop's status, and a new summary if one is given. */
async function write(
  context: ReconcileContext,
  shop: Shop,
  change: StatusChange,
  summary?: Summary,
): Promise<void> {
  const conditions = summary && conditionsOf(shop, summary, context.clock.now());
  await patchStatus(context, Shop, shop, { ...change, ...(conditions && { conditions }) });
}

/** Emits an event about a Shop. */
function record(
  { events }: ReconcileContext,
  shop: Shop,
  type: "Normal" | "Warning",
  reason: string,
  note: string,
): void {
  events.record(Shop, shop, { type, reason, note });
}

/** The operator of Shops. */
export const operator: Operator = defineOperator({
  name: "upgrades",
  controllers: [
    controllerFor(Shop)
      .owns(Service, childSource)
      .owns(Deployment, childSource)
      .owns(Job, childSource)
      // The last pod of a version ends after its Deployment has seen that it needs none.
      .watches(Pod, ({ namespace, labels }) => {
        const name = labels[SHOP_LABEL];
        return name === undefined ? [] : [formatKey({ namespace, name })];
      }, { labelSelector: SHOP_LABEL })
      .uses(Service, ["childSet"])
      .uses(Deployment, ["childSet"])
      .uses(Job, ["childSet"])
      .uses(Shop, ["patchStatus", "recordEvents"])
      .reconcile(reconcile),
  ],
});

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
