/**
 * An operator that deploys an application on demand: for one short object it creates the
 * Deployment, its settings, the Service, and on request an autoscaler and an Ingress. It deletes
 * them when the object no longer requests them, or when their lifetime expires.
 *
 * The desired children are a function of the WebApp; a ChildSet creates, updates and deletes the
 * objects. README.md in this folder has a picture.
 *
 * ```sh
 * kubectl xca run --install-crds examples/12_app/operator.ts
 * ```
 *
 * @module
 */
import {
  ConfigMap,
  controllerFor,
  createClient,
  defineOperator,
  Deployment,
  loadConfig,
  type Operator,
  type ReconcileContext,
  type RequeueAfter,
  Service,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { childSource, ForeignChildError, patchStatus } from "@xca/operator/controller";
import type { V1Deployment } from "@xca/operator/kubernetes-types";
import { HorizontalPodAutoscaler, Ingress, type Summary } from "@xca/operator/meta";
import { runExample } from "../run_example.ts";
import { conditionsOf, WebApp, type WebAppStatus } from "./app.ts";
import { children, urlOf } from "./children.ts";

/**
 * The delay until the next attempt to create a child whose name another object has, in
 * milliseconds.
 */
const RETRY_MS = 60_000;

async function reconcile(context: ReconcileContext): Promise<void | RequeueAfter> {
  const app = context.cache.get(WebApp, context.key);
  // The garbage collector deletes the children of a deleted WebApp.
  if (!app || app.metadata.deletionTimestamp) return;
  const leftMs = leftMsOf(context, app);
  if (leftMs <= 0 && !app.status?.expired) {
    await write(context, app, { expired: true, url: null, available: 0 }, EXPIRED);
    return; // the change of the status leads to another run, without children
  }
  try {
    await children.reconcile(context, app);
  } catch (error) {
    if (!(error instanceof ForeignChildError)) throw error;
    await write(context, app, {}, {
      state: "Degraded",
      reason: "NameTaken",
      message: error.message,
    });
    return { requeueAfterMs: RETRY_MS };
  }
  if (app.status?.expired) return;
  const deployment = context.cache.get(Deployment, context.key);
  const available = deployment?.status?.availableReplicas ?? 0;
  await write(context, app, { url: urlOf(app), available }, summaryOf(deployment));
  if (leftMs < Infinity) return { requeueAfterMs: leftMs };
}

const EXPIRED: Summary = {
  state: "Degraded",
  reason: "Expired",
  message: "the lifetime is over: create the WebApp again to run it again",
};

/**
 * Returns the remaining lifetime of a WebApp in milliseconds; 0 or negative once it has expired,
 * `Infinity` without a limit.
 */
function leftMsOf({ clock }: ReconcileContext, { metadata, spec }: WebApp): number {
  const { lifetimeSeconds = Infinity } = spec;
  const since = Date.parse(metadata.creationTimestamp ?? "");
  return since + lifetimeSeconds * 1000 - clock.now().getTime();
}

/** Returns the summary of a WebApp's state, from the status of its Deployment. */
function summaryOf(deployment: V1Deployment | undefined): Summary {
  const { metadata, spec, status } = deployment ?? {};
  const stuck = status?.conditions?.find(({ type, status }) =>
    type === "Progressing" && status === "False"
  );
  if (stuck) {
    return { state: "Degraded", reason: "RolloutStuck", message: stuck.message ?? "" };
  }
  const { replicas = 1 } = spec ?? {};
  const { availableReplicas = 0, observedGeneration, updatedReplicas = 0 } = status ?? {};
  const isDone = observedGeneration === metadata?.generation && updatedReplicas === replicas &&
    availableReplicas === replicas && (status?.replicas ?? 0) === replicas;
  return isDone
    ? { state: "Ready", reason: "Available" }
    : { state: "Progressing", reason: "RollingOut" };
}

/** The fields of a WebApp's status that a reconcile run changes; `null` removes a field. */
type StatusChange = { [F in keyof WebAppStatus]: WebAppStatus[F] | null };

/**
 * Writes the changed fields of a WebApp's status, and emits an event when the reason of its state
 * changes.
 */
async function write(
  context: ReconcileContext,
  app: WebApp,
  change: StatusChange,
  summary: Summary,
): Promise<void> {
  const { events, clock } = context;
  const { state, reason, message = "" } = summary;
  if (!app.status?.conditions?.some((condition) => condition.reason === reason)) {
    const type = state === "Degraded" ? "Warning" : "Normal";
    events.record(WebApp, app, { type, reason, note: message || `The WebApp is ${state}` });
  }
  const conditions = conditionsOf(app, summary, clock.now());
  await patchStatus(context, WebApp, app, { ...change, conditions });
}

/** The operator of WebApps. */
export const operator: Operator = defineOperator({
  name: "web-apps",
  controllers: [
    controllerFor(WebApp)
      .owns(ConfigMap, childSource)
      .owns(Deployment, childSource)
      .owns(Service, childSource)
      .owns(HorizontalPodAutoscaler, childSource)
      .owns(Ingress, childSource)
      .uses(ConfigMap, ["childSet"])
      .uses(Deployment, ["childSet"])
      .uses(Service, ["childSet"])
      .uses(HorizontalPodAutoscaler, ["childSet"])
      .uses(Ingress, ["childSet"])
      .uses(WebApp, ["patchStatus", "recordEvents"])
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
