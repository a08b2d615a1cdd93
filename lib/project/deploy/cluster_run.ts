import type { Clock } from "@xca/apimachinery/base";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";

/** What became of an object of a cluster. */
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

/** One step of a command that changes a cluster. */
export interface ClusterStep {
  /** The object of the step as kubectl names it, as `deployment.apps/shop`. */
  readonly object: string;
  /** The namespace of the object; `undefined` for cluster-scoped ones. */
  readonly namespace: string | undefined;
  /** What became of the object; with a dry run, what would become of it. */
  readonly action: ClusterAction;
  /** Why, or with whom, in a few words. @default nothing to add */
  readonly note?: string | undefined;
}

/** The surroundings of a command that changes a cluster. */
export interface ClusterRun {
  /** The client of the cluster. */
  readonly client: Client;
  /** The source of time. */
  readonly clock: Clock;
  /** The signal that ends the command. */
  readonly signal: AbortSignal;
  /** Whether nothing is written: the steps are those that would be made. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** Called with each step when it is done. */
  readonly onStep: (step: ClusterStep) => void;
}

/**
 * The error of a command on a cluster that was refused, or did not end in time.
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
}

/** Returns the name of an object as kubectl prints it: `deployment.apps/shop`, `namespace/shop`. */
export function objectName({ apiVersion = "", kind = "", metadata }: KubeObject): string {
  const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return `${kind.toLowerCase()}${group ? `.${group}` : ""}/${metadata.name}`;
}

/** Returns the step of an object. */
export function stepOf(object: KubeObject, action: ClusterAction, note?: string): ClusterStep {
  return {
    object: objectName(object),
    namespace: object.metadata.namespace,
    action,
    ...(note !== undefined && { note }),
  };
}
