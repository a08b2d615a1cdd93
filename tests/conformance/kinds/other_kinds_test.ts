import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);
const NETWORKING = "networking.k8s.io/v1";
const DISCOVERY = "discovery.k8s.io/v1";

/** Sends each object to be created; all are refused. */
async function refused(t: Target, path: string, objects: readonly unknown[]): Promise<void> {
  for (const object of objects) {
    const { code, body } = await t.post(path, object);
    assert.equal(code, 422, JSON.stringify(body));
  }
}

const named = (spec: unknown, name = "a") => ({ metadata: { name }, spec });

conformance("endpoints get a protocol", async (t) => {
  const { body } = await t.post(t.path("endpoints"), {
    metadata: { name: "a" },
    subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }],
  });
  assert.equal(body.subsets[0].ports[0].protocol, "TCP");
});

conformance("endpoints have addresses that traffic can go to", async (t) => {
  const subsets = [
    {},
    { addresses: [{ ip: "x" }] },
    { addresses: [{ ip: "127.0.0.1", hostname: "A.b", nodeName: "N" }] },
    { addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 0 }, { port: 1, protocol: "X" }] },
  ];
  await refused(
    t,
    t.path("endpoints"),
    subsets.map((each) => ({
      metadata: { name: "a" },
      subsets: [each],
    })),
  );
});

conformance("a PUT creates endpoints", async (t) => {
  const { code } = await t.put(t.path("endpoints/a"), { metadata: { name: "a" } });
  assert.equal(code, 201);
});

const slice = (more: Record<string, unknown>) => ({
  metadata: { name: "a" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["192.0.2.1"] }],
  ...more,
});

conformance("an endpoint slice gets names and protocols of ports", async (t) => {
  const { body } = await t.post(
    t.path("endpointslices", DISCOVERY),
    slice({ ports: [{ port: 80 }] }),
  );
  assert.equal(body.metadata.generation, 1);
  const changed = await t.patch("merge", t.path("endpointslices/a", DISCOVERY), {
    ports: [{ name: "http", port: 80 }],
  });
  assert.equal(changed.body.metadata.generation, 2);
  await t.patch("merge", t.path("endpointslices/a", DISCOVERY), {
    metadata: { annotations: { a: "b" } },
  });
});

conformance("an endpoint slice without endpoints", async (t) => {
  const { body } = await t.post(t.path("endpointslices", DISCOVERY), slice({ endpoints: [] }));
  assert.equal(body.endpoints, null);
});

conformance("an endpoint slice is of one type of addresses", async (t) => {
  await refused(t, t.path("endpointslices", DISCOVERY), [
    slice({ addressType: "Other" }),
    slice({ endpoints: [{ addresses: [] }] }),
    slice({ endpoints: [{ addresses: ["2001:db8::1"] }] }),
    slice({ addressType: "IPv6" }),
    slice({ addressType: "IPv6", endpoints: [{ addresses: ["2001:DB8::1"] }] }),
    slice({ addressType: "FQDN", endpoints: [{ addresses: ["one"] }] }),
    slice({ endpoints: [{ addresses: ["127.0.0.1"], nodeName: "N", hostname: "a.b" }] }),
    slice({ ports: [{ name: "a", port: 1 }, { name: "a", port: 2, protocol: "X" }] }),
    slice({ endpoints: [{ addresses: ["192.0.2.1"], hints: { forZones: [{ name: "!" }] } }] }),
  ]);
});

conformance("the type of an endpoint slice stays", async (t) => {
  await t.post(t.path("endpointslices", DISCOVERY), slice({}));
  const { code } = await t.patch("merge", t.path("endpointslices/a", DISCOVERY), {
    addressType: "IPv6",
    endpoints: [{ addresses: ["2001:db8::1"] }],
  });
  assert.equal(code, 422);
});

conformance("a slice of names is warned of", async (t) => {
  const { code } = await t.post(
    t.path("endpointslices", DISCOVERY),
    slice({ addressType: "FQDN", endpoints: [{ addresses: ["example.com"] }] }),
  );
  assert.equal(code, 201);
});

conformance("a network policy says which directions it is about", async (t) => {
  await t.post(t.path("networkpolicies", NETWORKING), named({ podSelector: {} }));
  const { body } = await t.post(
    t.path("networkpolicies", NETWORKING),
    named({ podSelector: {}, egress: [{ ports: [{ port: 80 }] }] }, "b"),
  );
  assert.deepEqual(body.spec.policyTypes, ["Ingress", "Egress"]);
  const changed = await t.patch("merge", t.path("networkpolicies/a", NETWORKING), {
    spec: { podSelector: { matchLabels: { a: "b" } } },
  });
  assert.equal(changed.body.metadata.generation, 2);
});

conformance("ports and peers of a network policy are checked", async (t) => {
  const ports = [
    { port: 0 },
    { port: 10, endPort: 5 },
    { port: "name", endPort: 5 },
    { endPort: 5 },
    { port: "No_Name", protocol: "X" },
  ];
  const peers = [
    {},
    { ipBlock: {} },
    { ipBlock: { cidr: "10.0.0.1/8", except: ["11.0.0.0/16", "x"] } },
    { ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} },
    { namespaceSelector: { matchExpressions: [{ key: "!", operator: "Other" }] } },
  ];
  await refused(t, t.path("networkpolicies", NETWORKING), [
    ...ports.map((port) => named({ podSelector: {}, ingress: [{ ports: [port] }] })),
    ...peers.map((peer) => named({ podSelector: {}, egress: [{ to: [peer] }] })),
    named({ podSelector: {}, policyTypes: ["Other"] }),
  ]);
});

const backend = { service: { name: "s", port: { number: 80 } } };
const rule = (path: Record<string, unknown>) => ({
  http: { paths: [{ path: "/", pathType: "Prefix", backend, ...path }] },
});

conformance("an ingress has rules or a backend", async (t) => {
  await refused(t, t.path("ingresses", NETWORKING), [named({})]);
  const { body } = await t.post(t.path("ingresses", NETWORKING), {
    ...named({ defaultBackend: backend }),
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  assert.deepEqual(body.status, { loadBalancer: {} });
});

conformance("rules of an ingress are checked", async (t) => {
  const rules = [
    rule({ pathType: undefined }),
    rule({ pathType: "Other" }),
    rule({ path: "a" }),
    rule({ path: "/a//b/.." }),
    rule({ pathType: "ImplementationSpecific", path: "a" }),
    rule({ backend: {} }),
    rule({ backend: { service: { port: {} } } }),
    rule({ backend: { service: { name: "s", port: { name: "p", number: 1 } } } }),
    rule({ backend: { ...backend, resource: { kind: "K", name: "n" } } }),
    rule({ backend: { resource: { apiGroup: "No_Group", kind: "", name: "a/b" } } }),
    { host: "192.0.2.1" },
    { host: "a.*.example.com" },
    { host: "No_Host" },
    { http: { paths: [] } },
  ];
  await refused(t, t.path("ingresses", NETWORKING), [
    ...rules.map((each) => named({ rules: [each] })),
    named({ defaultBackend: backend, tls: [{ hosts: ["*", "a.b"], secretName: "No_Secret" }] }),
    named({ defaultBackend: backend, ingressClassName: "No_Class" }),
  ]);
});

conformance("the annotation for the class of an ingress is deprecated", async (t) => {
  const metadata = { name: "a", annotations: { "kubernetes.io/ingress.class": "old" } };
  await refused(t, t.path("ingresses", NETWORKING), [
    { metadata, spec: { defaultBackend: backend, ingressClassName: "new" } },
  ]);
  const { code } = await t.post(t.path("ingresses", NETWORKING), {
    metadata,
    spec: { defaultBackend: backend },
  });
  assert.equal(code, 201);
});

conformance("the status of an ingress is written apart", async (t) => {
  await t.post(t.path("ingresses", NETWORKING), named({ defaultBackend: backend }));
  const path = t.path("ingresses/a/status", NETWORKING);
  await t.patch("merge", path, {
    status: { loadBalancer: { ingress: [{ ip: "x", hostname: "192.0.2.1" }] } },
  });
  const { code } = await t.patch("merge", path, {
    spec: null,
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  assert.equal(code, 200);
});

conformance("an ingress class names its controller, which stays", async (t) => {
  const path = `/apis/${NETWORKING}/ingressclasses`;
  const name = t.unique("e", "name");
  await refused(t, path, [
    named({}, name),
    named({ controller: "no-domain" }, name),
    named({ controller: "No_Domain/a b" }, name),
    named({ controller: "example.com/a", parameters: { kind: "K" } }, name),
    named({
      controller: "example.com/a",
      parameters: { kind: "K", name: "n", scope: "Namespace" },
    }, name),
    named(
      { controller: "example.com/a", parameters: { kind: "K", name: "n", namespace: "x" } },
      name,
    ),
  ]);
  const { body } = await t.post(
    path,
    named({ controller: "example.com/a", parameters: { kind: "K", name: "n" } }, name),
  );
  assert.equal(body.spec.parameters.scope, "Cluster");
  const { code } = await t.patch("merge", `${path}/${name}`, {
    spec: { controller: "example.com/b" },
  });
  assert.equal(code, 422);
  await t.delete(`${path}/${name}`);
});

conformance("a priority class keeps its value, and leaves the highest to the system", async (t) => {
  const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const name = t.unique("e", "name");
  await refused(t, path, [
    { metadata: { name }, value: 1_000_000_001 },
    { metadata: { name: t.unique("system-e", "other") }, value: 1 },
    { metadata: { name }, value: 1, preemptionPolicy: "Other" },
  ]);
  const { body } = await t.post(path, { metadata: { name }, value: 1 });
  assert.equal(body.preemptionPolicy, "PreemptLowerPriority");
  await t.patch("merge", `${path}/${name}`, { value: 2 });
  await t.patch("merge", `${path}/${name}`, { preemptionPolicy: "Never" });
  const { code } = await t.patch("merge", `${path}/${name}`, { description: "d" });
  assert.equal(code, 200);
  await t.delete(`${path}/${name}`);
  await t.get(`${path}/system-node-critical`, { unrecorded: true });
});

conformance("a storage class gets policies, and keeps them", async (t) => {
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const name = t.unique("e", "name");
  await refused(t, path, [
    { metadata: { name } },
    { metadata: { name }, provisioner: "no provisioner", reclaimPolicy: "Other" },
    { metadata: { name }, provisioner: "example.com/a", volumeBindingMode: "Other" },
  ]);
  const { body } = await t.post(path, { metadata: { name }, provisioner: "example.com/A" });
  assert.equal(body.reclaimPolicy, "Delete");
  const { code } = await t.patch("merge", `${path}/${name}`, {
    provisioner: "example.com/b",
    parameters: { a: "b" },
    reclaimPolicy: "Retain",
  });
  assert.equal(code, 422);
  await t.delete(`${path}/${name}`);
});

const claim = (more: Record<string, unknown> = {}) =>
  named({
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "none",
    ...more,
  });

conformance("a claim of a volume waits, and is protected", async (t) => {
  const { body } = await t.post(t.path("persistentvolumeclaims"), {
    ...claim(),
    status: { phase: "Bound" },
  });
  assert.equal(body.status.phase, "Pending");
  const deleted = await t.delete(t.path("persistentvolumeclaims/a"));
  assert.equal(deleted.code, 200);
});

conformance("a claim of a volume says how much and how", async (t) => {
  await refused(t, t.path("persistentvolumeclaims"), [
    claim({ accessModes: [] }),
    claim({ accessModes: ["Other"] }),
    claim({ accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] }),
    claim({ resources: {} }),
    claim({ resources: { requests: { storage: "0" } } }),
    claim({ volumeMode: "Other", storageClassName: "No_Class" }),
  ]);
});

conformance("a volume waits with a time, and is made of one thing", async (t) => {
  const path = "/api/v1/persistentvolumes";
  const name = t.unique("e", "name");
  const volume = (more: Record<string, unknown>) =>
    named({
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      hostPath: { path: "/x" },
      ...more,
    }, name);
  await refused(t, path, [
    volume({ accessModes: [] }),
    volume({ capacity: {} }),
    volume({ capacity: { storage: "0" } }),
    volume({ hostPath: undefined }),
    volume({ persistentVolumeReclaimPolicy: "Other", volumeMode: "Other" }),
  ]);
  const { body } = await t.post(path, volume({}));
  assert.equal(body.spec.persistentVolumeReclaimPolicy, "Retain");
  assert.equal(body.status.phase, "Pending");
  await t.patch("merge", `${path}/${name}/status`, { status: { phase: "Available" } });
  await t.patch("merge", `${path}/${name}`, { metadata: { finalizers: null } }, {
    unrecorded: true,
  });
  await t.delete(`${path}/${name}`, undefined, { unrecorded: true });
});

conformance("what a claim asks for stays, and the answer shows what would differ", async (t) => {
  const path = t.path("persistentvolumeclaims");
  await t.post(path, claim());
  const change = (spec: Record<string, unknown>) => t.patch("merge", `${path}/a`, { spec });
  const refusedChanges = [
    { accessModes: ["ReadOnlyMany"] },
    { selector: { matchLabels: { z: "1", a: "2" } } },
    { resources: { requests: { storage: "2Gi" } } },
    { storageClassName: "other", volumeMode: "Block" },
    { dataSource: { kind: "PersistentVolumeClaim", name: "a" } },
  ];
  for (const spec of refusedChanges) assert.equal((await change(spec)).code, 422);
  assert.equal((await change({ volumeName: "v" })).code, 200);
  assert.equal((await change({ volumeName: "w" })).code, 422);
});

conformance("a bound claim may have other attributes", async (t) => {
  const path = t.path("persistentvolumeclaims");
  await t.post(path, claim({ volumeName: "v" }));
  const status = { phase: "Bound", capacity: { storage: "1Gi" } };
  await t.patch("merge", `${path}/a/status`, { status });
  const change = (spec: Record<string, unknown>) => t.patch("merge", `${path}/a`, { spec });
  assert.equal((await change({ volumeAttributesClassName: "a" })).code, 200);
  await change({ resources: { limits: { storage: "5Gi" } } });
  await change({ accessModes: ["ReadWriteMany"], volumeAttributesClassName: "b" });
});

conformance("a claim gets its class once", async (t) => {
  const path = t.path("persistentvolumeclaims");
  const beta = "volume.beta.kubernetes.io/storage-class";
  await t.post(path, claim({ storageClassName: undefined }));
  const named = { spec: { storageClassName: "x" } };
  assert.equal((await t.patch("merge", `${path}/a`, named)).code, 200);
  await t.patch("merge", `${path}/a`, { metadata: { annotations: { [beta]: "q" } } });
  const annotated = { ...claim({ storageClassName: undefined }) };
  await t.post(path, { ...annotated, metadata: { name: "b", annotations: { [beta]: "x" } } });
  await t.patch("merge", `${path}/b`, { metadata: { annotations: { [beta]: "q" } } });
  await t.patch("merge", `${path}/b`, { spec: { storageClassName: "other" } });
  const moved = { metadata: { annotations: { [beta]: null } }, ...named };
  assert.equal((await t.patch("merge", `${path}/b`, moved)).code, 200);
});

const SOURCES:
  readonly (readonly [string, Record<string, unknown>, Record<string, unknown>, number])[] = [
    ["a path", { hostPath: { path: "/a" } }, { hostPath: { path: "/b<c" } }, 422],
    ["a path", { hostPath: { path: "/a" } }, {
      hostPath: null,
      nfs: { server: "s", path: "/p" },
    }, 422],
    [
      "a driver",
      {
        csi: { driver: "d.e", volumeHandle: "h", volumeAttributes: { z: "1", a: "2" } },
      },
      { csi: { volumeHandle: "i", readOnly: true } },
      422,
    ],
    ["a driver", { csi: { driver: "d.e", volumeHandle: "h" } }, {
      csi: { controllerExpandSecretRef: { name: "a", namespace: "b" } },
    }, 200],
    ["iSCSI", { iscsi: { targetPortal: "192.0.2.1", iqn: "iqn.2001-04.com.example:x", lun: 0 } }, {
      iscsi: { lun: 1 },
    }, 422],
    [
      "a path",
      {
        hostPath: { path: "/a" },
        persistentVolumeReclaimPolicy: "Recycle",
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{
              matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }],
            }],
          },
        },
      },
      { storageClassName: "c" },
      200,
    ],
    ["RBD", { rbd: { monitors: ["a"], image: "b" } }, { rbd: { image: "c" } }, 422],
  ];
for (const [what, source, change, code] of SOURCES) {
  const fields = JSON.stringify(change).replaceAll(/[{}"]/g, "");
  conformance(`what a volume is made of stays: ${what}, to ${fields}`, async (t) => {
    const path = "/api/v1/persistentvolumes";
    const name = t.unique("e", "name");
    const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, ...source };
    await t.post(path, named(spec, name));
    const changed = await t.patch("merge", `${path}/${name}`, { spec: change });
    assert.equal(changed.code, code, changed.body.message);
    await t.patch("merge", `${path}/${name}`, { metadata: { finalizers: null } }, {
      unrecorded: true,
    });
    await t.delete(`${path}/${name}`, undefined, { unrecorded: true });
  });
}

conformance("a node is made with its status, and keeps what it was given", async (t) => {
  const path = "/api/v1/nodes";
  const name = t.unique("e", "name");
  const { body } = await t.post(path, {
    ...named({ podCIDR: "10.244.0.0/24", providerID: "a" }, name),
    status: { capacity: { cpu: "4" } },
  });
  assert.deepEqual(body.status.allocatable, { cpu: "4" });
  await t.patch("merge", `${path}/${name}`, { spec: { providerID: "b" } });
  await t.patch("merge", `${path}/${name}`, {
    spec: { podCIDR: "10.245.0.0/24", podCIDRs: ["10.245.0.0/24"] },
  });
  await t.patch("merge", `${path}/${name}`, { spec: { unschedulable: true } });
  const { body: list } = await t.get(
    `${path}?fieldSelector=spec.unschedulable=true,metadata.name=${name}`,
  );
  assert.equal(list.items.length, 1);
  await t.patch("merge", `${path}/${name}/status`, {
    status: {
      addresses: [{ type: "InternalIP", address: "1" }, { type: "InternalIP", address: "1" }],
    },
  });
  await t.delete(`${path}/${name}`);
});

conformance("taints of a node are checked", async (t) => {
  const name = t.unique("e", "name");
  await refused(t, "/api/v1/nodes", [
    named({ taints: [{ key: "a", effect: "Other" }, { key: "!", value: "!" }] }, name),
    named({ podCIDRs: ["10.0.0.1/24"] }, name),
    { ...named({}, name), status: { capacity: { cpu: "-1" } } },
    { ...named({}, name), status: { capacity: { unknown: "1", pods: "1500m" } } },
  ]);
});

conformance("a quota counts known resources", async (t) => {
  await refused(t, t.path("resourcequotas"), [
    named({ hard: { unknown: "1" } }),
    named({ hard: { pods: "-1" } }),
    named({ hard: { pods: "500m" } }),
    named({ hard: { services: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
    named({ hard: { pods: "1" }, scopes: ["Other"] }),
    named({
      hard: { pods: "1" },
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "In" },
          { scopeName: "Terminating", operator: "In", values: ["a"] },
        ],
      },
    }),
  ]);
});

conformance("the scopes of a quota stay", async (t) => {
  await t.post(
    t.path("resourcequotas"),
    named({
      hard: { "requests.cpu": "2", "limits.cpu": "1" },
      scopes: ["NotBestEffort"],
    }),
  );
  const { code } = await t.patch("merge", t.path("resourcequotas/a"), {
    spec: { scopes: ["Terminating"] },
  });
  assert.equal(code, 422);
});

conformance("a limit range fills in what containers get", async (t) => {
  const { body } = await t.post(
    t.path("limitranges"),
    named({
      limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }],
    }),
  );
  assert.deepEqual(body.spec.limits[0].default, { cpu: "2" });
});

conformance("the amounts of a limit range are in order", async (t) => {
  const limits = [
    { type: "Other" },
    { type: "Container", min: { cpu: "2" }, max: { cpu: "1" } },
    { type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "2" } },
    { type: "Pod", default: { cpu: "1" } },
    { type: "PersistentVolumeClaim" },
    { type: "Pod", maxLimitRequestRatio: { cpu: "500m" } },
    { type: "Pod", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } },
    { type: "Pod", max: { unknown: "1" } },
  ];
  await refused(t, t.path("limitranges"), limits.map((limit) => named({ limits: [limit] })));
});

conformance("a runtime class keeps its handler", async (t) => {
  const path = "/apis/node.k8s.io/v1/runtimeclasses";
  const name = t.unique("e", "name");
  await refused(t, path, [{ metadata: { name }, handler: "No_Handler" }]);
  await t.post(path, { metadata: { name }, handler: "h" });
  const { code } = await t.patch("merge", `${path}/${name}`, { handler: "other" });
  assert.equal(code, 422);
  await t.delete(`${path}/${name}`);
});

conformance("a volume attachment names one source", async (t) => {
  const path = "/apis/storage.k8s.io/v1/volumeattachments";
  const name = t.unique("e", "name");
  await refused(t, path, [
    named({ attacher: "a.example.com", nodeName: "n", source: {} }, name),
    named({ attacher: "", nodeName: "N", source: { persistentVolumeName: "" } }, name),
  ]);
  await t.post(path, {
    ...named(
      { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
      name,
    ),
    status: { attached: true },
  });
  const { code } = await t.patch("merge", `${path}/${name}`, { spec: { nodeName: "other" } });
  assert.equal(code, 422);
  await t.delete(`${path}/${name}`);
});

conformance("the topologies of a storage class are told apart", async (t) => {
  const zone = (values: string[], key = "zone") => ({ matchLabelExpressions: [{ key, values }] });
  const lists = [
    [zone(["a"]), zone(["a"])],
    [zone(["a", "a"]), zone([], "!")],
    [{}],
    [{ matchLabelExpressions: [{ key: "a", values: ["b"] }, { key: "a", values: ["c"] }] }],
  ];
  const name = t.unique("class");
  await refused(
    t,
    "/apis/storage.k8s.io/v1/storageclasses",
    lists.map((allowedTopologies) => ({
      metadata: { name },
      provisioner: "example.com/a",
      allowedTopologies,
    })),
  );
});

conformance("a runtime takes what containers take", async (t) => {
  const name = t.unique("runtime");
  const overheads = [{ cpu: "-1" }, { "a b": "1" }];
  await refused(
    t,
    "/apis/node.k8s.io/v1/runtimeclasses",
    overheads.map((podFixed) => ({
      metadata: { name },
      handler: "a",
      overhead: { podFixed },
    })),
  );
});

conformance("the sources of PersistentVolumes are checked", async (t) => {
  const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
  const csi = { driver: "a.example.com", volumeHandle: "h" };
  const sources: readonly Record<string, unknown>[] = [
    { csi: { ...csi, driver: "example.com/a" } },
    { csi: { ...csi, driver: "a".repeat(64) } },
    { csi: { driver: "", volumeHandle: "" } },
    { csi: { ...csi, nodePublishSecretRef: { name: "A" }, controllerExpandSecretRef: {} } },
    { local: { path: "/a" } },
    { local: { path: "../a" } },
    { hostPath: { path: "" } },
    { hostPath: { path: "/a/..", type: "Other" } },
    { nfs: { server: "", path: "relative" } },
    { gcePersistentDisk: { pdName: "", partition: 999 } },
    { awsElasticBlockStore: { volumeID: "" } },
    { glusterfs: { endpoints: "", path: "", endpointsNamespace: "" } },
    { glusterfs: { endpoints: "a", path: "b", endpointsNamespace: "A" } },
    { rbd: { monitors: [], image: "" } },
    { cephfs: { monitors: [] } },
    { iscsi: { targetPortal: "", iqn: "x", lun: 999, secretRef: {} } },
    { cinder: { volumeID: "", secretRef: {} } },
    { fc: {} },
    { flexVolume: { driver: "", options: { "kubernetes.io/a": "b" } } },
    { azureFile: { secretName: "", shareName: "", secretNamespace: "" } },
    { azureDisk: { diskName: "", diskURI: "x", kind: "Managed" } },
    { vsphereVolume: { volumePath: "" } },
    { photonPersistentDisk: { pdID: "" } },
    { portworxVolume: { volumeID: "" } },
    { scaleIO: { gateway: "", system: "", volumeName: "", secretRef: {} } },
    { storageos: { volumeName: "A", volumeNamespace: "B", secretRef: {} } },
    { flocker: {} },
    { quobyte: { registry: "", volume: "" } },
    { csi: { ...csi, driver: "a/b" }, hostPath: { path: "" } },
  ];
  await refused(
    t,
    "/api/v1/persistentvolumes",
    sources.map((source) => named({ ...spec, ...source }, t.unique("volume"))),
  );
});
