import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { ANY, definitionIn } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const UNRECORDED = { unrecorded: true };

// deno-lint-ignore no-explicit-any
type Wire = any;

/** Reads a path as a table and records it without the prose of its columns. */
async function table(t: Target, path: string, accept: string = TABLE): Promise<Wire> {
  // Ages, and what a restart was ago.
  t.mask(/^\d+[smhdy](\d+[smhd])?$/, "<age>");
  t.mask(/\(\d+[smhdy](\d+[smhd])? ago\)$/, "(<age> ago)");
  const answer = await t.get(path, { headers: { Accept: accept }, ...UNRECORDED });
  const { columnDefinitions, ...rest } = answer.body;
  const columns = columnDefinitions?.map(({ description: _, ...column }: Wire) => column);
  const body = columnDefinitions === undefined ? answer.body : { ...rest, columns };
  t.exchanges.push({ request: `GET ${path} as a table`, code: answer.code, body });
  return answer.body;
}

/** Creates an object, its status too if it has one, and reads it as a table. */
async function row(t: Target, path: string, object: Wire): Promise<Wire> {
  const created = await create(t, path, object);
  const shown = await table(t, `${path}/${created.body.metadata.name}`);
  if (!path.includes("/namespaces/")) {
    await t.delete(`${path}/${object.metadata.name}`, undefined, UNRECORDED);
  }
  return shown;
}

async function create(t: Target, path: string, object: Wire): Promise<Answer> {
  const created = await t.post(path, object, UNRECORDED);
  assert.equal(created.code, 201, JSON.stringify(created.body));
  if (object.status === undefined) return created;
  const { name } = created.body.metadata;
  const body = { metadata: { name }, status: object.status };
  const patched = await t.patch("merge", `${path}/${name}/status`, body, UNRECORDED);
  assert.equal(patched.code, 200, JSON.stringify(patched.body));
  return created;
}

const CONTAINERS = [{ name: "c", image: "i" }, { name: "d", image: "j" }];
const LABELS = { a: "b" };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: CONTAINERS } };
const OLD = "2020-01-02T03:04:05Z";

conformance("config maps show how much they hold", async (t) => {
  await row(t, t.path("configmaps"), {
    metadata: { name: "a" },
    data: { x: "1", y: "2" },
    binaryData: { z: "YQ==" },
  });
});

conformance("secrets show their type", async (t) => {
  await row(t, t.path("secrets"), { metadata: { name: "a" }, stringData: { x: "1" } });
});

conformance("service accounts", async (t) => {
  await row(t, t.path("serviceaccounts"), { metadata: { name: "a" } });
});

conformance("namespaces show their phase", async (t) => {
  await table(t, `/api/v1/namespaces/${t.namespace}`);
});

const PODS: Readonly<Record<string, Wire>> = {
  "that waits": {},
  "that runs": {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    podIPs: [{ ip: "10.1.2.3" }],
    podIP: "10.1.2.3",
    containerStatuses: [
      status("c", { running: { startedAt: OLD } }, { ready: true }),
      status("d", { running: { startedAt: OLD } }, { restartCount: 3, lastState: ended(1) }),
    ],
  },
  "whose container waits": {
    phase: "Pending",
    containerStatuses: [status("c", { waiting: { reason: "ImagePullBackOff" } })],
  },
  "whose container ended": {
    phase: "Running",
    containerStatuses: [
      status("c", ended(2)),
      status("d", { terminated: { exitCode: 0, signal: 9 } }),
    ],
  },
  "that is done": { phase: "Succeeded", containerStatuses: [status("c", ended(0, "Completed"))] },
  "that failed": { phase: "Failed", reason: "Evicted" },
  "one of whose containers is done": {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [
      status("c", ended(0, "Completed")),
      status("d", { running: { startedAt: OLD } }, { ready: true }),
    ],
  },
  "that may not be scheduled": {
    conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
  },
  "that is nominated to a node": { nominatedNodeName: "n" },
};
for (const [what, podStatus] of Object.entries(PODS)) {
  conformance(`a pod ${what}`, async (t) => {
    await row(t, t.path("pods"), {
      metadata: { name: "a" },
      spec: { containers: CONTAINERS },
      ...(Object.keys(podStatus).length > 0 && { status: podStatus }),
    });
  });
}

function status(name: string, state: Wire, more: Wire = {}): Wire {
  const defaults = { image: "i", imageID: "x", ready: false, restartCount: 0 };
  return { name, state, ...defaults, ...more };
}

function ended(exitCode: number, reason?: string): Wire {
  return { terminated: { exitCode, finishedAt: OLD, startedAt: OLD, ...(reason && { reason }) } };
}

const INIT: Readonly<Record<string, Wire>> = {
  "is at its second": [status("x", ended(0)), status("y", { running: { startedAt: OLD } })],
  "cannot pull its first": [status("x", { waiting: { reason: "ErrImagePull" } })],
  "failed in its first": [status("x", ended(3)), status("y", { waiting: {} })],
};
for (const [what, initContainerStatuses] of Object.entries(INIT)) {
  conformance(`a pod with init containers ${what}`, async (t) => {
    await row(t, t.path("pods"), {
      metadata: { name: "a" },
      spec: {
        containers: CONTAINERS,
        initContainers: [{ name: "x", image: "i" }, { name: "y", image: "i" }],
      },
      status: { phase: "Pending", initContainerStatuses },
    });
  });
}

conformance("a pod with a container that starts first and stays", async (t) => {
  await row(t, t.path("pods"), {
    metadata: { name: "a" },
    spec: {
      containers: [CONTAINERS[0]],
      initContainers: [{ name: "x", image: "i", restartPolicy: "Always" }],
      readinessGates: [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }],
    },
    status: {
      phase: "Running",
      conditions: [{ type: "example.com/a", status: "True" }],
      initContainerStatuses: [
        status("x", { running: { startedAt: OLD } }, {
          ready: true,
          started: true,
          restartCount: 2,
        }),
      ],
      containerStatuses: [status("c", { running: { startedAt: OLD } }, { ready: true })],
    },
  });
});

conformance("pod templates", async (t) => {
  await row(t, t.path("podtemplates"), { metadata: { name: "a" }, template: TEMPLATE });
});

conformance("replication controllers", async (t) => {
  await row(t, t.path("replicationcontrollers"), {
    metadata: { name: "a" },
    spec: { replicas: 2, selector: LABELS, template: TEMPLATE },
    status: { replicas: 2, readyReplicas: 1 },
  });
});

const SELECTOR = {
  matchLabels: LABELS,
  matchExpressions: [
    { key: "z", operator: "NotIn", values: ["2", "1"] },
    { key: "c", operator: "DoesNotExist" },
  ],
};

for (const plural of ["deployments", "replicasets", "statefulsets", "daemonsets"]) {
  conformance(`${plural} show their selectors and images`, async (t) => {
    const counted = plural === "daemonsets"
      ? {
        status: {
          currentNumberScheduled: 2,
          numberMisscheduled: 0,
          desiredNumberScheduled: 3,
          numberReady: 1,
        },
      }
      : { status: { replicas: 3, readyReplicas: 1, availableReplicas: 1 } };
    await row(t, t.path(plural, "apps/v1"), {
      metadata: { name: "a" },
      spec: {
        ...(plural !== "daemonsets" && { replicas: 3 }),
        ...(plural === "statefulsets" && { serviceName: "s" }),
        selector: SELECTOR,
        template: TEMPLATE,
      },
      ...counted,
    });
  });
}

conformance("controller revisions show whose they are", async (t) => {
  await row(t, t.path("controllerrevisions", "apps/v1"), {
    metadata: {
      name: "a",
      ownerReferences: [{
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        name: "d",
        uid: "u",
        controller: true,
      }],
    },
    data: {},
    revision: 4,
  });
});

const JOBS: Readonly<Record<string, Wire>> = {
  "of one pod": { spec: {} },
  "of many pods": { spec: { completions: 5, parallelism: 2 } },
  "of a work queue": { spec: { parallelism: 3 } },
  "that is suspended": {
    spec: { suspend: true },
    status: { conditions: [{ type: "Suspended", status: "True" }] },
  },
};
for (const [what, { spec, status: jobStatus }] of Object.entries(JOBS)) {
  conformance(`a job ${what}`, async (t) => {
    // Its selector has the job's own identity.
    t.mask(/controller-uid=.*$/, "controller-uid=<uid>");
    await row(t, t.path("jobs", "batch/v1"), {
      metadata: { name: "a" },
      spec: {
        ...spec,
        template: { spec: { restartPolicy: "Never", containers: CONTAINERS } },
      },
      ...(jobStatus && { status: jobStatus }),
    });
  });
}

conformance("cron jobs", async (t) => {
  const template = { spec: { restartPolicy: "Never", containers: CONTAINERS } };
  await row(t, t.path("cronjobs", "batch/v1"), {
    metadata: { name: "a" },
    spec: { schedule: "* * * * *", timeZone: "Etc/UTC", jobTemplate: { spec: { template } } },
    status: { lastScheduleTime: OLD },
  });
});

const SERVICES: Readonly<Record<string, Wire>> = {
  "with an address": { spec: { ports: [{ port: 80 }, { name: "b", port: 53, protocol: "UDP" }] } },
  "without an address": { spec: { clusterIP: "None", selector: LABELS } },
  "by another name": { spec: { type: "ExternalName", externalName: "example.com" } },
  "with external addresses": {
    spec: { ports: [{ name: "a", port: 80 }], externalIPs: ["1.2.3.4", "1.2.3.5"] },
  },
  "whose load balancer is pending": { spec: { type: "LoadBalancer", ports: [{ port: 80 }] } },
  "whose load balancer is there": {
    spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: [{ ip: "9.9.9.9" }, { hostname: "a.example.com" }] } },
  },
};
for (const [what, { spec, status: serviceStatus }] of Object.entries(SERVICES)) {
  conformance(`a service ${what}`, async (t) => {
    t.mask(/:3[0-2]\d{3}\//, ":<node port>/");
    const ports = spec.ports?.map((port: Wire, index: number) => ({ name: `p${index}`, ...port }));
    await row(t, t.path("services"), {
      metadata: { name: "a" },
      spec: { ...spec, ...(ports && { ports }) },
      ...(serviceStatus && { status: serviceStatus }),
    });
  });
}

conformance("endpoints", async (t) => {
  const addresses = ["10.1.0.1", "10.1.0.2", "10.1.0.3"].map((ip) => ({ ip }));
  await row(t, t.path("endpoints"), {
    metadata: { name: "a" },
    subsets: [{ addresses, ports: [{ name: "x", port: 80 }, { name: "y", port: 81 }] }],
  });
  await row(t, t.path("endpoints"), { metadata: { name: "none" } });
});

conformance("endpoint slices", async (t) => {
  await row(t, t.path("endpointslices", "discovery.k8s.io/v1"), {
    metadata: { name: "a" },
    addressType: "IPv4",
    ports: [{ name: "x", port: 80 }, { name: "y" }],
    endpoints: [{ addresses: ["10.1.0.1"] }, { addresses: ["10.1.0.2"] }],
  });
  await row(t, t.path("endpointslices", "discovery.k8s.io/v1"), {
    metadata: { name: "none" },
    addressType: "IPv4",
    endpoints: [],
  });
});

conformance("ingresses", async (t) => {
  const rule = (host?: string): Wire => ({
    ...(host && { host }),
    http: {
      paths: [{
        path: "/",
        pathType: "Prefix",
        backend: { service: { name: "s", port: { number: 80 } } },
      }],
    },
  });
  const path = t.path("ingresses", "networking.k8s.io/v1");
  await row(t, path, { metadata: { name: "a" }, spec: { rules: [rule()] } });
  await row(t, path, {
    metadata: { name: "b" },
    spec: {
      ingressClassName: "c",
      tls: [{ hosts: ["a.example.com"] }],
      rules: ["a", "b", "c", "d"].map((host) => rule(`${host}.example.com`)),
    },
    status: { loadBalancer: { ingress: [{ ip: "9.9.9.9" }] } },
  });
});

conformance("network policies", async (t) => {
  const path = t.path("networkpolicies", "networking.k8s.io/v1");
  await row(t, path, { metadata: { name: "a" }, spec: { podSelector: SELECTOR } });
  await row(t, path, { metadata: { name: "b" }, spec: { podSelector: {} } });
});

conformance("events, of both groups", async (t) => {
  const involvedObject = { kind: "Pod", name: "p", namespace: t.namespace, fieldPath: "spec.x" };
  await create(t, t.path("events"), {
    metadata: { name: "e" },
    involvedObject,
    reason: "Because",
    message: " so it is\n",
    type: "Normal",
    source: { component: "me", host: "here" },
    firstTimestamp: OLD,
    lastTimestamp: OLD,
    count: 7,
  });
  await table(t, t.path("events/e"));
  await table(t, t.path("events/e", "events.k8s.io/v1"));
});

conformance("an event of a series", async (t) => {
  await row(t, t.path("events", "events.k8s.io/v1"), {
    metadata: { name: "e" },
    regarding: { kind: "Pod", namespace: t.namespace },
    eventTime: "2020-01-02T03:04:05.000000Z",
    series: { count: 4, lastObservedTime: "2020-01-02T03:04:05.000000Z" },
    action: "act",
    reason: "Because",
    type: "Normal",
    reportingController: "example.com/me",
    reportingInstance: "here",
  });
});

conformance("leases show who holds them", async (t) => {
  const path = t.path("leases", "coordination.k8s.io/v1");
  await row(t, path, { metadata: { name: "a" }, spec: { holderIdentity: "me" } });
  await row(t, path, { metadata: { name: "b" } });
});

conformance("roles show when they were made", async (t) => {
  t.mask(/^\d{4}-\d\d-\d\dT.*Z$/, "<time>");
  await row(t, t.path("roles", "rbac.authorization.k8s.io/v1"), {
    metadata: { name: "a" },
    rules: [],
  });
});

conformance("role bindings show whom they bind", async (t) => {
  const subject = { apiGroup: "rbac.authorization.k8s.io" };
  await row(t, t.path("rolebindings", "rbac.authorization.k8s.io/v1"), {
    metadata: { name: "a" },
    roleRef: { ...subject, kind: "Role", name: "r" },
    subjects: [
      { ...subject, kind: "User", name: "u" },
      { ...subject, kind: "Group", name: "g" },
      { ...subject, kind: "Group", name: "h" },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
    ],
  });
});

conformance("claims and volumes", async (t) => {
  await row(t, t.path("persistentvolumeclaims"), {
    metadata: { name: "a" },
    spec: {
      accessModes: ["ReadWriteMany", "ReadWriteOnce"],
      storageClassName: "s",
      resources: { requests: { storage: "1Gi" } },
    },
  });
  await row(t, "/api/v1/persistentvolumes", {
    metadata: { name: t.unique("table", "volume") },
    spec: {
      accessModes: ["ReadWriteMany", "ReadOnlyMany"],
      capacity: { storage: "1Gi" },
      hostPath: { path: "/tmp/x" },
      claimRef: { namespace: "n", name: "c" },
    },
  });
});

conformance("storage classes", async (t) => {
  await row(t, "/apis/storage.k8s.io/v1/storageclasses", {
    metadata: { name: t.unique("table", "class") },
    provisioner: "example.com/p",
    allowVolumeExpansion: true,
  });
});

conformance("priority classes", async (t) => {
  await row(t, "/apis/scheduling.k8s.io/v1/priorityclasses", {
    metadata: { name: t.unique("table", "class") },
    value: 7,
  });
});

conformance("ingress classes", async (t) => {
  await row(t, "/apis/networking.k8s.io/v1/ingressclasses", {
    metadata: { name: t.unique("table", "class") },
    spec: {
      controller: "example.com/c",
      parameters: { apiGroup: "example.com", kind: "Thing", name: "x" },
    },
  });
});

conformance("runtime classes", async (t) => {
  await row(t, "/apis/node.k8s.io/v1/runtimeclasses", {
    metadata: { name: t.unique("table", "class") },
    handler: "h",
  });
});

conformance("nodes", async (t) => {
  await row(t, "/api/v1/nodes", {
    metadata: {
      name: t.unique("table", "node"),
      labels: { "node-role.kubernetes.io/b": "", "kubernetes.io/role": "a" },
    },
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: "Ready", status: "False" }],
      addresses: [{ type: "InternalIP", address: "10.2.0.1" }],
      nodeInfo: {
        kubeletVersion: "v1.36.0",
        osImage: "os",
        kernelVersion: "5",
        architecture: "amd64",
        bootID: "",
        containerRuntimeVersion: "",
        kubeProxyVersion: "",
        machineID: "",
        operatingSystem: "",
        systemUUID: "",
      },
    },
  });
});

conformance("disruption budgets", async (t) => {
  const path = t.path("poddisruptionbudgets", "policy/v1");
  await row(t, path, {
    metadata: { name: "a" },
    spec: { minAvailable: "50%", selector: SELECTOR },
  });
  await row(t, path, { metadata: { name: "b" }, spec: { maxUnavailable: 1, selector: SELECTOR } });
});

conformance("autoscalers, of both versions", async (t) => {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  const metrics = [
    {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
    },
    {
      type: "Resource",
      resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
    },
    {
      type: "Pods",
      pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "5" } },
    },
  ];
  await create(t, t.path("horizontalpodautoscalers", "autoscaling/v2"), {
    metadata: { name: "a" },
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, metrics },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        {
          type: "Resource",
          resource: { name: "cpu", current: { averageUtilization: 30, averageValue: "10m" } },
        },
      ],
    },
  });
  await table(t, t.path("horizontalpodautoscalers/a", "autoscaling/v2"));
  const { body } = await t.get(t.path("horizontalpodautoscalers/a", "autoscaling/v1"));
  assert.equal(body.spec.targetCPUUtilizationPercentage, 60);
});

conformance("an autoscaler of version 1 is read as version 2", async (t) => {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  await t.post(t.path("horizontalpodautoscalers", "autoscaling/v1"), {
    metadata: { name: "a" },
    spec: { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 40 },
  });
  await table(t, t.path("horizontalpodautoscalers/a", "autoscaling/v1"));
  await t.get(t.path("horizontalpodautoscalers/a", "autoscaling/v2"));
});

conformance("resource quotas", async (t) => {
  await row(t, t.path("resourcequotas"), {
    metadata: { name: "a" },
    spec: { hard: { pods: "5", "limits.cpu": "2", "requests.cpu": "1" } },
    status: {
      hard: { pods: "5", "limits.cpu": "2", "requests.cpu": "1" },
      used: { pods: "1", "limits.cpu": "500m" },
    },
  });
});

conformance("a kind without columns of its own", async (t) => {
  t.mask(/^\d{4}-\d\d-\d\dT.*Z$/, "<time>");
  const limits = [{ type: "Container", default: { cpu: "1" } }];
  await row(t, t.path("limitranges"), { metadata: { name: "a" }, spec: { limits } });
});

conformance("a list as a table is in the order of names", async (t) => {
  for (const name of ["b", "a"]) await create(t, t.path("configmaps"), { metadata: { name } });
  const { rows } = await table(t, t.path("configmaps"));
  assert.deepEqual(rows.map(({ cells }: Wire) => cells[0]), ["a", "b"]);
});

conformance("an empty list as a table", async (t) => {
  const { rows } = await table(t, t.path("secrets"));
  assert.deepEqual(rows, []);
});

for (const include of ["None", "Metadata", "Object", "Nope"]) {
  conformance(`what of an object goes along: ${include}`, async (t) => {
    await create(t, t.path("configmaps"), { metadata: { name: "a" }, data: { x: "1" } });
    await table(t, `${t.path("configmaps/a")}?includeObject=${include}`);
  });
}

conformance("an older form of tables", async (t) => {
  await create(t, t.path("configmaps"), { metadata: { name: "a" } });
  const shown = await table(t, t.path("configmaps/a"), TABLE.replace("v=v1;", "v=v1beta1;"));
  assert.equal(shown.apiVersion, "meta.k8s.io/v1beta1");
});

conformance("no table, no plain JSON: 406", async (t) => {
  await table(t, t.path("configmaps"), TABLE.replace("v=v1;", "v=v9;"));
});

conformance("a refusal is no table", async (t) => {
  const { kind } = await table(t, t.path("configmaps/none"));
  assert.equal(kind, "Status");
});

conformance("what is created is shown as a table to those who ask", async (t) => {
  t.mask(/^\d+s$/, "<age>");
  const headers = { Accept: TABLE };
  const { body } = await t.post(t.path("configmaps"), { metadata: { name: "a" } }, {
    headers,
    ...UNRECORDED,
  });
  assert.equal(body.rows[0].cells[0], "a");
});

conformance("a watch of tables tells the columns once", async (t) => {
  for (const name of ["a", "b"]) await create(t, t.path("configmaps"), { metadata: { name } });
  await t.untilFresh(t.path("configmaps"));
  const events = await t.watch(
    `${t.path("configmaps")}?watch=1&resourceVersion=0&timeoutSeconds=60`,
    (seen) => seen.length >= 2,
    { headers: { Accept: TABLE }, ...UNRECORDED },
  );
  const columns = events.map(({ object }) => object.columnDefinitions?.length ?? 0);
  t.exchanges.push({ request: "WATCH", code: 200, body: columns });
  assert.deepEqual(columns, [3, 0]);
});

conformance("custom resources show the columns of their definition", async (t) => {
  const group = `${t.unique("table", "group")}.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await t.post(definitions, definition(group), UNRECORDED);
  const path = t.path("things", `${group}/v1`);
  const thing = {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name: "a" },
    spec: {
      text: "t",
      number: 1.5,
      integer: 3,
      yes: true,
      when: OLD,
      list: [{ name: "x", value: "1" }, { name: "y", value: "2" }],
      labels: { "a.b/c": "d" },
    },
  };
  await servedAt(t, path);
  await create(t, path, thing);
  await create(t, path, { ...thing, metadata: { name: "empty" }, spec: {} });
  await create(t, path, {
    ...thing,
    metadata: { name: "odd" },
    spec: { text: 5, when: "never", list: [] },
  });
  await table(t, path);
  await t.delete(`${definitions}/things.${group}`, undefined, UNRECORDED);
});

async function servedAt(t: Target, path: string): Promise<void> {
  await until(
    async () => (await t.get(path, UNRECORDED)).code === 200,
    `that ${path} is served`,
  );
}

function definition(group: string): object {
  const column = (name: string, type: string, jsonPath: string, more = {}): object => ({
    name,
    type,
    jsonPath,
    ...more,
  });
  return definitionIn(group, {
    plural: "things",
    schema: { type: "object", properties: { spec: ANY } },
    version: {
      additionalPrinterColumns: [
        column("Text", "string", ".spec.text", { description: "A text" }),
        column("Number", "number", ".spec.number", { format: "double" }),
        column("Integer", "integer", ".spec.integer"),
        column("Yes", "boolean", ".spec.yes", { priority: 1 }),
        column("When", "date", ".spec.when"),
        column("First", "string", ".spec.list[0].name"),
        column("Last", "string", ".spec.list[-1:].name"),
        column("All", "string", ".spec.list[*].name"),
        column("Y", "string", '.spec.list[?(@.name=="y")].value'),
        column("List", "string", ".spec.list"),
        column("Label", "string", ".spec.labels.a\\.b/c"),
        column("Bracket", "string", ".spec['text']"),
        column("Missing", "string", ".spec.none.none"),
        column("Wrong", "integer", ".spec.text"),
      ],
    },
  });
}

conformance("custom resources without columns show their age", async (t) => {
  const group = `${t.unique("table", "group")}.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const made = definition(group) as Wire;
  delete made.spec.versions[0].additionalPrinterColumns;
  await t.post(definitions, made, UNRECORDED);
  const path = t.path("things", `${group}/v1`);
  await servedAt(t, path);
  await create(t, path, { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a" } });
  await table(t, path);
  await t.delete(`${definitions}/things.${group}`, undefined, UNRECORDED);
});
