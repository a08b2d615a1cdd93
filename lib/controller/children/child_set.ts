import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import {
  isDnsLabel,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { ApplyFields } from "../../client/typed/patch_fields.ts";
import { applyChild, type ChildContext, type ChildResult } from "./apply_child.ts";
import { type ChildOwner, ownedChild } from "./child_ownership.ts";
import { groupResourceOf } from "../definition/group_resource.ts";
import { pruneChildren } from "./prune_children.ts";

/**
 * The name of the label by which a {@linkcode ChildSet} finds its children, in addition to their
 * owner reference.
 */
const SET_LABEL = "app.kubernetes.io/managed-by";

/**
 * A desired child object of a {@linkcode ChildSet}, made by {@linkcode child}: its resource and its
 * fields for server-side apply.
 */
export interface Child {
  /** The resource of the desired child. */
  readonly type: ResourceType;
  /**
   * The desired fields of the child object. A namespaced child without a namespace gets that of the
   * parent; the set adds its label.
   */
  readonly fields: ApplyFields<KubeObject>;
}

/**
 * Returns a desired child object. The compiler checks the fields against the type of the resource.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { child } from "@xca/operator/controller";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const settings = child(ConfigMap, { metadata: { name: "web" }, data: { colour: "blue" } });
 * assert.equal(settings.type, ConfigMap);
 * ```
 */
export function child<T extends KubeObject>(
  type: ResourceType<T>,
  fields: ApplyFields<NoInfer<T>>,
): Child {
  return { type, fields: fields as ApplyFields<KubeObject> };
}

/** The argument of the {@linkcode ChildSet} constructor. */
export interface ChildSetInit<Parent extends KubeObject> {
  /**
   * The name of the child set: the field manager of its children, and the value of their label
   * `app.kubernetes.io/managed-by`. A parent may have several sets of different names.
   */
  readonly name: string;
  /** The resource of the children's parent. */
  readonly parent: ResourceType<Parent>;
  /**
   * The resources of the set's children; the controller must declare each of them by `owns` with
   * {@linkcode childSource}. A resource that is no longer used must stay listed until no child of
   * the resource is left, unless another version of the resource is listed.
   */
  readonly types: readonly ResourceType[];
  /**
   * Returns all children that a parent should have now; the set's other children are deleted. The
   * result must depend on the parent and the cache alone, and the children's names on the parent's
   * name.
   */
  readonly desired: (
    parent: Parent,
    context: ChildContext,
  ) => readonly Child[] | Promise<readonly Child[]>;
  /**
   * Sets whether an existing object of a child's name without a controller is adopted as the child.
   *
   * @default {false}
   */
  readonly adopt?: boolean | undefined;
}

/**
 * The result of {@linkcode ChildSet.reconcile}, which creates, updates and deletes child objects.
 */
export interface ChildSetResult {
  /** The results of the desired children, in the order in which `desired` returned them. */
  readonly children: readonly ChildResult[];
  /**
   * The keys of the children that the call deleted, each with its resource; children that were
   * being deleted already are left out.
   */
  readonly deleted: readonly { readonly type: ResourceType; readonly key: ObjectKey }[];
}

/** The names of all options of {@linkcode ChildSet}. */
const CHILD_SET_OPTIONS: OptionNames<ChildSetInit<KubeObject>> = {
  name: true,
  parent: true,
  types: true,
  desired: true,
  adopt: true,
};

/**
 * A set of child objects, computed as a function of the parent object. {@linkcode
 * ChildSet.reconcile} applies every desired child, in order, as {@linkcode applyChild} does, then
 * deletes the children that are no longer desired, as {@linkcode pruneChildren} does. An error
 * leaves the remaining steps to the next run, and no child is deleted before every desired child
 * has been applied. Without a difference no request is sent.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import {
 *   child, childSource, ChildSet, controllerFor, reconcileOnce,
 * } from "@xca/operator/controller";
 * import { ConfigMap, Secret } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * const secrets = new ChildSet({
 *   name: "token-operator",
 *   parent: ConfigMap,
 *   types: [Secret],
 *   desired: ({ data = {} }) => Object.keys(data).map((name) => child(Secret, { metadata: { name } })),
 * });
 * const controller = controllerFor(ConfigMap).owns(Secret, childSource).reconcile(async (context) => {
 *   const map = context.cache.get(ConfigMap, context.key);
 *   if (map) await secrets.reconcile(context, map);
 * });
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * let map = await client.create(ConfigMap, { metadata: { name: "web" }, data: { a: "", b: "" } });
 * await reconcileOnce(controller, "default/web", { client });
 * map = await client.update(ConfigMap, { ...map, data: { b: "", c: "" } });
 * await reconcileOnce(controller, "default/web", { client });
 * const { items } = await client.list(Secret, { namespace: "default" });
 * assert.deepEqual(items.map(({ metadata }) => metadata.name), ["b", "c"]);
 * ```
 */
export class ChildSet<Parent extends KubeObject> {
  readonly #init: ChildSetInit<Parent>;

  /**
   * Creates the definition of a set of child objects, for any number of parents; no request is
   * sent.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label.
   * @throws {TypeError} When an option is unknown.
   */
  constructor(init: ChildSetInit<Parent>) {
    if (typeof init?.name !== "string" || !isDnsLabel(init.name)) {
      throw new RangeError(
        "Cannot define a set of children: its name must be at most 63 lower-case letters, digits and " +
          `dashes, is ${JSON.stringify(init?.name)}`,
      );
    }
    checkOptionNames(`Cannot define the set of children ${init.name}`, init, CHILD_SET_OPTIONS);
    this.#init = init;
  }

  /**
   * Applies the desired children of a parent and deletes its other children of the set; returns the
   * result for each child. For a parent that is being deleted, does nothing and returns an empty
   * result: the garbage collector deletes its children.
   *
   * @throws {ForeignChildError} When an object with another controller, or with none unless `adopt`
   * is set, has the name of a desired child.
   * @throws {TypeError} When `desired` returns no array, a desired child is of a resource that the
   * set does not list, two have one key, or one sets the label of the set to another value; and in
   * the cases of {@linkcode applyChild}. No child is applied if `desired` returned an invalid list.
   * @throws {CacheReadError} When the controller does not own a resource with {@linkcode
   * childSource}.
   * @throws {ApiError} When the server refuses a request.
   * @throws {unknown} The error of `desired`.
   */
  async reconcile(context: ChildContext, parent: Parent): Promise<ChildSetResult> {
    if (parent.metadata.deletionTimestamp) return { children: [], deleted: [] };
    const { name, parent: parentType, types, desired, adopt } = this.#init;
    const owner: ChildOwner = { type: parentType, object: parent };
    const returned: unknown = await desired(parent, context);
    if (!Array.isArray(returned)) {
      throw new TypeError(
        `Cannot reconcile the set of children ${name}: desired must return an array, and returned ` +
          (returned === null ? "null" : typeof returned),
      );
    }
    const wanted = (returned as readonly Child[]).map((each) => this.#labelled(each));
    const kept = this.#keys(wanted, owner);
    const children: ChildResult[] = [];
    for (const { type, fields } of wanted) {
      children.push(await applyChild(context, type, fields, { owner, fieldManager: name, adopt }));
    }
    const deleted: { type: ResourceType; key: ObjectKey }[] = [];
    for (const type of types) {
      const keep = kept.get(groupResourceOf(type))!;
      const labelSelector = `${SET_LABEL}=${name}`;
      const keys = await pruneChildren(context, { owner, type, labelSelector, keep });
      deleted.push(...keys.map((key) => ({ type, key })));
    }
    return { children, deleted };
  }

  #labelled({ type, fields }: Child): Child {
    const { name } = this.#init;
    const { labels } = fields.metadata;
    const given = labels?.[SET_LABEL];
    if (given !== undefined && given !== name) {
      throw new TypeError(
        `Cannot apply ${type.kind} ${fields.metadata.name}: its label ${SET_LABEL} is that of the set ` +
          `${name}, is ${JSON.stringify(given)}; leave it out`,
      );
    }
    const metadata = { ...fields.metadata, labels: { ...labels, [SET_LABEL]: name } };
    return { type, fields: { ...fields, metadata } as ApplyFields<KubeObject> };
  }

  /**
   * Returns the keys of the desired children per resource of the set; the versions of a resource
   * share one set of keys, so that a child of one version is not deleted as one of another.
   *
   * @throws {TypeError} When the set does not list the resource of a child, or two children have
   * one key.
   */
  #keys(wanted: readonly Child[], owner: ChildOwner): Map<string, Set<ObjectKey>> {
    const { name, types } = this.#init;
    const listed = new Set(types.map(({ id }) => id));
    const keys = new Map(types.map((type) => [groupResourceOf(type), new Set<ObjectKey>()]));
    for (const { type, fields } of wanted) {
      const key = keyOf(ownedChild(type, fields as KubeObject, owner));
      const known = keys.get(groupResourceOf(type));
      if (!known || !listed.has(type.id)) {
        throw new TypeError(
          `Cannot apply ${type.kind} ${key}: the set of children ${name} does not list ${type.id} in ` +
            "types, and would never delete it",
        );
      }
      if (known.has(key)) {
        throw new TypeError(`Cannot apply ${type.kind} ${key}: the set ${name} has it twice`);
      }
      known.add(key);
    }
    return keys;
  }
}
