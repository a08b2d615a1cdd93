import { until } from "../support/until.ts";
import { conformanceSuite } from "./suite.ts";
import type { Answer, Target } from "./target.ts";

const conformance = conformanceSuite(import.meta.url);

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
  /** What is created, and whether it came out as it does once the object is known. */
  readonly probe: readonly [path: string, body: Plain, isAsKnown: (answer: Answer) => boolean];
}

/** Makes an object, and deletes it after the rest. */
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
