import assert from "node:assert/strict";
import {
  ConfigMap,
  Deployment,
  Pod,
  type ResourceType,
  resourceType,
} from "@xca/apimachinery/meta";
import type { OperatorWebhook } from "../../controller/definition/operator_webhook.ts";
import { webhookFor } from "../admission/webhook_builder.ts";
import { certManagerManifests } from "./cert_manager.ts";
import {
  caBundleTargetsOf,
  webhookConfigurationsOf,
  type WebhookConfigurationsOptions,
} from "./webhook_configurations.ts";
import { webhookDeadlocks } from "./webhook_deadlock.ts";

const Desktop: ResourceType = resourceType({
  group: "example.com",
  version: "v1",
  kind: "Desktop",
  plural: "desktops",
});
const service = { namespace: "guard-system", name: "guard-webhooks" };
const ownExcluded = {
  matchExpressions: [
    { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["guard-system"] },
  ],
};

function generate(
  webhooks: readonly OperatorWebhook[],
  options: WebhookConfigurationsOptions = { service },
): ReturnType<typeof webhookConfigurationsOf> {
  return webhookConfigurationsOf({ name: "guard", webhooks }, options);
}

Deno.test("webhook configurations: a defaulter and a validator with all options", () => {
  const webhook = webhookFor(Desktop, {
    failurePolicy: "Ignore",
    timeoutSeconds: 3,
    objectSelector: { matchLabels: { tier: "web" } },
    matchConditions: [{ name: "people", expression: "!request.userInfo.username.startsWith('s')" }],
  })
    .defaulter(() => {}, { reinvocationPolicy: "IfNeeded" })
    .validator({ create: () => {}, delete: () => {} });
  const labels = { "app.kubernetes.io/name": "guard" };
  const common = {
    admissionReviewVersions: ["v1"],
    failurePolicy: "Ignore",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: 3,
    objectSelector: { matchLabels: { tier: "web" } },
    matchConditions: [{ name: "people", expression: "!request.userInfo.username.startsWith('s')" }],
  };
  const rule = {
    apiGroups: ["example.com"],
    apiVersions: ["v1"],
    resources: ["desktops"],
    scope: "Namespaced",
  };
  const address = { name: "guard-webhooks", namespace: "guard-system", port: 443 };
  assert.deepEqual(generate([webhook], { service, labels }), [{
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "guard-mutating-webhook-configuration", labels },
    webhooks: [{
      name: "mutate.desktops.v1.example.com",
      clientConfig: { service: { ...address, path: "/mutate-example-com-v1-desktop" } },
      rules: [{ ...rule, operations: ["CREATE", "UPDATE"] }],
      ...common,
      reinvocationPolicy: "IfNeeded",
    }],
  }, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "guard-validating-webhook-configuration", labels },
    webhooks: [{
      name: "validate.desktops.v1.example.com",
      clientConfig: { service: { ...address, path: "/validate-example-com-v1-desktop" } },
      rules: [{ ...rule, operations: ["CREATE", "DELETE"] }],
      ...common,
    }],
  }]);
});

Deno.test("webhook configurations: the order of the webhooks does not depend on that of the arguments", () => {
  const webhooks = [Pod, Desktop, ConfigMap].map((type) =>
    webhookFor(type).validator({ create: () => {} })
  );
  assert.deepEqual(generate(webhooks), generate(webhooks.toReversed()));
  const split = webhooks.map((each) => ({ name: "guard", webhooks: [each] }));
  assert.deepEqual(webhookConfigurationsOf(split, { service }), generate(webhooks));
  assert.deepEqual(generate([]), []);
});

Deno.test("webhook configurations: an URL, the authorities, and the annotation of cert-manager", () => {
  const webhooks = [webhookFor(Desktop).validator({ create: () => {} })];
  const configOf = (options: WebhookConfigurationsOptions): unknown =>
    generate(webhooks, options)[0]!.webhooks![0]!.clientConfig;
  const path = "/validate-example-com-v1-desktop";
  assert.deepEqual(configOf({ url: "https://[::1]:9443", caBundle: "PEM" }), {
    url: `https://[::1]:9443${path}`,
    caBundle: btoa("PEM"),
  });
  assert.deepEqual(configOf({ url: "https://dev.example.com/base/" }), {
    url: `https://dev.example.com/base${path}`,
  });
  const certManager = { namespace: "guard-system", certificate: "guard-serving-cert" };
  assert.deepEqual(generate(webhooks, { service, certManager })[0]!.metadata.annotations, {
    "cert-manager.io/inject-ca-from": "guard-system/guard-serving-cert",
  });
  for (const url of ["http://a", "a:9443", "https://u:p@a", "https://a?x=1", "https://a#x"]) {
    assert.throws(() => configOf({ url }), /must be an https URL without user, query and fragment/);
  }
  assert.throws(() => configOf({}), /pass either \{ service \} or \{ url \}/);
  assert.throws(() => configOf({ service, url: "https://a" }), /pass either/);
});

Deno.test("webhook configurations: two webhooks of one name are refused with the name", () => {
  const webhook = webhookFor(Desktop).validator({ create: () => {} });
  assert.throws(
    () => generate([webhook, webhook]),
    /two webhooks are named validate\.desktops\.v1/,
  );
});

Deno.test("webhook configurations: a webhook of a built-in kind is not called in the namespace of its server", () => {
  const selectorsOf = (options: Partial<WebhookConfigurationsOptions>): unknown[] =>
    generate(
      [Desktop, Pod, Deployment].map((type) =>
        webhookFor(type, { namespaceSelector: { matchLabels: { guarded: "yes" } } })
          .validator({ create: () => {} })
      ),
      { service, ...options },
    )[0]!.webhooks!.map(({ namespaceSelector }) => namespaceSelector?.matchExpressions);
  const own = ownExcluded.matchExpressions;
  // Of deployments, desktops and pods, in the order of the names.
  assert.deepEqual(selectorsOf({}), [own, undefined, own]);
  assert.deepEqual(selectorsOf({ excludeOwnNamespace: "all" }), [own, own, own]);
  assert.deepEqual(selectorsOf({ excludeOwnNamespace: "none" }), [undefined, undefined, undefined]);
  assert.deepEqual(selectorsOf({ service: undefined, url: "https://a" }), Array(3).fill(undefined));
});

Deno.test("F51 webhookDeadlocks() names the webhooks that prevent the start of their own server, and the resources", () => {
  const deadlocks = (
    webhook: OperatorWebhook,
    options: Partial<WebhookConfigurationsOptions> = { excludeOwnNamespace: "none" },
  ): readonly (readonly string[])[] =>
    webhookDeadlocks(generate([webhook], { service, ...options })).map((each) => each.resources);
  const pods = webhookFor(Pod).validator({ create: () => {} });
  assert.deepEqual(deadlocks(pods), [["pods"]]);
  assert.deepEqual(deadlocks(pods, {}), []);
  assert.deepEqual(deadlocks(pods, { service: undefined, url: "https://a" }), []);
  assert.deepEqual(deadlocks(webhookFor(Deployment).defaulter(() => {})), [["deployments"]]);
  assert.deepEqual(deadlocks(webhookFor(Desktop).validator({ create: () => {} })), []);
  const ignored = webhookFor(Pod, { failurePolicy: "Ignore" }).validator({ create: () => {} });
  assert.deepEqual(deadlocks(ignored), []);
  assert.deepEqual(deadlocks(webhookFor(Pod).validator({ delete: () => {} })), []);
  const select = (namespaceSelector: Record<string, unknown>): OperatorWebhook =>
    webhookFor(Pod, { namespaceSelector }).validator({ create: () => {} });
  assert.deepEqual(
    deadlocks(select({ matchLabels: { "kubernetes.io/metadata.name": "shop" } })),
    [],
  );
  assert.deepEqual(deadlocks(select({ matchLabels: { guarded: "yes" } })), [["pods"]]);
  const exists = [{ key: "constructor", operator: "Exists" }];
  assert.deepEqual(deadlocks(select({ matchExpressions: exists })), [["pods"]]);

  const [configuration] = generate([pods], { service, excludeOwnNamespace: "none" });
  const [webhook] = configuration!.webhooks!;
  const wide = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }];
  const [found] = webhookDeadlocks([{
    ...configuration!,
    webhooks: [{ ...webhook!, rules: wide }],
  }]);
  assert(found!.resources.includes("pods") && found!.resources.includes("leases"));
  assert(!found!.resources.includes("pods/binding"), "a star stands for no subresource");
  assert.match(
    found!.message,
    /^the webhook validate\.pods\.v1 .* in namespace guard-system while its own server there is down/,
  );
});

Deno.test("webhook configurations: the targets of the authorities are what is generated", () => {
  const version = { name: "v1", served: true, storage: true };
  const versions = [version, { ...version, name: "v2", storage: false }];
  const crd = (name: string, conversion?: unknown): never =>
    ({ metadata: { name }, spec: { versions, conversion } }) as never;
  const operator = {
    name: "guard",
    webhooks: [webhookFor(Desktop).validator({ create: () => {} })],
    crds: [
      crd("one.example.com"),
      crd("two.example.com", { strategy: "Webhook" }),
      crd("three.example.com", { strategy: "None" }),
    ],
  };
  assert.deepEqual(caBundleTargetsOf(operator), {
    mutating: [],
    validating: ["guard-validating-webhook-configuration"],
    crds: ["two.example.com"],
  });
  assert.deepEqual(
    caBundleTargetsOf(operator, { name: "other" }).validating,
    webhookConfigurationsOf(operator, { service, name: "other" }).map(({ metadata }) =>
      metadata.name
    ),
  );
});

Deno.test("cert-manager: the serving certificate is for the Service, and its authority outlasts it", () => {
  const manifests = certManagerManifests({ service, name: "guard", labels: { a: "b" } });
  for (const { metadata } of manifests) {
    assert.equal(metadata.namespace, service.namespace);
    assert.deepEqual(metadata.labels, { a: "b" });
  }
  const [selfSigned, authority, issuer, serving] = manifests;
  assert.deepEqual(authority!.spec.issuerRef, {
    group: "cert-manager.io",
    kind: "Issuer",
    name: selfSigned!.metadata.name,
  });
  assert.deepEqual(issuer!.spec, { ca: { secretName: authority!.spec.secretName } });
  assert.deepEqual(serving!.spec.dnsNames, [
    "guard-webhooks.guard-system.svc",
    "guard-webhooks.guard-system.svc.cluster.local",
  ]);
  assert.equal(serving!.spec.secretName, "guard-webhook-certificate");
  const hours = ({ duration }: Readonly<Record<string, unknown>>): number =>
    parseInt(String(duration));
  assert(hours(authority!.spec) > 10 * hours(serving!.spec));
});
