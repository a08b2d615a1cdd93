import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { container, merge, SELECTOR, type Some, template } from "./workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

const VERSIONS: Readonly<Record<string, string>> = {
  replicasets: "apps/v1",
  daemonsets: "apps/v1",
  deployments: "apps/v1",
  statefulsets: "apps/v1",
  controllerrevisions: "apps/v1",
  jobs: "batch/v1",
  cronjobs: "batch/v1",
  horizontalpodautoscalers: "autoscaling/v2",
  poddisruptionbudgets: "policy/v1",
};

function path(t: Target, plural: string, rest = ""): string {
  return t.path(`${plural}${rest}`, VERSIONS[plural] ?? "v1");
}

function create(t: Target, plural: string, spec: Some, metadata: Some = {}): Promise<Answer> {
  return t.post(path(t, plural), { metadata: { name: "a", ...metadata }, spec });
}

async function refused(t: Target, plural: string, spec: Some): Promise<void> {
  const { code, body } = await create(t, plural, spec);
  assert.equal(code, 422, JSON.stringify(body));
}

async function created(t: Target, plural: string, spec: Some): Promise<Answer["body"]> {
  const { code, body } = await create(t, plural, spec);
  assert.equal(code, 201, JSON.stringify(body));
  return body;
}

const SET = { selector: SELECTOR, template: template() };
const once = (spec: Some = {}): Some => ({
  spec: { restartPolicy: "Never", containers: [container()], ...spec },
});

conformance("a ReplicaSet gets its defaults", async (t) => {
  const body = await created(t, "replicasets", SET);
  assert.deepEqual(body.status, { replicas: 0 });
});

conformance("a ReplicaSet's selector is fixed, and needed", async (t) => {
  await refused(t, "replicasets", { template: template() });
  await refused(t, "replicasets", { ...SET, selector: {}, replicas: -1 });
  await created(t, "replicasets", SET);
  const change = { spec: { selector: { matchLabels: { app: "x" } } } };
  assert.equal((await merge(t, path(t, "replicasets", "/a"), change)).code, 422);
});

conformance("a ReplicaSet's generation counts changes of its spec", async (t) => {
  await created(t, "replicasets", SET);
  const url = path(t, "replicasets", "/a");
  await merge(t, url, { metadata: { annotations: { a: "b" } } });
  const { body } = await merge(t, url, { spec: { replicas: 2 } });
  assert.equal(body.metadata.generation, 2);
});

conformance("a ReplicaSet's status", async (t) => {
  await created(t, "replicasets", SET);
  const url = path(t, "replicasets", "/a/status");
  const set = (status: Some) => merge(t, url, { spec: { replicas: 9 }, status });
  assert.equal((await set({ replicas: 2, readyReplicas: 1 })).code, 200);
  assert.equal((await set({ replicas: 1, fullyLabeledReplicas: 2 })).code, 422);
});

conformance("a ReplicationController takes its selector and labels of its template", async (t) => {
  const body = await created(t, "replicationcontrollers", { template: template() });
  assert.deepEqual(body.spec.selector, { app: "web" });
  assert.deepEqual(body.metadata.labels, { app: "web" });
});

conformance("a ReplicationController without template, or with one it does not find", async (t) => {
  await refused(t, "replicationcontrollers", {});
  await refused(t, "replicationcontrollers", { selector: { app: "x" }, template: template() });
});

conformance("a ReplicationController's deletion leaves its pods", async (t) => {
  await created(t, "replicationcontrollers", { template: template() });
  const { code } = await t.delete(path(t, "replicationcontrollers", "/a"));
  assert.equal(code, 200);
  await t.get(path(t, "replicationcontrollers", "/a"));
});

conformance("a DaemonSet gets its defaults, and counts its templates", async (t) => {
  await created(t, "daemonsets", SET);
  const url = path(t, "daemonsets", "/a");
  const { body } = await merge(t, url, { spec: { template: { spec: { hostNetwork: true } } } });
  assert.equal(body.metadata.annotations["deprecated.daemonset.template.generation"], "2");
  const other = await merge(t, url, { spec: { minReadySeconds: 1 } });
  assert.equal(other.body.metadata.generation, 3);
});

conformance("a DaemonSet surges or does without, not both", async (t) => {
  const rolling = (rollingUpdate: Some): Some => ({ ...SET, updateStrategy: { rollingUpdate } });
  await refused(t, "daemonsets", rolling({ maxSurge: 1, maxUnavailable: 1 }));
  await refused(t, "daemonsets", rolling({ maxSurge: 0, maxUnavailable: 0 }));
  await refused(t, "daemonsets", { ...SET, updateStrategy: { type: "Slowly" } });
});

conformance("annotations of old fields are numbers", async (t) => {
  const annotated = (plural: string, name: string, value: string) =>
    t.post(t.path(plural, "apps/v1"), {
      metadata: { name: "a", annotations: { [name]: value } },
      spec: SET,
    });
  const generation = "deprecated.daemonset.template.generation";
  assert.equal((await annotated("daemonsets", generation, "x")).code, 400);
  const { body } = await annotated("daemonsets", generation, "+7");
  assert.equal(body.metadata.annotations[generation], "7");
  const rollback = "deprecated.deployment.rollback.to";
  assert.equal((await annotated("deployments", rollback, "x")).code, 400);
  assert.equal((await annotated("deployments", rollback, "-1")).code, 422);
});

for (
  const [plural, kind, name] of [
    ["daemonsets", "DaemonSet", "deprecated.daemonset.template.generation"],
    ["deployments", "Deployment", "deprecated.deployment.rollback.to"],
  ] as const
) {
  conformance(`a patch that makes a number's annotation unreadable: ${plural}`, async (t) => {
    await created(t, plural, SET);
    const change = { metadata: { annotations: { [name]: "x" } } };
    const strategic = await t.patch("strategic", path(t, plural, "/a"), change);
    assert.equal(strategic.code, 500);
    const object = { apiVersion: "apps/v1", kind, spec: SET };
    const metadata = { name: "a", ...change.metadata };
    const url = `${path(t, plural, "/a")}?fieldManager=m&force=true`;
    assert.equal((await t.patch("apply", url, { ...object, metadata })).code, 500);
    // Of these the answer shows the whole object.
    const merged = await t.patch("merge", path(t, plural, "/a"), change, { unrecorded: true });
    assert.equal(merged.code, 422);
    assert.match(merged.body.message, /strconv\.ParseInt: parsing "x": invalid syntax$/);
    const add = [{ op: "add", path: "/metadata/annotations", value: { [name]: "x" } }];
    const added = await t.patch("json", path(t, plural, "/a"), add, { unrecorded: true });
    assert.equal(added.code, 422);
  });
}

conformance("a DaemonSet's selector", async (t) => {
  await refused(t, "daemonsets", { template: template() });
  await refused(t, "daemonsets", { ...SET, selector: { matchLabels: { app: "x" } } });
  await created(t, "daemonsets", SET);
  const change = { spec: { selector: { matchLabels: { app: "x" } } } };
  assert.equal((await merge(t, path(t, "daemonsets", "/a"), change)).code, 422);
});

conformance("a DaemonSet's status", async (t) => {
  await created(t, "daemonsets", SET);
  const url = path(t, "daemonsets", "/a/status");
  assert.equal((await merge(t, url, { status: { numberReady: -1 } })).code, 422);
  assert.equal((await merge(t, url, { status: { collisionCount: 1 } })).code, 200);
});

const CLAIM = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

conformance("a StatefulSet gets its defaults, its claims too", async (t) => {
  await created(t, "statefulsets", {
    ...SET,
    volumeClaimTemplates: [CLAIM],
    template: template({
      containers: [container({ volumeMounts: [{ name: "data", mountPath: "/data" }] })],
    }),
  });
});

conformance("a StatefulSet's name becomes a hostname", async (t) => {
  assert.equal((await create(t, "statefulsets", SET, { name: "a.b" })).code, 422);
});

conformance("a StatefulSet that makes no sense", async (t) => {
  await refused(t, "statefulsets", {
    ...SET,
    podManagementPolicy: "Chaotic",
    serviceName: "A_B",
    ordinals: { start: -1 },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Sell" },
    updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
    volumeClaimTemplates: [{ metadata: { name: "x" }, spec: { accessModes: [] } }],
  });
  await refused(t, "statefulsets", { ...SET, updateStrategy: { type: "Slowly" } });
});

conformance("little of a StatefulSet can change", async (t) => {
  await created(t, "statefulsets", SET);
  const url = path(t, "statefulsets", "/a");
  const { code } = await merge(t, url, { spec: { replicas: 2, minReadySeconds: 1 } });
  assert.equal(code, 200);
  assert.equal((await merge(t, url, { spec: { serviceName: "x" } })).code, 422);
  assert.equal((await merge(t, url, { spec: { volumeClaimTemplates: [CLAIM] } })).code, 422);
});

conformance("a StatefulSet that keeps all its history is warned of", async (t) => {
  await created(t, "statefulsets", { ...SET, revisionHistoryLimit: -1 });
});

conformance("a Job gets its defaults, labels and a selector", async (t) => {
  const body = await created(t, "jobs", { template: once() });
  assert.equal(body.spec.template.metadata.labels["job-name"], "a");
});

conformance("a Job takes its labels of its template", async (t) => {
  const labelled = { ...once(), metadata: { labels: { app: "x" } } };
  const body = await created(t, "jobs", { template: labelled });
  assert.equal(body.metadata.labels.app, "x");
});

conformance("a Job's selector is made for it unless it says otherwise", async (t) => {
  await refused(t, "jobs", { selector: SELECTOR, template: once() });
  await refused(t, "jobs", { manualSelector: true, template: once() });
  const labelled = { ...once(), metadata: { labels: { app: "web" } } };
  await created(t, "jobs", { manualSelector: true, selector: SELECTOR, template: labelled });
});

conformance("a Job's pods end", async (t) => {
  await refused(t, "jobs", { template: once({ restartPolicy: "Always" }) });
  await refused(t, "jobs", { template: once({ restartPolicy: "Sometimes" }) });
});

conformance("a Job's numbers", async (t) => {
  await refused(t, "jobs", {
    template: once(),
    parallelism: -1,
    completions: -1,
    backoffLimit: -1,
    activeDeadlineSeconds: -1,
    ttlSecondsAfterFinished: -1,
    maxFailedIndexes: 1,
    completionMode: "Random",
    managedBy: "me",
  });
  await refused(t, "jobs", { template: once(), completionMode: "Indexed", parallelism: 200000 });
});

conformance("policies of a Job's failures", async (t) => {
  const rules = [
    { action: "Cry" },
    {
      action: "FailJob",
      onExitCodes: { operator: "In", values: [0, 3, 2, 2], containerName: "x" },
    },
    { action: "FailIndex", onPodConditions: [{ type: "a b", status: "Maybe" }] },
    { onExitCodes: { operator: "Like", values: [] }, onPodConditions: [{ type: "x" }] },
  ];
  await refused(t, "jobs", { template: once(), podFailurePolicy: { rules } });
  const podFailurePolicy = { rules: [rules[1]] };
  await refused(t, "jobs", { template: once({ restartPolicy: "OnFailure" }), podFailurePolicy });
});

conformance("policies of a Job's success", async (t) => {
  const indexed = { template: once(), completionMode: "Indexed", completions: 3 };
  const rules = [
    {},
    { succeededIndexes: "0-1", succeededCount: 3 },
    { succeededIndexes: "1,0" },
    { succeededIndexes: "5" },
    { succeededIndexes: "1-2-3" },
    { succeededCount: 9 },
  ];
  await refused(t, "jobs", { ...indexed, successPolicy: { rules } });
  await refused(t, "jobs", { template: once(), successPolicy: { rules } });
});

conformance("most of a Job cannot change", async (t) => {
  await created(t, "jobs", { template: once() });
  const url = path(t, "jobs", "/a");
  assert.equal((await merge(t, url, { spec: { parallelism: 2, suspend: true } })).code, 200);
  assert.equal((await merge(t, url, { spec: { completions: 5 } })).code, 422);
  assert.equal((await merge(t, url, { spec: { completionMode: "Indexed" } })).code, 422);
});

conformance("a running Job's template cannot change, and the answer shows it", async (t) => {
  await created(t, "jobs", { template: once() });
  const change = { spec: { template: { spec: { containers: [container({ image: "x" })] } } } };
  assert.equal((await merge(t, path(t, "jobs", "/a"), change)).code, 422);
});

conformance("a suspended Job's pods may be placed elsewhere", async (t) => {
  await created(t, "jobs", { suspend: true, template: once() });
  const url = path(t, "jobs", "/a");
  const change = (spec: Some): Some => ({ spec: { template: { spec } } });
  assert.equal((await merge(t, url, change({ nodeSelector: { a: "b" } }))).code, 200);
  const resources = { limits: { cpu: "1" } };
  assert.equal((await merge(t, url, change({ containers: [container({ resources })] }))).code, 200);
  assert.equal((await merge(t, url, change({ hostNetwork: true }))).code, 422);
});

conformance("an indexed Job grows in tandem", async (t) => {
  const indexed = { completionMode: "Indexed", completions: 2, parallelism: 2 };
  await created(t, "jobs", { ...indexed, template: once() });
  const url = path(t, "jobs", "/a");
  assert.equal((await merge(t, url, { spec: { completions: 3 } })).code, 422);
  assert.equal((await merge(t, url, { spec: { completions: 3, parallelism: 3 } })).code, 200);
});

conformance("a Job's end is final", async (t) => {
  await created(t, "jobs", { template: once() });
  const url = path(t, "jobs", "/a/status");
  const condition = (type: string): Some => ({ type, status: "True" });
  const time = "2026-01-01T00:00:00Z";
  const set = (status: Some) => merge(t, url, { status });
  assert.equal((await set({ conditions: [condition("Complete")] })).code, 422);
  assert.equal((await set({ conditions: [condition("Failed")], active: 1 })).code, 422);
  const conditions = [condition("SuccessCriteriaMet"), condition("Complete")];
  const done = { conditions, startTime: time, completionTime: time, succeeded: 1 };
  assert.equal((await set(done)).code, 200);
  assert.equal((await set({ conditions: [], succeeded: 0 })).code, 422);
});

conformance("a Job's counts and indexes", async (t) => {
  await created(t, "jobs", { template: once() });
  const { code } = await merge(t, path(t, "jobs", "/a/status"), {
    status: {
      active: 1,
      ready: 2,
      failed: -1,
      completedIndexes: "0,9",
      uncountedTerminatedPods: { succeeded: ["x", ""], failed: ["x"] },
    },
  });
  assert.equal(code, 422);
});

const cron = (spec: Some = {}): Some => ({
  schedule: "*/5 * * * *",
  jobTemplate: { spec: { template: once() } },
  ...spec,
});

conformance("a CronJob gets its defaults", async (t) => {
  await created(t, "cronjobs", cron());
});

conformance("schedules that are right", async (t) => {
  const schedules = ["@hourly", "@every 1h30m", "0 0-23/2 1,15 jan-MAR sun", "? * * * ?"];
  for (const [index, schedule] of schedules.entries()) {
    const { code } = await create(t, "cronjobs", cron({ schedule }), { name: `a${index}` });
    assert.equal(code, 201, schedule);
  }
});

conformance("schedules that are wrong", async (t) => {
  const schedules = [
    "",
    "* * *",
    "60 * * * *",
    "* * 0 * *",
    "5-1 * * * *",
    "*/0 * * * *",
    "a * * * *",
    "1-2-3 * * * *",
    "1/2/3 * * * *",
    "-1 * * * *",
    "99999999999999999999 * * * *",
    "@never",
    "@every x",
    "@every 1x",
    "@every 5",
    "TZ=UTC * * * * *",
    "CRON_TZ=Nowhere/At_All * * * * *",
  ];
  for (const schedule of schedules) await refused(t, "cronjobs", cron({ schedule }));
});

conformance("time zones", async (t) => {
  for (const timeZone of ["", "Nowhere/At_All", "Local", "../x", "Europe/"]) {
    await refused(t, "cronjobs", cron({ timeZone }));
  }
  await created(t, "cronjobs", cron({ timeZone: "Europe/Zurich" }));
});

conformance("a CronJob that makes no sense", async (t) => {
  const jobTemplate = {
    spec: { selector: SELECTOR, manualSelector: true, template: template() },
  };
  await refused(
    t,
    "cronjobs",
    cron({
      jobTemplate,
      concurrencyPolicy: "Race",
      startingDeadlineSeconds: -1,
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
    }),
  );
  assert.equal((await create(t, "cronjobs", cron(), { name: "a".repeat(53) })).code, 422);
});

conformance("a CronJob's generation and status", async (t) => {
  await created(t, "cronjobs", cron());
  const { body } = await merge(t, path(t, "cronjobs", "/a"), { spec: { suspend: true } });
  assert.equal(body.metadata.generation, 2);
  await merge(t, path(t, "cronjobs", "/a/status"), {
    spec: { suspend: false },
    status: { lastScheduleTime: "2026-01-01T00:00:00Z" },
  });
});

const TARGET = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

conformance("an autoscaler that scales by no policies is refused", async (t) => {
  for (const policies of [[], null]) {
    const spec = { scaleTargetRef: TARGET, maxReplicas: 3, behavior: { scaleUp: { policies } } };
    const { code } = await t.post(
      t.path("horizontalpodautoscalers", "autoscaling/v2"),
      { metadata: { name: "a" }, spec },
    );
    assert.equal(code, policies ? 422 : 201);
  }
});

conformance("an autoscaler gets its defaults", async (t) => {
  await created(t, "horizontalpodautoscalers", {
    scaleTargetRef: TARGET,
    maxReplicas: 3,
    behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
  });
});

conformance("an autoscaler that makes no sense", async (t) => {
  await refused(t, "horizontalpodautoscalers", {
    scaleTargetRef: { kind: "a/b" },
    minReplicas: 0,
    maxReplicas: -1,
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 9999,
        selectPolicy: "Most",
        policies: [{ type: "Some", value: 0, periodSeconds: 9999 }],
      },
    },
  });
});

conformance("metrics of an autoscaler", async (t) => {
  await refused(t, "horizontalpodautoscalers", {
    scaleTargetRef: TARGET,
    maxReplicas: 3,
    metrics: [
      { type: "Feeling" },
      { type: "Pods" },
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } },
      {
        type: "External",
        external: {
          metric: { name: "" },
          target: { type: "Much", value: "-1", averageValue: "1" },
        },
      },
      {
        type: "Object",
        object: {
          describedObject: { kind: "Service", name: "x" },
          metric: { name: "m" },
          target: { type: "Value" },
        },
      },
      {
        type: "ContainerResource",
        containerResource: {
          name: "gpu",
          container: "A",
          target: { type: "Utilization", averageUtilization: 0 },
        },
      },
    ],
  });
});

conformance("an autoscaler in both versions", async (t) => {
  const v1 = (rest = "") => t.path(`horizontalpodautoscalers${rest}`, "autoscaling/v1");
  const { code } = await t.post(v1(), {
    metadata: { name: "a" },
    spec: { scaleTargetRef: TARGET, maxReplicas: 3 },
  });
  assert.equal(code, 201);
  await t.get(path(t, "horizontalpodautoscalers", "/a"));
  await merge(t, path(t, "horizontalpodautoscalers", "/a"), { spec: { minReplicas: 2 } });
  await t.get(v1("/a"));
  await merge(t, v1("/a"), { spec: { maxReplicas: 0 } });
});

conformance("a disruption budget", async (t) => {
  await created(t, "poddisruptionbudgets", { minAvailable: "50%", selector: SELECTOR });
  const { body } = await merge(t, path(t, "poddisruptionbudgets", "/a"), {
    spec: { minAvailable: 1 },
  });
  assert.equal(body.metadata.generation, 2);
});

conformance("a disruption budget that makes no sense", async (t) => {
  await refused(t, "poddisruptionbudgets", { minAvailable: 1, maxUnavailable: 1 });
  await refused(t, "poddisruptionbudgets", { minAvailable: "101%" });
  await refused(t, "poddisruptionbudgets", {
    maxUnavailable: -1,
    unhealthyPodEvictionPolicy: "Perhaps",
    selector: { matchLabels: { "a b": "c d" } },
  });
});

conformance("a disruption budget's status", async (t) => {
  await created(t, "poddisruptionbudgets", { minAvailable: 1 });
  const { code } = await merge(t, path(t, "poddisruptionbudgets", "/a/status"), {
    status: { currentHealthy: -1, conditions: [{ type: "a b", status: "x", reason: "1" }] },
  });
  assert.equal(code, 422);
});

conformance("a template that stands alone", async (t) => {
  const { code } = await t.post(path(t, "podtemplates"), {
    metadata: { name: "a" },
    template: template(),
  });
  assert.equal(code, 201);
  const { body } = await merge(t, path(t, "podtemplates", "/a"), {
    template: { spec: { hostNetwork: true } },
  });
  assert.equal(body.metadata.generation, 2);
  await merge(t, path(t, "podtemplates", "/a"), { template: { spec: { containers: [] } } });
});

conformance("a ControllerRevision is not changed", async (t) => {
  const post = (body: Some) => t.post(path(t, "controllerrevisions"), body);
  const { code } = await post({ metadata: { name: "a" }, revision: 1, data: { x: 1 } });
  assert.equal(code, 201);
  await post({ metadata: { name: "b" }, revision: -1 });
  await merge(t, path(t, "controllerrevisions", "/a"), { revision: 2 });
});

const WRONG_METADATA = { metadata: { labels: { bad: "10%" }, finalizers: ["plain"] } };

conformance("wrong metadata are named as often as they are looked at", async (t) => {
  await created(t, "replicasets", SET);
  await created(t, "jobs", { template: once() });
  await created(t, "cronjobs", { schedule: "@daily", jobTemplate: { spec: { template: once() } } });
  await created(t, "poddisruptionbudgets", { minAvailable: 1 });
  await t.post(path(t, "controllerrevisions"), { metadata: { name: "a" }, data: {}, revision: 1 });
  await t.post(path(t, "podtemplates"), { metadata: { name: "a" }, template: template() });
  for (const plural of ["replicasets", "jobs", "cronjobs", "poddisruptionbudgets"]) {
    for (const rest of ["/a", "/a/status"]) {
      const { code } = await merge(t, path(t, plural, rest), WRONG_METADATA);
      assert.equal(code, 422);
    }
  }
  for (const plural of ["controllerrevisions", "podtemplates"]) {
    assert.equal((await merge(t, path(t, plural, "/a"), WRONG_METADATA)).code, 422);
  }
});

conformance("a disruption budget's metadata are looked at last", async (t) => {
  const make = (spec: Some) => create(t, "poddisruptionbudgets", spec, WRONG_METADATA.metadata);
  await make({ minAvailable: -1 });
  await make({ minAvailable: 1 });
  const { code } = await create(t, "poddisruptionbudgets", {}, { finalizers: ["plain"] });
  assert.equal(code, 201);
});
