import {
  type Condition,
  type ConditionInit,
  isConditionTrue,
  setCondition,
  type SetConditionOptions,
} from "./condition.ts";

/** The summary of an object's state in one word; see {@linkcode setSummary}. */
export type SummaryState = "Ready" | "Progressing" | "Degraded";

/** The state of an object and its cause, for {@linkcode setSummary}. */
export interface Summary {
  /** The summarized state of the object. */
  readonly state: SummaryState;
  /** The cause of the object's state: one word in CamelCase, for programs. */
  readonly reason: string;
  /** The message about the object's state, for users. @default {""} */
  readonly message?: string;
}

/**
 * The states that a {@linkcode Summary} can have, in the order in which {@linkcode setSummary} adds
 * their conditions.
 */
const STATES: readonly SummaryState[] = ["Ready", "Progressing", "Degraded"];

/**
 * Returns a list of conditions in which `Ready`, `Progressing` and `Degraded` express one summary:
 * the condition of the state is `True`, the other two are `False`. Other conditions are kept, and
 * the rules of {@linkcode setCondition} apply.
 *
 * - `Ready`: the object is as its spec asks.
 * - `Progressing`: the controller works towards the spec, and nothing has failed.
 * - `Degraded`: the controller cannot reach the spec without a change from outside, or something
 *   that was reached has broken.
 *
 * @throws {TypeError} When the state is unknown, or the reason is not one that the API accepts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { setSummary } from "@xca/apimachinery/meta";
 *
 * const summary = { state: "Progressing", reason: "Starting", message: "1 of 3 replicas" } as const;
 * const conditions = setSummary(undefined, summary, { now: new Date(), generation: 1 });
 * assert.deepEqual(conditions.map(({ type, status }) => `${type}=${status}`), [
 *   "Ready=False",
 *   "Progressing=True",
 *   "Degraded=False",
 * ]);
 * ```
 */
export function setSummary(
  conditions: readonly Condition[] | undefined,
  summary: Summary,
  options: SetConditionOptions,
): readonly Condition[] {
  const { state, ...cause } = summary;
  if (!STATES.includes(state)) {
    throw new TypeError(
      `Cannot summarize: the state must be one of ${STATES.join(", ")}, is ${
        JSON.stringify(state)
      }`,
    );
  }
  let result: readonly Condition[] = conditions ?? [];
  for (const type of STATES) {
    const condition: ConditionInit = { ...cause, type, status: type === state ? "True" : "False" };
    result = setCondition(result, condition, options);
  }
  return result;
}

/**
 * Returns the first of `Degraded`, `Progressing` and `Ready` that is the type of a `True`
 * condition; `undefined` when there is none.
 *
 * With `generation`, conditions that were computed from an older generation do not count.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { summaryOf } from "@xca/apimachinery/meta";
 *
 * const conditions = [{ type: "Ready", status: "True" }, { type: "Degraded", status: "False" }];
 * assert.equal(summaryOf(conditions), "Ready");
 * ```
 */
export function summaryOf(
  conditions: Parameters<typeof isConditionTrue>[0],
  options: { readonly generation?: number | undefined } = {},
): SummaryState | undefined {
  return STATES.toReversed().find((type) => isConditionTrue(conditions, type, options));
}
