// Mirrors `controller/history/controller_history.go, Interface`.
import type { V1ControllerRevision, V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";
import {
  ControllerRevision,
  type DeepReadonly,
  formatKey,
  keyOf,
  type KubeObject,
  type LabelSelector,
  type ResourceType,
  setControllerReference,
} from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { ignoreNotFound, isAlreadyExists } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { claim } from "../ownership/claim.ts";
import { ownedOrOrphaned } from "../ownership/controller_index.ts";
import { revisionData } from "./revision_data.ts";
import { templateHash } from "./template_hash.ts";
import { byCreation } from "../ordering/by_creation.ts";

/** The default key of the ControllerRevision label with the hash. */
const HASH = "controller.kubernetes.io/hash";

/** The largest length of the owner's name in the name of a ControllerRevision, in characters. */
const LONGEST_OWNER = 223;

/** The name of a ControllerRevision, and the workload's pod template that it stores. */
export interface Revision {
  readonly name: string;
  readonly template: V1PodTemplateSpec;
}

/** A workload whose pod templates are stored as ControllerRevisions. */
export interface Versioned<Owner extends KubeObject> {
  readonly type: ResourceType<Owner>;
  readonly owner: DeepReadonly<Owner>;
  readonly selector: LabelSelector;
  readonly template: V1PodTemplateSpec;
  readonly collisionCount: number;
  /**
   * The key of the ControllerRevision label with the hash.
   *
   * @default {"controller.kubernetes.io/hash"}
   */
  readonly hashLabel?: string;
}

/** The revisions of a workload, oldest first, and the revision of its present template. */
export interface History {
  readonly revisions: readonly V1ControllerRevision[];
  readonly current: V1ControllerRevision;
  /** The number of hash collisions of names of the workload's revisions. */
  readonly collisionCount: number;
}

/** Returns the pod template that a ControllerRevision stores. */
export function templateOf({ data }: V1ControllerRevision): V1PodTemplateSpec {
  const { $patch: _, ...template } = (data as { spec: { template: Record<string, unknown> } }).spec
    .template;
  return template as V1PodTemplateSpec;
}

/**
 * Adopts and releases the revisions of a workload, and returns them, including one of its present
 * template: an equal older revision becomes the newest again, or a new revision is created.
 *
 * @throws {AggregateError} When an adoption or release is refused.
 * @throws {ApiError} When the server refuses to create or renumber a revision.
 */
export async function syncHistory<Owner extends KubeObject>(
  context: ReconcileContext,
  workload: Versioned<Owner>,
): Promise<History> {
  const { type, owner, selector } = workload;
  const claimed = await claim(context, {
    ownerType: type,
    owner,
    selector,
    type: ControllerRevision,
    objects: await ownedOrOrphaned(context.cache, ControllerRevision, owner),
  });
  const revisions = (claimed as unknown as V1ControllerRevision[]).toSorted(byRevision);
  const latest = revisions.at(-1);
  const next = (latest?.revision ?? 0) + 1;
  const equal = revisions.findLast((each) => jsonEqual(templateOf(each), workload.template));
  if (equal && equal === latest) {
    return { revisions, current: equal, collisionCount: workload.collisionCount };
  }
  if (equal) {
    const current = await renumber(context, equal, next);
    const others = revisions.filter((each) => each !== equal);
    return { revisions: [...others, current], current, collisionCount: workload.collisionCount };
  }
  const { current, collisionCount } = await createRevision(context, workload, next);
  return { revisions: [...revisions, current], current, collisionCount };
}

/**
 * Changes the number of a ControllerRevision by a patch, with which the server keeps the exact text
 * of its data; returns the stored revision.
 */
async function renumber(
  { client }: Pick<ReconcileContext, "client">,
  { metadata }: V1ControllerRevision,
  revision: number,
): Promise<V1ControllerRevision> {
  const { resourceVersion } = metadata;
  const patch = mergePatch<V1ControllerRevision>({ metadata: { resourceVersion }, revision });
  return await client.patch(ControllerRevision, keyOf({ metadata }), patch);
}

/**
 * Deletes the oldest revisions of a workload whose names are not in `inUse`, so that at most
 * `limit` of them remain.
 */
export async function truncateHistory(
  { client }: Pick<ReconcileContext, "client">,
  { revisions }: History,
  inUse: ReadonlySet<string>,
  limit: number,
): Promise<void> {
  const unused = revisions.filter(({ metadata }) => !inUse.has(metadata.name ?? ""));
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    await ignoreNotFound(client.delete(ControllerRevision, keyOf(revision)));
  }
}

/**
 * Creates a ControllerRevision of the workload's template, and returns the revision with the
 * collision count of its hash. An existing revision of the same name and template is returned
 * instead; for an existing revision of another template, the function tries again with the next
 * collision count.
 */
async function createRevision<Owner extends KubeObject>(
  { client }: ReconcileContext,
  { type, owner, template, collisionCount: first, hashLabel = HASH }: Versioned<Owner>,
  revision: number,
): Promise<{ readonly current: V1ControllerRevision; readonly collisionCount: number }> {
  const { name = "", namespace = "", annotations } = owner.metadata;
  for (let collisionCount = first;; collisionCount++) {
    const hash = templateHash(template, collisionCount);
    const made: V1ControllerRevision = {
      metadata: {
        name: `${name.slice(0, LONGEST_OWNER)}-${hash}`,
        namespace,
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        ...(annotations && { annotations: { ...annotations } }),
      },
      data: revisionData(template),
      revision,
    };
    setControllerReference(made, owner, type);
    try {
      return { current: await client.create(ControllerRevision, made), collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const key = formatKey({ namespace, name: made.metadata.name! });
      const found = await client.get(ControllerRevision, key);
      if (jsonEqual(templateOf(found), template)) return { current: found, collisionCount };
    }
  }
}

function byRevision(a: V1ControllerRevision, b: V1ControllerRevision): number {
  return (a.revision ?? 0) - (b.revision ?? 0) ||
    byCreation(a, b);
}
