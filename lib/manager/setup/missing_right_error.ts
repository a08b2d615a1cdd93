import { markClass } from "@xca/apimachinery/internal/base";
import type { ResourceType } from "@xca/apimachinery/meta";

/**
 * A missing right: verbs on a resource that the server, for example by RBAC, does not grant to the
 * user of a client.
 */
export interface MissingRight {
  /** The missing verbs, such as `list` and `watch`. */
  readonly verbs: readonly string[];
  /** The resource that the missing verbs are about. */
  readonly type: Pick<ResourceType, "group" | "plural">;
  /**
   * The subresource that the missing verbs are about, such as `status`.
   *
   * @default the resource itself
   */
  readonly subresource?: string;
  /** The namespace of the missing right; empty for all, and for cluster-scoped resources. */
  readonly namespace: string;
  /** The name of the only object that the missing right is about. @default all objects */
  readonly name?: string;
}

/**
 * Error of a client whose user lacks rights. The message names verbs and resources, and the rules
 * of a Role or ClusterRole that grant them.
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
  /** The name of this error class, `MissingRightError`. */
  override readonly name = "MissingRightError";
  /** The rights that the client's user lacks. */
  readonly rights: readonly MissingRight[];

  /** Creates an error about missing rights. */
  constructor(rights: readonly MissingRight[]) {
    const lacks = rights.map((right) => {
      const { verbs, namespace, name } = right;
      return `${listed(verbs)} ${nameOf(right)}${name === undefined ? "" : ` named ${name}`}${
        namespace === "" ? "" : ` in namespace ${namespace}`
      }`;
    });
    const isOfCluster = rights.some(({ namespace }) => namespace === "");
    super(
      `the user of this client may not ${lacks.join(", nor ")}; grant that by a ` +
        `${isOfCluster ? "ClusterRole" : "Role"} with ${
          [...new Set(rights.map(ruleOf))].join(", ")
        }`,
    );
    this.rights = rights;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/MissingRightError"));
  }
}

/** Returns words as a list in a sentence: `get`, `get and list`, `get, list and watch`. */
function listed(words: readonly string[]): string {
  return words.length < 2
    ? words.join()
    : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

function nameOf({ type: { group, plural }, subresource }: MissingRight): string {
  const full = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? full : `${full}/${subresource}`;
}

function ruleOf({ verbs, type: { group, plural }, subresource, name }: MissingRight): string {
  return JSON.stringify({
    apiGroups: [group],
    resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
    ...(name !== undefined && { resourceNames: [name] }),
    verbs,
  });
}
