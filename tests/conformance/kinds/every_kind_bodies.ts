/**
 * A small object of every kind that can be written, for the cases that go through them all.
 *
 * @module
 */

/** The bodies with which one kind is tested. */
export interface KindTrial {
  /** The group and version. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Reports whether the kind has a status subresource. */
  readonly status?: boolean;
  /** Returns the fields of an object besides its metadata. */
  readonly body: (name: string, namespace: string) => Record<string, unknown>;
  /** The name of the object, for kinds that restrict names. */
  readonly name?: (run: string) => string;
}

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "a", image: "a" }] },
};
const selector = { matchLabels: { app: "a" } };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const devices = { devices: { requests: [{ name: "a", exactly: { deviceClassName: "a" } }] } };

/** A certificate request of an EC key with the common name `a`. */
export const REQUEST: string =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSGRwRjYzbHZqSzNXRGtQaFVuM0lFWVFIQ3gydVhmZzcvUzkxNkt4TFJaaVU4TUFMMkRweGdQOEF5dWxxWFBoCk8wZVZUNWVCc2RvVkVHT3YxVnpCbktHZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpRUFqeW50MUpSVUZwSk0KTnZUR0RIOFRmalZ3UHlMNWk5R2l4c0EwQTlDR2Z3RUNJQXZUQk45ZHB4NkFReVZZc3Q5bkIyemRrUWZKMUVYYwpPYXFLbkZuZURwZDkKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

function kind(
  apiVersion: string,
  resource: string,
  body: KindTrial["body"] | Record<string, unknown> = {},
  more: Partial<KindTrial> = {},
): KindTrial {
  const made = typeof body === "function" ? body : () => body;
  return { apiVersion, resource, namespaced: true, body: made, ...more };
}

function cluster(
  apiVersion: string,
  resource: string,
  body?: KindTrial["body"] | Record<string, unknown>,
  more: Partial<KindTrial> = {},
): KindTrial {
  return kind(apiVersion, resource, body, { namespaced: false, ...more });
}

const status = { status: true };
const ADMISSION = "admissionregistration.k8s.io/v1";
const RBAC = "rbac.authorization.k8s.io/v1";
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const nothing = {
  resourceRules: [{
    apiGroups: ["example.com"],
    apiVersions: ["v1"],
    operations: ["CREATE"],
    resources: ["none"],
  }],
};

/** Every kind that can be written, by group. */
export const EVERY_KIND: readonly KindTrial[] = [
  kind("v1", "configmaps", { data: { a: "b" } }),
  kind("v1", "endpoints", { subsets: [{ addresses: [{ ip: "192.0.2.1" }] }] }),
  kind("v1", "events", (name, namespace) => ({
    involvedObject: { kind: "Pod", name, namespace },
    reason: "a",
  })),
  kind("v1", "limitranges", { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } }),
  cluster("v1", "namespaces", {}, status),
  cluster("v1", "nodes", {}, status),
  kind("v1", "persistentvolumeclaims", { spec: claim }, status),
  cluster("v1", "persistentvolumes", {
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/a" },
    },
  }, status),
  kind("v1", "pods", { spec: template.spec }, status),
  kind("v1", "podtemplates", { template }),
  kind("v1", "replicationcontrollers", { spec: { selector: { app: "a" }, template } }, status),
  kind("v1", "resourcequotas", { spec: { hard: { "count/leases.b": "1" } } }, status),
  kind("v1", "secrets", { stringData: { a: "b" } }),
  kind("v1", "serviceaccounts"),
  kind("v1", "services", { spec: { ports: [{ port: 80 }] } }, status),
  cluster(ADMISSION, "mutatingadmissionpolicies", {
    spec: {
      matchConstraints: nothing,
      reinvocationPolicy: "Never",
      mutations: [{
        patchType: "ApplyConfiguration",
        applyConfiguration: { expression: "Object{}" },
      }],
    },
  }),
  cluster(ADMISSION, "mutatingadmissionpolicybindings", { spec: { policyName: "a" } }),
  cluster(ADMISSION, "mutatingwebhookconfigurations", { webhooks: [] }),
  cluster(ADMISSION, "validatingadmissionpolicies", {
    spec: { matchConstraints: nothing, validations: [{ expression: "true" }] },
  }, status),
  cluster(ADMISSION, "validatingadmissionpolicybindings", {
    spec: { policyName: "a", validationActions: ["Warn"] },
  }),
  cluster(ADMISSION, "validatingwebhookconfigurations", { webhooks: [] }),
  cluster("apiregistration.k8s.io/v1", "apiservices", (name) => ({
    spec: {
      group: name.slice("v1.".length),
      version: "v1",
      groupPriorityMinimum: 10,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: "default", name: "nobody" },
    },
  }), { ...status, name: (run) => `v1.${run}.example.com` }),
  kind("apps/v1", "controllerrevisions", { revision: 1, data: { a: "b" } }),
  kind("apps/v1", "daemonsets", { spec: { selector, template } }, status),
  kind("apps/v1", "deployments", { spec: { selector, template } }, status),
  kind("apps/v1", "replicasets", { spec: { selector, template } }, status),
  kind("apps/v1", "statefulsets", { spec: { serviceName: "a", selector, template } }, status),
  kind("autoscaling/v1", "horizontalpodautoscalers", {
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    },
  }, status),
  kind("autoscaling/v2", "horizontalpodautoscalers", {
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    },
  }, status),
  kind("batch/v1", "cronjobs", {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  }, status),
  kind("batch/v1", "jobs", {
    spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } },
  }, status),
  cluster("certificates.k8s.io/v1", "certificatesigningrequests", {
    spec: { request: REQUEST, signerName: "example.com/a", usages: ["digital signature"] },
  }, status),
  kind("coordination.k8s.io/v1", "leases", { spec: { holderIdentity: "a" } }),
  kind("discovery.k8s.io/v1", "endpointslices", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"] }],
  }),
  kind("events.k8s.io/v1", "events", (name, namespace) => ({
    eventTime: "2020-01-02T03:04:05.000000Z",
    action: "a",
    reason: "a",
    type: "Normal",
    reportingController: "example.com/a",
    reportingInstance: "a",
    regarding: { kind: "Pod", name, namespace },
  })),
  cluster("flowcontrol.apiserver.k8s.io/v1", "flowschemas", {
    spec: { priorityLevelConfiguration: { name: "catch-all" } },
  }, status),
  cluster("flowcontrol.apiserver.k8s.io/v1", "prioritylevelconfigurations", {
    spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
  }, status),
  cluster("networking.k8s.io/v1", "ingressclasses", { spec: { controller: "example.com/a" } }),
  kind("networking.k8s.io/v1", "ingresses", {
    spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
  }, status),
  cluster("networking.k8s.io/v1", "ipaddresses", {
    spec: { parentRef: { resource: "services", namespace: "default", name: "a" } },
  }, { name: addressOf }),
  kind("networking.k8s.io/v1", "networkpolicies", { spec: { podSelector: {} } }),
  cluster("networking.k8s.io/v1", "servicecidrs", { spec: { cidrs: ["192.0.2.0/28"] } }, status),
  cluster("node.k8s.io/v1", "runtimeclasses", { handler: "a" }),
  kind("policy/v1", "poddisruptionbudgets", { spec: { selector } }, status),
  cluster(RBAC, "clusterrolebindings", { roleRef }),
  cluster(RBAC, "clusterroles", { rules: [] }),
  kind(RBAC, "rolebindings", { roleRef }),
  kind(RBAC, "roles", { rules: [] }),
  cluster("resource.k8s.io/v1", "deviceclasses", { spec: {} }),
  kind("resource.k8s.io/v1", "resourceclaims", { spec: devices }, status),
  kind("resource.k8s.io/v1", "resourceclaimtemplates", { spec: { spec: devices } }),
  cluster("resource.k8s.io/v1", "resourceslices", {
    spec: {
      driver: "example.com",
      nodeName: "a",
      pool: { name: "a", generation: 1, resourceSliceCount: 1 },
      devices: [{ name: "a" }],
    },
  }),
  cluster("scheduling.k8s.io/v1", "priorityclasses", { value: 1 }),
  cluster("storage.k8s.io/v1", "csidrivers", { spec: {} }),
  cluster("storage.k8s.io/v1", "csinodes", { spec: { drivers: [] } }),
  kind("storage.k8s.io/v1", "csistoragecapacities", { storageClassName: "a" }),
  cluster("storage.k8s.io/v1", "storageclasses", { provisioner: "example.com/a" }),
  cluster("storage.k8s.io/v1", "volumeattachments", {
    spec: { attacher: "a", nodeName: "a", source: { persistentVolumeName: "a" } },
  }, status),
  cluster("storage.k8s.io/v1", "volumeattributesclasses", {
    driverName: "example.com",
    parameters: { a: "b" },
  }),
];

/** An address of the documentation's range, by what the run is called. */
function addressOf(run: string): string {
  const [a, b] = new TextEncoder().encode(run.slice(-2));
  return `2001:db8::${a!.toString(16)}:${b!.toString(16)}`;
}
