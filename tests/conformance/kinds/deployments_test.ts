import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { container, merge, SELECTOR, type Some, template } from "./workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

function path(t: Target, rest = ""): string {
  return t.path(`deployments${rest}`, "apps/v1");
}

function create(t: Target, spec: Some = {}, metadata: Some = {}): Promise<Answer> {
  return t.post(path(t), {
    metadata: { name: "web", ...metadata },
    spec: { selector: SELECTOR, template: template(), ...spec },
  });
}

conformance("a deployment gets all its defaults", async (t) => {
  const { code, body } = await create(t);
  assert.equal(code, 201);
  assert.equal(body.metadata.generation, 1);
});

conformance("a deployment that recreates its pods rolls nothing", async (t) => {
  const { body } = await create(t, { strategy: { type: "Recreate" } });
  assert.deepEqual(body.spec.strategy, { type: "Recreate" });
});

conformance("a rolling update needs a pod more or one less", async (t) => {
  const rollingUpdate = { maxSurge: 0, maxUnavailable: "0%" };
  assert.equal((await create(t, { strategy: { rollingUpdate } })).code, 422);
});

conformance("shares of pods are percents of at most one hundred", async (t) => {
  const rollingUpdate = { maxSurge: "a lot", maxUnavailable: "101%" };
  assert.equal((await create(t, { strategy: { rollingUpdate } })).code, 422);
  const negative = { maxSurge: -1, maxUnavailable: -2 };
  assert.equal((await create(t, { strategy: { rollingUpdate: negative } })).code, 422);
});

conformance("a strategy that there is not", async (t) => {
  assert.equal((await create(t, { strategy: { type: "Slowly" } })).code, 422);
});

conformance("no rolling update for pods that are recreated", async (t) => {
  const strategy = { type: "Recreate", rollingUpdate: { maxSurge: 1 } };
  assert.equal((await create(t, { strategy })).code, 422);
});

conformance("a deployment without selector and template", async (t) => {
  const { code } = await t.post(path(t), { metadata: { name: "web" }, spec: {} });
  assert.equal(code, 422);
});

conformance("a selector must find the template's labels", async (t) => {
  const selector = { matchLabels: { tier: "x", app: "other" } };
  assert.equal((await create(t, { selector })).code, 422);
});

conformance("an empty selector", async (t) => {
  assert.equal((await create(t, { selector: {} })).code, 422);
});

conformance("a selector that makes no sense", async (t) => {
  const matchExpressions = [
    { key: "app", operator: "Like", values: ["x"] },
    { key: "app", operator: "In" },
    { key: "a b", operator: "Exists", values: ["x"] },
  ];
  assert.equal((await create(t, { selector: { matchExpressions } })).code, 422);
});

conformance("negative numbers", async (t) => {
  const wrong = { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 };
  assert.equal((await create(t, wrong)).code, 422);
});

conformance("the deadline of progress is longer than readiness takes", async (t) => {
  assert.equal((await create(t, { minReadySeconds: 10, progressDeadlineSeconds: 10 })).code, 422);
});

conformance("pods of a deployment run for ever", async (t) => {
  const spec = { restartPolicy: "Never", activeDeadlineSeconds: 5 };
  assert.equal((await create(t, { template: template(spec) })).code, 422);
});

conformance("a template's pod is checked, at the template's path", async (t) => {
  const containers = [container({ image: "", ports: [{ containerPort: -1 }] })];
  assert.equal((await create(t, { template: template({ containers }) })).code, 422);
});

conformance("a template's pod is warned of, at the template's path", async (t) => {
  const env = [{ name: "A", value: "1" }, { name: "A", value: "2" }];
  const containers = [container({ env })];
  const { code } = await create(t, { template: template({ containers }) }, { name: "a.b" });
  assert.equal(code, 201);
  await merge(t, path(t, "/a.b"), { spec: { replicas: 2 } });
  await merge(t, path(t, "/a.b"), { metadata: { labels: { a: "b" } } });
});

conformance("the generation counts changes of the spec and of annotations", async (t) => {
  await create(t);
  const generation = async (change: Some): Promise<number> =>
    (await merge(t, path(t, "/web"), change)).body.metadata.generation;
  assert.equal(await generation({ metadata: { labels: { a: "b" } } }), 1);
  assert.equal(await generation({ metadata: { annotations: { a: "b" } } }), 2);
  assert.equal(await generation({ spec: { replicas: 3 } }), 3);
  assert.equal(await generation({ spec: { replicas: 3 } }), 3);
});

conformance("a selector cannot change", async (t) => {
  await create(t);
  const { code } = await merge(t, path(t, "/web"), {
    spec: {
      selector: { matchLabels: { tier: "x" } },
      template: { metadata: { labels: { tier: "x" } } },
    },
  });
  assert.equal(code, 422);
});

conformance("a change is checked as a creation is", async (t) => {
  await create(t);
  const { code } = await merge(t, path(t, "/web"), {
    spec: { replicas: -1, template: { spec: { containers: [] } } },
  });
  assert.equal(code, 422);
});

conformance("a status is written by itself, and leaves spec and labels alone", async (t) => {
  await create(t, {}, { labels: { a: "b" } });
  const { body } = await merge(t, path(t, "/web/status"), {
    metadata: { labels: { a: "c" }, annotations: { x: "y" } },
    spec: { replicas: 7 },
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 1, observedGeneration: 1 },
  });
  assert.equal(body.spec.replicas, 1);
  assert.deepEqual(body.metadata.labels, { a: "b" });
  assert.equal(body.metadata.generation, 1);
});

conformance("a status does not count more than there are", async (t) => {
  await create(t);
  const { code } = await merge(t, path(t, "/web/status"), {
    status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, updatedReplicas: -1 },
  });
  assert.equal(code, 422);
});

conformance("collisions are not forgotten", async (t) => {
  await create(t);
  const set = (collisionCount: number | null) =>
    merge(t, path(t, "/web/status"), { status: { collisionCount } });
  assert.equal((await set(2)).code, 200);
  assert.equal((await set(1)).code, 422);
  assert.equal((await set(null)).code, 422);
});

conformance("a status of the object itself is put back", async (t) => {
  await create(t);
  const { body } = await merge(t, path(t, "/web"), { status: { replicas: 5 } });
  assert.deepEqual(body.status, {});
});
