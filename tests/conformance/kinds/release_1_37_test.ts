/** The differences of Kubernetes 1.37 from 1.36 that no other suite has a case for. */
import assert from "node:assert/strict";
import {
  definitionOf,
  DEFINITIONS,
  specSchema,
  withKind,
} from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

// Default classes change what is created in other namespaces.
const conformance = conformanceSuite(import.meta.url, { ownServer: true });

const UNRECORDED = { unrecorded: true };

const POD = { containers: [{ name: "a", image: "b" }], restartPolicy: "Never" };
const scheduling = { schedulingPolicy: { gang: { minCount: 1 } } };

conformance(
  "the scheduling of Jobs and of CronJobs is dropped, since its feature is off",
  async (t) => {
    const { body: job } = await t.post(t.path("jobs", "batch/v1"), {
      metadata: { name: "a" },
      spec: { template: { spec: POD }, scheduling },
    });
    assert.equal(job.spec.scheduling, undefined);
    const { body: cron } = await t.post(t.path("cronjobs", "batch/v1"), {
      metadata: { name: "a" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: POD }, scheduling } },
      },
    });
    assert.equal(cron.spec.jobTemplate.spec.scheduling, undefined);
    await t.patch("merge", t.path("jobs/a", "batch/v1"), { spec: { scheduling } });
    await t.patch("merge", t.path("cronjobs/a", "batch/v1"), {
      spec: { jobTemplate: { spec: { scheduling } } },
    });
  },
);

conformance("an update of a Job does not repeat the errors of its creation", async (t) => {
  const jobs = t.path("jobs", "batch/v1");
  await t.post(jobs, {
    metadata: { name: "a" },
    spec: { completions: 2, completionMode: "Indexed", template: { spec: POD } },
  });
  const labels = { "job-name": "other", "batch.kubernetes.io/job-name": null };
  await t.patch("merge", `${jobs}/a`, { spec: { template: { metadata: { labels } } } });
  await t.patch("merge", `${jobs}/a`, { spec: { selector: { matchLabels: { a: "b" } } } });
  await t.patch("merge", `${jobs}/a`, { spec: { parallelism: -1, backoffLimit: -2 } });
  await t.patch("merge", `${jobs}/a`, { spec: { selector: null } });
  await t.patch("merge", `${jobs}/a`, { spec: { manualSelector: true } });
  await t.patch("merge", `${jobs}/a`, { spec: { completions: 5, parallelism: 5 } });
});

conformance(
  "a Job with a name too long for its indexes is refused at creation and at update",
  async (t) => {
    const jobs = t.path("jobs", "batch/v1");
    const name = "n".repeat(61);
    const spec = { completions: 5, completionMode: "Indexed", template: { spec: POD } };
    await t.post(jobs, { metadata: { name }, spec: { ...spec, completions: 11 } });
    const { code } = await t.post(jobs, {
      metadata: { name },
      spec: { ...spec, completions: 10, parallelism: 10 },
    });
    assert.equal(code, 201);
    await t.patch("merge", `${jobs}/${name}`, { spec: { completions: 11, parallelism: 11 } });
  },
);

conformance(
  "the pod preemption policy of a Node is dropped, since its feature is off",
  async (t) => {
    const name = t.unique("node");
    const spec = { podPreemptionPolicy: {} };
    await t.post("/api/v1/nodes", { metadata: { name }, spec });
    await t.patch("merge", `/api/v1/nodes/${name}`, { spec });
    await t.patch("merge", `/api/v1/nodes/${name}/status`, {
      status: { nodeInfo: { runningInUserNamespace: true } },
    });
    await t.delete(`/api/v1/nodes/${name}`, undefined, UNRECORDED);
  },
);

conformance("the health of a claim's volume is dropped, since its feature is off", async (t) => {
  const claims = t.path("persistentvolumeclaims");
  await t.post(claims, {
    metadata: { name: "a" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      resources: { requests: { storage: "1Gi" } },
    },
  });
  await t.patch("merge", `${claims}/a/status`, { status: { healthStatus: { state: "Healthy" } } });
});

conformance("attestations need a token that is bound to a webhook configuration", async (t) => {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  const token = t.path("serviceaccounts/a/token");
  const attest = (spec: unknown): Promise<unknown> => t.post(token, { spec });
  const attestations = { admissionReviewAPIGroups: ["apps"] };
  await attest({ attestations });
  await attest({ attestations, boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "x" } });
  const apiVersion = "admissionregistration.k8s.io/v1";
  const boundObjectRef = { kind: "ValidatingWebhookConfiguration", apiVersion, name: "x" };
  await attest({ boundObjectRef });
  await attest({ boundObjectRef, audiences: ["a", "b"], attestations });
  for (
    const attestations of [
      {},
      { admissionReviewAPIGroups: [] },
      { admissionReviewAPIGroups: ["a", "b"] },
      { admissionReviewAPIGroups: [""] },
      { admissionReviewAPIGroups: ["A_b"] },
      { other: ["a"] },
      { other: ["a"], admissionReviewAPIGroups: ["a"] },
    ]
  ) await attest({ boundObjectRef, audiences: ["a"], attestations });
  await attest({ boundObjectRef, audiences: ["a"], attestations });
  await attest({
    boundObjectRef: { ...boundObjectRef, kind: "MutatingWebhookConfiguration" },
    audiences: ["a"],
    attestations,
  });
});

conformance(
  "a rule of a webhook that names a review is warned of, since no webhook gets reviews",
  async (t) => {
    const path = "/apis/admissionregistration.k8s.io/v1";
    const rules = [
      {
        operations: ["CREATE"],
        apiGroups: ["authorization.k8s.io", "authentication.k8s.io", "authorization.k8s.io"],
        apiVersions: ["v1"],
        resources: ["subjectaccessreviews", "tokenreviews", "pods"],
      },
      { operations: ["CREATE"], apiGroups: ["*"], apiVersions: ["*"], resources: ["tokenreviews"] },
      {
        operations: ["CREATE"],
        apiGroups: ["authorization.k8s.io"],
        apiVersions: ["*"],
        resources: ["selfsubjectrulesreviews", "subjectaccessreviews/status"],
      },
    ];
    const webhooks = [{
      name: "a.b.c",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig: { url: "https://127.0.0.1:1/" },
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
      failurePolicy: "Ignore",
      timeoutSeconds: 1,
      rules,
    }];
    for (const resource of ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"]) {
      const name = t.unique(resource.slice(0, 3), resource);
      const { code } = await t.post(`${path}/${resource}`, { metadata: { name }, webhooks });
      assert.equal(code, 201);
      await t.patch("merge", `${path}/${resource}/${name}`, { metadata: { labels: { a: "b" } } });
      await t.delete(`${path}/${resource}/${name}`, undefined, UNRECORDED);
    }
  },
);

conformance("a webhook of every resource gets no review", async (t) => {
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const name = t.unique("all");
  const webhooks = [{
    name: "a.b.c",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    clientConfig: { url: "https://127.0.0.1:1/" },
    matchConditions: [{
      name: "own",
      expression: `request.resource.resource.endsWith('reviews') && has(object.spec) && ` +
        `(!has(object.spec.user) || object.spec.user == '${t.namespace}')`,
    }],
    timeoutSeconds: 1,
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
  }];
  await t.post(path, { metadata: { name }, webhooks });
  await t.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    spec: { user: t.namespace, nonResourceAttributes: { path: "/", verb: "get" } },
  });
  await t.delete(`${path}/${name}`, undefined, UNRECORDED);
});

conformance("ResourceSlices are selected by the name of their pool", async (t) => {
  const slices = "/apis/resource.k8s.io/v1/resourceslices";
  const pool = t.unique("pool");
  for (const [index, owner] of [pool, `${pool}-b`].entries()) {
    await t.post(slices, {
      metadata: { name: `${pool}-${index}` },
      spec: {
        driver: "d.example.org",
        nodeName: "n",
        pool: { name: owner, generation: 1, resourceSliceCount: 1 },
      },
    });
  }
  const { body } = await t.get(`${slices}?fieldSelector=spec.pool.name=${pool}`, UNRECORDED);
  assert.deepEqual(body.items.map((each: { metadata: { name: string } }) => each.metadata.name), [
    `${pool}-0`,
  ]);
  for (const index of [0, 1]) await t.delete(`${slices}/${pool}-${index}`, undefined, UNRECORDED);
});

const STORAGE = "/apis/storage.k8s.io/v1/storageclasses";
const TABLE = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };

/** Reads the first column of StorageClasses of a case, from a table. */
async function classNames(t: Target, query: string): Promise<string[]> {
  const { body } = await t.get(`${STORAGE}${query}`, { headers: TABLE, ...UNRECORDED });
  return body.rows.map((row: { cells: string[] }) => row.cells[0]);
}

conformance(
  "a table shows the StorageClass that is in effect as the default, and a single one never",
  async (t) => {
    const prefix = t.unique("class");
    for (const name of ["b", "a", "c"]) {
      await t.post(STORAGE, {
        metadata: { name: `${prefix}-${name}`, labels: { case: prefix }, annotations },
        provisioner: "x",
      }, UNRECORDED);
    }
    const shown = await classNames(t, `?labelSelector=case=${prefix}`);
    assert.equal(shown.filter((name) => name.endsWith(" (default)")).length, 1, shown.join());
    assert.deepEqual(await classNames(t, `/${prefix}-a`), [`${prefix}-a`]);
    for (const name of ["a", "b", "c"]) {
      await t.delete(`${STORAGE}/${prefix}-${name}`, undefined, UNRECORDED);
    }
  },
);

const set = (items: unknown): Record<string, unknown> => ({
  type: "array",
  "x-kubernetes-list-type": "set",
  items,
});

conformance("a set whose items are no scalars is warned of, each type of items once", async (t) => {
  const atomic = {
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: { a: { type: "string" } },
  };
  const texts = { type: "array", "x-kubernetes-list-type": "atomic", items: { type: "string" } };
  const definition = definitionOf(t, {
    schema: specSchema({
      a: set(atomic),
      b: set(atomic),
      c: set(texts),
      d: set({ type: "string" }),
    }),
  });
  const { name } = definition["metadata"] as { name: string };
  await t.post(DEFINITIONS, definition);
  const path = `${DEFINITIONS}/${name}`;
  const { headers } = await t.patch(
    "merge",
    path,
    { metadata: { labels: { a: "b" } } },
    UNRECORDED,
  );
  assert.equal(headers.get("warning"), null);
  await t.delete(path, undefined, UNRECORDED);
});

const EXPRESSIONS = [
  "self.s == ['b', 'a']",
  "self.s == ['a', 'a']",
  "self.s == ['a', 'c']",
  "['b', 'a'] == self.s",
  "self.s + ['c', 'a'] == ['c', 'b', 'a']",
  "self.s + ['c', 'c'] == ['a', 'b', 'c']",
  "(self.s + self.t) == (self.t + self.s)",
  "((self.s + ['c']) + ['b', 'd']) == ['d', 'c', 'b', 'a']",
  "dyn(self.s) == [1, 2]",
  "dyn(self.n) == [2.0, 1.0]",
  "dyn(self.n) == [1u, 2u]",
  "(dyn(self.n) + [2u, 3u]) == [1, 2, 3]",
  "dyn(self.s) == [['a'], ['b']]",
  "dyn(self.s) + [['a']]",
  "dyn(self.m) == [{'k': 'b', 'v': 2}, {'k': 'a', 'v': 1}]",
  "dyn(self.m) == [{'k': 'a', 'v': 1}, {'k': 'a', 'v': 1}]",
  "dyn(self.m) == [1, 2]",
  "dyn(self.m) == dyn(self.o)",
  "dyn(self.m) + dyn(self.o) == dyn(self.o) + dyn(self.m)",
  "(dyn(self.m) + dyn(self.o)).map(x, x.v)",
  "(dyn(self.o) + dyn(self.m)).map(x, x.v)",
  "(dyn(self.m) + [{'k': 'a', 'v': 9}]).map(x, x.v)",
  "((dyn(self.m) + [{'k': 'a', 'v': 9}]) + [{'k': 'a', 'v': 8}]).map(x, x.v)",
  "(dyn(self.m) + [{'v': 9}, {'v': 8}]).map(x, x.v)",
  "(dyn(self.m) + [5, 6]).size()",
  "(self.m + self.m) == self.m",
  "self.m == self.m + self.m",
  "(self.l + [3]) == [1, 2, 3]",
  "self.l == [2, 1]",
  "[1, 2, 3].includes(2)",
  "dyn(self.w) == dyn(self.x)",
  "(dyn(self.w) + dyn(self.x)).size()",
];

conformance(
  "sets and maps of rules: equal in any order, and the result of + is one too",
  async (t) => {
    const entry = {
      type: "object",
      required: ["k"],
      properties: { k: { type: "string" }, v: { type: "integer" } },
    };
    const map = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: entry,
    };
    const keys = ["a", "b", "c", "d"];
    const wide = {
      ...map,
      "x-kubernetes-list-map-keys": keys,
      items: {
        type: "object",
        required: keys,
        properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])),
      },
    };
    const texts = set({ type: "string" });
    const properties = {
      s: texts,
      t: texts,
      n: set({ type: "integer" }),
      m: map,
      o: map,
      l: { type: "array", items: { type: "integer" } },
      w: wide,
      x: wide,
    };
    const limits = { maxItems: 5 };
    const limited = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...limits }]),
    );
    const schemaOf = (expressions: readonly string[]): Record<string, unknown> =>
      specSchema(limited, {
        "x-kubernetes-validations": expressions.map((expression, index) => ({
          // Never true, so that the message shows the value.
          rule: `[${expression}].size() == 0`,
          messageExpression: `'${index} %s'.format([${expression}])`,
        })),
      });
    t.mask(/selfType\d+/g, "selfType<number>");
    const compiled: string[] = [];
    for (const expression of EXPRESSIONS) {
      const schema = schemaOf([expression]);
      const { code } = await t.post(`${DEFINITIONS}?dryRun=All`, definitionOf(t, { schema }));
      if (code === 201) compiled.push(expression);
    }
    await withKind(t, { schema: schemaOf(compiled) }, async (kind) => {
      await kind.create({
        spec: {
          s: ["a", "b"],
          t: ["b", "c"],
          n: [1, 2],
          m: [{ k: "a", v: 1 }, { k: "b", v: 2 }],
          o: [{ k: "b", v: 3 }, { k: "c", v: 4 }],
          l: [1, 2],
          w: [{ a: "1", b: "2", c: "3", d: "4" }, { a: "1 2", b: "3", c: "4", d: "" }],
          x: [{ a: "1", b: "2 3", c: "4", d: "" }, { a: "1", b: "2", c: "3", d: "4" }],
        },
      });
    });
  },
);

conformance("the names of an object have a length for the cost of a rule", async (t) => {
  for (
    const [rule, metadata] of [
      ["self.metadata.name.split('').all(x, self.metadata.name.contains(x))", {}],
      ["self.metadata.generateName.split('').all(x, self.metadata.name.contains(x))", {}],
      ["self.metadata.name.matches('^a.*b$') && self.metadata.name.size() < 9", {}],
      ["self.metadata.name.split('').all(x, self.spec.contains(x))", {}],
      [
        "self.metadata.name.split('').all(x, self.metadata.name.split('').all(y, x + y != 'ab'))",
        { name: { type: "string", maxLength: 20 } },
      ],
      [
        "self.metadata.name.split('').all(x, self.metadata.name.split('').all(y, x + y != 'ab'))",
        {},
      ],
    ] as const
  ) {
    const schema = {
      type: "object",
      properties: { metadata: { type: "object", properties: metadata }, spec: { type: "string" } },
      "x-kubernetes-validations": [{ rule }],
    };
    await t.post(`${DEFINITIONS}?dryRun=All`, definitionOf(t, { schema }));
  }
});

conformance(
  "metadata of a custom object that cannot be decoded is refused with its field",
  async (t) => {
    await withKind(t, {}, async (kind) => {
      for (
        const metadata of [
          { name: "a", labels: { a: 1 } },
          { name: "a", labels: [] },
          { name: "a", annotations: { a: { b: "c" } } },
          { name: "a", finalizers: "x" },
          { name: "a", finalizers: [1] },
          { name: "a", ownerReferences: [{ uid: 1 }] },
          { name: "a", generateName: 5 },
          { name: 5 },
          { name: "a", creationTimestamp: "x" },
          { name: "a", generation: "x" },
          "x",
          [],
        ]
      ) await t.post(kind.path(), { ...kind.object(), metadata });
    });
  },
);

conformance("a definition that is being deleted refuses new objects at once", async (t) => {
  await withKind(t, { metadata: { finalizers: ["example.org/wait"] } }, async (kind) => {
    await kind.create({});
    await t.delete(kind.definitionPath, undefined, UNRECORDED);
    const { code } = await t.post(
      kind.path(),
      kind.object({ metadata: { name: "late" } }),
    );
    assert.equal(code, 403);
    const patch = { metadata: { finalizers: null } };
    await t.patch("merge", kind.definitionPath, patch, UNRECORDED);
  });
});

conformance(
  "the initial events of a watch are compressed for a client that accepts it",
  async (t) => {
    await t.post(t.path("configmaps"), { metadata: { name: "a" } }, UNRECORDED);
    const query =
      "watch=true&timeoutSeconds=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const headers = { "Accept-Encoding": "gzip" };
    for (const initial of ["&sendInitialEvents=true", ""]) {
      const path = t.path(
        `configmaps?${initial === "" ? "watch=true&timeoutSeconds=1" : query}${initial}`,
      );
      const answer = await t.get(path, { headers, asText: true, ...UNRECORDED });
      t.exchanges.push({
        request: `watch ${initial}`,
        code: answer.code,
        body: {
          encoding: answer.headers.get("content-encoding"),
          vary: answer.headers.get("vary"),
        },
      });
    }
  },
);
