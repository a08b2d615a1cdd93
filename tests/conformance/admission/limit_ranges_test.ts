import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import {
  container,
  createContainer,
  createPod,
  pod,
  type Some,
} from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

/** A LimitRange; the real server asks for those of a namespace anew only after half a minute. */
async function limit(t: Target, ...limits: Some[]): Promise<void> {
  const { code, body } = await t.post(t.path("limitranges"), {
    metadata: { name: "l" },
    spec: { limits },
  }, { unrecorded: true });
  assert.equal(code, 201, JSON.stringify(body));
}

function limitContainers(t: Target, limits: Some): Promise<void> {
  return limit(t, { type: "Container", ...limits });
}

function asking(requests: Some, limits?: Some): Some {
  return { resources: { requests, ...(limits && { limits }) } };
}

function isRefused({ code, body }: Answer, words: RegExp): void {
  assert.equal(code, 403, JSON.stringify(body));
  assert.match(body.message, words);
}

function claim(storage: string, name = "a"): Some {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  };
}

conformance("containers get what a LimitRange says, and an annotation of it", async (t) => {
  t.managedFields = true;
  await limitContainers(t, {
    default: { cpu: "500m", memory: "1Gi" },
    defaultRequest: { cpu: "100m" },
  });
  const spec = {
    initContainers: [container({ name: "i" })],
    containers: [container(), container({ name: "d" })],
  };
  const { body } = await t.post(t.path("pods?fieldManager=me"), pod(spec));
  assert.match(
    body.metadata.annotations["kubernetes.io/limit-ranger"],
    /^LimitRanger plugin set: /,
  );
});

conformance("what a container says for itself stays", async (t) => {
  await limitContainers(t, { default: { cpu: "500m" }, defaultRequest: { cpu: "100m" } });
  const { body } = await createPod(t, {
    containers: [
      container(asking({ cpu: "1m" })),
      container({ name: "d", resources: { limits: { cpu: "2" } } }),
      container({ name: "e", ...asking({ cpu: "1" }, { cpu: "1", memory: "1Gi" }) }),
    ],
  });
  assert.equal(
    body.metadata.annotations["kubernetes.io/limit-ranger"],
    "LimitRanger plugin set: cpu limit for container c",
  );
});

conformance("a most without defaults is the default too", async (t) => {
  await limitContainers(t, { max: { memory: "1Gi" }, min: { memory: "1Mi" } });
  await t.get(t.path("limitranges/l"));
  const { body } = await createPod(t);
  assert.deepEqual(body.spec.containers[0].resources.limits, { memory: "1Gi" });
});

conformance(
  "defaults that are less than what is asked for are refused by the pod's rules",
  async (t) => {
    await limitContainers(t, { default: { cpu: "100m" } });
    const { code } = await createContainer(t, asking({ cpu: "2" }));
    assert.equal(code, 422);
  },
);

conformance("an annotation that is there already is written over", async (t) => {
  await limitContainers(t, { default: { cpu: "100m" } });
  const annotations = { "kubernetes.io/limit-ranger": "mine", other: "stays" };
  await createPod(t, {}, { annotations });
  const both = { cpu: "100m" };
  const containers = [container(asking(both, both))];
  const { body } = await createPod(t, { containers }, { name: "q", annotations });
  assert.equal(body.metadata.annotations["kubernetes.io/limit-ranger"], "mine");
});

conformance("a container that asks for too little is refused", async (t) => {
  await limit(t, { type: "Container", min: { cpu: "100m" } });
  isRefused(await createContainer(t, asking({ cpu: "50m" })), /but request is 50m/);
  isRefused(await createContainer(t, asking({ cpu: "99m" }, { cpu: "1" })), /request is/);
  const { code } = await createContainer(t, asking({ cpu: "0.1" }));
  assert.equal(code, 201);
});

conformance("a container that asks for nothing of what it must have is refused", async (t) => {
  const key = "example.com/gpu";
  await limit(t, { type: "Container", min: { [key]: "1" }, defaultRequest: { cpu: "1" } });
  const { body } = await t.get(t.path("limitranges/l"));
  assert.equal(body.spec.limits[0].defaultRequest[key], "1");
  await createPod(t);
  await createContainer(t, asking({ [key]: "2" }, { [key]: "2" }));
});

conformance("a container that may use too much is refused", async (t) => {
  await limitContainers(t, { max: { memory: "1Gi" }, default: { memory: "512Mi" } });
  const over = asking({ memory: "1Mi" }, { memory: "1025Mi" });
  isRefused(await createContainer(t, over), /but limit is 1025Mi/);
  isRefused(await createContainer(t, asking({}, { memory: "2G" })), /but limit is 2G/);
  const { code } = await createContainer(t, asking({}, { memory: "1Gi" }));
  assert.equal(code, 201);
});

conformance("each container is refused for itself, what is said twice is said once", async (t) => {
  await limitContainers(t, { max: { cpu: "1" } });
  const much = asking({}, { cpu: "2" });
  isRefused(
    await createPod(t, {
      containers: [container(much), container({ name: "d", ...much })],
      initContainers: [
        container({ name: "i", ...asking({}, { cpu: "3" }) }),
        container({ name: "j", ...asking({}, { cpu: "1" }) }),
      ],
    }),
    /^pods "p" is forbidden: \[maximum cpu/,
  );
});

conformance("a limit of many times the request is refused", async (t) => {
  await limit(t, { type: "Container", maxLimitRequestRatio: { cpu: "2" } });
  isRefused(await createContainer(t, asking({ cpu: "300m" }, { cpu: "1" })), /ratio is 3.333333/);
  isRefused(await createContainer(t, asking({ cpu: "1" })), /no limit is specified/);
  isRefused(await createContainer(t, {}), /no request is specified/);
  isRefused(await createContainer(t, asking({ cpu: "0" }, { cpu: "1" })), /request is 0/);
  const { code } = await createContainer(t, asking({ cpu: "500m" }, { cpu: "1" }));
  assert.equal(code, 201);
});

conformance("a ratio with a fraction is compared as it is", async (t) => {
  await limit(t, { type: "Container", maxLimitRequestRatio: { memory: "1500m" } });
  const asks = (request: string, most: string): Some =>
    asking({ memory: request }, { memory: most });
  isRefused(await createContainer(t, asks("1Gi", "1600Mi")), /is 1500m, but provided ratio/);
  const { code } = await createContainer(t, asks("1Gi", "1536Mi"));
  assert.equal(code, 201);
});

conformance("the containers of a pod are counted together", async (t) => {
  await limit(t, { type: "Pod", max: { cpu: "2" }, min: { memory: "64Mi" } });
  const each = asking({ cpu: "1", memory: "64Mi" }, { cpu: "1200m", memory: "1Gi" });
  isRefused(
    await createPod(t, { containers: [container(each), container({ name: "d", ...each })] }),
    /per Pod is 2, but limit is 2400m/,
  );
  isRefused(await createPod(t), /No request is specified/);
  const { code } = await createContainer(t, each);
  assert.equal(code, 201);
});

conformance("containers for the start count one at a time, sidecars beside all", async (t) => {
  await limit(t, { type: "Pod", max: { memory: "1Gi" } });
  const asks = (memory: string, more: Some = {}): Some =>
    container({ ...asking({ memory }, { memory }), ...more });
  const always = { restartPolicy: "Always" };
  isRefused(
    await createPod(t, {
      initContainers: [asks("512Mi", { name: "s", ...always }), asks("768Mi", { name: "i" })],
      containers: [asks("128Mi")],
    }),
    /limit is 1280Mi/,
  );
  const { code } = await createPod(t, {
    initContainers: [asks("1Gi", { name: "i" }), asks("512Mi", { name: "s", ...always })],
    containers: [asks("512Mi")],
  });
  assert.equal(code, 201);
});

conformance("what a pod asks for as a whole counts in place of its containers", async (t) => {
  await limit(t, { type: "Pod", max: { cpu: "1" }, maxLimitRequestRatio: { cpu: "2" } });
  const resources = { requests: { cpu: "500m" }, limits: { cpu: "2" } };
  isRefused(await createPod(t, { resources }), /limit is 2/);
  const fits = { requests: { cpu: "500m" }, limits: { cpu: "1" } };
  const { code } = await createPod(t, { resources: fits });
  assert.equal(code, 201);
});

conformance("more than one limit of a range is checked in their order", async (t) => {
  await limit(
    t,
    { type: "Pod", max: { cpu: "3" } },
    { type: "Container", max: { cpu: "2" } },
  );
  isRefused(await createContainer(t, asking({}, { cpu: "4" })), /Pod is 3.*Container is 2/);
});

conformance("a claim asks for no less and no more than it may", async (t) => {
  await limit(t, {
    type: "PersistentVolumeClaim",
    min: { storage: "1Gi" },
    max: { storage: "5Gi" },
  });
  const claims = t.path("persistentvolumeclaims");
  isRefused(await t.post(claims, claim("500Mi")), /but request is 500Mi/);
  isRefused(await t.post(claims, claim("6Gi")), /but request is 6Gi/);
  const { code } = await t.post(claims, claim("5Gi"));
  assert.equal(code, 201);
  const labelled = await t.patch("merge", `${claims}/a`, { metadata: { labels: { a: "b" } } });
  assert.equal(labelled.code, 200);
});

conformance("claims are warned of what storage cannot be", async (t) => {
  const claims = t.path("persistentvolumeclaims");
  const annotations = { "volume.beta.kubernetes.io/storage-class": "none" };
  const { spec } = claim("1500m");
  const { code } = await t.post(claims, { metadata: { name: "a", annotations }, spec });
  assert.equal(code, 201);
  await t.patch("merge", `${claims}/a`, { metadata: { labels: { a: "b" } } });
  await t.patch("merge", `${claims}/a/status`, { status: { phase: "Bound" } });
});

conformance("limits of pods are not those of claims, nor the other way round", async (t) => {
  await limit(t, { type: "PersistentVolumeClaim", max: { storage: "1Gi" } });
  const { code } = await createPod(t);
  assert.equal(code, 201);
});

conformance("a template of pods is not looked at", async (t) => {
  await limitContainers(t, { default: { cpu: "1" }, max: { cpu: "1" } });
  const spec = {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: pod()["spec"] },
  };
  const path = t.path("replicasets", "apps/v1");
  const { body } = await t.post(path, { metadata: { name: "a" }, spec });
  assert.deepEqual(body.spec.template.spec.containers[0].resources, {});
});

conformance("an update of a pod is not looked at, a resize is", async (t) => {
  const { code } = await t.post(
    t.path("pods"),
    pod({ containers: [container(asking({ cpu: "1" }))] }),
  );
  assert.equal(code, 201);
  const other = t.unique("ns2");
  await t.post("/api/v1/namespaces", { metadata: { name: other } }, { unrecorded: true });
  const root = `/api/v1/namespaces/${other}`;
  await t.post(`${root}/limitranges`, {
    metadata: { name: "l" },
    spec: { limits: [{ type: "Container", max: { cpu: "2" }, default: { cpu: "2" } }] },
  }, { unrecorded: true });
  const small = container(asking({ cpu: "1" }, { cpu: "2" }));
  await t.post(`${root}/pods`, pod({ containers: [small] }), { unrecorded: true });
  const labelled = await t.patch("merge", `${root}/pods/p`, { metadata: { labels: { a: "b" } } });
  assert.equal(labelled.code, 200);
  const resize = (cpu: string): Promise<Answer> =>
    t.patch("strategic", `${root}/pods/p/resize`, {
      spec: { containers: [{ name: "c", resources: { limits: { cpu } } }] },
    });
  isRefused(await resize("3"), /limit is 3/);
  assert.equal((await resize("1500m")).code, 200);
});

conformance("a pod with a generated name is refused by that", async (t) => {
  await limitContainers(t, { max: { cpu: "1" } });
  t.mask(/some-[a-z0-9]{5}/, "<generated>");
  const { spec } = pod({ containers: [container(asking({}, { cpu: "2" }))] });
  isRefused(await t.post(t.path("pods"), { metadata: { generateName: "some-" }, spec }), /some-/);
});

conformance("a dry run and an apply get defaults too", async (t) => {
  t.managedFields = true;
  await limitContainers(t, { default: { cpu: "1" } });
  await t.post(`${t.path("pods")}?dryRun=All&fieldManager=me`, pod());
  const applied = { apiVersion: "v1", kind: "Pod", ...pod() };
  const path = t.path("pods/p?fieldManager=me");
  const { body } = await t.patch("apply", path, applied);
  assert.deepEqual(body.spec.containers[0].resources.limits, { cpu: "1" });
  const again = await t.patch("apply", path, applied);
  assert.equal(again.code, 200);
});

conformance("very large amounts are compared as whole numbers", async (t) => {
  await limit(t, { type: "PersistentVolumeClaim", max: { storage: "2Ei" }, min: { storage: "1" } });
  const claims = t.path("persistentvolumeclaims");
  isRefused(await t.post(claims, claim("4Ei")), /is 2Ei, but request is 4Ei/);
  assert.equal((await t.post(claims, claim("2Ei"))).code, 201);
  assert.equal((await t.post(claims, claim("500m", "b"))).code, 403);
});
