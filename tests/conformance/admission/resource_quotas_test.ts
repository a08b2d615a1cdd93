import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import {
  container,
  createContainer,
  createPod,
  merge,
  pod,
  type Some,
} from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

const UNRECORDED = { unrecorded: true };
const LEASES = "coordination.k8s.io/v1";

/** A quota with its status, which no controller writes on these servers. */
interface Granted {
  readonly name?: string;
  readonly hard: Some;
  /** @default {nothing of all that is granted} */
  readonly used?: Some;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: Some;
}

async function makeQuota(t: Target, { name = "q", hard, used, ...scopes }: Granted): Promise<void> {
  const quotas = t.path("resourcequotas");
  const created = await t.post(
    quotas,
    { metadata: { name }, spec: { hard, ...scopes } },
    UNRECORDED,
  );
  assert.equal(created.code, 201, JSON.stringify(created.body));
  const nothing = Object.fromEntries(Object.keys(hard).map((key) => [key, "0"]));
  const status = { hard, used: used ?? nothing };
  const counted = await t.patch("merge", `${quotas}/${name}/status`, { status }, UNRECORDED);
  assert.equal(counted.code, 200, JSON.stringify(counted.body));
}

/** Creates quotas, and waits until kube-apiserver enforces them, as a further quota shows. */
async function grant(t: Target, ...quotas: Granted[]): Promise<void> {
  for (const quota of quotas) await makeQuota(t, quota);
  await makeQuota(t, { name: "probe", hard: { "count/leases.coordination.k8s.io": "0" } });
  await until(async () => {
    const path = t.path("leases?dryRun=All", LEASES);
    const { code } = await t.post(path, { metadata: { name: "probe" } }, UNRECORDED);
    return code === 403;
  }, "that the quotas are known");
}

/** Returns `status.used` of the quota `q`. The request is part of the record. */
async function used(t: Target): Promise<Some> {
  const { body } = await t.get(t.path("resourcequotas/q"));
  return body.status.used;
}

/**
 * Returns `status.used` of several quotas. The requests are no part of the record, since the server
 * writes the quotas in any order.
 */
async function usedOf(t: Target, ...names: string[]): Promise<Some[]> {
  const all = names.map((name) => t.get(t.path(`resourcequotas/${name}`), UNRECORDED));
  return (await Promise.all(all)).map(({ body }) => body.status.used);
}

function isRefused({ code, body }: Answer, words: RegExp): void {
  assert.equal(code, 403, JSON.stringify(body));
  assert.match(body.message, words);
}

function asking(requests: Some, limits: Some = requests): Some {
  return { resources: { requests, limits } };
}

function named(name: string, spec: Some = {}): [Some, Some] {
  return [spec, { name }];
}

const configMap = (name: string): Some => ({ metadata: { name } });

conformance("no more objects than a quota grants", async (t) => {
  await grant(t, {
    hard: { configmaps: "2", "count/configmaps": "3" },
    used: { configmaps: "1", "count/configmaps": "1" },
  });
  const maps = t.path("configmaps");
  assert.equal((await t.post(maps, configMap("a"))).code, 201);
  isRefused(
    await t.post(maps, configMap("b")),
    /exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2$/,
  );
  assert.deepEqual(await used(t), { configmaps: "2", "count/configmaps": "2" });
});

conformance("the API server owns what is used", async (t) => {
  t.managedFields = true;
  await makeQuotaAs(t);
  await t.post(t.path("secrets?fieldManager=me"), { metadata: { name: "a" } });
  await used(t);
});

async function makeQuotaAs(t: Target): Promise<void> {
  const quotas = t.path("resourcequotas");
  const hard = { secrets: "2" };
  const quota = { metadata: { name: "q" }, spec: { hard } };
  await t.post(`${quotas}?fieldManager=maker`, quota, UNRECORDED);
  const status = { status: { hard, used: { secrets: "0" } } };
  const path = `${quotas}/q/status?fieldManager=counter`;
  await t.patch("merge", path, status, UNRECORDED);
  await grant(t);
}

conformance("a quota without a status grants everything", async (t) => {
  await t.post(t.path("resourcequotas"), {
    metadata: { name: "q" },
    spec: { hard: { configmaps: "0", pods: "0" } },
  }, UNRECORDED);
  await grant(t);
  assert.equal((await t.post(t.path("configmaps"), configMap("a"))).code, 201);
  assert.equal((await createPod(t)).code, 201);
});

conformance("while nobody has counted nothing is granted", async (t) => {
  await grant(t, {
    hard: { configmaps: "5", "count/configmaps": "5", pods: "1" },
    used: { pods: "0" },
  });
  isRefused(
    await t.post(t.path("configmaps"), configMap("a")),
    /status unknown for quota: q, resources: configmaps,count\/configmaps$/,
  );
  assert.equal((await createPod(t)).code, 201);
});

conformance("what is not counted by a quota may be made", async (t) => {
  await grant(t, { hard: { pods: "0", "count/events": "0" } });
  assert.equal((await t.post(t.path("configmaps"), configMap("a"))).code, 201);
  const involvedObject = { kind: "Pod", namespace: t.namespace, name: "p" };
  const event = { metadata: { name: "e" }, involvedObject, reason: "r", type: "Normal" };
  assert.equal((await t.post(t.path("events"), event)).code, 201);
});

conformance("objects of any resource are counted by their group", async (t) => {
  await grant(t, { hard: { "count/roles.rbac.authorization.k8s.io": "1", "count/roles": "0" } });
  const roles = t.path("roles", "rbac.authorization.k8s.io/v1");
  assert.equal((await t.post(roles, { metadata: { name: "a" }, rules: [] })).code, 201);
  isRefused(
    await t.post(roles, { metadata: { name: "b" }, rules: [] }),
    /^roles.rbac.authorization.k8s.io "b" is forbidden: exceeded quota/,
  );
  const labelled = await merge(t, `${roles}/a`, { metadata: { labels: { a: "b" } } });
  assert.equal(labelled.code, 200);
});

conformance("quotas count themselves", async (t) => {
  await makeQuota(t, { hard: { resourcequotas: "0" } });
  const quotas = t.path("resourcequotas");
  const other = { metadata: { name: "b" } };
  await until(async () => {
    const { code } = await t.post(`${quotas}?dryRun=All`, other, UNRECORDED);
    return code === 403;
  }, "that the quota is known");
  isRefused(await t.post(quotas, other), /resourcequotas=1/);
});

conformance("a dry run is refused, and takes nothing", async (t) => {
  await grant(t, { hard: { configmaps: "1" } });
  const maps = t.path("configmaps?dryRun=All");
  assert.equal((await t.post(maps, configMap("a"))).code, 201);
  assert.deepEqual(await used(t), { configmaps: "0" });
  await t.post(t.path("configmaps"), configMap("a"));
  isRefused(await t.post(maps, configMap("b")), /exceeded quota/);
});

conformance(
  "what is deleted is given back by nobody here, what fails later is taken",
  async (t) => {
    await grant(t, { hard: { configmaps: "9" } });
    const maps = t.path("configmaps");
    await t.post(maps, configMap("a"));
    assert.equal((await t.post(maps, configMap("a"))).code, 409);
    await t.delete(`${maps}/a`);
    assert.deepEqual(await used(t), { configmaps: "2" });
  },
);

conformance("an object that is invalid takes nothing", async (t) => {
  await grant(t, { hard: { configmaps: "0" } });
  assert.equal((await t.post(t.path("configmaps"), configMap("A_"))).code, 422);
  assert.deepEqual(await used(t), { configmaps: "0" });
});

conformance("applied objects and those with generated names are counted", async (t) => {
  await grant(t, { hard: { configmaps: "1" } });
  t.mask(/some-[a-z0-9]{5}/, "<generated>");
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const path = t.path("configmaps/a?fieldManager=me");
  assert.equal((await t.patch("apply", path, applied)).code, 201);
  assert.equal((await t.patch("apply", path, applied)).code, 200);
  isRefused(await t.post(t.path("configmaps"), { metadata: { generateName: "some-" } }), /some-/);
});

conformance("pods are counted with what they ask for", async (t) => {
  await grant(t, {
    hard: {
      pods: "9",
      "count/pods": "9",
      cpu: "3",
      "requests.cpu": "3",
      "limits.cpu": "5",
      memory: "2Gi",
      "limits.memory": "3Gi",
      "requests.ephemeral-storage": "1Gi",
    },
  });
  const resources = asking(
    { cpu: "500m", memory: "512Mi", "ephemeral-storage": "1M" },
    { cpu: "1500m", memory: "1Gi", "ephemeral-storage": "2M" },
  );
  const spec = {
    initContainers: [container({ name: "i", ...asking({ cpu: "2", memory: "1Gi" }) })],
    containers: [container(resources), container({ name: "d", ...resources })],
  };
  assert.equal((await createPod(t, spec)).code, 201);
  await used(t);
  isRefused(
    await createPod(t, ...named("b", spec)),
    /requested: cpu=2,limits.cpu=3,limits.memory=2Gi,requests.cpu=2, used: cpu=2,/,
  );
});

conformance("sums keep the notation of what was used before", async (t) => {
  const hard = { memory: "4Gi", "requests.cpu": "4" };
  await grant(t, { hard, used: { memory: "1000M", "requests.cpu": "1" } });
  const resources = asking({ memory: "512Mi", cpu: "0.25" });
  await createContainer(t, resources);
  assert.deepEqual(await used(t), { memory: "1536870912", "requests.cpu": "1250m" });
});

conformance("where a quota counts them containers must ask for cpu and memory", async (t) => {
  await grant(t, {
    hard: {
      cpu: "9",
      "requests.memory": "9Gi",
      "limits.memory": "9Gi",
      "requests.ephemeral-storage": "9Gi",
    },
  });
  isRefused(
    await createPod(t, {
      initContainers: [container({ name: "b", resources: { requests: { memory: "1Gi" } } })],
      containers: [
        container({ name: "z" }),
        container({ name: "a", ...asking({ cpu: "1", memory: "1Gi" }) }),
        container({ name: "c", resources: { requests: { cpu: "1" } } }),
      ],
    }),
    /failed quota: q: must specify cpu for: b,z; limits.memory for: b,c,z; requests.memory for: c,z$/,
  );
});

conformance("a LimitRange says what containers do not", async (t) => {
  const spec = { limits: [{ type: "Container", default: { cpu: "1" } }] };
  await t.post(t.path("limitranges"), { metadata: { name: "l" }, spec }, UNRECORDED);
  await grant(t, { hard: { cpu: "2" } });
  assert.equal((await createPod(t)).code, 201);
  assert.deepEqual(await used(t), { cpu: "1" });
});

conformance("what a pod asks for as a whole is counted", async (t) => {
  await grant(t, { hard: { cpu: "2", "limits.memory": "1Gi" } });
  const resources = { requests: { cpu: "1" }, limits: { memory: "512Mi" } };
  assert.equal((await createPod(t, { resources })).code, 201);
  await used(t);
  isRefused(
    await createPod(t, ...named("b", { resources: asking({ cpu: "2" }).resources })),
    /cpu=2/,
  );
});

conformance("resources that others define are counted, and huge pages", async (t) => {
  const gpu = "example.com/gpu";
  await grant(t, {
    hard: { [`requests.${gpu}`]: "2", "hugepages-2Mi": "4Mi", "requests.hugepages-2Mi": "4Mi" },
  });
  const asks = asking({ [gpu]: "1", "hugepages-2Mi": "2Mi", cpu: "1" });
  assert.equal((await createContainer(t, asks)).code, 201);
  await used(t);
  const more = container(asking({ [gpu]: "2" }));
  isRefused(
    await createPod(t, ...named("b", { containers: [more] })),
    /requests.example.com\/gpu=2/,
  );
  assert.equal((await createPod(t, ...named("c"))).code, 201);
});

conformance("quotas of the best effort and of the rest", async (t) => {
  await grant(
    t,
    { name: "best", hard: { pods: "1" }, scopes: ["BestEffort"] },
    { name: "rest", hard: { pods: "1", cpu: "1" }, scopes: ["NotBestEffort"] },
  );
  assert.equal((await createPod(t)).code, 201);
  isRefused(await createPod(t, ...named("b")), /exceeded quota: best/);
  const asks = { containers: [container(asking({ cpu: "1" }))] };
  assert.equal((await createPod(t, ...named("c", asks))).code, 201);
  isRefused(await createPod(t, ...named("d", asks)), /exceeded quota: rest/);
  assert.deepEqual(await usedOf(t, "best", "rest"), [{ pods: "1" }, { pods: "1", cpu: "1" }]);
});

conformance("a pod that gets a deadline is counted by another quota", async (t) => {
  await grant(
    t,
    { name: "ends", hard: { pods: "1" }, scopes: ["Terminating"] },
    { name: "stays", hard: { pods: "2" }, scopes: ["NotTerminating"] },
  );
  await createPod(t);
  await createPod(t, ...named("b"));
  await merge(t, t.path("pods/p"), { spec: { activeDeadlineSeconds: 60 } });
  assert.deepEqual(await usedOf(t, "ends", "stays"), [{ pods: "1" }, { pods: "2" }]);
  const second = await merge(t, t.path("pods/b"), { spec: { activeDeadlineSeconds: 60 } });
  isRefused(second, /exceeded quota: ends/);
  await merge(t, t.path("pods/p"), { metadata: { labels: { a: "b" } } });
});

conformance("quotas of a priority class", async (t) => {
  const selects = (operator: string, values?: string[]): Some => ({
    matchExpressions: [{ scopeName: "PriorityClass", operator, ...(values && { values }) }],
  });
  await grant(
    t,
    { name: "any", hard: { pods: "9" }, scopeSelector: selects("Exists") },
    { name: "in", hard: { pods: "0" }, scopeSelector: selects("In", ["system-node-critical"]) },
    { name: "none", hard: { pods: "9" }, scopeSelector: selects("DoesNotExist") },
    {
      name: "not-in",
      hard: { pods: "9" },
      scopeSelector: selects("NotIn", ["system-node-critical"]),
    },
    { name: "scope", hard: { pods: "9" }, scopes: ["PriorityClass"] },
  );
  isRefused(
    await createPod(t, { priorityClassName: "system-node-critical" }),
    /exceeded quota: in/,
  );
  await createPod(t, { priorityClassName: "system-cluster-critical" });
  await createPod(t, ...named("b"));
  const counts = await usedOf(t, "any", "in", "none", "not-in", "scope");
  assert.deepEqual(counts.map(({ pods }) => pods), ["1", "0", "1", "2", "1"]);
});

conformance("a quota of pods that look at other namespaces", async (t) => {
  await grant(t, { hard: { pods: "0" }, scopes: ["CrossNamespacePodAffinity"] });
  const term = (more: Some): Some => ({ topologyKey: "zone", labelSelector: {}, ...more });
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  isRefused(
    await createPod(t, {
      affinity: { podAffinity: { [required]: [term({ namespaces: ["a"] })] } },
    }),
    /exceeded quota/,
  );
  const weighted = { weight: 1, podAffinityTerm: term({ namespaceSelector: {} }) };
  isRefused(
    await createPod(t, { affinity: { podAntiAffinity: { [preferred]: [weighted] } } }),
    /exceeded quota/,
  );
  const own = await createPod(t, { affinity: { podAffinity: { [required]: [term({})] } } });
  assert.equal(own.code, 201);
});

conformance("all quotas that are about an object must grant it", async (t) => {
  await grant(
    t,
    { name: "a", hard: { pods: "9", cpu: "1" } },
    { name: "b", hard: { pods: "1", memory: "1Gi" } },
  );
  const spec = { containers: [container(asking({ cpu: "100m", memory: "1Mi" }))] };
  assert.equal((await createPod(t, spec)).code, 201);
  isRefused(await createPod(t, ...named("c", spec)), /exceeded quota: b/);
  assert.deepEqual(await usedOf(t, "a", "b"), [
    { pods: "1", cpu: "100m" },
    { pods: "1", memory: "1Mi" },
  ]);
});

conformance("a resize takes what is more", async (t) => {
  const asks = asking({ cpu: "1", memory: "1Gi" });
  await grant(t, { hard: { cpu: "2", "limits.memory": "2Gi", pods: "1" } });
  await createContainer(t, asks);
  const resize = async (cpu: string): Promise<Answer> => {
    const answer = await t.patch("strategic", t.path("pods/p/resize"), {
      spec: { containers: [{ name: "c", ...asking({ cpu, memory: "1Gi" }) }] },
    });
    // The next one must see this one: one that finds it was mistaken has been counted already.
    const { resourceVersion } = answer.body.metadata;
    const query = resourceVersion ? `?resourceVersion=${resourceVersion}` : "";
    await t.get(t.path(`pods/p${query}`), UNRECORDED);
    return answer;
  };
  assert.equal((await resize("1500m")).code, 200);
  isRefused(await resize("3"), /requested: cpu=1500m, used: cpu=1500m, limited: cpu=2/);
  assert.equal((await resize("500m")).code, 200);
  await used(t);
});

conformance("services, their ports on nodes and load balancers", async (t) => {
  await grant(t, {
    hard: { services: "9", "services.nodeports": "3", "services.loadbalancers": "1" },
  });
  const services = t.path("services");
  const service = (name: string, spec: Some): Some => ({
    metadata: { name },
    spec: { ports: [{ name: "a", port: 80 }, { name: "b", port: 81 }], ...spec },
  });
  const spec = { type: "NodePort" };
  t.mask(/"nodePort": ?\d+/, '"nodePort":0');
  const quiet = { unrecorded: true };
  assert.equal((await t.post(services, service("a", spec), quiet)).code, 201);
  isRefused(await t.post(services, service("b", spec)), /services.nodeports=2/);
  const bare = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false };
  assert.equal((await t.post(services, service("c", bare), quiet)).code, 201);
  isRefused(await t.post(services, service("d", bare)), /services.loadbalancers=1/);
  assert.equal((await t.post(services, service("e", {}), quiet)).code, 201);
  await used(t);
  isRefused(
    await merge(t, `${services}/e`, { spec: { type: "NodePort" } }),
    /services.nodeports=2/,
  );
  const fewer = { spec: { type: "ClusterIP" } };
  assert.equal((await merge(t, `${services}/a`, fewer, quiet)).code, 200);
  await used(t);
});

function claim(name: string, storage: string, spec: Some = {}): Some {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  };
}

conformance("claims and their storage, of all classes and of one", async (t) => {
  const gold = "gold.storageclass.storage.k8s.io/";
  await grant(t, {
    hard: {
      persistentvolumeclaims: "9",
      "count/persistentvolumeclaims": "9",
      "requests.storage": "10Gi",
      [`${gold}requests.storage`]: "4Gi",
      [`${gold}persistentvolumeclaims`]: "9",
      "silver.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
    },
  });
  const claims = t.path("persistentvolumeclaims");
  const ofClass = (storageClassName: string): Some => ({ storageClassName });
  assert.equal((await t.post(claims, claim("a", "3Gi", ofClass("gold")))).code, 201);
  isRefused(await t.post(claims, claim("b", "2Gi", ofClass("gold"))), /gold.storage.*=4Gi$/);
  isRefused(await t.post(claims, claim("b", "1", ofClass("silver"))), /silver/);
  isRefused(await t.post(claims, claim("b", "8Gi")), /requests.storage=10Gi/);
  assert.equal((await t.post(claims, claim("b", "1500m"))).code, 201);
  await used(t);
});

conformance("a status of a claim may take more than is granted", async (t) => {
  await grant(t, { hard: { "requests.storage": "2Gi" } });
  const claims = t.path("persistentvolumeclaims");
  await t.post(claims, claim("a", "1Gi"));
  const status = { allocatedResources: { storage: "5Gi" } };
  const { code } = await merge(t, `${claims}/a/status`, { status });
  assert.equal(code, 200);
  assert.deepEqual(await used(t), { "requests.storage": "5Gi" });
});

conformance("a quota of claims with a class of attributes", async (t) => {
  await grant(t, { hard: { persistentvolumeclaims: "0" }, scopes: ["VolumeAttributesClass"] });
  const claims = t.path("persistentvolumeclaims");
  const fast = { volumeAttributesClassName: "fast" };
  isRefused(await t.post(claims, claim("a", "1Gi", fast)), /exceeded quota/);
  assert.equal((await t.post(claims, claim("a", "1Gi"))).code, 201);
  assert.equal((await createPod(t)).code, 201);
});

conformance("devices that claims ask for are counted by class", async (t) => {
  const devices = "gpu.deviceclass.resource.k8s.io/devices";
  const count = "count/resourceclaims.resource.k8s.io";
  await grant(t, { hard: { [devices]: "40", [count]: "9" } });
  const path = t.path("resourceclaims", "resource.k8s.io/v1");
  const asks = (name: string, ...requests: Some[]): Some => ({
    metadata: { name },
    spec: { devices: { requests } },
  });
  const exactly = (more: Some): Some => ({ deviceClassName: "gpu", ...more });
  const some = [
    { name: "a", exactly: exactly({ allocationMode: "ExactCount", count: 2 }) },
    {
      name: "b",
      firstAvailable: [
        { name: "x", ...exactly({ allocationMode: "ExactCount", count: 1 }) },
        { name: "y", ...exactly({ allocationMode: "ExactCount", count: 3 }) },
      ],
    },
  ];
  assert.equal((await t.post(path, asks("a", ...some))).code, 201);
  await used(t);
  const all = { name: "c", exactly: exactly({ allocationMode: "All" }) };
  isRefused(await t.post(path, asks("b", ...some, all)), /devices=37/);
});

conformance("parts of objects are not counted", async (t) => {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } }, UNRECORDED);
  await t.post(t.path("pods"), pod(), UNRECORDED);
  await grant(t, { hard: { "count/serviceaccounts": "0", pods: "0", "count/pods": "0" } });
  const token = await t.post(t.path("serviceaccounts/a/token"), { spec: {} }, UNRECORDED);
  assert.equal(token.code, 201);
  const status = await merge(t, t.path("pods/p/status"), { status: { phase: "Running" } });
  assert.equal(status.code, 200);
  const binding = { metadata: { name: "p" }, target: { kind: "Node", name: "n" } };
  assert.equal((await t.post(t.path("pods/p/binding"), binding)).code, 201);
});
