/**
 * An operator that elects a leader for an application without its own election: an Election selects
 * pods, and the operator holds a Lease on behalf of one of them. The elected pod gets a label, by
 * which the leader's Service selects it.
 *
 * A new leader is elected when the pod no longer exists or has terminated, or has not been ready
 * for the duration of its Lease. README.md in this folder states the guarantee and its limits.
 *
 * ```sh
 * kubectl xca run --install-crds examples/11_leader/election.ts
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  keyOf,
  Lease,
  loadConfig,
  mergePatch,
  type Operator,
  Pod,
  type ReconcileContext,
  type RequeueAfter,
  Service,
  setControllerReference,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { child, ChildSet, childSource, patchStatus } from "@xca/operator/controller";
import type { V1Lease, V1Pod } from "@xca/operator/kubernetes-types";
import {
  type Condition,
  controllerOf,
  formatKey,
  formatMicroTime,
  type KubeObject,
  labelSelectorOf,
  setSummary,
} from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";
import { runExample } from "../run_example.ts";

/** The key of the label of a leader's pod; the value is the name of the Election. */
export const LEADER_LABEL = "elections.example.org/leader-of";

/** An Election object, which elects one of several pods. */
export interface Election extends KubeObject {
  /**
   * The labels of the candidate pods, the duration of a Lease in seconds, and the port of the
   * leader's Service and pods.
   */
  spec: { matchLabels: Record<string, string>; leaseSeconds: number; port: number };
  /**
   * The name of the elected pod, which is absent while there is none, the number of changes of the
   * leader since the first, and the conditions.
   */
  status?: { leader?: string; failovers?: number; conditions?: Condition[] };
}

/** The resource of Elections: `kubectl get elections`. */
export const Election: DefinedResource<Election> = defineResource({
  group: "elections.example.org",
  version: "v1",
  kind: "Election",
  metadata: { name: s.string({ maxLength: 56 }) }, // the name is a label, and that of a Service
  spec: s.object({
    matchLabels: s.map(s.string(), { minProperties: 1, maxProperties: 16 }),
    leaseSeconds: s.integer({ format: "int32", minimum: 3, maximum: 3600 }),
    port: s.integer({ format: "int32", minimum: 1, maximum: 65535 }),
  }),
  status: s.object({
    leader: s.optional(s.string()),
    failovers: s.optional(s.integer({ format: "int32" })),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Leader", type: "string", jsonPath: ".status.leader" },
    { name: "Failovers", type: "integer", jsonPath: ".status.failovers" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * The children of Elections: the Service of each leader, whose selector is the label of the elected
 * pod.
 */
const children = new ChildSet<Election>({
  name: "elections",
  parent: Election,
  types: [Service],
  desired: ({ metadata: { name = "", namespace = "" }, spec: { port } }) => [
    child(Service, {
      metadata: { name: `${name}-leader`, namespace },
      spec: {
        selector: { [LEADER_LABEL]: name },
        ports: [{ name: "leader", port, targetPort: port, protocol: "TCP" }],
      },
    }),
  ],
});

/**
 * Returns the identity of a pod in a Lease, `NAME_UID`. The identity contains the UID, since pods
 * of a StatefulSet keep their names.
 */
export function identityOf({ metadata }: V1Pod): string {
  return `${metadata?.name}_${metadata?.uid}`;
}

/** Reports whether a pod can lead: it is ready and not being deleted. */
function canLead({ metadata, status }: V1Pod): boolean {
  return metadata?.deletionTimestamp === undefined && status?.phase === "Running" &&
    (status.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

/** Reports whether all containers of a pod have terminated for good. */
function hasEnded({ status }: V1Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

async function reconcile(context: ReconcileContext): Promise<void | RequeueAfter> {
  const election = context.cache.get(Election, context.key);
  // The garbage collector deletes the Lease and the Service of a deleted Election.
  if (!election || election.metadata.deletionTimestamp) return;
  await children.reconcile(context, election);
  const { namespace } = context;
  const { matchLabels, leaseSeconds } = election.spec;
  const labelSelector = labelSelectorOf({ matchLabels });
  const candidates = (await context.cache.list(Pod, { namespace, labelSelector })).filter(canLead);
  const lease = leaseOf(context, election);
  const holder = holderOf(context, lease);
  const leader = candidates.find(({ metadata }) => metadata?.uid === holder?.metadata?.uid);
  const renewAfterMs = leaseSeconds * 1000 / 3;

  // The label leaves a pod before another pod gets it, and as soon as the pod cannot lead.
  await unlabel(context, election, leader);
  if (leader) {
    const isDue = ageMsOf(context, lease) >= renewAfterMs ||
      lease?.spec?.leaseDurationSeconds !== leaseSeconds;
    if (isDue) await hold(context, election, leader, lease);
    await label(context, election, leader);
    await report(context, election, leader, lease);
    return { requeueAfterMs: renewAfterMs };
  }
  const leftMs = holder && !hasEnded(holder) ? leftMsOf(context, lease) : 0;
  if (leftMs > 0) { // the old leader may still run, and holds its Lease
    await report(context, election, undefined, lease);
    return { requeueAfterMs: leftMs };
  }
  const next = candidates.sort(byAge)[0];
  if (!next) return await report(context, election, undefined, lease);
  const held = await hold(context, election, next, lease);
  await label(context, election, next);
  context.events.record(Election, election, {
    type: "Normal",
    reason: "LeaderChosen",
    note: `Pod ${next.metadata?.name} leads`,
  });
  await report(context, election, next, held);
  return { requeueAfterMs: renewAfterMs };
}

/**
 * Returns the Lease of an Election; `undefined` if it does not exist.
 *
 * @throws {Error} When the Lease of that name belongs to another program.
 */
function leaseOf({ cache, key }: ReconcileContext, { metadata }: Election): V1Lease | undefined {
  const lease = cache.get(Lease, key);
  if (lease && controllerOf(lease.metadata)?.uid !== metadata.uid) {
    throw new Error(`Cannot hold Lease ${key}: it is not of this Election; rename the Election`);
  }
  return lease;
}

/**
 * Returns the pod that holds a Lease; `undefined` if it no longer exists. The pod may no longer be
 * a candidate.
 */
function holderOf({ cache, namespace }: ReconcileContext, lease?: V1Lease): V1Pod | undefined {
  const holder = lease?.spec?.holderIdentity;
  if (!holder) return undefined;
  const name = holder.slice(0, holder.lastIndexOf("_"));
  const pod = cache.get(Pod, formatKey({ namespace, name }));
  return pod && identityOf(pod) === holder ? pod : undefined;
}

/** Compares pods by age, the oldest first, then by name. */
function byAge(one: V1Pod, other: V1Pod): number {
  const [first, second] = [one, other].map(({ metadata }) =>
    `${metadata?.creationTimestamp} ${metadata?.name}`
  );
  return first! < second! ? -1 : 1;
}

/**
 * Returns the time since the last renewal of a Lease in milliseconds; `Infinity` without a renewal.
 */
function ageMsOf({ clock }: ReconcileContext, lease: V1Lease | undefined): number {
  const renewed = lease?.spec?.renewTime;
  return renewed ? clock.now().getTime() - new Date(renewed).getTime() : Infinity;
}

/**
 * Returns the time until a Lease expires in milliseconds, by the duration that the Lease states;
 * negative after the end.
 */
function leftMsOf(context: ReconcileContext, lease: V1Lease | undefined): number {
  return (lease?.spec?.leaseDurationSeconds ?? 0) * 1000 - ageMsOf(context, lease);
}

/**
 * Creates or renews the Lease of an Election, with a pod as its holder; returns the written Lease.
 * The write names the resourceVersion of the Lease that the decision is based on, so that the
 * slower of two operators gets a conflict and decides again.
 */
async function hold(
  { client, clock }: ReconcileContext,
  election: Election,
  pod: V1Pod,
  lease: V1Lease | undefined,
): Promise<V1Lease> {
  const { name, namespace } = election.metadata;
  const now = formatMicroTime(clock.now());
  const holderIdentity = identityOf(pod);
  const isNew = lease?.spec?.holderIdentity !== holderIdentity;
  const wanted: V1Lease = {
    ...lease,
    metadata: { ...lease?.metadata, name: name!, namespace: namespace! },
    spec: {
      ...lease?.spec,
      holderIdentity,
      leaseDurationSeconds: election.spec.leaseSeconds,
      renewTime: now,
      ...(isNew && { acquireTime: now }),
      leaseTransitions: lease ? (lease.spec?.leaseTransitions ?? 0) + (isNew ? 1 : 0) : 0,
    },
  };
  setControllerReference(wanted as KubeObject, election, Election);
  return lease ? await client.update(Lease, wanted) : await client.create(Lease, wanted);
}

/** Sets the leader's label of an Election on a pod that lacks it. */
async function label(context: ReconcileContext, election: Election, pod: V1Pod): Promise<void> {
  const { name } = election.metadata;
  if (pod.metadata?.labels?.[LEADER_LABEL] !== name) await setLabel(context, pod, name!);
}

/** Removes the leader's label of an Election from all pods except the given one. */
async function unlabel(
  context: ReconcileContext,
  { metadata: { name } }: Election,
  except: V1Pod | undefined,
): Promise<void> {
  const { cache, namespace } = context;
  const labelSelector = `${LEADER_LABEL}=${name}`;
  for (const pod of await cache.list(Pod, { namespace, labelSelector })) {
    if (pod.metadata?.uid !== except?.metadata?.uid) await setLabel(context, pod, null);
  }
}

/**
 * Sets or removes the leader's label of a pod. The patch names the resourceVersion of the pod in the
 * cache: if the pod is no longer a candidate, or another Election has labelled it since, the server
 * answers 409, and the run is retried with the newer pod.
 */
async function setLabel(
  { client }: ReconcileContext,
  pod: V1Pod,
  value: string | null,
): Promise<void> {
  const { uid, resourceVersion } = pod.metadata!;
  const metadata = { uid, resourceVersion, labels: { [LEADER_LABEL]: value } };
  await client.patch(Pod, keyOf(pod as KubeObject), mergePatch<V1Pod>({ metadata } as never));
}

/**
 * Writes the status of an Election: the leader, the number of its changes by the Lease, and the
 * conditions.
 */
async function report(
  context: ReconcileContext,
  election: Election,
  leader: V1Pod | undefined,
  lease: V1Lease | undefined,
): Promise<void> {
  const conditions = setSummary(
    election.status?.conditions,
    leader ? { state: "Ready", reason: "LeaderChosen" } : {
      state: "Degraded",
      reason: "NoLeader",
      message: "no pod is ready, or a Lease still runs",
    },
    { now: context.clock.now(), generation: election.metadata.generation },
  );
  await patchStatus(context, Election, election, {
    leader: leader?.metadata?.name ?? null, // null removes the field
    failovers: lease?.spec?.leaseTransitions ?? 0,
    conditions: [...conditions],
  });
}

/** The operator of Elections. */
export const operator: Operator = defineOperator({
  name: "elections",
  controllers: [
    controllerFor(Election)
      .owns(Service, childSource)
      .owns(Lease)
      .watches(Pod, async (pod, { cache }) => {
        const { namespace, labels } = pod;
        const elections = await cache.list(Election, { namespace });
        return elections.filter(({ metadata, spec }) =>
          labels[LEADER_LABEL] === metadata.name ||
          Object.entries(spec.matchLabels).every(([key, value]) => labels[key] === value)
        ).map((election) => keyOf(election));
      })
      .uses(Service, ["childSet"])
      .uses(Lease, ["create", "update", "setControllerReference"])
      .uses(Pod, ["patch"])
      .uses(Election, ["patchStatus", "recordEvents"])
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
