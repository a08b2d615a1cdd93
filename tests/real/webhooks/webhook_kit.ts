/**
 * A kind with webhooks for tests that an API server calls over TLS: its definition, its webhooks, and a
 * server of them with the configurations that lead to it.
 */
import type { Client } from "../../../lib/client/mod.ts";
import { controllerFor, defineOperator, type Operator } from "../../../lib/controller/mod.ts";
import type { V1CustomResourceDefinition } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  type KubeObject,
  MutatingWebhookConfiguration,
  Namespace,
  Pod,
  type ResourceType,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "../../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";
import { defineResource, s } from "../../../lib/resource/mod.ts";
import {
  deny,
  field,
  type OperatorWebhook,
  policiesOf,
  webhookConfigurationsOf,
  webhookFor,
  type WebhookServer,
  webhookServer,
  withConversionWebhook,
} from "../../../lib/webhook/mod.ts";

const GROUP = "desks.example.com";

const common = { image: s.string(), replicas: s.optional(s.integer()) };

const DesktopResource = defineResource({
  group: GROUP,
  kind: "Desktop",
  storedVersion: "v1",
  versions: {
    v1: { spec: s.object({ ...common, size: s.optional(s.integer()) }) },
    v2: {
      spec: s.object({ ...common, width: s.optional(s.integer()) }),
      convert: {
        toStored: ({ spec: { width, ...spec }, metadata }) => {
          if (width === 13) throw new RangeError("thirteen is not a width");
          return { metadata, spec: { ...spec, ...(width !== undefined && { size: width }) } };
        },
        fromStored: ({ spec: { size, ...spec }, metadata }) => ({
          metadata,
          spec: { ...spec, ...(size !== undefined && { width: size }) },
        }),
      },
    },
  },
});

/** The part of a Desktop that the tests read, in both versions. */
export interface Desktop extends KubeObject {
  spec: { image: string; replicas?: number; size?: number; width?: number };
}

/** The stored version of a Desktop, which has `size`. */
export const DesktopV1: ResourceType<Desktop> = DesktopResource as never;

/** The other version of a Desktop, which has `width`. */
export const DesktopV2: ResourceType<Desktop> = DesktopResource.versions.v2 as never;

/** The reviews that the defaulter got since the last {@linkcode serveDesktops}. */
export const seen: { user: string; dryRun: boolean; requestVersion: string }[] = [];

/** The webhooks of Desktop: defaults, warnings, problems of fields, a denial and a rule. */
const desktopWebhook: OperatorWebhook = webhookFor(DesktopResource)
  .defaulter(({ object, user, dryRun, requestKind }) => {
    seen.push({ user: user.username, dryRun, requestVersion: requestKind.version });
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

const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": "desks" } };

/** Webhooks and rules about kinds of Kubernetes, in the namespace of the tests alone. */
const builtIn: readonly OperatorWebhook[] = [
  webhookFor(Deployment, { namespaceSelector })
    .rule("self.spec.replicas <= 3", { message: "at most three replicas are allowed" })
    .rule("self.spec.replicas >= oldSelf.spec.replicas", { message: "it only grows" }),
  webhookFor(ConfigMap, {
    namespaceSelector,
    objectSelector: { matchLabels: { limited: "yes" } },
    parameters: { type: ConfigMap, name: "limits" },
  }).rule("size(self.data) <= int(params.data.keys)", {
    message: "too many keys",
    messageExpression: "'at most ' + params.data.keys",
  }),
  webhookFor(Deployment, { namespaceSelector, subresource: "scale" }).validator({
    update: ({ object, oldObject }) =>
      object.spec?.replicas === 5 ? deny(`from ${oldObject.spec?.replicas} to five`) : undefined,
  }),
  webhookFor(Pod, { namespaceSelector, subresource: "exec" }).validator({
    connect: ({ object, key }) => deny(`no ${object.kind} in ${key}`),
  }),
];

/** A webhook server that API servers reach, and the authority of its certificate. */
export interface ServedWebhooks extends AsyncDisposable {
  readonly server: WebhookServer;
  /** The URL and the authority of the server. */
  readonly address: { readonly url: string; readonly caBundle: string };
  /** The operator of the webhooks. */
  readonly operator: Operator;
}

/** Starts a server of the webhooks of Desktop. */
export async function serveDesktops(): Promise<ServedWebhooks> {
  const authority = await CertificateAuthority.create("webhooks", new Date());
  const pair = await authority.serving("webhooks", ["localhost"], ["127.0.0.1"]);
  seen.length = 0;
  const operator = defineOperator({
    name: "desks",
    controllers: [controllerFor(DesktopResource).reconcile(() => {})],
    webhooks: [desktopWebhook, ...builtIn],
  });
  const server = webhookServer({
    operators: [operator],
    certificate: {
      load: () => Promise.resolve(pair),
      watch: () => ({ [Symbol.dispose]() {} }),
    },
    hostname: "127.0.0.1",
    port: 0,
  });
  await server.setUp(new AbortController().signal);
  const address = { url: `https://127.0.0.1:${server.port}`, caBundle: authority.cert };
  return { server, address, operator, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Installs the definition, policies and webhook configurations, and creates the namespace `desks`. */
export async function install(
  client: Client,
  { address, operator }: ServedWebhooks,
): Promise<void> {
  await client.create(Namespace, { metadata: { name: "desks" } });
  for (const crd of operator.crds) {
    const definition = crd as unknown as V1CustomResourceDefinition;
    await client.create(CustomResourceDefinition, withConversionWebhook(definition, address));
  }
  for (const policy of policiesOf(operator)) {
    if (policy.kind === "ValidatingAdmissionPolicy") {
      await client.create(ValidatingAdmissionPolicy, policy);
    } else await client.create(ValidatingAdmissionPolicyBinding, policy as never);
  }
  for (const configuration of webhookConfigurationsOf(operator, address)) {
    if (configuration.kind === "MutatingWebhookConfiguration") {
      await client.create(MutatingWebhookConfiguration, configuration);
    } else await client.create(ValidatingWebhookConfiguration, configuration as never);
  }
}
