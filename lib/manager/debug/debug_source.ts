/** The query parameters of a request for `/debug`. */
export interface DebugQuery {
  /** The name of the controller to report on. @default all */
  readonly controller?: string | undefined;
  /**
   * The key of the object to explain in the report, `namespace/name`, or `name` when
   * cluster-scoped.
   *
   * @default none
   */
  readonly key?: string | undefined;
}

/**
 * A source of one section of the report that the endpoint `/debug` serves as JSON: the state of one
 * part of the process, such as its queues or its caches.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { debugEndpoint, type DebugSource } from "@xca/operator/manager";
 *
 * const queues: DebugSource = {
 *   name: "queues",
 *   report: ({ controller = "xca" }) => ({ [controller]: { waiting: 3 } }),
 * };
 * const answer = await debugEndpoint([queues])(new Request("https://localhost/debug/queues"));
 * assert.deepEqual(await answer.json(), { xca: { waiting: 3 } });
 * ```
 */
export interface DebugSource {
  /** The name of the section: its field in the report, and its path `/debug/<name>`. */
  readonly name: string;
  /**
   * Returns the section as a value that JSON can represent. The function must not change state;
   * when it throws, `/debug` shows the error in place of the section.
   */
  report(query: DebugQuery): unknown;
}
