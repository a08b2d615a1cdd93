import { ignoreRejection, isInstance } from "@xca/apimachinery/internal/base";
import { checkFunction } from "./value_checks.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * An event of an informer about one object that was added, updated or deleted, or resynced (an
 * update with equal versions): the argument of a predicate.
 */
export type ChangeEvent<T extends KubeObject = KubeObject> =
  | {
    readonly type: "added";
    readonly object: ObservedObject<T>;
    /**
     * Reports whether the added object existed when the event handler was added: in the informer's
     * first list, or in its store.
     */
    readonly isInInitialList: boolean;
  }
  | {
    readonly type: "updated";
    readonly old: ObservedObject<T>;
    /** The object after the update event; the same version as `old` at a resync. */
    readonly object: ObservedObject<T>;
  }
  | { readonly type: "deleted"; readonly object: ObservedObject<T> };

/**
 * A function that returns `true` for the informer events that a controller handles, and `false` for
 * events to drop. Predicates should read only the metadata of objects (labels, generation and the
 * like), so that dropped objects are never parsed; reading `object.object` parses the object.
 *
 * If a predicate throws, the error is logged and the event passes, since a superfluous run is
 * harmless and a missing one is not.
 */
export type Predicate<T extends KubeObject = KubeObject> = (event: ChangeEvent<T>) => boolean;

/**
 * A predicate that passes creations, deletions, and updates that changed `metadata.generation` or
 * the UID. The generation changes with the desired state and at the start of a deletion, but not
 * with labels, annotations or, in most resources, the status.
 *
 * The generation of a custom resource without the status subresource changes with its status too.
 * Objects without a generation, such as ConfigMaps, always pass. A resync of an object with a
 * generation does not pass.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, generationChanged } from "@xca/operator/controller";
 * import { Deployment } from "@xca/operator/meta";
 *
 * const controller = controllerFor(Deployment).withPredicates(generationChanged).reconcile(() => {});
 * assert.deepEqual(controller.sources[0]?.predicates, [generationChanged]);
 * ```
 */
export const generationChanged: Predicate = (event: ChangeEvent): boolean => {
  if (event.type !== "updated") return true;
  const { old, object } = event;
  if (object.generation === undefined && old.generation === undefined) return true;
  return object.generation !== old.generation || object.uid !== old.uid;
};

/**
 * A predicate that passes creations, deletions, and updates that added, changed or removed a label;
 * a resync does not pass.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, labelChanged } from "@xca/operator/controller";
 * import { Namespace } from "@xca/operator/meta";
 *
 * const controller = controllerFor(Namespace).withPredicates(labelChanged).reconcile(() => {});
 * assert.deepEqual(controller.sources[0]?.predicates, [labelChanged]);
 * ```
 */
export const labelChanged: Predicate = (event: ChangeEvent): boolean =>
  event.type !== "updated" || !sameRecord(event.old.labels, event.object.labels);

/**
 * A predicate that passes creations, deletions, and updates that added, changed or removed an
 * annotation; a resync does not pass.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { annotationChanged, controllerFor } from "@xca/operator/controller";
 * import { Service } from "@xca/operator/meta";
 *
 * const controller = controllerFor(Service).withPredicates(annotationChanged).reconcile(() => {});
 * assert.deepEqual(controller.sources[0]?.predicates, [annotationChanged]);
 * ```
 */
export const annotationChanged: Predicate = (event: ChangeEvent): boolean =>
  event.type !== "updated" || !sameRecord(event.old.annotations, event.object.annotations);

/**
 * Returns a predicate that passes an event if all given predicates pass the event; without
 * predicates, every event. The predicates are called in order, up to the first that drops the
 * event.
 *
 * @throws {TypeError} When an argument is not a function.
 *
 * @example
 * ```ts
 * import { and, generationChanged, not, type Predicate } from "@xca/operator/controller";
 *
 * const paused: Predicate = ({ object }) => object.labels.paused === "true";
 * const relevant: Predicate = and(generationChanged, not(paused));
 * ```
 */
export function and<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return named(
    "and",
    predicates,
    (event) => predicates.every((predicate) => isPassed(predicate, event)),
  );
}

/**
 * Returns a predicate that passes an event if at least one of the given predicates passes the
 * event; without predicates, no event. The predicates are called in order, up to the first that
 * passes the event.
 *
 * @throws {TypeError} When an argument is not a function.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { ObservedObject } from "@xca/operator/cache";
 * import { generationChanged, labelChanged, or } from "@xca/operator/controller";
 *
 * const relevant = or(generationChanged, labelChanged);
 * const old = { uid: "1", generation: 1, labels: { tier: "web" } } as unknown as ObservedObject;
 * const labelled = { ...old, labels: { tier: "db" } } as ObservedObject;
 * assert(relevant({ type: "updated", old, object: labelled }));
 * assert(!relevant({ type: "updated", old, object: old }));
 * ```
 */
export function or<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return named(
    "or",
    predicates,
    (event) => predicates.some((predicate) => isPassed(predicate, event)),
  );
}

/**
 * Returns a predicate that passes exactly the events that the given one drops, including creations
 * and deletions.
 *
 * @throws {TypeError} When an argument is not a function.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { ObservedObject } from "@xca/operator/cache";
 * import { not, type Predicate } from "@xca/operator/controller";
 *
 * const isSystem: Predicate = ({ object }) => object.namespace.startsWith("kube-");
 * const object = { namespace: "kube-system" } as ObservedObject;
 * assert(!not(isSystem)({ type: "deleted", object }));
 * ```
 */
export function not<T extends KubeObject = KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return named("not", [predicate], (event) => !isPassed(predicate, event));
}

/**
 * Reports whether an event passes a predicate.
 *
 * @throws {unknown} The error of the predicate.
 * @throws {TypeError} When the predicate returns a promise, which no event can wait for.
 */
export function isPassed<T extends KubeObject>(
  predicate: Predicate<T>,
  event: ChangeEvent<T>,
): boolean {
  const verdict: unknown = ignoreRejection(predicate(event));
  if (!isInstance(verdict, Promise)) return Boolean(verdict);
  throw new TypeError("it must answer true or false at once, and returned a promise");
}

/**
 * Returns a combined predicate after checking its parts, and sets its function name from the names
 * of the parts, such as `and(generationChanged, anonymous)`, for the trace of dropped events.
 *
 * @throws {TypeError} When a part is not a function.
 */
function named<T extends KubeObject>(
  combinator: string,
  parts: readonly Predicate<T>[],
  predicate: Predicate<T>,
): Predicate<T> {
  for (const [at, part] of parts.entries()) {
    checkFunction(part, `Cannot combine predicates by ${combinator}(): argument ${at + 1}`);
  }
  const names = parts.map(({ name }) => name || "anonymous").join(", ");
  return Object.defineProperty(predicate, "name", { value: `${combinator}(${names})` });
}

function sameRecord(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}
