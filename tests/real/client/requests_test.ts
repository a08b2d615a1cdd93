/**
 * Tests of requests other than plain objects on a real API server: subresources, reviews, tables,
 * write options, waits.
 */
import assert from "node:assert/strict";
import {
  bindPod,
  type Client,
  createClient,
  createTransport,
  evictPod,
  getScale,
  getTable,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isDisruptionBudget,
  isForbidden,
  isNotFound,
  listOwnRules,
  listTable,
  mergePatch,
  requestToken,
  reviewAccess,
  reviewOwnAccess,
  reviewToken,
  updateScale,
  waitFor,
  WaitTimeoutError,
  whoAmI,
} from "../../../lib/client/mod.ts";
import {
  ConfigMap,
  Deployment,
  Namespace,
  Node,
  Pod,
  resourceType,
  type UnstructuredObject,
} from "../../../lib/apimachinery/meta/mod.ts";
import { kubectlOutcome } from "../../support/command_line/kubectl_process.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { FastClock } from "../../support/faults/fast_clock.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

const ServiceAccount = resourceType<UnstructuredObject>({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
});
const Budget = resourceType<UnstructuredObject>({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
});

/** A client, and a namespace of the test's own. */
async function setUp(
  plane: Plane,
  name: string,
  onWarning: (text: string) => void = () => {},
): Promise<Client> {
  const client = createClient({ ...plane.config, namespace: name }, { onWarning });
  await client.create(Namespace, { metadata: { name } });
  return client;
}

function pod(name: string, labels: Record<string, string> = {}): UnstructuredObject {
  return { metadata: { name, labels }, spec: { containers: [{ name: "app", image: "app" }] } };
}

function deployment(name: string): UnstructuredObject {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app" }] } },
    },
  };
}

suite.test("getScale() and updateScale() read and set a Deployment's replicas, and report a conflict", async (plane) => {
  using client = await setUp(plane, "scale");
  await client.create(Deployment, deployment("web"));
  const scale = await getScale(client, Deployment, "scale/web");
  assert.equal(scale.spec?.replicas, 2);
  assert.equal(scale.status?.selector, "app=web");
  const set = await updateScale(client, Deployment, { ...scale, spec: { replicas: 5 } });
  assert.equal(set.spec?.replicas, 5);
  const { spec } = await client.get(Deployment, "scale/web");
  assert.equal((spec as { replicas: number }).replicas, 5);
  await assert.rejects(
    updateScale(client, Deployment, { ...scale, spec: { replicas: 7 } }),
    isConflict,
  );
  const tried = await updateScale(client, Deployment, { ...set, spec: { replicas: 9 } }, {
    dryRun: true,
  });
  assert.equal(tried.spec?.replicas, 9);
  assert.equal((await getScale(client, Deployment, "scale/web")).spec?.replicas, 5);
  await assert.rejects(getScale(client, Deployment, "scale/none"), isNotFound);
  await assert.rejects(getScale(client, ConfigMap, "scale/none"), isNotFound);
});

suite.test("evictPod() deletes a pod; a refusal by a disruption budget is reported at once", async (plane) => {
  using client = await setUp(plane, "evict");
  await client.create(Budget, {
    metadata: { name: "all" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "held" } } },
  });
  await client.patchStatus(
    Budget,
    "evict/all",
    mergePatch({
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      },
    }),
  );
  for (const [name, app] of [["held", "held"], ["free", "free"]] as const) {
    await client.create(Pod, pod(name, { app }));
    const ready = { type: "Ready", status: "True" };
    await client.patchStatus(
      Pod,
      `evict/${name}`,
      mergePatch({ status: { phase: "Running", conditions: [ready] } }),
    );
  }
  await assert.rejects(evictPod(client, "evict/held"), (error) => {
    assert(isDisruptionBudget(error));
    assert.equal(error.code, 429);
    assert.match(error.message, /violate the pod's disruption budget/);
    return true;
  });
  await evictPod(client, "evict/free", { dryRun: true });
  await client.get(Pod, "evict/free");
  await assert.rejects(
    evictPod(client, "evict/free", { preconditions: { uid: "another" } }),
    isConflict,
  );
  await evictPod(client, "evict/free", { gracePeriodSeconds: 0 });
  await assert.rejects(client.get(Pod, "evict/free"), isNotFound);
});

suite.test("bindPod() assigns a pod to a node, once", async (plane) => {
  using client = await setUp(plane, "bind");
  await client.create(Node, { metadata: { name: "bind-node" } });
  const { metadata } = await client.create(Pod, pod("web"));
  await assert.rejects(bindPod(client, "bind/web", "bind-node", { uid: "another" }), isConflict);
  await bindPod(client, "bind/web", "bind-node", { uid: metadata.uid });
  const { spec } = await client.get(Pod, "bind/web");
  assert.equal((spec as { nodeName: string }).nodeName, "bind-node");
  await assert.rejects(bindPod(client, "bind/web", "bind-node"), isConflict);
});

suite.test("requestToken() returns a token that the server accepts, for the requested audiences", async (plane) => {
  using client = await setUp(plane, "token");
  await client.create(ServiceAccount, { metadata: { name: "builder" } });
  const issued = await requestToken(client, "token/builder", { expirationSeconds: 600 });
  const leftMs = Date.parse(issued.expirationTimestamp) - Date.now();
  assert(leftMs > 500_000 && leftMs < 700_000, `${leftMs} ms`);
  const review = await reviewToken(client, issued.token);
  assert.equal(review.authenticated, true);
  assert.equal(review.user?.username, "system:serviceaccount:token:builder");
  using builder = createClient({
    server: plane.url,
    tls: { caData: plane.caData },
    credentials: { token: issued.token },
  });
  assert.equal((await whoAmI(builder)).username, "system:serviceaccount:token:builder");
  const vault = await requestToken(client, "token/builder", { audiences: ["vault"] });
  assert.equal((await reviewToken(client, vault.token)).authenticated ?? false, false);
  const asVault = await reviewToken(client, vault.token, { audiences: ["vault", "other"] });
  assert.deepEqual(asVault.audiences, ["vault"]);
  const bad = await reviewToken(client, "nonsense");
  assert.equal(bad.authenticated ?? false, false);
  assert(bad.error);
  await assert.rejects(requestToken(client, "token/nobody"), isNotFound);
});

suite.test("access reviews report the permissions of the administrator, an unknown user and a third user", async (plane) => {
  using admin = await setUp(plane, "access");
  using nobody = createClient((await plane.addUser("nobody")).config);
  const access = { verb: "create", type: Deployment, namespace: "access" };
  assert.equal((await reviewOwnAccess(admin, access)).allowed, true);
  assert.equal((await reviewOwnAccess(nobody, access)).allowed, false);
  assert.equal((await reviewOwnAccess(nobody, { verb: "get", path: "/metrics" })).allowed, false);
  assert.equal((await reviewOwnAccess(nobody, { verb: "get", path: "/version" })).allowed, true);
  const subject = { user: "somebody", groups: ["system:masters"] };
  assert.equal((await reviewAccess(admin, subject, access)).allowed, true);
  assert.equal((await reviewAccess(admin, { user: "somebody" }, access)).allowed, false);
  await assert.rejects(reviewAccess(nobody, subject, access), isForbidden);
  const { resourceRules } = await listOwnRules(admin, "access");
  assert(resourceRules.some(({ verbs, resources }) => verbs[0] === "*" && resources?.[0] === "*"));
  assert.equal((await whoAmI(nobody)).username, "nobody");
});

suite.test(
  "listTable() reads all pages as one table, with kubectl's columns and cells",
  async (plane) => {
    using client = await setUp(plane, "table");
    for (const name of ["a", "b", "c"]) {
      await client.create(ConfigMap, { metadata: { name }, data: { one: "1" } });
    }
    const options = { namespace: "table", limit: 2, includeObject: "None" } as const;
    const table = await listTable(client, ConfigMap, options);
    const printed = await kubectlOutcome(plane, ["get", "configmaps", "-n", "table"]);
    const shown = table.columnDefinitions.flatMap(({ name, priority }, at) =>
      priority === 0 ? [{ name, at }] : []
    );
    const [head = "", ...rows] = printed.stdout.trimEnd().split("\n");
    assert.deepEqual(shown.map(({ name }) => name.toUpperCase()), head.trim().split(/\s+/));
    assert.deepEqual(
      table.rows.map(({ cells }) => shown.slice(0, 2).map(({ at }) => String(cells[at]))),
      rows.map((row) => row.trim().split(/\s+/).slice(0, 2)),
    );
    assert.equal("object" in table.rows[0]!, false);
    const one = await getTable(client, ConfigMap, "table/b", { includeObject: "Object" });
    assert.equal(one.rows.length, 1);
    assert.deepEqual((one.rows[0]!.object as UnstructuredObject).data, { one: "1" });
    const metadata = await listTable(client, ConfigMap, { namespace: "table" });
    assert.equal(metadata.rows[2]!.object?.metadata.name, "c");
    await assert.rejects(getTable(client, ConfigMap, "table/none"), isNotFound);
  },
  { kubectl: true },
);

suite.test("waitFor() resolves at a condition, a function, the creation and the deletion", async (plane) => {
  using client = await setUp(plane, "wait");
  const created = waitFor(client, Pod, "wait/web", "create");
  const ready = waitFor(client, Pod, "wait/web", "condition=Ready");
  const labelled = waitFor(
    client,
    Pod,
    "wait/web",
    (object) => object?.metadata.labels?.step === "2",
  );
  await client.create(Pod, pod("other"));
  await client.create(Pod, pod("web"));
  assert.equal((await created)?.metadata.name, "web");
  // Its time is up once it has looked, and watches.
  using transport = createTransport(plane.config);
  const clock = new FastClock();
  using late = createClient(plane.config, {
    fetch: (request) => {
      if (request.url.includes("watch=")) clock.speed = 1_000;
      return transport.fetch(request);
    },
  });
  const notYet = waitFor(late, Pod, "wait/web", "condition=Ready", { timeoutMs: 300_000, clock });
  await assert.rejects(notYet, (error) => {
    assert(error instanceof WaitTimeoutError);
    assert.match(error.message, /Pod "wait\/web" to meet condition=Ready: not within 300000 ms/);
    assert.equal(error.last?.metadata.name, "web");
    return true;
  });
  await client.patchStatus(
    Pod,
    "wait/web",
    mergePatch({ status: { conditions: [{ type: "Ready", status: "True" }] } }),
  );
  assert.equal((await ready)?.kind, "Pod");
  await client.patch(Pod, "wait/web", mergePatch({ metadata: { labels: { step: "2" } } }));
  assert.equal((await labelled)?.metadata.labels?.step, "2");
  const gone = waitFor(client, Pod, "wait/web", "delete");
  await client.delete(Pod, "wait/web", { gracePeriodSeconds: 0 });
  assert.equal(await gone, undefined);
  assert.equal(await waitFor(client, Pod, "wait/web", "delete"), undefined);
});

suite.test("waitFor() survives a restart of the API server, and rejects at a refusal", async (plane) => {
  using client = await setUp(plane, "wait-on");
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const gone = waitFor(client, ConfigMap, "wait-on/a", "delete", { timeoutMs: 0 });
  const ended = waitFor(client, ConfigMap, "wait-on/a", (object) => object?.data !== undefined, {
    signal: AbortSignal.timeout(120_000),
  });
  await plane.restartApiserver();
  await client.patch(ConfigMap, "wait-on/a", mergePatch({ data: { a: "b" } }));
  assert.deepEqual((await ended)?.data, { a: "b" });
  await client.delete(ConfigMap, "wait-on/a");
  await gone;
  using nobody = createClient((await plane.addUser("wait-nobody")).config);
  await assert.rejects(waitFor(nobody, ConfigMap, "wait-on/a", "create"), isForbidden);
});

suite.test("generateName: the server names the object, and two names differ", async (plane) => {
  using client = await setUp(plane, "generate");
  const make = (): Promise<UnstructuredObject> =>
    client.create(ConfigMap, { metadata: { generateName: "job-" } });
  const [a, b] = [await make(), await make()];
  assert.match(a.metadata.name!, /^job-\w{5,}$/);
  assert.notEqual(a.metadata.name, b.metadata.name);
  await assert.rejects(
    client.create(ConfigMap, { metadata: { name: a.metadata.name! } }),
    isAlreadyExists,
  );
});

suite.test("dry-run: every write is answered, and nothing is stored", async (plane) => {
  using client = await setUp(plane, "dry");
  const dryRun = true;
  const made = await client.create(ConfigMap, { metadata: { name: "a" } }, { dryRun });
  assert(made.metadata.uid);
  await assert.rejects(client.get(ConfigMap, "dry/a"), isNotFound);
  const kept = await client.create(ConfigMap, { metadata: { name: "b" }, data: { a: "1" } });
  await client.update(ConfigMap, { ...kept, data: { a: "2" } }, { dryRun });
  await client.patch(ConfigMap, "dry/b", mergePatch({ data: { a: "3" } }), { dryRun });
  await client.delete(ConfigMap, "dry/b", { dryRun });
  await client.deleteCollection(ConfigMap, { namespace: "dry", dryRun });
  assert.deepEqual(await client.get(ConfigMap, "dry/b"), kept);
});

suite.test("field validation: Strict refuses, Warn reports each text once, Ignore is silent", async (plane) => {
  const told: string[] = [];
  using client = await setUp(plane, "fields", (text) => told.push(text));
  const odd = { metadata: { name: "odd" }, data: { a: "b" }, daata: { a: "b" } };
  await assert.rejects(
    client.create(ConfigMap, odd, { fieldValidation: "Strict" }),
    (error) => isBadRequest(error) && /unknown field "daata"/.test(error.message),
  );
  await client.create(ConfigMap, odd, { fieldValidation: "Ignore" });
  assert.deepEqual(told, []);
  for (const name of ["odd-1", "odd-2"]) {
    const object = { ...odd, metadata: { name } };
    await client.create(ConfigMap, object, { fieldValidation: "Warn", fieldManager: "tester" });
  }
  assert.deepEqual(told, ['unknown field "daata"']);
  const { metadata } = await client.get(ConfigMap, "fields/odd-1");
  assert.equal((metadata.managedFields as { manager: string }[])[0]!.manager, "tester");
});

suite.test("propagation policies and preconditions reach the server", async (plane) => {
  using client = await setUp(plane, "delete");
  for (
    const [policy, finalizer] of [["Foreground", "foregroundDeletion"], [
      "Orphan",
      "orphan",
    ]] as const
  ) {
    const key = `delete/${policy.toLowerCase()}`;
    const { metadata } = await client.create(Deployment, deployment(policy.toLowerCase()));
    const { uid, resourceVersion } = metadata;
    const another = { uid: "another", resourceVersion };
    await assert.rejects(client.delete(Deployment, key, { preconditions: another }), isConflict);
    const older = { uid, resourceVersion: "1" };
    await assert.rejects(client.delete(Deployment, key, { preconditions: older }), isConflict);
    const preconditions = { uid, resourceVersion };
    await client.delete(Deployment, key, { propagationPolicy: policy, preconditions });
    const held = await client.get(Deployment, key);
    assert(held.metadata.deletionTimestamp);
    assert.deepEqual(held.metadata.finalizers, [finalizer]);
  }
  await client.create(Deployment, deployment("background"));
  await client.delete(Deployment, "delete/background", { propagationPolicy: "Background" });
  await assert.rejects(client.get(Deployment, "delete/background"), isNotFound);
});
