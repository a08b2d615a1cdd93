import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type {
  V1LabelSelector,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1ValidatingWebhook,
  V1ValidatingWebhookConfiguration,
} from "@xca/apimachinery/kubernetes-types";
import type { LabelSelectorSpec } from "@xca/apimachinery/meta";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { WebhookRegistration } from "../../controller/definition/operator_webhook.ts";
import type { CaBundleTargets } from "../certificates/ca_bundle.ts";
import { clientConfigOf, injectionOf, type WebhookAddress } from "./webhook_address.ts";

/** Options of {@linkcode webhookConfigurationsOf}, which generates webhook configurations. */
export interface WebhookConfigurationsOptions extends WebhookAddress {
  /**
   * The prefix of the names of the generated webhook configurations.
   *
   * @default the name of the first operator, or `operator` if there is none
   */
  readonly name?: string | undefined;
  /** The labels of the generated webhook configurations. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The webhooks that are not called for objects in the namespace of the webhook server's Service:
   * those for built-in kinds, all, or none. A webhook that refuses the pods of its own server can
   * never be called again. Without a Service, no namespace is excluded.
   *
   * @default {"builtIn"}
   */
  readonly excludeOwnNamespace?: "builtIn" | "all" | "none" | undefined;
}

/**
 * A MutatingWebhookConfiguration or ValidatingWebhookConfiguration, which registers webhooks with
 * the API server.
 */
export type WebhookConfiguration =
  | V1MutatingWebhookConfiguration
  | V1ValidatingWebhookConfiguration;

/** The members of an operator that its webhook configurations depend on. */
export type ConfiguredOperator =
  & Pick<Operator, "name" | "webhooks">
  & Partial<Pick<Operator, "crds">>;

const FAILURE = "Cannot generate the configuration of webhooks";

/** The names of all options of {@linkcode webhookConfigurationsOf}. */
const CONFIGURATION_OPTIONS: OptionNames<WebhookConfigurationsOptions> = {
  name: true,
  labels: true,
  excludeOwnNamespace: true,
  service: { namespace: true, name: true, port: true },
  url: true,
  caBundle: true,
  certManager: { namespace: true, certificate: true },
};

/**
 * Returns the configurations that register the webhooks of operators with the API server: a
 * MutatingWebhookConfiguration if one has a defaulter, and a ValidatingWebhookConfiguration if one
 * has a validator; empty if none has. The result depends on the arguments alone, and has the
 * webhooks in the order of their names.
 *
 * By default, webhooks of built-in kinds are not called in the namespace of the server itself, so
 * that they cannot prevent its start.
 *
 * @throws {TypeError} When the address has not exactly one of Service and URL, the URL is not
 * `https` or has a user, query or fragment, two webhooks of one configuration have one name, or an
 * option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { webhookConfigurationsOf, webhookFor } from "@xca/operator/webhook";
 *
 * const webhooks = [webhookFor(ConfigMap).validator({ create: () => {} })];
 * const service = { namespace: "guard-system", name: "guard-webhooks" };
 * const [configuration] = webhookConfigurationsOf({ name: "guard", webhooks }, { service });
 * assert.equal(configuration?.metadata.name, "guard-validating-webhook-configuration");
 * assert.equal(configuration.webhooks?.[0]?.clientConfig.service?.path, "/validate--v1-configmap");
 * ```
 */
export function webhookConfigurationsOf(
  operator: ConfiguredOperator | readonly ConfiguredOperator[],
  options: WebhookConfigurationsOptions,
): WebhookConfiguration[] {
  checkOptionNames(FAILURE, options, CONFIGURATION_OPTIONS);
  const registrations = registrationsOf(operator);
  const metadata = (kind: WebhookRegistration["kind"]): { name: string } => ({
    name: configurationName(prefixOf(operator, options), kind),
    ...(options.labels && { labels: { ...options.labels } }),
    ...injectionOf(options),
  });
  const of = (kind: WebhookRegistration["kind"]): WebhookRegistration[] =>
    registrations.filter((each) => each.kind === kind);
  const [mutating, validating] = [of("mutating"), of("validating")];
  const configurations: WebhookConfiguration[] = [];
  if (mutating.length > 0) {
    configurations.push({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: metadata("mutating"),
      webhooks: mutating.map((each) => webhookOf(each, options)),
    });
  }
  if (validating.length > 0) {
    configurations.push({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: metadata("validating"),
      webhooks: validating.map((each) => webhookOf(each, options)),
    });
  }
  return configurations;
}

/**
 * Returns the names of the webhook configurations of operators, and of those of their
 * CustomResourceDefinitions that have the conversion strategy `Webhook`, for the option `targets`
 * of `ownCertificates`.
 *
 * @throws {TypeError} When two webhooks of one configuration have one name, or an option is
 * unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { caBundleTargetsOf, webhookFor } from "@xca/operator/webhook";
 *
 * const webhooks = [webhookFor(ConfigMap).defaulter(() => {})];
 * assert.deepEqual(caBundleTargetsOf({ name: "guard", webhooks, crds: [] }), {
 *   mutating: ["guard-mutating-webhook-configuration"],
 *   validating: [],
 *   crds: [],
 * });
 * ```
 */
export function caBundleTargetsOf(
  operator: ConfiguredOperator | readonly ConfiguredOperator[],
  options: Pick<WebhookConfigurationsOptions, "name"> = {},
): CaBundleTargets {
  checkOptionNames(FAILURE, options, CONFIGURATION_OPTIONS);
  const registrations = registrationsOf(operator);
  const prefix = prefixOf(operator, options);
  const names = (kind: WebhookRegistration["kind"]): string[] =>
    registrations.some((each) => each.kind === kind) ? [configurationName(prefix, kind)] : [];
  const crds = [operator].flat().flatMap((each) => each.crds ?? []);
  return {
    mutating: names("mutating"),
    validating: names("validating"),
    crds: crds.filter(isConverted).map(({ metadata }) => metadata.name!),
  };
}

/** Reports whether a webhook converts the objects of a CustomResourceDefinition. */
function isConverted(crd: Operator["crds"][number]): boolean {
  const { conversion } = (crd.spec ?? {}) as { conversion?: { strategy?: string } };
  return conversion?.strategy === "Webhook";
}

function prefixOf(
  operator: ConfiguredOperator | readonly ConfiguredOperator[],
  { name }: Pick<WebhookConfigurationsOptions, "name">,
): string {
  return name ?? [operator].flat()[0]?.name ?? "operator";
}

/** Returns the name of a webhook configuration, as in kubebuilder's projects with a name prefix. */
function configurationName(prefix: string, kind: WebhookRegistration["kind"]): string {
  return `${prefix}-${kind}-webhook-configuration`;
}

/**
 * Returns the webhook registrations of operators in the order of their names. Throws a TypeError if
 * two of one kind, mutating or validating, have one name.
 */
function registrationsOf(
  operator: ConfiguredOperator | readonly ConfiguredOperator[],
): WebhookRegistration[] {
  const all = [operator].flat()
    .flatMap(({ webhooks }) => webhooks.flatMap((each) => each.registrations))
    .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const twice = all.find(({ name, kind }, at) =>
    all[at + 1]?.name === name && all[at + 1]?.kind === kind
  );
  if (twice) {
    throw new TypeError(
      `Cannot generate the configuration of webhooks: two webhooks are named ${twice.name}`,
    );
  }
  return all;
}

function webhookOf(
  registration: WebhookRegistration,
  options: WebhookConfigurationsOptions,
): V1MutatingWebhook & V1ValidatingWebhook {
  const { match, matchConditions, objectSelector, reinvocationPolicy } = registration;
  const namespaceSelector = namespaceSelectorOf(registration, options);
  return {
    name: registration.name,
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfigOf(options, registration.path),
    rules: [{
      apiGroups: [...match.apiGroups],
      apiVersions: [...match.apiVersions],
      operations: [...match.operations],
      resources: [...match.resources],
      scope: match.scope,
    }],
    failurePolicy: registration.failurePolicy,
    matchPolicy: registration.matchPolicy,
    sideEffects: registration.sideEffects,
    timeoutSeconds: registration.timeoutSeconds,
    ...(namespaceSelector && { namespaceSelector: copyOf(namespaceSelector) }),
    ...(objectSelector && { objectSelector: copyOf(objectSelector) }),
    ...(matchConditions.length > 0 && {
      matchConditions: matchConditions.map(({ name, expression }) => ({ name, expression })),
    }),
    ...(reinvocationPolicy !== undefined && { reinvocationPolicy }),
  };
}

function namespaceSelectorOf(
  { match, namespaceSelector }: WebhookRegistration,
  { service, excludeOwnNamespace = "builtIn" }: WebhookConfigurationsOptions,
): LabelSelectorSpec | undefined {
  const isExcluded = excludeOwnNamespace === "all" ||
    excludeOwnNamespace === "builtIn" && match.apiGroups.some(isBuiltIn);
  if (!service || !isExcluded) return namespaceSelector;
  const own = {
    key: "kubernetes.io/metadata.name",
    operator: "NotIn",
    values: [service.namespace],
  };
  return {
    ...namespaceSelector,
    matchExpressions: [...namespaceSelector?.matchExpressions ?? [], own],
  };
}

/**
 * Reports whether an API group counts as one of Kubernetes itself: it has no dot, like `apps`, `*`
 * and the empty core group, or ends with `.k8s.io`, like also some groups of
 * CustomResourceDefinitions.
 */
export function isBuiltIn(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

function copyOf(selector: LabelSelectorSpec): V1LabelSelector {
  return structuredClone(selector) as V1LabelSelector;
}
