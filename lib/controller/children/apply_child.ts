import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ApplyFields } from "../../client/typed/patch_fields.ts";
import { retryOnConflict } from "../../client/typed/retry_on_conflict.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { isApplied, labelsAfterApply } from "./applied_fields.ts";
import { checkOwned, type ChildOwner, ownedChild } from "./child_ownership.ts";
import { ofVersion } from "./of_version.ts";
import { redundantApply } from "./redundant_applies.ts";

/** The members of a {@linkcode ReconcileContext} that the functions for child objects use. */
export type ChildContext =
  & Pick<ReconcileContext, "client" | "cache" | "signal" | "outsideOf">
  & Partial<Pick<ReconcileContext, "clock" | "random">>;

/** Options of {@linkcode applyChild}, which applies a child object of the reconciled object. */
export interface ApplyChildOptions {
  /**
   * The owner of the child, which becomes the child's controller (owner reference with `controller:
   * true`).
   */
  readonly owner: ChildOwner;
  /**
   * The name of the field manager that applies the child's fields. The name must be the same in
   * every version of the operator.
   */
  readonly fieldManager: string;
  /**
   * Sets whether the apply takes over fields that other field managers own, as controllers should,
   * instead of failing with a conflict.
   *
   * @default {true}
   */
  readonly force?: boolean | undefined;
  /**
   * Sets whether an existing object of the child's name without a controller is adopted as the
   * child, such as one that was restored from a backup without its owner.
   *
   * @default {false}
   */
  readonly adopt?: boolean | undefined;
}

/**
 * A resourceVersion that no object has. The API server compares the resourceVersion of an apply
 * with that of the existing object, and ignores it when there is no object, so that an apply with
 * this value creates an object and never changes one.
 */
const VERSION_OF_NONE = "9223372036854775807";

/** The names of all options of {@linkcode applyChild}. */
const APPLY_CHILD_OPTIONS: OptionNames<ApplyChildOptions> = {
  owner: true,
  fieldManager: true,
  force: true,
  adopt: true,
};

/**
 * The result of {@linkcode applyChild} and {@linkcode createOrUpdate}: the outcome, and the object.
 */
export interface ChildResult<T extends KubeObject = KubeObject> {
  /**
   * The outcome for the child: `created`, `updated`, `unchanged` (no write was sent, or the apply
   * changed nothing), or, by {@linkcode applyChild} only, `deleting` (the deleted child must
   * disappear before it can be created again; its disappearance is an event).
   */
  readonly outcome: "created" | "updated" | "unchanged" | "deleting";
  /**
   * The child object in the response to the last request; if no request was sent, a copy of the
   * cached object.
   */
  readonly object: T;
}

/**
 * Creates or updates a child object by server-side apply of its desired fields, with `owner` as its
 * controller. An object of its name that has another controller is never changed.
 *
 * Nothing is sent when the apply would change nothing. `applyChild` decides that by the cached
 * child: its `managedFields` state that the field manager owns exactly these fields, and each has
 * the desired value. Where the server stores another form of a value, such as `500m` for a CPU of
 * `0.5`, one apply is sent, and none again while both the desired fields and the child stay as they
 * are. So a change of the child by others is corrected, a field that is no longer desired is
 * removed, and a restart of the operator costs no write. A cache without `managedFields` leads to
 * an apply on each run.
 *
 * A child that is not in the cache is read from the server first, since the source may be
 * restricted by selectors. The write names the UID and the resourceVersion of the child that was
 * judged, so that neither a new object of its name nor a child that its owner has just given away
 * is changed: after a conflict the child is read again and judged again. An apply that creates the
 * child fails where an object of its name appears meanwhile, and that object is judged as an
 * existing one. For this the creating apply carries a resourceVersion that no object has, which
 * admission policies and webhooks see.
 *
 * @throws {ForeignChildError} When an object of that name has another controller, or has none and
 * `adopt` is not set.
 * @throws {TypeError} When an option is unknown, when the child would be outside of the selectors
 * or namespaces of its sources, so that the controller would never see or prune the child, when the
 * owner has no UID, or when the child is in another namespace than the owner, or cluster-scoped
 * with a namespaced owner.
 * @throws {CacheReadError} When the controller does not own or watch the resource of the child.
 * @throws {ApiError} When the server refuses a request; a conflict only if the child has not
 * changed, or every try conflicted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyChild, controllerFor, reconcileOnce } from "@xca/operator/controller";
 * import { ConfigMap, Secret } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * const outcomes: string[] = [];
 * const controller = controllerFor(ConfigMap).owns(Secret).reconcile(async (context) => {
 *   const map = context.cache.get(ConfigMap, context.key);
 *   if (!map) return;
 *   const secret = { metadata: { name: `${context.name}-token` }, data: { token: "eA==" } };
 *   const options = { owner: { type: ConfigMap, object: map }, fieldManager: "token-operator" };
 *   const { outcome } = await applyChild(context, Secret, secret, options);
 *   outcomes.push(outcome);
 * });
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "web" } });
 * for (let run = 0; run < 2; run++) await reconcileOnce(controller, "default/web", { client });
 * assert.deepEqual(outcomes, ["created", "unchanged"]);
 * ```
 */
export async function applyChild<T extends KubeObject>(
  context: ChildContext,
  type: ResourceType<T>,
  child: ApplyFields<NoInfer<T>>,
  options: ApplyChildOptions,
): Promise<ChildResult<T>> {
  checkOptionNames(`Cannot apply ${type.kind}`, options, APPLY_CHILD_OPTIONS);
  const { client, cache } = context;
  const { owner, fieldManager, force = true, adopt = false } = options;
  const wanted = ownedChild(type, child as T, owner);
  const key = keyOf(wanted);
  const send = (object: T): Promise<T> =>
    client.apply<KubeObject>(type, object as ApplyFields<KubeObject>, {
      fieldManager,
      force,
    }) as Promise<T>;
  const judged = async (current: T | undefined): Promise<ChildResult<T>> => {
    if (!current) {
      checkSeen(context, type, wanted);
      return {
        outcome: "created",
        object: await send(ofVersion(wanted, { resourceVersion: VERSION_OF_NONE })),
      };
    }
    checkOwned(type, current, owner, { adopt });
    if (current.metadata.deletionTimestamp) return { outcome: "deleting", object: current };
    const labels = labelsAfterApply(current, wanted, fieldManager);
    checkSeen(context, type, { ...wanted, metadata: { ...wanted.metadata, labels } });
    return await changed({ cache, current, wanted, fieldManager, send });
  };
  const read = (): Promise<T | undefined> => ignoreNotFound(client.get(type, key));
  return await onCurrent(context, cache.get(type, key) ?? await read(), { read, judged });
}

/** The argument of {@linkcode onCurrent}: the read of an object, and a write that depends on it. */
interface Judgement<T extends KubeObject, Result> {
  /** Reads the object from the server; resolves to `undefined` when there is none. */
  readonly read: () => Promise<T | undefined>;
  /**
   * Judges and writes the object (`undefined` for a missing one); the server refuses the write with
   * a conflict when the object is no longer `current`.
   */
  readonly judged: (current: T | undefined) => Promise<Result>;
}

/**
 * Calls `judged` with the known state of an object, and after a conflict with the state that the
 * server has now, for the number of tries of {@linkcode retryOnConflict}; returns its result. A
 * conflict about an object that has not changed, such as that of field managers or of the quota, is
 * thrown.
 */
async function onCurrent<T extends KubeObject, Result>(
  { signal, clock, random }: ChildContext,
  known: T | undefined,
  { read, judged }: Judgement<T, Result>,
): Promise<Result> {
  let current = known;
  let conflict: { readonly error: unknown } | undefined;
  const attempt = async (): Promise<{ readonly result: Result } | { readonly error: unknown }> => {
    if (conflict) {
      const version = current?.metadata.resourceVersion;
      current = await read();
      if (current?.metadata.resourceVersion === version) return conflict;
    }
    try {
      return { result: await judged(current) };
    } catch (error) {
      conflict = { error };
      throw error;
    }
  };
  const ended = await retryOnConflict(attempt, { signal, clock, random });
  if ("error" in ended) throw ended.error;
  return ended.result;
}

/** The argument of {@linkcode changed}: an existing child, and the fields to apply to the child. */
interface Change<T extends KubeObject> {
  readonly cache: CacheReader;
  readonly current: T;
  readonly wanted: T;
  readonly fieldManager: string;
  readonly send: (object: T) => Promise<T>;
}

/**
 * Applies the desired fields of an existing child by server-side apply, unless the apply is known
 * to change nothing; returns the outcome and the child.
 */
async function changed<T extends KubeObject>(
  { cache, current, wanted, fieldManager, send }: Change<T>,
): Promise<ChildResult<T>> {
  if (isApplied(current, wanted, fieldManager)) return { outcome: "unchanged", object: current };
  const redundant = redundantApply(cache, current, wanted, fieldManager);
  if (redundant.isKnown) return { outcome: "unchanged", object: current };
  const object = await send(ofVersion(wanted, current.metadata));
  redundant.note(object);
  const isSame = object.metadata.resourceVersion === current.metadata.resourceVersion;
  return { outcome: isSame ? "unchanged" : "updated", object };
}

/**
 * Throws unless a cache of the controller may have the child once the child is applied.
 *
 * @throws {TypeError} When the child is outside of the selectors and namespaces of all sources of
 * its resource.
 */
function checkSeen({ outsideOf }: ChildContext, type: ResourceType, child: KubeObject): void {
  const scopes = outsideOf?.(type, child);
  if (scopes === undefined) return;
  throw new TypeError(
    `Cannot apply ${type.kind} ${
      keyOf(child)
    }: it is outside of ${scopes}, to which the sources of ` +
      "the controller are restricted, so that it would never be seen nor deleted; set what the source " +
      "selects, or widen the source",
  );
}
