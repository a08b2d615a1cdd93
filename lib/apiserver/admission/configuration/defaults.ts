// Mirrors `apis/admissionregistration/v1/defaults.go, SetDefaults_ValidatingWebhook` and its
// siblings.
import type { ApiObject } from "@xca/apimachinery/internal/values";

type Fields = Record<string, unknown>;

function fill(target: Fields, defaults: Fields): void {
  for (const [name, value] of Object.entries(defaults)) {
    if (target[name] === undefined || target[name] === null) target[name] = value;
  }
}

function each(value: unknown, run: (item: Fields) => void): void {
  if (Array.isArray(value)) { for (const item of value) run(item as Fields); }
}

function fillRules(rules: unknown): void {
  each(rules, (rule) => fill(rule, { scope: "*" }));
}

/**
 * Returns a function that sets the defaults of a webhook configuration in place; with `mutating`,
 * those of a mutating one, else those of a validating one.
 */
export function webhookDefaults(mutating: boolean): (object: ApiObject) => void {
  return (object) =>
    each(object["webhooks"], (hook) => {
      const { service } = (hook["clientConfig"] ?? {}) as { service?: Fields };
      if (service) fill(service, { port: 443 });
      fillRules(hook["rules"]);
      fill(hook, {
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...(mutating && { reinvocationPolicy: "Never" }),
      });
    });
}

function fillMatchResources(resources: unknown): void {
  if (typeof resources !== "object" || resources === null) return;
  const { resourceRules, excludeResourceRules } = resources as Fields;
  fillRules(resourceRules);
  fillRules(excludeResourceRules);
  fill(resources as Fields, {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
  });
}

/** Sets the defaults of a validating or mutating admission policy, in place. */
export function policyDefaults(object: ApiObject): void {
  const spec = object["spec"] as Fields | undefined;
  if (!spec) return;
  fill(spec, { failurePolicy: "Fail" });
  fillMatchResources(spec["matchConstraints"]);
}

/** Sets the defaults of a validating or mutating admission policy binding, in place. */
export function bindingDefaults(object: ApiObject): void {
  const spec = object["spec"] as Fields | undefined;
  if (spec) fillMatchResources(spec["matchResources"]);
}
