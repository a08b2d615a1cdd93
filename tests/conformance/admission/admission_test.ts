import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

// Default classes change what is created in other namespaces.
const conformance = conformanceSuite(import.meta.url, { ownServer: true });

type Plain = Record<string, unknown>;

const CONTAINERS = [{ name: "c", image: "i" }];
const pod = (spec: Plain = {}, metadata: Plain = {}): Plain => ({
  metadata: { name: "a", ...metadata },
  spec: { containers: CONTAINERS, ...spec },
});

/** A case: what becomes of one creation. */
function creates(name: string, resource: string, body: Plain, apiVersion = "v1"): void {
  conformance(name, async (t) => {
    await t.post(t.path(`${resource}?dryRun=All`, apiVersion), body);
  });
}

/** An object of the whole cluster. */
interface ClusterObject {
  readonly path: string;
  readonly body: Plain & { readonly metadata: { readonly name: string } };
  /**
   * An object to create, and the check whether the response is that of a server that knows the
   * object before.
   */
  readonly probe: readonly [path: string, body: Plain, isAsKnown: (answer: Answer) => boolean];
}

/** Creates an object, and deletes it at the end of the case. */
async function withObject(
  t: Target,
  { path, body, probe: [probePath, probe, isAsKnown] }: ClusterObject,
  run: () => Promise<void>,
): Promise<void> {
  await t.post(path, body);
  try {
    // The real server's plugins look at a cache that follows after a moment.
    await until(
      async () => isAsKnown(await t.post(`${probePath}?dryRun=All`, probe, { unrecorded: true })),
      `that ${path}/${body.metadata.name} is known`,
    );
    await run();
  } finally {
    await t.delete(`${path}/${body.metadata.name}`, undefined, { unrecorded: true });
  }
}

// Namespaces.
conformance("a namespace that is not there", async (t) => {
  const path = "/api/v1/namespaces/none-such/configmaps";
  await t.post(path, { metadata: { name: "a" } });
  await t.post(`${path}?dryRun=All`, { metadata: { name: "a" } });
  await t.put(`${path}/a`, { metadata: { name: "a" } });
  await t.patch("apply", `${path}/a?fieldManager=m`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
  });
  await t.patch("merge", `${path}/a`, { data: {} });
  await t.delete(`${path}/a`);
  await t.get(path);
});
conformance("a namespace that is not there, of several kinds", async (t) => {
  await t.post("/apis/apps/v1/namespaces/none-such/deployments", { metadata: { name: "a" } });
  await t.post("/api/v1/namespaces/none-such/pods", pod());
  await t.post("/apis/authorization.k8s.io/v1/namespaces/none-such/localsubjectaccessreviews", {
    spec: {
      user: "a",
      resourceAttributes: { namespace: "none-such", verb: "get", resource: "pods" },
    },
  });
});
conformance("namespaces that cannot be deleted", async (t) => {
  for (const name of ["default", "kube-system", "kube-public"]) {
    await t.delete(`/api/v1/namespaces/${name}?dryRun=All`);
  }
});
conformance("a namespace that is being deleted", async (t) => {
  const name = t.unique("ending");
  await t.post("/api/v1/namespaces", { metadata: { name } });
  const path = `/api/v1/namespaces/${name}/configmaps`;
  await t.post(path, { metadata: { name: "a", finalizers: ["test.dev/stay"] } });
  await t.delete(`/api/v1/namespaces/${name}`, undefined, { unrecorded: true });
  await t.post(path, { metadata: { name: "b" } });
  await t.post(`/api/v1/namespaces/${name}/pods`, pod());
  await t.patch("apply", `${path}/c?fieldManager=m`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c" },
  });
  await t.patch("merge", `${path}/a`, { data: { x: "1" } });
  await t.patch("merge", `${path}/a`, { metadata: { finalizers: null } }, { unrecorded: true });
});

// Pods.
creates("tolerations that every pod has", "pods", pod());
creates(
  "tolerations beside a pod's own",
  "pods",
  pod({
    tolerations: [
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
      { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" },
    ],
  }),
);
creates(
  "no toleration beside one of everything",
  "pods",
  pod({ tolerations: [{ operator: "Exists" }] }),
);
creates(
  "a toleration with its own seconds",
  "pods",
  pod({
    tolerations: [{
      key: "node.kubernetes.io/unreachable",
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 5,
    }],
  }),
);
creates("the priority of the system", "pods", pod({ priorityClassName: "system-node-critical" }));
creates("a priority class that is not there", "pods", pod({ priorityClassName: "none" }));
creates("a priority of one's own", "pods", pod({ priority: 5 }));
creates("a priority that is the computed one", "pods", pod({ priority: 0 }));
creates(
  "a preemption policy of one's own",
  "pods",
  pod({ priorityClassName: "system-node-critical", preemptionPolicy: "Never" }),
);
creates("a runtime class that is not there", "pods", pod({ runtimeClassName: "none" }));
conformance("a priority class", async (t) => {
  const name = t.unique("class");
  await withObject(
    t,
    {
      path: "/apis/scheduling.k8s.io/v1/priorityclasses",
      body: { metadata: { name }, value: 7, preemptionPolicy: "Never" },
      probe: [t.path("pods"), pod({ priorityClassName: name }), ({ code }) => code === 201],
    },
    async () => {
      await t.post(t.path("pods"), pod({ priorityClassName: name }));
      await t.patch("merge", t.path("pods/a"), { metadata: { labels: { a: "b" } } });
      await t.patch("merge", t.path("pods/a"), { spec: { priority: 8 } });
      await t.post(t.path("pods"), pod({ priorityClassName: name, priority: 8 }));
      await t.post(
        t.path("pods"),
        pod({ priorityClassName: name, preemptionPolicy: "Never" }, {
          name: "b",
        }),
      );
      await t.delete(t.path("pods/a?gracePeriodSeconds=0"), undefined, { unrecorded: true });
      await t.delete(t.path("pods/b?gracePeriodSeconds=0"), undefined, { unrecorded: true });
    },
  );
});
conformance("the overhead of a runtime class", async (t) => {
  const name = t.unique("runtime");
  const path = "/apis/node.k8s.io/v1/runtimeclasses";
  const body = {
    metadata: { name },
    handler: "h",
    overhead: { podFixed: { cpu: "10m" } },
    scheduling: {
      nodeSelector: { a: "b" },
      tolerations: [{ key: "t", operator: "Exists", effect: "NoSchedule" }],
    },
  };
  const probe = [
    t.path("pods"),
    pod({ runtimeClassName: name }),
    ({ code }: Answer) => code === 201,
  ] as const;
  await withObject(t, { path, body, probe }, async () => {
    const dryRun = t.path("pods?dryRun=All");
    await t.post(dryRun, pod({ runtimeClassName: name }));
    await t.post(dryRun, pod({ runtimeClassName: name, nodeSelector: { c: "d" } }));
    await t.post(dryRun, pod({ runtimeClassName: name, nodeSelector: { a: "other" } }));
    await t.post(dryRun, pod({ runtimeClassName: name, overhead: { cpu: "5m" } }));
    await t.post(dryRun, pod({ runtimeClassName: name, overhead: { cpu: "10m" } }));
    await t.post(dryRun, pod({ overhead: { cpu: "10m" } }));
  });
});

// Storage, nodes.
const CLAIM = {
  metadata: { name: "a" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "",
    resources: { requests: { storage: "1Gi" } },
  },
};
creates("a claim is protected", "persistentvolumeclaims", CLAIM);
creates("a claim that has the finalizer", "persistentvolumeclaims", {
  ...CLAIM,
  metadata: { name: "a", finalizers: ["kubernetes.io/pvc-protection", "test.dev/other"] },
});
conformance("a volume is protected", async (t) => {
  await t.post("/api/v1/persistentvolumes?dryRun=All", {
    metadata: { name: t.unique("volume") },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/tmp/a" },
    },
  });
});
conformance("a claim while it is protected is not gone", async (t) => {
  await t.post(t.path("persistentvolumeclaims"), CLAIM);
  const { body } = await t.delete(t.path("persistentvolumeclaims/a"), undefined, {
    unrecorded: true,
  });
  t.exchanges.push({
    request: "DELETE",
    code: 200,
    body: { isBeingDeleted: body.metadata?.deletionTimestamp !== undefined },
  });
  await t.patch("merge", t.path("persistentvolumeclaims/a"), { metadata: { finalizers: null } }, {
    unrecorded: true,
  });
});
conformance("a new node is tainted", async (t) => {
  await t.post("/api/v1/nodes?dryRun=All", { metadata: { name: t.unique("node") } });
  await t.post("/api/v1/nodes?dryRun=All", {
    metadata: { name: t.unique("node") },
    spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
  });
  await t.post("/api/v1/nodes?dryRun=All", {
    metadata: { name: t.unique("node") },
    spec: { taints: [{ key: "a", value: "b", effect: "NoExecute" }] },
  });
});
conformance("a service account that is not there", async (t) => {
  await t.post(t.path("pods?dryRun=All"), pod({ serviceAccountName: "none" }));
});
conformance("a default ingress class", async (t) => {
  const name = t.unique("ingress");
  const path = "/apis/networking.k8s.io/v1/ingressclasses";
  const body = {
    metadata: {
      name,
      annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
    },
    spec: { controller: "test.dev/none" },
  };
  const ingress = (more: Plain = {}): Plain => ({
    metadata: { name: "a" },
    spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } }, ...more },
  });
  const probe = [
    t.path("ingresses", "networking.k8s.io/v1"),
    ingress(),
    ({ body }: Answer) => body.spec?.ingressClassName === name,
  ] as const;
  await withObject(t, { path, body, probe }, async () => {
    const dryRun = t.path("ingresses?dryRun=All", "networking.k8s.io/v1");
    await t.post(dryRun, ingress());
    await t.post(dryRun, ingress({ ingressClassName: "other" }));
  });
});

// Claims that grow.
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

/** A claim of a class that is bound; unrecorded. */
async function boundClaim(t: Target, storageClassName: string): Promise<string> {
  const claims = t.path("persistentvolumeclaims");
  const resources = { requests: { storage: "1Gi" } };
  const spec = { accessModes: ["ReadWriteOnce"], resources, storageClassName };
  await t.post(claims, { metadata: { name: "a" }, spec }, { unrecorded: true });
  const status = { phase: "Bound", capacity: { storage: "1Gi" } };
  await t.patch("merge", `${claims}/a/status`, { status }, { unrecorded: true });
  return `${claims}/a`;
}

function grow(t: Target, path: string, storage: string, unrecorded = false): Promise<Answer> {
  return t.patch("merge", path, { spec: { resources: { requests: { storage } } } }, { unrecorded });
}

conformance("a claim of no class does not grow", async (t) => {
  await grow(t, await boundClaim(t, ""), "2Gi");
});
conformance("a claim grows when its class says so", async (t) => {
  const classOf = (name: string, more: Plain): Promise<Answer> =>
    t.post(CLASSES, { metadata: { name }, provisioner: "p", ...more }, { unrecorded: true });
  const [rigid, elastic] = [t.unique("rigid"), t.unique("elastic")];
  await classOf(rigid, {});
  await classOf(elastic, { allowVolumeExpansion: true });
  try {
    const path = await boundClaim(t, elastic);
    await until(async () => {
      const { code } = await grow(t, `${path}?dryRun=All`, "2Gi", true);
      return code === 200;
    }, "that the class is known");
    await grow(t, path, "2Gi");
    await grow(t, path, "1Gi");
    const other = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const claims = t.path("persistentvolumeclaims");
    const spec = { ...other, storageClassName: rigid };
    await t.post(claims, { metadata: { name: "b" }, spec }, { unrecorded: true });
    const status = { phase: "Bound" };
    await t.patch("merge", `${claims}/b/status`, { status }, { unrecorded: true });
    await grow(t, `${claims}/b`, "2Gi");
  } finally {
    for (const name of [rigid, elastic]) {
      await t.delete(`${CLASSES}/${name}`, undefined, { unrecorded: true });
    }
  }
});

// Pods and their nodes.
const ZONE = "topology.kubernetes.io/zone";
const REGION = "topology.kubernetes.io/region";

/** Runs with a node that is known, and what its status says. */
async function withNode(
  t: Target,
  { labels = {}, status }: { readonly labels?: Plain; readonly status?: Plain },
  run: (name: string) => Promise<void>,
): Promise<void> {
  const name = t.unique("node");
  const node = { metadata: { name, labels: { [ZONE]: "z", ...labels } } };
  await t.post("/api/v1/nodes", node, { unrecorded: true });
  try {
    const path = `/api/v1/nodes/${name}`;
    if (status) await t.patch("merge", `${path}/status`, { status }, { unrecorded: true });
    // Written last, so that all before it is known with it.
    const known = { metadata: { labels: { [REGION]: "r" } } };
    await t.patch("merge", path, known, { unrecorded: true });
    await until(async () => {
      const pods = t.path("pods?dryRun=All");
      const probe = pod({ nodeName: name }, { name: "probe" });
      const { body } = await t.post(pods, probe, { unrecorded: true });
      return body.metadata?.labels?.[REGION] === "r";
    }, "that the node is known");
    await run(name);
  } finally {
    await t.delete(`/api/v1/nodes/${name}`, undefined, { unrecorded: true });
  }
}

conformance(
  "a pod gets the zone and the region of its node",
  (t) =>
    withNode(t, { labels: { other: "stays-there" } }, async (name) => {
      await t.post(t.path("pods"), pod({ nodeName: name }, { labels: { [ZONE]: "mine", a: "b" } }));
      await t.patch("merge", t.path("pods/a"), { metadata: { labels: { [ZONE]: "mine" } } });
      await t.post(t.path("pods"), pod({}, { name: "b", labels: { [REGION]: "mine" } }));
      const metadata = { name: "b", labels: { of: "binding" } };
      const target = { kind: "Node", name };
      await t.post(t.path("pods/b/binding"), { metadata, target });
      await t.get(t.path("pods/b"));
      await t.post(t.path("pods"), pod({}, { name: "c" }));
      await t.post(t.path("bindings"), { metadata: { name: "c" }, target });
      await t.get(t.path("pods/c"));
    }),
);
conformance("a pod on a node that is not there gets no labels", async (t) => {
  await t.post(t.path("pods"), pod({ nodeName: t.unique("nowhere") }));
});

const asking = (cpu: string, memory: string): Plain => ({
  name: "c",
  image: "i",
  resources: { requests: { cpu, memory }, limits: { cpu, memory } },
});

function resize(t: Target, cpu: string, memory: string): Promise<Answer> {
  const { resources } = asking(cpu, memory);
  const containers = [{ name: "c", resources }];
  return t.patch("strategic", t.path("pods/a/resize"), { spec: { containers } });
}

conformance(
  "a pod grows no larger than its node",
  (t) =>
    withNode(t, { status: { allocatable: { cpu: "1500m", memory: "1Gi" } } }, async (nodeName) => {
      const containers = [asking("1", "512Mi")];
      await t.post(t.path("pods"), pod({ nodeName, containers }));
      await resize(t, "2", "2Gi");
      await resize(t, "1600m", "1Gi");
      await resize(t, "1500m", "1Gi");
    }),
);
conformance("a pod on a node that is not there, or is no Linux, is not resized", async (t) => {
  const containers = [asking("1", "1Gi")];
  await t.post(t.path("pods"), pod({ nodeName: t.unique("nowhere"), containers }));
  await resize(t, "2", "1Gi");
  await resize(t, "1", "1Gi");
  await t.delete(t.path("pods/a"), { gracePeriodSeconds: 0 }, { unrecorded: true });
  await withNode(t, { labels: { "kubernetes.io/os": "windows" } }, async (nodeName) => {
    await t.post(t.path("pods"), pod({ nodeName, containers }), { unrecorded: true });
    await resize(t, "2", "1Gi");
  });
});
conformance("a pod asks for no resize that its node does not know", async (t) => {
  const capacity = { allocatable: { cpu: "9", memory: "9Gi" } };
  const feature = "InPlacePodLevelResourcesVerticalScaling";
  const resources = { requests: { cpu: "1" }, limits: { cpu: "1" } };
  const resizeAll = (name: string): Promise<Answer> =>
    t.patch("strategic", t.path(`pods/${name}/resize`), {
      spec: { resources: { limits: { cpu: "2" } } },
    });
  await withNode(t, { status: capacity }, async (nodeName) => {
    await t.post(t.path("pods"), pod({ nodeName, resources }), { unrecorded: true });
    await resizeAll("a");
  });
  const status = { ...capacity, declaredFeatures: [feature] };
  await withNode(t, { status }, async (nodeName) => {
    await t.post(t.path("pods"), pod({ nodeName, resources }, { name: "b" }), { unrecorded: true });
    await resizeAll("b");
  });
});
