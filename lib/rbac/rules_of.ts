import type { ResourceType } from "@xca/apimachinery/meta";
import type { Operator } from "../controller/definition/operator_definition.ts";
import type { ResourceUse } from "../controller/definition/resource_use.ts";
import { type AccessNeed, leastNeeds, rulesOfAccess } from "./access_need.ts";
import { controllerNeeds, resourceNeeds } from "./controller_needs.ts";
import { checkSetup, isServed } from "./setup_options.ts";
import type { PolicyRule } from "./policy_rule.ts";

/**
 * Options of {@linkcode rulesOf}: the setup of the manager that runs the operator. The options of
 * `createManager()` fit, so that one object serves both.
 */
export interface RulesOptions {
  /**
   * The name of the manager, which its Lease has by default. For `runElectedOperator()`, whose
   * Lease has the name of the operator, pass the name of the operator.
   *
   * @default {"manager"} as for `createManager()`
   */
  readonly name?: string | undefined;
  /** The namespaces of the operator's sources and declared uses that name none. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * The options of the manager's caches by resource type; a source that names no namespaces is
   * restricted to the namespaces of its resource's cache, which affects the RBAC rules.
   */
  readonly caches?:
    | readonly {
      /** The resource type that the cache is for. */
      readonly type: ResourceType;
      /**
       * The namespaces in which the manager caches the resource.
       *
       * @default those of the manager, or all
       */
      readonly namespaces?: readonly string[] | undefined;
    }[]
    | undefined;
  /** The options of the manager's leader election. @default none */
  readonly leaderElection?: {
    /** The name of the election's Lease. @default the name of the manager */
    readonly name?: string | undefined;
    /** The namespace of the election's Lease. @default {RulesOptions.namespace} */
    readonly namespace?: string | undefined;
    /**
     * The option of coordinated leader election; any value means that the API server chooses the
     * leader.
     *
     * @default none
     */
    readonly coordinated?: unknown;
  } | undefined;
  /** The manager's server of `/metrics` and `/debug`. @default none */
  readonly metricsServer?: {
    /**
     * The address that the metrics server listens on; `0` or the empty text for no server. Without
     * an address the server counts as listening.
     */
    readonly bindAddress?: string | undefined;
    /**
     * Sets whether the metrics server checks the access of its readers, which needs access reviews.
     * @default {true}
     */
    readonly secure?: boolean | undefined;
  } | undefined;
  /** The namespace of the operator's own pod. @default {"default"} */
  readonly namespace?: string | undefined;
  /**
   * Further API calls of the operator's program, such as the injection of certificates into
   * webhooks.
   *
   * @default none
   */
  readonly uses?: readonly ResourceUse[] | undefined;
}

/**
 * An operator with the members from which RBAC rules are derived: its controllers. The name is not
 * used.
 */
export type RuledOperator = Pick<Operator, "controllers"> & Partial<Pick<Operator, "name">>;

/** The RBAC rules that an operator needs; the result of {@linkcode rulesOf}. */
export interface OperatorRules {
  /** The RBAC rules of a ClusterRole that is bound in the whole cluster. */
  readonly cluster: readonly PolicyRule[];
  /**
   * The RBAC rules of a Role per namespace, by the namespace, without those that `cluster` has and
   * without those of the election.
   */
  readonly namespaces: Readonly<Record<string, readonly PolicyRule[]>>;
  /**
   * The RBAC rules that a leader election needs, and the namespace of the Role with them;
   * `undefined` without an election.
   */
  readonly leaderElection:
    | {
      /** The namespace of the election's Lease. */
      readonly namespace: string;
      /** The RBAC rules of a Role in the namespace of the Lease. */
      readonly rules: readonly PolicyRule[];
    }
    | undefined;
  /**
   * The rules of a ClusterRole for a metrics server that checks the access of its readers; empty
   * without one.
   */
  readonly metrics: readonly PolicyRule[];
  /**
   * The single accesses from which the RBAC rules result, as {@linkcode needsOf} returns them:
   * unmerged, and possibly repeated.
   */
  readonly needs: readonly AccessNeed[];
}

/**
 * Returns the RBAC rules that operators need in a manager, derived from the declarations of their
 * controllers: `for`, `owns`, `watches` and `uses`. The rules are minimal, never have a `*`, and
 * are merged and sorted as controller-gen does.
 *
 * @throws {TypeError} When the list of namespaces is empty, or an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, Secret } from "@xca/operator";
 * import { rulesOf } from "@xca/operator/rbac";
 *
 * const operator = defineOperator({
 *   name: "copier",
 *   controllers: [controllerFor(ConfigMap).uses(Secret, ["apply"]).reconcile(() => {})],
 * });
 * assert.deepEqual(rulesOf(operator).cluster, [
 *   { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] },
 *   { apiGroups: [""], resources: ["secrets"], verbs: ["create", "patch"] },
 * ]);
 * assert.deepEqual(Object.keys(rulesOf(operator, { namespaces: ["shop"] }).namespaces), ["shop"]);
 * ```
 */
export function rulesOf(
  operator: RuledOperator | readonly RuledOperator[],
  options: RulesOptions = {},
): OperatorRules {
  const needs = needsOf(operator, options);
  const of = (part: (need: AccessNeed) => boolean): PolicyRule[] =>
    rulesOfAccess(leastNeeds(needs.filter(part)));
  const work = leastNeeds(needs.filter(({ part }) => part === "controller" || part === "setup"));
  const namespaces = [...new Set(work.map(({ namespace }) => namespace))].filter((each) =>
    each !== ""
  ).sort();
  const election = needs.filter(({ part }) => part === "election");
  return {
    cluster: rulesOfAccess(work.filter(({ namespace }) => namespace === "")),
    namespaces: Object.fromEntries(
      namespaces.map((each) => [
        each,
        rulesOfAccess(work.filter(({ namespace }) => namespace === each)),
      ]),
    ),
    leaderElection: election[0] &&
      { namespace: election[0].namespace, rules: rulesOfAccess(leastNeeds(election)) },
    metrics: of(({ part }) => part === "metrics"),
    needs,
  };
}

/**
 * Returns the single accesses that operators need in a manager, each with the part of the operator
 * that needs the access; the accesses of several parts may be equal.
 *
 * @throws {TypeError} When the list of namespaces is empty, or an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { needsOf } from "@xca/operator/rbac";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const [first] = needsOf(xcaOperator);
 * assert.equal(first?.controller, "xca");
 * assert.equal(first.reason, "it is for Xca");
 * ```
 */
export function needsOf(
  operator: RuledOperator | readonly RuledOperator[],
  options: RulesOptions = {},
): AccessNeed[] {
  checkSetup("Cannot derive RBAC rules", options);
  const operators = "controllers" in operator ? [operator] : operator;
  if (options.namespaces?.length === 0) {
    throw new TypeError(
      "Cannot derive RBAC rules: the list of namespaces is empty; leave it out for all namespaces",
    );
  }
  const { namespaces, namespace = "default", leaderElection, metricsServer, uses = [] } = options;
  const controllers = operators.flatMap((each) => each.controllers);
  return [
    ...controllers.flatMap((each) =>
      controllerNeeds(withChoices(each, options.caches), { namespaces })
    ),
    ...uses.flatMap((use) =>
      resourceNeeds(use, use.namespaces ?? namespaces, (call) => ({
        part: "setup",
        controller: "",
        reason: `the program uses ${call} of ${use.type.kind}`,
      }))
    ),
    ...leaderElection
      ? electionNeeds({
        name: leaseNameOf(options),
        namespace: leaderElection.namespace ?? namespace,
        coordinated: leaderElection.coordinated !== undefined,
      })
      : [],
    ...metricsServer && metricsServer.secure !== false &&
        (metricsServer.bindAddress === undefined || isServed(metricsServer.bindAddress))
      ? metricsNeeds()
      : [],
  ];
}

/**
 * Returns a controller whose sources that name no namespaces are restricted to the namespaces in
 * which a manager caches their resources.
 */
function withChoices(
  controller: Operator["controllers"][number],
  caches: RulesOptions["caches"] = [],
): Operator["controllers"][number] {
  if (caches.length === 0) return controller;
  const sources = controller.sources.map((source) => {
    const namespaces = source.namespaces ??
      caches.find(({ type }) => type.id === source.type.id)?.namespaces;
    return namespaces ? { ...source, namespaces } : source;
  });
  return { ...controller, sources };
}

/** The name of a manager that is created without a name. */
export const MANAGER_NAME = "manager";

/**
 * Returns the name of the Lease of a manager's leader election, from the options of the manager:
 * the name that the election's options give, else the name of the manager.
 */
export function leaseNameOf(
  { name = MANAGER_NAME, leaderElection }: Pick<RulesOptions, "name" | "leaderElection">,
): string {
  return leaderElection?.name ?? name;
}

/**
 * Options of {@linkcode electionNeeds}, which returns the accesses that a leader election needs.
 */
export interface ElectionNeedsOptions {
  /** The name of the election's Lease. */
  readonly name: string;
  /** The namespace of the election's Lease. */
  readonly namespace: string;
  /**
   * Sets whether the API server chooses the leader among candidates (coordinated leader election).
   */
  readonly coordinated: boolean;
}

/**
 * Returns the accesses that an elector needs in the namespace of its Lease: only of its own Lease,
 * except that RBAC cannot restrict the creation of objects to a name. The names of LeaseCandidates
 * are random, so these are not restricted either.
 */
export function electionNeeds(
  { name, namespace, coordinated }: ElectionNeedsOptions,
): AccessNeed[] {
  const need = (resource: string) => (verb: string): AccessNeed => ({
    verb,
    group: "coordination.k8s.io",
    resource,
    namespace,
    ...(resource === "leases" && verb !== "create" && { name }),
    part: "election",
    controller: "",
    reason: `the election of a leader by the Lease ${namespace}/${name}`,
  });
  return [
    ...["create", "get", "update"].map(need("leases")),
    ...coordinated ? ["create", "delete", "get", "update"].map(need("leasecandidates")) : [],
  ];
}

/** Returns the accesses that a metrics server needs to check its readers. */
export function metricsNeeds(): AccessNeed[] {
  const need = (group: string, resource: string): AccessNeed => ({
    verb: "create",
    group,
    resource,
    namespace: "",
    part: "metrics",
    controller: "",
    reason: "the metrics server authorizes its readers",
  });
  return [
    need("authentication.k8s.io", "tokenreviews"),
    need("authorization.k8s.io", "subjectaccessreviews"),
  ];
}
