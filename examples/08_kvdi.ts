/**
 * Virtual desktops: a custom resource defined in TypeScript, with a defaulter and a validator,
 * whose objects become a Deployment and a Service each, and are scaled by the scale subresource.
 *
 * ```sh
 * kubectl xca run --embedded examples/08_kvdi.ts # an API server in the process, webhooks included
 * kubectl apply -f - <<< '{"apiVersion": "kvdis.example.com/v1alpha1", "kind": "Kvdi",
 *   "metadata": {"name": "office"}, "spec": {"image": "registry.example.com/desktop:1"}}'
 * kubectl scale kd office --replicas=3
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  Deployment,
  loadConfig,
  type Operator,
  type ReconcileContext,
  Service,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { child, ChildSet, childSource, patchStatus } from "@xca/operator/controller";
import type { KubeObject } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";
import { field, type WebhookDefinition, webhookFor } from "@xca/operator/webhook";
import { runExample } from "./run_example.ts";

/** The protocols by which a desktop can be reached, each with its port. */
const PORTS = { vnc: 5900, rdp: 3389, web: 443 } as const;

/** A virtual desktop as the API server stores it. */
export interface Kvdi extends KubeObject {
  /** The desired state of the desktop. */
  spec: {
    image: string;
    replicas: number;
    protocol: keyof typeof PORTS;
    port?: number;
    homeSize?: string | number;
  };
  /** The observed state of the desktop. */
  status?: { replicas: number; readyReplicas: number; selector: string; address: string };
}

/** A virtual desktop as users write it: the fields with defaults may be absent. */
export interface NewKvdi extends KubeObject {
  /** The desired state of the desktop. */
  spec: Pick<Kvdi["spec"], "image"> & Partial<Kvdi["spec"]>;
}

/** The resource of virtual desktops: `kubectl get kd`. */
export const Kvdi: DefinedResource<Kvdi, NewKvdi> = defineResource({
  group: "kvdis.example.com",
  version: "v1alpha1",
  kind: "Kvdi",
  plural: "kvdis",
  shortNames: ["kd"],
  spec: s.object({
    image: s.string({ minLength: 1, description: "The image of the desktop" }),
    replicas: s.integer({
      format: "int32",
      minimum: 0,
      maximum: 50,
      default: 1,
      description: "The number of desktops",
    }),
    protocol: s.enum(["vnc", "rdp", "web"], {
      default: "vnc",
      description: "The protocol by which the desktop is reached",
    }),
    port: s.optional(s.integer({
      format: "int32",
      minimum: 1,
      maximum: 65535,
      description: "The port of the desktop; by default that of the protocol",
    })),
    homeSize: s.optional(s.quantity({ description: "The size of the home folder, in memory" })),
  }),
  status: s.object({
    replicas: s.integer({ format: "int32" }),
    readyReplicas: s.integer({ format: "int32" }),
    selector: s.string(),
    address: s.string(),
  }),
  subresources: { scale: { labelSelectorPath: ".status.selector" } },
  printerColumns: [
    { name: "Protocol", type: "string", jsonPath: ".spec.protocol" },
    { name: "Desired", type: "integer", jsonPath: ".spec.replicas" },
    { name: "Ready", type: "integer", jsonPath: ".status.readyReplicas" },
    { name: "Address", type: "string", jsonPath: ".status.address", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * The webhooks of virtual desktops: a defaulter of the port, and a validator of creations, updates
 * and deletions.
 */
export const kvdiWebhook: WebhookDefinition<Kvdi> = webhookFor(Kvdi)
  // The default port depends on another field, which a schema cannot say.
  .defaulter(({ object: { spec } }) => {
    spec.port ??= PORTS[spec.protocol];
  })
  .validator({
    create: ({ object: { spec }, warn }) => {
      if (!/[:@][^/]*$/.test(spec.image)) warn("spec.image has no tag: it may change at any time");
      return problemsOf(spec);
    },
    update: ({ object: { spec }, oldObject }) => {
      const problems = problemsOf(spec);
      return spec.protocol === oldObject.spec.protocol ? problems : [
        ...problems,
        field.forbidden("spec.protocol", "users are connected: create another desktop"),
      ];
    },
    delete: ({ object }) =>
      object.metadata.annotations?.["kvdis.example.com/keep"] === "true"
        ? [field.forbidden("metadata.annotations", "the desktop is marked kvdis.example.com/keep")]
        : [],
  });

/**
 * Returns the field errors of a desktop that its schema cannot find: a port that is the default of
 * another protocol.
 */
function problemsOf({ port, protocol }: Kvdi["spec"]): ReturnType<typeof field.invalid>[] {
  const other = Object.entries(PORTS).find(([name, known]) => known === port && name !== protocol);
  return other === undefined
    ? []
    : [field.invalid("spec.port", port, `must not be the port of ${other[0]}`)];
}

/** The children of virtual desktops: for each desktop a Deployment and a Service with its name. */
const children = new ChildSet<Kvdi>({
  name: "kvdi",
  parent: Kvdi,
  types: [Deployment, Service],
  desired: (desktop) => {
    const { name = "", namespace = "" } = desktop.metadata;
    const { image, replicas, protocol, port = PORTS[protocol], homeSize } = desktop.spec;
    const labels = labelsOf(desktop);
    const volume = homeSize === undefined ? {} : {
      volumes: [{ name: "home", emptyDir: { medium: "Memory", sizeLimit: String(homeSize) } }],
    };
    const mount = homeSize === undefined ? {} : {
      volumeMounts: [{ name: "home", mountPath: "/home" }],
    };
    const container = {
      name: "desktop",
      image,
      ports: [{ name: protocol, containerPort: port, protocol: "TCP" }],
      ...mount,
    };
    return [
      child(Deployment, {
        metadata: { name, namespace, labels },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container], ...volume } },
        },
      }),
      child(Service, {
        metadata: { name, namespace, labels },
        spec: {
          selector: labels,
          ports: [{ name: protocol, port, targetPort: protocol, protocol: "TCP" }],
        },
      }),
    ];
  },
});

/** Returns the labels of the pods of a virtual desktop, by which its Service finds them. */
function labelsOf({ metadata }: KubeObject): Record<string, string> {
  return { "app.kubernetes.io/name": "kvdi", "app.kubernetes.io/instance": metadata.name ?? "" };
}

async function reconcile(context: ReconcileContext): Promise<void> {
  const desktop = context.cache.get(Kvdi, context.key);
  // The garbage collector deletes the children of a deleted desktop.
  if (!desktop || desktop.metadata.deletionTimestamp) return;
  await children.reconcile(context, desktop);
  const deployment = context.cache.get(Deployment, context.key);
  const { name, namespace } = desktop.metadata;
  const { protocol, port = PORTS[protocol] } = desktop.spec;
  const selector = Object.entries(labelsOf(desktop)).map((label) => label.join("=")).join(",");
  await patchStatus(context, Kvdi, desktop, {
    replicas: deployment?.status?.replicas ?? 0,
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    selector,
    address: `${protocol}://${name}.${namespace}.svc:${port}`,
  });
}

/** The operator of virtual desktops. */
export const operator: Operator = defineOperator({
  name: "kvdi",
  controllers: [
    controllerFor(Kvdi)
      .owns(Deployment, childSource)
      .owns(Service, childSource)
      .uses(Deployment, ["apply", "delete"])
      .uses(Service, ["apply", "delete"])
      .uses(Kvdi, ["patchStatus"])
      .reconcile(reconcile),
  ],
  webhooks: [kvdiWebhook],
});

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
