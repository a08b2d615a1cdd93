import { labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import type { V1MutatingWebhook, V1ValidatingWebhook } from "@xca/apimachinery/kubernetes-types";
import type { WebhookConfiguration } from "./webhook_configurations.ts";

/** The resources that a webhook server needs to start, by their API groups. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  "": ["pods", "pods/binding", "bindings", "secrets", "configmaps", "serviceaccounts", "endpoints"],
  "apps": ["deployments", "replicasets"],
  "discovery.k8s.io": ["endpointslices"],
  "coordination.k8s.io": ["leases"],
};

/**
 * A webhook that can prevent the start of its own server; a result of {@linkcode webhookDeadlocks}.
 */
export interface WebhookDeadlock {
  /** The name of the webhook configuration that has the webhook. */
  readonly configuration: string;
  /** The name of the webhook in its configuration. */
  readonly webhook: string;
  /**
   * The resources that the server needs and the webhook is called for: plurals without the group,
   * such as `pods` or `pods/binding`.
   */
  readonly resources: readonly string[];
  /** The deadlock of the webhook as a sentence, with the remedy. */
  readonly message: string;
}

/**
 * Returns the webhooks of configurations that can prevent the start of their own server: they are
 * called for objects that the server needs, in its own namespace, and refuse all requests while the
 * server is down. Only webhooks behind a Service are considered, and of their rules not those for
 * deletions, connections or cluster-scoped resources alone; object selectors, match conditions, and
 * namespace selectors by other labels than `kubernetes.io/metadata.name` are taken to match.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Pod } from "@xca/operator/meta";
 * import { webhookConfigurationsOf, webhookDeadlocks, webhookFor } from "@xca/operator/webhook";
 *
 * const webhooks = [webhookFor(Pod).validator({ create: () => {} })];
 * const options = { service: { namespace: "guard", name: "webhooks" } };
 * const safe = webhookConfigurationsOf({ name: "guard", webhooks }, options);
 * assert.deepEqual(webhookDeadlocks(safe), []);
 * const unsafe = webhookConfigurationsOf(
 *   { name: "guard", webhooks },
 *   { ...options, excludeOwnNamespace: "none" },
 * );
 * assert.deepEqual(webhookDeadlocks(unsafe)[0]?.resources, ["pods"]);
 * ```
 */
export function webhookDeadlocks(
  configurations: readonly WebhookConfiguration[],
): WebhookDeadlock[] {
  return configurations.flatMap(({ metadata, webhooks = [] }) =>
    (webhooks as readonly (V1MutatingWebhook | V1ValidatingWebhook)[]).flatMap((webhook) => {
      const resources = neededResources(webhook);
      if (resources.length === 0) return [];
      const configuration = metadata.name ?? "";
      const { namespace } = webhook.clientConfig.service!;
      return [{
        configuration,
        webhook: webhook.name,
        resources,
        message:
          `the webhook ${webhook.name} of ${configuration} refuses ${resources.join(", ")} ` +
          `in namespace ${namespace} while its own server there is down, so that the server cannot ` +
          `start: exclude the namespace by namespaceSelector, or set failurePolicy to Ignore`,
      }];
    })
  );
}

/** Returns the resources that the server of a webhook needs and that the webhook can refuse. */
function neededResources(webhook: V1MutatingWebhook | V1ValidatingWebhook): string[] {
  const { clientConfig, failurePolicy = "Fail", namespaceSelector, rules = [] } = webhook;
  const { service } = clientConfig;
  if (!service || failurePolicy !== "Fail") return [];
  const labels = { "kubernetes.io/metadata.name": service.namespace };
  // A selector by other labels may select the namespace, and is no reason to call it safe.
  const own = (namespaceSelector?.matchExpressions ?? []).filter(({ key }) =>
    Object.hasOwn(labels, key)
  );
  const names = Object.entries(namespaceSelector?.matchLabels ?? {}).filter(([key]) =>
    Object.hasOwn(labels, key)
  );
  const selector = labelSelectorOf({
    matchLabels: Object.fromEntries(names),
    matchExpressions: own,
  });
  if (!matchesLabels(selector, labels)) return [];
  const found = rules.flatMap(({ apiGroups = [], resources = [], operations = [], scope }) =>
    scope === "Cluster" || operations.every((each) => each === "DELETE" || each === "CONNECT")
      ? []
      : Object.entries(NEEDED)
        .filter(([group]) => apiGroups.includes("*") || apiGroups.includes(group))
        .flatMap(([, needed]) =>
          needed.filter((each) => resources.some((name) => covers(name, each)))
        )
  );
  return [...new Set(found)];
}

/**
 * Reports whether an entry of `resources` of a webhook's rule, such as `*` (all resources, no
 * subresources) or `pods/*`, matches a resource or subresource.
 */
function covers(rule: string, resource: string): boolean {
  const [main, subresource] = rule.split("/");
  const [ownMain, ownSub] = resource.split("/");
  if (main !== "*" && main !== ownMain) return false;
  return rule === "*" ? ownSub === undefined : subresource === "*" || subresource === ownSub;
}
