import type { ResourceType } from "@xca/apimachinery/meta";

/** Verbs on a resource that the user of a client lacks. */
export interface MissingRight {
  /** The verbs, such as `list` and `watch`. */
  readonly verbs: readonly string[];
  /** The resource. */
  readonly type: Pick<ResourceType, "group" | "plural" | "scope">;
  /** The namespace; empty for all, and for cluster-scoped resources. */
  readonly namespace: string;
}

/**
 * Error of a client whose user lacks rights. The message names verbs and resources, and the rules of a
 * Role or ClusterRole that grant them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MissingRightError } from "@xca/operator/manager";
 * import { Pod } from "@xca/operator/meta";
 *
 * const error = new MissingRightError([{ verbs: ["watch"], type: Pod, namespace: "shop" }]);
 * assert.equal(
 *   error.message,
 *   "the user of this client may not watch pods in namespace shop; grant that by a Role with " +
 *     '{"apiGroups":[""],"resources":["pods"],"verbs":["watch"]}',
 * );
 * ```
 */
export class MissingRightError extends Error {
  /** The name of the class. */
  override readonly name = "MissingRightError";
  /** The rights that are missing. */
  readonly rights: readonly MissingRight[];

  /** Creates an error for rights that are missing. */
  constructor(rights: readonly MissingRight[]) {
    const lacks = rights.map(({ verbs, type, namespace }) =>
      `${verbs.join(" and ")} ${nameOf(type)}${
        namespace === "" ? "" : ` in namespace ${namespace}`
      }`
    );
    const isOfCluster = rights.some(({ namespace }) => namespace === "");
    super(
      `the user of this client may not ${lacks.join(", nor ")}; grant that by a ` +
        `${isOfCluster ? "ClusterRole" : "Role"} with ${
          [...new Set(rights.map(ruleOf))].join(", ")
        }`,
    );
    this.rights = rights;
  }
}

function nameOf({ group, plural }: MissingRight["type"]): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function ruleOf({ verbs, type }: MissingRight): string {
  return JSON.stringify({ apiGroups: [type.group], resources: [type.plural], verbs });
}
