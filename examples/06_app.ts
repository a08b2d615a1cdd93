/**
 * An operator that owns its objects: an App has an image and a number of replicas, and the operator
 * keeps a Deployment for it, or a StatefulSet when the App asks for storage.
 *
 * The reconciler does not depend on the kind of change. It computes the desired child, compares it
 * with the current one, and writes only the difference. So a manual change is reverted, a deleted
 * child is created again, and a run for an App whose child is correct writes nothing.
 *
 * ```sh
 * kubectl xca run --install-crds examples/06_app.ts
 * deno run --allow-net --allow-read --allow-env examples/06_app.ts # with the CRD installed
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  Deployment,
  ignoreNotFound,
  keyOf,
  type KubeObject,
  loadConfig,
  type Operator,
  type ReconcileContext,
  type ResourceType,
  resourceType,
  setControllerReference,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { controllerOf, StatefulSet } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";
import { runExample } from "./run_example.ts";

/** An App object, the custom resource of the example operator. */
export interface App extends KubeObject {
  spec: { image: string; replicas: number; storage?: string };
  status?: { workload: "Deployment" | "StatefulSet"; readyReplicas: number };
}

/** The resource type of Apps. */
export const App: DefinedResource<App> = defineResource({
  group: "example.org",
  version: "v1",
  kind: "App",
  spec: s.object({
    image: s.string({ minLength: 1 }),
    replicas: s.integer({ format: "int32", minimum: 0 }),
    storage: s.optional(s.string({
      pattern: "^[1-9][0-9]*(Mi|Gi|Ti)$",
      rules: [{
        rule: "self == oldSelf",
        message: "storage can be set and removed, but its size cannot be changed",
      }],
    })),
  }),
  status: s.object({
    workload: s.enum(["Deployment", "StatefulSet"]),
    readyReplicas: s.integer({ format: "int32" }),
  }),
});

/** The fields of a workload that Deployments and StatefulSets share and this example uses. */
interface Workload extends KubeObject {
  spec: { replicas: number; template: unknown; [field: string]: unknown };
  status?: { readyReplicas?: number };
}
const workloads = {
  Deployment: resourceType<Workload>(Deployment),
  StatefulSet: resourceType<Workload>(StatefulSet),
};

async function reconcile(context: ReconcileContext): Promise<void> {
  const app = context.cache.get(App, context.key);
  // The garbage collector deletes the children of a deleted App.
  if (!app || app.metadata.deletionTimestamp) return;
  const [kind, other] = app.spec.storage
    ? ["StatefulSet", "Deployment"] as const
    : ["Deployment", "StatefulSet"] as const;
  await remove(workloads[other], app, context);
  const readyReplicas = await keep(workloads[kind], app, context);
  const status = { workload: kind, readyReplicas };
  if (!includes(app.status, status)) await context.client.updateStatus(App, { ...app, status });
}

/**
 * Deletes the unneeded workload of an App, if it exists and the App controls it. The deletion names
 * the resourceVersion of the object in the cache: if another owner has since taken it over, the
 * server answers 409, and the run is retried with the newer object.
 */
async function remove(
  type: ResourceType<Workload>,
  app: App,
  { cache, client, log }: ReconcileContext,
): Promise<void> {
  const child = cache.get(type, keyOf(app));
  if (!child || child.metadata.deletionTimestamp) return;
  const { uid, resourceVersion } = child.metadata;
  if (controllerOf(child.metadata)?.uid !== app.metadata.uid) return;
  log.info("Deleting {kind} {key}", { kind: type.kind, key: keyOf(child) });
  const preconditions = { uid, resourceVersion };
  await ignoreNotFound(client.delete(type, keyOf(child), { preconditions }));
}

/**
 * Creates or corrects the workload of an App; returns the number of its ready replicas, 0 for a new
 * workload.
 *
 * @throws {Error} When another owner controls the workload.
 */
async function keep(
  type: ResourceType<Workload>,
  app: App,
  { cache, client, log }: ReconcileContext,
): Promise<number> {
  const wanted = childOf(app);
  const child = cache.get(type, keyOf(wanted));
  if (!child) {
    log.info("Creating {kind} {key}", { kind: type.kind, key: keyOf(wanted) });
    await client.create(type, wanted);
    return 0;
  }
  const right = structuredClone(child);
  setControllerReference(right, app, App); // throws when another owner controls the child
  right.spec.replicas = wanted.spec.replicas;
  right.spec.template = wanted.spec.template;
  if (!includes(child, right)) {
    log.info("Correcting {kind} {key}", { kind: type.kind, key: keyOf(wanted) });
    await client.update(type, right);
  }
  return child.status?.readyReplicas ?? 0;
}

/**
 * Returns the desired workload of an App. The workload has the name of the App, so that there can
 * be only one.
 */
function childOf(app: App): Workload {
  const { name, namespace } = app.metadata;
  const { image, replicas, storage } = app.spec;
  const labels = { "app.kubernetes.io/instance": name! };
  const mounts = storage ? { volumeMounts: [{ name: "data", mountPath: "/data" }] } : {};
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  };
  const child: Workload = {
    metadata: { name: name!, namespace: namespace!, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image, ...mounts }] },
      },
      ...(storage ? { serviceName: name, volumeClaimTemplates: [claim] } : {}),
    },
  };
  setControllerReference(child, app, App);
  return child;
}

/**
 * Reports whether the actual state includes all desired fields. Further fields are the server's
 * defaults; lists must have the same length.
 */
function includes(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return actual === wanted;
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(wanted) && wanted.length !== (actual as unknown[]).length) return false;
  return Object.entries(wanted).every(([name, value]) =>
    includes((actual as Record<string, unknown>)[name], value)
  );
}

/** The operator that keeps a workload for each App. */
export const operator: Operator = defineOperator({
  name: "app",
  controllers: [
    controllerFor(App)
      .owns(workloads.Deployment)
      .owns(workloads.StatefulSet)
      .uses(workloads.Deployment, ["create", "update", "delete"])
      .uses(workloads.StatefulSet, ["create", "update", "delete"])
      .uses(App, ["updateStatus"])
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
