import { type AccessNeed, accessText, covers, rulesOfAccess } from "../access_need.ts";
import type { PolicyRule } from "../policy_rule.ts";
import type { ObservedAccess } from "./observed_access.ts";

/** A difference between the declared and the observed or granted accesses of an operator. */
export interface AccessDifference {
  /**
   * The kind of the difference: `lack` for an access that is needed and not declared or granted,
   * `excess` for one that is declared or granted and not needed.
   */
  readonly kind: "lack" | "excess";
  /**
   * The RBAC rule that is lacking or not needed; the first one if a declaration leads to several.
   * It has no verbs for a bound role that the manifests lack.
   */
  readonly rule: PolicyRule;
  /** The name of the controller with the access difference; empty when it is not known. */
  readonly controller: string;
  /** The difference between the accesses as a sentence. */
  readonly message: string;
}

/**
 * Returns the differences between the accesses that operators declare ({@linkcode needsOf}) and
 * those that were observed.
 *
 * - A lack is an observed access that no need covers, of any controller or part of the program; it
 *   is reported once per controller and rule.
 * - An excess is a declaration of a controller of which no request was observed; the controller,
 *   namespace and name of requests are not compared. A declaration of several verbs, such as of the
 *   helper `createOrUpdate`, counts as used when a request with one of them was observed, since the
 *   others may serve only rare cases, such as conflicts. Accesses that no request shows
 *   (`finalizers`) and those of other parts of the program (election, metrics server, certificates
 *   of webhooks) are never an excess.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, Secret } from "@xca/operator";
 * import { reconcileOnce } from "@xca/operator/controller";
 * import { compareAccess, needsOf, recordAccess } from "@xca/operator/rbac";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using own = clientOf(server);
 * await own.create(ConfigMap, { metadata: { name: "web" } });
 * const controller = controllerFor(ConfigMap)
 *   .uses(Secret, ["delete"])
 *   .reconcile(async ({ name, client }) => {
 *     await client.create(Secret, { metadata: { name } });
 *   });
 * const recording = recordAccess(own);
 * await reconcileOnce(controller, "default/web", { client: recording.client });
 * const operator = defineOperator({ name: "copier", controllers: [controller] });
 * const differences = compareAccess(needsOf(operator), recording.accesses);
 * assert.deepEqual(differences.map(({ kind, rule }) => `${kind} ${rule.verbs}`), [
 *   "lack create",
 *   "excess delete",
 * ]);
 * ```
 */
export function compareAccess(
  needs: readonly AccessNeed[],
  observed: readonly ObservedAccess[],
): AccessDifference[] {
  const lacks = observed
    .filter((access) => !needs.some((need) => covers(need, access)))
    .map((access): AccessDifference => {
      const { controller, request } = access;
      const [rule] = rulesOfAccess([unnamed(access)]);
      const who = controller === "" ? "a request" : `controller ${controller}`;
      return {
        kind: "lack",
        rule: rule!,
        controller,
        message: `${who} needs ${accessText(unnamed(access))}, as ${request} showed, and no ` +
          `controller declares it; declare it by .uses(), which gives ${JSON.stringify(rule)}`,
      };
    });
  const isUsed = (need: AccessNeed): boolean => observed.some((access) => isSame(need, access));
  const declared = Map.groupBy(
    needs.filter(({ part, onlyEnforced }) => part === "controller" && !onlyEnforced),
    ({ controller, reason }) => JSON.stringify([controller, reason]),
  );
  const excess = [...declared.values()].filter((same) => !same.some(isUsed)).map((same) => {
    const { controller, reason } = same[0]!;
    const rules = rulesOfAccess(same);
    return {
      kind: "excess" as const,
      rule: rules[0]!,
      controller,
      message: `controller ${controller}: ${reason}, and no ` +
        `request showed the use of ${rules.map((rule) => JSON.stringify(rule)).join(", ")}; ` +
        "remove the declaration, or observe a run that needs it",
    };
  });
  return [...once(lacks), ...excess];
}

/**
 * Reports whether an observed access has the verb, group and resource of a need; namespaces and
 * names are not compared.
 */
function isSame(need: AccessNeed, access: ObservedAccess): boolean {
  return need.verb === access.verb && need.group === access.group &&
    need.resource === access.resource;
}

/** Returns an access without its object name, as users usually declare it. */
function unnamed({ name: _, ...access }: ObservedAccess): Omit<ObservedAccess, "name"> {
  return access;
}

/** Returns access differences without those whose controller and rule an earlier difference has. */
function once(differences: readonly AccessDifference[]): AccessDifference[] {
  const known = new Set<string>();
  return differences.filter(({ controller, rule }) => {
    const key = JSON.stringify([controller, rule]);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}
