/**
 * A kind with webhooks for tests that an API server calls over TLS: its definition, its webhooks, and a
 * server of them with the configurations that lead to it.
 */
import type { Client } from "../../lib/client/mod.ts";
import { controllerFor, defineOperator, type Operator } from "../../lib/controller/mod.ts";
import {
  CustomResourceDefinition,
  Deployment,
  type KubeObject,
  MutatingWebhookConfiguration,
  Namespace,
  type ResourceType,
  resourceType,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority } from "../../lib/apimachinery/pki/mod.ts";
import {
  type Conversion,
  deny,
  field,
  type OperatorWebhook,
  policiesOf,
  webhookFor,
  type WebhookRegistration,
  type WebhookServer,
  webhookServer,
} from "../../lib/webhook/mod.ts";

/** A virtual desktop; its version v1 has `size`, v2 has `width`. */
export interface Desktop extends KubeObject {
  spec: { image: string; replicas?: number; size?: number };
}

const GROUP = "desks.example.com";

export const Desktop: ResourceType<Desktop> = resourceType<Desktop>({
  group: GROUP,
  version: "v1",
  kind: "Desktop",
  plural: "desktops",
});

/** The same kind in version v2. */
export const DesktopV2: ResourceType = resourceType({
  group: GROUP,
  version: "v2",
  kind: "Desktop",
  plural: "desktops",
});

/** The users and dry runs of the requests that the defaulter got since the last {@linkcode serveDesktops}. */
export const seen: { users: string[]; dryRuns: boolean[] } = { users: [], dryRuns: [] };

/** The webhooks of Desktop: defaults, warnings, problems of fields, a denial and a rule. */
export const desktopWebhook: OperatorWebhook = webhookFor(Desktop)
  .defaulter(({ object, user, dryRun }) => {
    seen.users.push(user.username);
    seen.dryRuns.push(dryRun);
    object.spec.replicas ??= 1;
    (object.metadata.annotations ??= {})["desks.example.com/by"] = user.username;
  })
  .validator({
    create: ({ object, warn }) => {
      if (object.spec.image.endsWith(":latest")) warn("the image may change at any time");
      if (object.spec.image === "broken") throw new Error("the handler is broken");
      if (object.spec.image === "") return [field.required("spec.image")];
    },
    update: ({ object, oldObject }) =>
      object.spec.image === oldObject.spec.image
        ? []
        : [field.forbidden("spec.image", "it must not change")],
    delete: ({ object }) =>
      object.metadata.labels?.keep === "true" ? deny("it is in use") : undefined,
  })
  .rule("self.spec.replicas <= 10", {
    message: "at most ten replicas are allowed",
    fieldPath: ".spec.replicas",
  });

/** A rule about a kind of Kubernetes, which becomes a policy. */
export const deploymentRule: OperatorWebhook = webhookFor(Deployment, {
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "desks" } },
})
  .rule("self.spec.replicas <= 3", { message: "at most three replicas are allowed" })
  .rule("self.spec.replicas >= oldSelf.spec.replicas", { message: "it only grows" });

/** The conversion between the versions of Desktop. */
export const conversion: Conversion = {
  group: GROUP,
  kind: "Desktop",
  versions: ["v1", "v2"],
  convert: (object, version) => {
    const { spec, ...rest } = object as KubeObject & { spec: Record<string, unknown> };
    const [from, to] = version === "v2" ? ["size", "width"] : ["width", "size"];
    const { [from]: value, ...others } = spec;
    if (value === 13) throw new RangeError("thirteen is not a size");
    return { ...rest, spec: { ...others, ...(value !== undefined && { [to]: value }) } };
  },
};

const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          image: { type: "string" },
          replicas: { type: "integer" },
          size: { type: "integer" },
          width: { type: "integer" },
        },
      },
    },
  },
};

/** A webhook server that API servers reach, and the authority of its certificate. */
export interface ServedWebhooks extends AsyncDisposable {
  readonly server: WebhookServer;
  /** The certificate authority of the server, base64. */
  readonly caBundle: string;
  /** The operator, whose definition names the converter. */
  readonly operator: Operator;
}

/** Starts a server of the webhooks of Desktop. */
export async function serveDesktops(): Promise<ServedWebhooks> {
  const authority = await CertificateAuthority.create("webhooks", new Date());
  const pair = await authority.serving("webhooks", ["localhost"], ["127.0.0.1"]);
  seen.users.length = seen.dryRuns.length = 0;
  const caBundle = btoa(authority.cert);
  const server = webhookServer({
    webhooks: [desktopWebhook],
    conversions: [conversion],
    certificate: {
      load: () => Promise.resolve(pair),
      watch: () => ({ [Symbol.dispose]() {} }),
    },
    hostname: "127.0.0.1",
    port: 0,
  });
  await server.setUp(new AbortController().signal);
  const clientConfig = { url: `https://127.0.0.1:${server.port}/convert`, caBundle };
  const operator = defineOperator({
    name: "desks",
    crds: [{
      ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
      metadata: { name: `desktops.${GROUP}` },
      spec: {
        group: GROUP,
        names: {
          kind: "Desktop",
          plural: "desktops",
          singular: "desktop",
          listKind: "DesktopList",
        },
        scope: "Namespaced",
        versions: [
          { name: "v1", served: true, storage: true, schema },
          { name: "v2", served: true, storage: false, schema },
        ],
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig, conversionReviewVersions: ["v1"] },
        },
      },
    }],
    controllers: [controllerFor(Desktop).reconcile(() => {})],
    webhooks: [desktopWebhook, deploymentRule],
  });
  return { server, caBundle, operator, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Installs the definition, policies and webhook configurations, in namespace `desks`. */
export async function install(
  client: Client,
  { server, caBundle, operator }: ServedWebhooks,
): Promise<void> {
  await client.create(Namespace, { metadata: { name: "desks" } });
  for (const crd of operator.crds) await client.create(CustomResourceDefinition, crd as never);
  for (const policy of policiesOf(operator)) {
    if (policy.kind === "ValidatingAdmissionPolicy") {
      await client.create(ValidatingAdmissionPolicy, policy);
    } else await client.create(ValidatingAdmissionPolicyBinding, policy as never);
  }
  const entries = operator.webhooks.flatMap(({ registrations }) => registrations);
  const webhooksOf = (kind: WebhookRegistration["kind"]): never =>
    entries.filter((each) => each.kind === kind).map((each) => ({
      name: each.name,
      admissionReviewVersions: ["v1"],
      sideEffects: each.sideEffects,
      failurePolicy: each.failurePolicy,
      timeoutSeconds: each.timeoutSeconds,
      clientConfig: { url: `https://127.0.0.1:${server.port}${each.path}`, caBundle },
      rules: [each.match],
    })) as never;
  const metadata = { name: "desks" };
  await client.create(MutatingWebhookConfiguration, {
    metadata,
    webhooks: webhooksOf("mutating"),
  });
  await client.create(ValidatingWebhookConfiguration, {
    metadata,
    webhooks: webhooksOf("validating"),
  });
}
