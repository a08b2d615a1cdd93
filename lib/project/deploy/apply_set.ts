// Follows ApplySet of kubectl (`pkg/cmd/apply/applyset.go`), KEP-3659.
import { createHash } from "node:crypto";
import {
  ConfigMap,
  formatKey,
  type KubeObject,
  metadataOf,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { deleteIf } from "../../client/typed/delete_if.ts";
import { applyObject, PROJECT_FIELD_MANAGER } from "./apply_objects.ts";
import { ClusterError, type ClusterRun, objectName, stepOf } from "./cluster_run.ts";
import { type ResourceLookup, resourceLookup } from "./resource_lookup.ts";
import type { OperatorPlace } from "./running_operator.ts";

/** The key of the label of an apply set's members; its value is the identifier of the set. */
export const PART_OF_LABEL = "applyset.kubernetes.io/part-of";
const ID_LABEL = "applyset.kubernetes.io/id";
const TOOLING = "applyset.kubernetes.io/tooling";
const GROUP_KINDS = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES = "applyset.kubernetes.io/additional-namespaces";

/**
 * The kinds that are never members of an apply set, since their deletion would delete objects of
 * users.
 */
const NEVER_MEMBERS = new Set(["CustomResourceDefinition", "Namespace"]);

/**
 * The set of the objects that a deployment applied to a cluster. The parent of the set is a
 * ConfigMap in the operator's namespace, which lists the kinds and namespaces of the members; each
 * member has a label with the identifier of the set. By the labels, the next deployment finds the
 * objects that it no longer contains.
 *
 * CustomResourceDefinitions and Namespaces are not members, and are never pruned.
 */
export class ApplySet {
  readonly #run: ClusterRun;
  readonly #place: OperatorPlace;
  readonly #lookup: ResourceLookup;
  /**
   * The kinds of the set's members that earlier deployments applied, such as
   * `Role.rbac.authorization.k8s.io`; from {@linkcode ApplySet.begin} on also those of the present
   * deployment.
   */
  readonly #kinds: Set<string>;
  /**
   * The operator's namespace, and those in which earlier deployments applied members of the apply
   * set; from {@linkcode ApplySet.begin} on also those of the present deployment.
   */
  readonly #namespaces: Set<string>;
  /**
   * Reports whether the parent object of the apply set existed in the cluster when the set was
   * read.
   */
  readonly exists: boolean;

  private constructor(run: ClusterRun, place: OperatorPlace, parent: KubeObject | undefined) {
    const { annotations = {} } = parent?.metadata ?? {};
    this.#run = run;
    this.#place = place;
    this.#lookup = resourceLookup(run);
    this.#kinds = new Set(listOf(annotations[GROUP_KINDS]));
    this.#namespaces = new Set([place.namespace, ...listOf(annotations[NAMESPACES])]);
    this.exists = parent !== undefined;
  }

  /**
   * Returns the apply set of an operator, read from the cluster; an empty set if the cluster has
   * none.
   */
  static async read(run: ClusterRun, place: OperatorPlace): Promise<ApplySet> {
    const { client, signal } = run;
    const key = formatKey(parentOf(place).metadata);
    const parent = await ignoreNotFound(client.get(ConfigMap, key, { signal }));
    return new ApplySet(run, place, parent as KubeObject | undefined);
  }

  /**
   * Returns the objects in their order: members of the apply set as copies with the label of the
   * set, the others unchanged.
   */
  labelled(objects: readonly KubeObject[]): KubeObject[] {
    const part = { [PART_OF_LABEL]: idOf(this.#place) };
    return objects.map((object) =>
      isMember(object)
        ? {
          ...object,
          metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...part } },
        }
        : object
    );
  }

  /**
   * Writes the parent of the apply set before any member, and calls `onStep` with the result. The
   * parent lists the kinds and namespaces of the present objects and of earlier ones, so that a
   * later deployment finds all objects of an interrupted one.
   */
  async begin(objects: readonly KubeObject[]): Promise<void> {
    const { kinds, namespaces } = contentsOf(objects);
    for (const kind of kinds) this.#kinds.add(kind);
    for (const namespace of namespaces) this.#namespaces.add(namespace);
    await applyObject(this.#run, this.#parent(this.#kinds, this.#namespaces), ConfigMap, true);
  }

  /**
   * Removes the kinds and namespaces that only earlier deployments had from the parent of the apply
   * set, after their objects were pruned. Does not call `onStep`.
   */
  async end(objects: readonly KubeObject[]): Promise<void> {
    const { kinds, namespaces } = contentsOf(objects);
    const isSame = kinds.size === this.#kinds.size &&
      new Set([...namespaces, this.#place.namespace]).size === this.#namespaces.size;
    if (isSame) return;
    const quiet = { ...this.#run, onStep: () => {} };
    await applyObject(quiet, this.#parent(kinds, namespaces), ConfigMap, true);
  }

  /**
   * Deletes the members of the set that are not among the given objects (compared by group, kind,
   * namespace and name), and calls `onStep` with each deletion. Skips kinds that the cluster does
   * not serve.
   *
   * @param only Reports whether the objects of a kind, such as `Role`, are pruned. @default all are
   */
  async prune(
    objects: readonly KubeObject[],
    only: (kind: string) => boolean = () => true,
  ): Promise<void> {
    const kept = new Set(objects.map(identityOf));
    for (const groupKind of [...this.#kinds].sort()) {
      const [kind = "", ...group] = groupKind.split(".");
      if (NEVER_MEMBERS.has(kind) || !only(kind)) continue;
      const type = await this.#lookup({
        apiVersion: group.length > 0 ? `${group.join(".")}/` : "/",
        kind,
        metadata: {},
      });
      // A kind that is not served any more has no objects.
      if (!type) continue;
      for (const object of await this.#members(type)) {
        if (!kept.has(identityOf({ ...object, apiVersion: type.apiVersion, kind }))) {
          await this.#delete({ ...object, apiVersion: type.apiVersion, kind }, type);
        }
      }
    }
  }

  /**
   * Deletes the parent object of the apply set, and calls `onStep` with the result, `deleted` or
   * `absent`.
   *
   * @throws {ClusterError} When another deployment has added kinds or namespaces to the set since it
   * was read: their objects were not pruned.
   */
  async delete(): Promise<void> {
    const { client, signal, dryRun = false, onStep } = this.#run;
    const parent = parentOf(this.#place);
    const key = formatKey(parent.metadata);
    const outcome = await deleteIf<KubeObject>({
      read: () => client.get(ConfigMap, key, { signal }) as Promise<KubeObject>,
      judge: ({ metadata: { annotations = {} } }) => {
        const hasMore = listOf(annotations[GROUP_KINDS]).some((kind) => !this.#kinds.has(kind)) ||
          listOf(annotations[NAMESPACES]).some((namespace) => !this.#namespaces.has(namespace));
        if (!hasMore) return true;
        throw new ClusterError(
          `Cannot delete ${objectName(parent)}: another deployment has added objects to the ` +
            "apply set meanwhile; repeat the command",
        );
      },
      remove: (preconditions) => client.delete(ConfigMap, key, { signal, dryRun, preconditions }),
      signal,
    });
    onStep(stepOf(parent, outcome === "deleted" ? "deleted" : "absent"));
  }

  /**
   * Returns the members of a kind that a deployment applied, with their metadata only: of a
   * namespaced kind those in the set's namespaces. Objects to which a controller copied the label
   * of the apply set are left out.
   */
  async #members(type: ResourceType): Promise<KubeObject[]> {
    const { client, signal } = this.#run;
    const labelSelector = `${PART_OF_LABEL}=${idOf(this.#place)}`;
    const found: KubeObject[] = [];
    const namespaces = type.scope === "Cluster" ? [undefined] : [...this.#namespaces].sort();
    for (const namespace of namespaces) {
      const { items } = await client.list(metadataOf(type), { namespace, labelSelector, signal });
      found.push(...items);
    }
    return found.filter(isApplied);
  }

  /**
   * Deletes a member in the version that was read, and calls `onStep` with `pruned`, also if the
   * member no longer exists. After a conflict, reads the member again, and keeps it if it has left
   * the set.
   */
  async #delete(object: KubeObject, type: ResourceType): Promise<void> {
    const { client, signal, dryRun = false, onStep } = this.#run;
    const { name = "", namespace } = object.metadata;
    const key = formatKey({ namespace, name });
    const outcome = await deleteIf<KubeObject>({
      known: object,
      read: () => client.get(metadataOf(type), key, { signal }),
      judge: (current) =>
        current.metadata.labels?.[PART_OF_LABEL] === idOf(this.#place) && isApplied(current),
      remove: (preconditions) => client.delete(type, key, { signal, dryRun, preconditions }),
      signal,
    });
    if (outcome !== "kept") onStep(stepOf(object, "pruned"));
  }

  #parent(kinds: ReadonlySet<string>, namespaces: ReadonlySet<string>): KubeObject {
    const { namespace } = this.#place;
    const others = [...namespaces].filter((each) => each !== namespace).sort();
    const parent = parentOf(this.#place);
    return {
      ...parent,
      metadata: {
        ...parent.metadata,
        labels: { [ID_LABEL]: idOf(this.#place) },
        annotations: {
          [TOOLING]: `${PROJECT_FIELD_MANAGER}/v1`,
          [GROUP_KINDS]: [...kinds].sort().join(","),
          [NAMESPACES]: others.join(","),
        },
      },
    };
  }
}

/** Returns the parent object of an operator's apply set, without the list of its contents. */
function parentOf({ name, namespace }: OperatorPlace): KubeObject & {
  readonly metadata: { readonly name: string; readonly namespace: string };
} {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-applyset`, namespace },
  };
}

/**
 * Returns the identifier of an operator's apply set, of the form `applyset-HASH-v1`, with a hash of
 * name, namespace, kind and group of the parent.
 */
export function idOf(place: OperatorPlace): string {
  const { name, namespace } = parentOf(place).metadata;
  const hash = createHash("sha256").update(`${name}.${namespace}.ConfigMap.`).digest("base64url");
  return `applyset-${hash}-v1`;
}

/** Reports whether an object of a deployment becomes a member of its apply set, by the kind. */
function isMember({ kind = "" }: KubeObject): boolean {
  return !NEVER_MEMBERS.has(kind);
}

/** Reports whether a deployment applied an object itself, and not a controller that copied labels. */
function isApplied({ metadata }: KubeObject): boolean {
  return metadata.managedFields?.some(({ manager, operation, subresource }) =>
    manager === PROJECT_FIELD_MANAGER && operation === "Apply" && !subresource
  ) ?? false;
}

function contentsOf(objects: readonly KubeObject[]): {
  readonly kinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
} {
  const members = objects.filter(isMember);
  const namespaces = members.flatMap(({ metadata: { namespace } }) => namespace ?? []);
  return { kinds: new Set(members.map(groupKindOf)), namespaces: new Set(namespaces) };
}

/** Returns `Kind.group` of an object, without the API version; only `Kind` for the core group. */
function groupKindOf({ apiVersion = "", kind = "" }: KubeObject): string {
  return apiVersion.includes("/") ? `${kind}.${apiVersion.split("/")[0]}` : kind;
}

function identityOf(object: KubeObject): string {
  const { namespace = "", name = "" } = object.metadata;
  return [groupKindOf(object), namespace, name].join("/");
}

function listOf(text = ""): string[] {
  return text.split(",").filter((each) => each !== "");
}
