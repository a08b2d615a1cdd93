import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { RulesOptions } from "../../rbac/rules_of.ts";
import type { CaBundleTargets } from "../../webhook/certificates/ca_bundle.ts";
import { ownCertificatesUses } from "../../webhook/certificates/own_certificates.ts";
import { caBundleTargetsOf } from "../../webhook/configuration/webhook_configurations.ts";
import { type DeploymentNames, webhookSecretOf } from "./manifest.ts";

/**
 * Options of {@linkcode deploymentRulesOf}, which computes the RBAC rules of a deployed operator.
 */
export interface DeploymentRulesOptions extends DeploymentNames {
  /** The namespaces that the operator watches. @default all */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** The issuer of the certificate of the operator's webhook server. @default {"own"} */
  readonly certificates?: "own" | "cert-manager" | "olm" | undefined;
  /**
   * Sets whether the operator's program serves metrics, for which it reviews the tokens and access
   * of readers.
   *
   * @default {true}
   */
  readonly metrics?: boolean | undefined;
}

/**
 * Returns the options for `rulesOf` of `@xca/operator/rbac` that describe an operator as it is
 * deployed, for its RBAC rules: with leader election, with a metrics server unless `metrics` is
 * false, and with access to its webhooks' certificates if the operator keeps these itself.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { deploymentRulesOf } from "@xca/operator/project";
 * import { rulesOf } from "@xca/operator/rbac";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const names = { name: "xca", namespace: "xca-system" };
 * const { leaderElection } = rulesOf(xcaOperator, deploymentRulesOf(xcaOperator, names));
 * assert.equal(leaderElection?.namespace, "xca-system");
 * ```
 */
export function deploymentRulesOf(
  operator: Operator,
  { name, namespace, watchNamespaces, certificates = "own", metrics = true }:
    DeploymentRulesOptions,
): RulesOptions {
  const targets = caBundleTargetsOf(operator, { name });
  const keepsOwn = webhookCount(targets) > 0 && certificates === "own";
  const secret = { name: webhookSecretOf({ name, namespace }), namespace };
  return {
    name,
    namespace,
    namespaces: watchNamespaces,
    leaderElection: {},
    metricsServer: metrics ? {} : undefined,
    uses: keepsOwn ? ownCertificatesUses({ secret, targets }) : undefined,
  };
}

/**
 * Returns the number of names in CA bundle targets: those of webhook configurations, and those of
 * CustomResourceDefinitions with a conversion webhook; 0 for an operator without webhooks.
 */
export function webhookCount(
  { mutating = [], validating = [], crds = [] }: CaBundleTargets,
): number {
  return mutating.length + validating.length + crds.length;
}
