import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
} from "@xca/apimachinery/kubernetes-types";
import { storageVersionOf, storedVersionsOf } from "../compare/definitions.ts";

/** The names of the steps of a storage migration plan, in their order. */
export const STORAGE_STEPS = ["serve", "store", "migrate", "prune", "unserve", "remove"] as const;

/** The name of a step of a storage migration plan. */
export type StorageStepName = typeof STORAGE_STEPS[number];

/** A step of the migration of stored objects to another version. */
export interface StorageStep {
  /** The name of the migration step. */
  readonly name: StorageStepName;
  /** The state of the migration step: done, the next one to do, or later. */
  readonly state: "done" | "next" | "later";
  /** The action of the migration step, as a sentence in the imperative. */
  readonly title: string;
  /** The reason for the migration step. */
  readonly why: string;
  /**
   * The CustomResourceDefinition that the migration step installs; absent for `migrate` and
   * `prune`.
   */
  readonly definition?: V1CustomResourceDefinition;
}

/**
 * The plan of a storage migration: the ordered steps by which a definition becomes its next state
 * without the loss of stored objects.
 */
export interface StoragePlan {
  /** The name of the CustomResourceDefinition that is migrated. */
  readonly crd: string;
  /** The versions in which objects of the migrated definition may be stored at present. */
  readonly storedVersions: readonly string[];
  /** The version in which objects are stored after the migration. */
  readonly target: string;
  /** The migration steps; empty when the next definition can be installed at once. */
  readonly steps: readonly StorageStep[];
}

/**
 * Returns the plan by which the stored objects of a definition move to the storage version of its
 * next state: serve both versions, store in the new one, rewrite each object, remove the old
 * version from `status.storedVersions`; if the next state lacks the old version, also stop serving
 * it and remove it. The state of each step follows from the definition in use, as a cluster returns
 * it; without a status, all objects are assumed to be stored in its storage version.
 *
 * @throws {RangeError} When the next definition has no storage version.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 * import { planStorage } from "@xca/operator/evolution";
 *
 * const definition = (...versions: string[]) => ({
 *   metadata: { name: "locks.example.org" },
 *   spec: {
 *     group: "example.org",
 *     names: { kind: "Lock", plural: "locks" },
 *     scope: "Namespaced",
 *     versions: versions.map((name, index) => ({ name, served: true, storage: index === 0 })),
 *   },
 * } as V1CustomResourceDefinition);
 *
 * const { steps } = planStorage(definition("v1alpha1"), definition("v1"));
 * assert.deepEqual(steps.map(({ name, state }) => `${name}: ${state}`), [
 *   "serve: next",
 *   "store: later",
 *   "migrate: later",
 *   "prune: later",
 *   "unserve: later",
 *   "remove: later",
 * ]);
 * ```
 */
export function planStorage(
  current: V1CustomResourceDefinition,
  next: V1CustomResourceDefinition,
): StoragePlan {
  const target = storageVersionOf(next);
  if (target === undefined) throw new RangeError(`${next.metadata.name} has no storage version`);
  const storedVersions = storedVersionsOf(current);
  const crd = current.metadata.name ?? "";
  const removed = current.spec.versions.filter(({ name }) => !has(next, name));
  const isMoved = storedVersions.every((name) => name === target);
  const needsSteps = !isMoved || storageVersionOf(current) !== target || removed.length > 0;
  const drafts = needsSteps ? draftSteps(current, next, target, storedVersions) : [];
  const first = drafts.findIndex(({ isDone }) => !isDone);
  const steps = drafts.map(({ isDone, ...step }, index): StorageStep => {
    const state = isDone ? "done" : index === first ? "next" : "later";
    return { ...step, state };
  });
  return { crd, storedVersions, target, steps };
}

type Draft = Omit<StorageStep, "state"> & { readonly isDone: boolean };

function draftSteps(
  current: V1CustomResourceDefinition,
  next: V1CustomResourceDefinition,
  target: string,
  storedVersions: readonly string[],
): Draft[] {
  const from = storedVersions.filter((name) => name !== target);
  const storage = storageVersionOf(current);
  const leaving = current.spec.versions.filter(({ name }) => !has(next, name));
  const names = leaving.map(({ name }) => name).join(", ");
  const others = from.join(", ") || storage || "";
  const isMoved = from.length === 0 && storage === target;
  const both = (storing: string): V1CustomResourceDefinition =>
    merged(current, next, storing, true);
  const steps: Draft[] = [
    {
      name: "serve",
      isDone: has(current, target),
      title: `serve ${target} beside ${others}`,
      why:
        "clients can change to the new version while every API server knows both; from here the " +
        "old definition can still be installed again",
      definition: both(storage ?? target),
    },
    {
      name: "store",
      isDone: storage === target,
      title: `store objects as ${target}`,
      why: `each write now stores ${target}; objects that are not written stay stored as ${others}`,
      definition: both(target),
    },
    {
      name: "migrate",
      isDone: isMoved,
      title: `write every object once, so that it is stored as ${target}`,
      why: "a version that an object is stored in cannot be removed",
    },
    {
      name: "prune",
      isDone: isMoved,
      title: `remove ${others} from status.storedVersions`,
      why:
        "the API server refuses a definition that lacks a stored version; it never removes one " +
        "from the list itself",
    },
  ];
  if (leaving.length === 0) return steps;
  return [...steps, {
    name: "unserve",
    isDone: isMoved && leaving.every(({ served }) => !served),
    title: `stop to serve ${names}`,
    why: "clients that still use the version show up, and serving it again is one change",
    definition: merged(current, next, target, false),
  }, {
    name: "remove",
    isDone: false,
    title: `remove ${names}`,
    why: "nothing stores or uses the version",
    definition: withoutStatus(next),
  }];
}

function has({ spec }: V1CustomResourceDefinition, version: string): boolean {
  return spec.versions.some(({ name }) => name === version);
}

/**
 * Returns the next definition with the versions that it removes added again, and with a given
 * storage version. If `served` is true, all versions that the current definition serves are served;
 * otherwise the added versions are not served.
 */
function merged(
  current: V1CustomResourceDefinition,
  next: V1CustomResourceDefinition,
  storage: string,
  served: boolean,
): V1CustomResourceDefinition {
  const kept = next.spec.versions.map((version): V1CustomResourceDefinitionVersion => {
    const before = current.spec.versions.find(({ name }) => name === version.name);
    // A version that is served keeps being served until the objects have moved.
    const isServed = version.served || (served && before?.served === true);
    return { ...version, served: isServed, storage: version.name === storage };
  });
  const leaving = current.spec.versions.filter(({ name }) => !has(next, name))
    .map((version): V1CustomResourceDefinitionVersion => ({
      ...version,
      served: served && version.served,
      storage: version.name === storage,
    }));
  const definition = withoutStatus(next);
  return { ...definition, spec: { ...definition.spec, versions: [...kept, ...leaving] } };
}

function withoutStatus(definition: V1CustomResourceDefinition): V1CustomResourceDefinition {
  const { status: _, ...rest } = definition;
  return rest;
}
