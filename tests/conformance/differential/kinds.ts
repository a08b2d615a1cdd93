/**
 * The kinds that sequences write: where they live, and how chance makes an object of each. Values are
 * mostly right and sometimes wrong, since refusals are compared too.
 *
 * @module
 */
import type { Chance, Fields } from "./chance.ts";
import { anyPodSpec, podTemplate } from "./pods.ts";

/** A kind that sequences write. */
export interface RandomKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The subresources that can be written like the object itself. */
  readonly subresources: readonly string[];
  /** Reports whether strategic merge patches are understood. */
  readonly strategic: boolean;
  /** The fields of the simplest valid object of the kind. */
  readonly plain: Fields;
  /** Everything of an object but apiVersion, kind and metadata. */
  content(chance: Chance): Fields;
}

const text = (chance: Chance): unknown =>
  chance.mostly(["", "a", "b", "ünï", "x".repeat(70), 7, null]);
const key = (chance: Chance): string =>
  chance.mostly(["a", "b", "c.d", "e-f", "_g", "no good", ".."]);

function textMap(chance: Chance): Fields {
  return Object.fromEntries(chance.list(3, () => [key(chance), text(chance)]));
}

const BASE64 = ["", "YQ==", "YWJj", "no base64!"];

const CONFIG_MAP: RandomKind = {
  apiVersion: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
  subresources: [],
  strategic: true,
  plain: {},
  content: (chance) =>
    chance.fields({
      data: () => textMap(chance),
      binaryData: () =>
        Object.fromEntries(chance.list(2, () => [key(chance), chance.mostly(BASE64)])),
      immutable: () => chance.happens(0.2) ? true : false,
      unknownField: () => chance.happens(0.2) ? 1 : undefined,
    }),
};

const SECRET: RandomKind = {
  ...CONFIG_MAP,
  kind: "Secret",
  plural: "secrets",
  content: (chance) =>
    chance.fields({
      type: () =>
        chance.mostly([
          "Opaque",
          "",
          "kubernetes.io/basic-auth",
          "kubernetes.io/tls",
          "kubernetes.io/dockerconfigjson",
          "kubernetes.io/ssh-auth",
          "example.com/own",
        ]),
      data: () =>
        Object.fromEntries(
          chance.list(3, () => [
            chance.mostly([
              "a",
              "username",
              "tls.crt",
              "tls.key",
              ".dockerconfigjson",
              "ssh-privatekey",
            ]),
            chance.mostly(BASE64),
          ]),
        ),
      stringData: () => textMap(chance),
      immutable: () => chance.happens(0.2),
    }),
};

const POD: RandomKind = {
  apiVersion: "v1",
  kind: "Pod",
  plural: "pods",
  namespaced: true,
  subresources: ["status", "status", "ephemeralcontainers", "resize"],
  strategic: true,
  plain: { spec: { containers: [{ name: "c", image: "i" }] } },
  content: (chance) => ({
    spec: anyPodSpec(chance),
    ...chance.fields({
      status: () =>
        chance.fields({
          phase: () => chance.mostly(["Running", "Pending", "Failed", "Nonsense"]),
          message: () => text(chance),
          podIP: () => chance.mostly(["10.1.2.3", "fd00::1", "nonsense"]),
          conditions: () =>
            chance.list(2, (index) => ({
              type: ["Ready", "PodScheduled"][index],
              status: chance.mostly(["True", "False", "Maybe"]),
              lastTransitionTime: chance.mostly(["2024-01-01T00:00:00Z", null]),
            })),
        }),
    }, 0.3),
  }),
};

function servicePort(chance: Chance): Fields {
  return {
    port: chance.mostly([80, 443, 8080, 0, 70_000]),
    ...chance.fields({
      name: () => chance.mostly(["http", "https", "web", "Not_OK"]),
      protocol: () => chance.mostly(["TCP", "UDP", "SCTP", "HTTP"]),
      targetPort: () => chance.mostly([8080, "http", 0, "Not_OK"]),
      appProtocol: () => chance.mostly(["http", "example.com/x", "no good"]),
    }),
  };
}

const SERVICE: RandomKind = {
  apiVersion: "v1",
  kind: "Service",
  plural: "services",
  namespaced: true,
  subresources: ["status"],
  strategic: true,
  plain: { spec: { ports: [{ port: 80 }] } },
  content: (chance) => ({
    spec: {
      ...(chance.happens(0.9) && { ports: chance.list(3, () => servicePort(chance)) }),
      ...chance.fields({
        type: () => chance.mostly(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Odd"]),
        selector: () => chance.fields({ app: () => chance.mostly(["web", "db", "no good!"]) }, 0.9),
        clusterIP: () => chance.mostly(["None", "", "nonsense"]),
        sessionAffinity: () => chance.mostly(["None", "ClientIP", "Odd"]),
        externalName: () => chance.mostly(["example.com", "no good"]),
        internalTrafficPolicy: () => chance.mostly(["Cluster", "Local", "Odd"]),
        externalTrafficPolicy: () => chance.mostly(["Cluster", "Local", "Odd"]),
        publishNotReadyAddresses: () => chance.happens(0.5),
        externalIPs: () => [chance.mostly(["192.0.2.1", "nonsense"])],
        ipFamilyPolicy: () => chance.mostly(["SingleStack", "RequireDualStack", "Odd"]),
        loadBalancerClass: () => chance.mostly(["example.com/lb", "no good"]),
        allocateLoadBalancerNodePorts: () => chance.happens(0.5),
        sessionAffinityConfig: () => ({
          clientIP: { timeoutSeconds: chance.mostly([10, 0, 100_000]) },
        }),
        loadBalancerSourceRanges: () => [chance.mostly(["192.0.2.0/24", " 10.0.0.0/8", "x"])],
        trafficDistribution: () => chance.mostly(["PreferClose", "Odd"]),
        ipFamilies: () => chance.mostly([["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["Odd"]]),
        healthCheckNodePort: () => chance.mostly([0, 70_000]),
      }, 0.2),
    },
    ...chance.fields({
      status: () => ({
        loadBalancer: {
          ingress: [{ ...chance.mostly<Fields>([{ ip: "192.0.2.9" }, { hostname: "no good!" }]) }],
        },
      }),
    }, 0.15),
  }),
};

const DEPLOYMENT: RandomKind = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
  subresources: ["status", "scale"],
  strategic: true,
  plain: {
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    },
  },
  content: (chance) => ({
    spec: {
      selector: chance.mostly([
        { matchLabels: { app: "web" } },
        { matchLabels: { app: "web" } },
        { matchLabels: { app: "web" } },
        { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] },
        { matchExpressions: [{ key: "app", operator: "Odd" }] },
        {},
      ]),
      template: podTemplate(chance),
      ...chance.fields({
        replicas: () => chance.mostly([0, 1, 3, -1]),
        strategy: () =>
          chance.mostly<unknown>([
            { type: "Recreate" },
            { type: "RollingUpdate", rollingUpdate: { maxSurge: "30%", maxUnavailable: 1 } },
            { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
            { type: "Recreate", rollingUpdate: {} },
            { type: "Odd" },
          ]),
        minReadySeconds: () => chance.mostly([0, 5, -1]),
        revisionHistoryLimit: () => chance.mostly([0, 3, -1]),
        progressDeadlineSeconds: () => chance.mostly([0, 5, 600]),
        paused: () => chance.happens(0.5),
      }, 0.3),
    },
    ...chance.fields({
      status: () =>
        chance.fields({
          replicas: () => chance.mostly([0, 1, -1]),
          observedGeneration: () => chance.mostly([0, 1, 5]),
          readyReplicas: () => chance.mostly([0, 1, 9]),
        }),
    }, 0.3),
  }),
};

const LEASE: RandomKind = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
  subresources: [],
  strategic: true,
  plain: {},
  content: (chance) => ({
    spec: chance.fields({
      holderIdentity: () => chance.mostly(["me", "you", ""]),
      leaseDurationSeconds: () => chance.mostly([15, 0, -1, "x"]),
      acquireTime: () =>
        chance.mostly(["2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00Z", "x"]),
      renewTime: () => chance.mostly(["2024-01-01T00:00:00.100000Z", null]),
      leaseTransitions: () => chance.mostly([0, 1, -1]),
      preferredHolder: () => chance.mostly(["you", ""]),
    }, 0.5),
  }),
};

const EVENT: RandomKind = {
  apiVersion: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
  subresources: [],
  strategic: true,
  plain: { involvedObject: { namespace: "<namespace>" } },
  content: (chance) => ({
    involvedObject: {
      namespace: "<namespace>",
      ...chance.fields({
        kind: () => "Pod",
        name: () => "a",
        namespace: () => chance.mostly(["<namespace>", "default", "other"]),
      }),
    },
    ...chance.fields({
      reason: () => chance.mostly(["Started", "", "x".repeat(200)]),
      message: () => text(chance),
      type: () => chance.mostly(["Normal", "Warning", "Odd"]),
      count: () => chance.mostly([0, 1, 5]),
      firstTimestamp: () => "2024-01-01T00:00:00Z",
      eventTime: () => chance.mostly(["2024-01-01T00:00:00.000000Z", null]),
      reportingComponent: () => chance.mostly(["example.com/x", "x"]),
      reportingInstance: () => "i",
      action: () => "Act",
      source: () => ({ component: "kubelet" }),
    }),
  }),
};

const NEW_EVENT: RandomKind = {
  ...EVENT,
  apiVersion: "events.k8s.io/v1",
  plain: {
    eventTime: "2024-01-01T00:00:00.000000Z",
    reportingController: "example.com/x",
    reportingInstance: "i",
    action: "Act",
    reason: "Started",
    type: "Normal",
    regarding: { namespace: "<namespace>" },
  },
  content: (chance) => ({
    regarding: {
      namespace: "<namespace>",
      ...chance.fields({
        kind: () => "Pod",
        name: () => "a",
        namespace: () => chance.mostly(["<namespace>", "default", "other"]),
      }),
    },
    ...chance.fields({
      eventTime: () => chance.mostly(["2024-01-01T00:00:00.000000Z", null]),
      reportingController: () => chance.mostly(["example.com/x", "x", "no good", ""]),
      reportingInstance: () => chance.mostly(["i", "", "x".repeat(200)]),
      action: () => chance.mostly(["Act", ""]),
      reason: () => chance.mostly(["Started", "", "x".repeat(200)]),
      type: () => chance.mostly(["Normal", "Warning", "Odd"]),
    }, 0.92),
    ...chance.fields({
      note: () => chance.mostly(["it is so", "", "x".repeat(1100)]),
      series: () =>
        chance.mostly<unknown>([
          { count: 2, lastObservedTime: "2024-01-01T00:00:00.000000Z" },
          { count: 1 },
          {},
        ]),
      related: () => ({ kind: "Node", name: "node-1" }),
      deprecatedCount: () => 2,
      deprecatedFirstTimestamp: () => "2024-01-01T00:00:00Z",
      deprecatedSource: () => ({ component: "kubelet" }),
    }, 0.2),
  }),
};

const NAMESPACE: RandomKind = {
  apiVersion: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
  subresources: ["status", "finalize"],
  strategic: true,
  plain: {},
  content: (chance) =>
    chance.fields({
      spec: () =>
        chance.mostly([{ finalizers: ["example.com/f"] }, { finalizers: ["odd"] }, {
          finalizers: [],
        }]),
      status: () => ({ phase: chance.mostly(["Active", "Terminating", "Odd"]) }),
    }, 0.3),
};

/** The built-in kinds on which the random sequences of requests operate. */
export const BUILTIN_KINDS: readonly RandomKind[] = [
  CONFIG_MAP,
  SECRET,
  POD,
  SERVICE,
  DEPLOYMENT,
  LEASE,
  EVENT,
  NEW_EVENT,
  NAMESPACE,
];
