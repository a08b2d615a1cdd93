import { markClass } from "@xca/apimachinery/internal/base";
import type { Clock } from "@xca/apimachinery/base";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";

/**
 * The result of a step on an object of a cluster: the object was applied (`created`, `configured`
 * or `unchanged`), `deleted` as requested, `pruned` since the present deployment lacks it, did not
 * exist (`absent`), or was not deleted (`kept`); its finalizers were removed; a definition is
 * served (`established`); or a Deployment is available (`rolled out`).
 */
export type ClusterAction =
  | "created"
  | "configured"
  | "unchanged"
  | "deleted"
  | "pruned"
  | "absent"
  | "kept"
  | "finalizers removed"
  | "established"
  | "rolled out";

/**
 * The result of a deployment command for one object, as {@linkcode ClusterRun.onStep} receives it.
 */
export interface ClusterStep {
  /** The name of the step's object as kubectl prints it, such as `deployment.apps/shop`. */
  readonly object: string;
  /** The namespace of the step's object; `undefined` for cluster-scoped objects. */
  readonly namespace: string | undefined;
  /** The result of the step on the object; with a dry run, the expected result. */
  readonly action: ClusterAction;
  /** The reason for the result, in a few words; absent if the result needs none. */
  readonly note?: string | undefined;
}

/**
 * The client, clock, signal, callback and option with which a deployment command changes a cluster.
 */
export interface ClusterRun {
  /** The client of the cluster that is changed. */
  readonly client: Client;
  /** The clock that measures the waits of the deployment command. */
  readonly clock: Clock;
  /**
   * The signal that aborts the deployment command; the functions that got this object then reject.
   */
  readonly signal: AbortSignal;
  /**
   * Sets whether the deployment command changes nothing and only reports its steps. Deletions, and
   * applies to existing objects, are sent as dry runs, which the API server may refuse.
   *
   * @default {false}
   */
  readonly dryRun?: boolean | undefined;
  /**
   * The callback that receives each step of the deployment command once it is done; with a dry run,
   * each step that would be done, except `finalizers removed`, `established` and `rolled out`.
   */
  readonly onStep: (step: ClusterStep) => void;
}

/**
 * The error of a deployment command that the state of the cluster prevents, or that did not end in
 * time.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ClusterError } from "@xca/operator/project";
 *
 * assert.equal(new ClusterError("Cannot deploy").name, "ClusterError");
 * ```
 */
export class ClusterError extends Error {
  /** The name of the error class, `ClusterError`. */
  override readonly name: string = "ClusterError";

  static {
    markClass(this, Symbol.for("@xca/operator/ClusterError"));
  }
}

/** Returns the name of an object as kubectl prints it: `deployment.apps/shop`, `namespace/shop`. */
export function objectName({ apiVersion = "", kind = "", metadata }: KubeObject): string {
  const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return `${kind.toLowerCase()}${group ? `.${group}` : ""}/${metadata.name}`;
}

/** Returns the step of a deployment command on an object, with its result. */
export function stepOf(object: KubeObject, action: ClusterAction, note?: string): ClusterStep {
  return {
    object: objectName(object),
    namespace: object.metadata.namespace,
    action,
    ...(note !== undefined && { note }),
  };
}
