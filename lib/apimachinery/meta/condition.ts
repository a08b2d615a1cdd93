// Mirrors `api/meta/conditions.go, SetStatusCondition`.
import { formatTime } from "./time.ts";

/**
 * The status of a condition. `Unknown` means that the controller could not determine whether the
 * condition is true.
 */
export type ConditionStatus = "True" | "False" | "Unknown";

/** A condition in the status of an object, as metav1.Condition defines it. */
export interface Condition {
  /** The name of the condition in CamelCase, such as `Ready`; unique in the list of an object. */
  type: string;
  /** The status of the condition: `True` if the state that `type` names is present. */
  status: ConditionStatus;
  /**
   * The cause of the last change of the condition's status: one word in CamelCase, for programs.
   */
  reason: string;
  /** The message of the condition, for users; may be empty. */
  message: string;
  /** The generation of the object for which the condition was computed. */
  observedGeneration?: number;
  /** The time at which the condition's status last changed: RFC 3339, UTC, whole seconds. */
  lastTransitionTime: string;
}

/** A condition to set: the fields that {@linkcode setCondition} does not fill in itself. */
export type ConditionInit = Pick<Condition, "type" | "status" | "reason"> & {
  /** The message of the condition, for users. @default {""} */
  readonly message?: string;
};

/** Options of {@linkcode setCondition}, which sets a condition of an object. */
export interface SetConditionOptions {
  /**
   * The current time, which becomes `lastTransitionTime` when the condition is new or its status
   * changes.
   */
  readonly now: Date;
  /**
   * The generation of the object for which the condition was computed. Without it, the condition
   * that is set has no `observedGeneration`. @default none
   */
  readonly generation?: number | undefined;
}

/**
 * A pattern of the condition reasons that every API server accepts (apis/meta/v1,
 * Condition.Reason): a letter, then letters, digits, underscores, commas and colons, not ending in
 * a comma or colon.
 */
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const LONGEST_REASON = 1_024;
/** The maximum length of a condition's message, in characters (apis/meta/v1, Condition.Message). */
const LONGEST_MESSAGE = 32_768;

/**
 * Returns a list of conditions in which one condition is set (pkg/api/meta/conditions.go,
 * SetStatusCondition). The argument is not changed.
 *
 * `lastTransitionTime` becomes the current time only when the status changes; a new reason, message
 * or generation keeps the time. A message of more than 32768 characters is cut. The order of the
 * list is kept, and a new condition comes last. When nothing changes, the given list itself is
 * returned, so that `===` shows whether a write is needed.
 *
 * @throws {TypeError} When the type, the status or the reason is not one that the API accepts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { setCondition } from "@xca/apimachinery/meta";
 *
 * const now = new Date("2026-01-02T03:04:05Z");
 * const ready = { type: "Ready", status: "True", reason: "Running" } as const;
 * const conditions = setCondition(undefined, ready, { now, generation: 2 });
 * assert.equal(conditions[0]?.lastTransitionTime, "2026-01-02T03:04:05Z");
 *
 * const later = { now: new Date("2026-01-03T00:00:00Z"), generation: 2 };
 * assert.equal(setCondition(conditions, ready, later), conditions);
 * ```
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: ConditionInit,
  options: SetConditionOptions,
): readonly Condition[] {
  checkCondition(condition);
  const before = findCondition(conditions, condition.type);
  const { type, status, reason, message = "" } = condition;
  const { generation, now } = options;
  const after: Condition = {
    type,
    status,
    reason,
    message: shortMessage(message),
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : formatTime(now),
  };
  if (!before) return [...conditions ?? [], after];
  if (isSame(before, after)) return conditions!;
  return conditions!.map((each) => each === before ? after : each);
}

/**
 * Returns the condition of a type, `undefined` when the list has none (pkg/api/meta/conditions.go,
 * FindStatusCondition).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findCondition } from "@xca/apimachinery/meta";
 *
 * const conditions = [{ type: "Ready", status: "False", reason: "Starting" }];
 * assert.equal(findCondition(conditions, "Ready")?.reason, "Starting");
 * assert.equal(findCondition(undefined, "Ready"), undefined);
 * ```
 */
export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((each) => each.type === type);
}

/**
 * Reports whether the condition of a type is `True` (pkg/api/meta/conditions.go,
 * IsStatusConditionTrue); false when the list has no such condition.
 *
 * With `generation`, a condition that was computed from an older generation does not count: an
 * object whose spec has just changed is not ready because it was ready before. A condition without
 * `observedGeneration` counts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isConditionTrue } from "@xca/apimachinery/meta";
 *
 * const conditions = [{ type: "Ready", status: "True", observedGeneration: 1 }];
 * assert(isConditionTrue(conditions, "Ready"));
 * assert(!isConditionTrue(conditions, "Ready", { generation: 2 }));
 * ```
 */
export function isConditionTrue(
  conditions:
    | readonly {
      readonly type: string;
      readonly status: string;
      readonly observedGeneration?: number;
    }[]
    | undefined,
  type: string,
  options: { readonly generation?: number | undefined } = {},
): boolean {
  const condition = findCondition(conditions, type);
  if (condition?.status !== "True") return false;
  const { generation } = options;
  const { observedGeneration } = condition;
  return generation === undefined || observedGeneration === undefined ||
    observedGeneration >= generation;
}

/**
 * Returns a list of conditions without the condition of a type (pkg/api/meta/conditions.go,
 * RemoveStatusCondition): the given list itself when it has no such condition, an empty list for
 * `undefined`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { removeCondition } from "@xca/apimachinery/meta";
 *
 * assert.deepEqual(removeCondition([{ type: "Ready" }, { type: "Stalled" }], "Stalled"), [
 *   { type: "Ready" },
 * ]);
 * ```
 */
export function removeCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  if (!findCondition(conditions, type)) return conditions ?? [];
  return conditions!.filter((each) => each.type !== type);
}

function isSame(before: Condition, after: Condition): boolean {
  return before.status === after.status && before.reason === after.reason &&
    before.message === after.message && before.observedGeneration === after.observedGeneration;
}

/**
 * Checks the type, status and reason of a condition that is to be set.
 *
 * @throws {TypeError} When the type, the status or the reason is not a value that the API accepts.
 */
function checkCondition({ type, status, reason }: ConditionInit): void {
  const what = `Cannot set condition ${JSON.stringify(type)}`;
  if (typeof type !== "string" || type === "") {
    throw new TypeError("Cannot set a condition without a type");
  }
  if (!["True", "False", "Unknown"].includes(status)) {
    throw new TypeError(
      `${what}: its status must be "True", "False" or "Unknown", is ${JSON.stringify(status)}`,
    );
  }
  if (typeof reason !== "string" || !REASON.test(reason) || reason.length > LONGEST_REASON) {
    throw new TypeError(
      `${what}: its reason must be one word in CamelCase, is ${JSON.stringify(reason)}`,
    );
  }
}

/**
 * Returns the message of a condition, cut to the length that API servers accept. A cut message ends
 * with `...`, and no surrogate pair is split.
 */
function shortMessage(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE - 4).replace(/[\ud800-\udbff]$/, "")}...`;
}
