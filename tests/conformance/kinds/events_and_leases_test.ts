import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);
const LEASES = "coordination.k8s.io/v1";
const EVENTS = "events.k8s.io/v1";
const TIME = "2026-01-02T03:04:05.000006Z";

const about = (t: Target) => ({ kind: "ConfigMap", name: "a", namespace: t.namespace });

/** An event as `events.k8s.io` takes it. */
const newEvent = (t: Target, more: Record<string, unknown> = {}) => ({
  metadata: { name: "e" },
  eventTime: TIME,
  type: "Normal",
  reason: "Made",
  action: "Make",
  note: "It was made",
  reportingController: "example.com/maker",
  reportingInstance: "maker-1",
  regarding: about(t),
  ...more,
});

conformance("a lease keeps its times to the microsecond", async (t) => {
  const { body } = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a" },
    spec: { holderIdentity: "me", acquireTime: "2026-01-02T03:04:05.123456Z" },
  });
  assert.equal(body.spec.acquireTime, "2026-01-02T03:04:05.123456Z");
});

conformance("times of a lease are written in UTC", async (t) => {
  const { body } = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a" },
    spec: { renewTime: "2026-01-02T03:04:05.100000+02:00" },
  });
  assert.equal(body.spec.renewTime, "2026-01-02T01:04:05.100000Z");
});

conformance("a time of a lease has six digits", async (t) => {
  for (const renewTime of ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.1Z"]) {
    const { code } = await t.post(t.path("leases", LEASES), {
      metadata: { name: "a" },
      spec: { renewTime },
    });
    assert.equal(code, 400);
  }
});

conformance("a text that is no time is refused", async (t) => {
  const { code } = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a" },
    spec: { renewTime: "yesterday" },
  });
  assert.equal(code, 400);
});

conformance("numbers of a lease are bounded", async (t) => {
  const { code, body } = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a" },
    spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
  });
  assert.equal(code, 422);
  assert.equal(body.details.causes.length, 2);
});

conformance("fields of coordinated election are dropped", async (t) => {
  const { body } = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a" },
    spec: { strategy: "OldestEmulationVersion", preferredHolder: "me" },
  });
  assert.deepEqual(body.spec, {});
});

conformance("a lease without spec has an empty one", async (t) => {
  const { body } = await t.post(t.path("leases", LEASES), { metadata: { name: "a" } });
  assert.deepEqual(body.spec, {});
});

conformance("a lease is created by PUT, and changed only with its version", async (t) => {
  const lease = { metadata: { name: "a" }, spec: { holderIdentity: "me" } };
  const created = await t.put(t.path("leases/a", LEASES), lease);
  assert.equal(created.code, 201);
  const blind = await t.put(t.path("leases/a", LEASES), lease);
  assert.equal(blind.code, 422);
  const { code } = await t.put(t.path("leases/a", LEASES), created.body);
  assert.equal(code, 200);
});

conformance("an event of the old kind is about its own namespace", async (t) => {
  const created = await t.post(t.path("events"), {
    metadata: { name: "e" },
    involvedObject: about(t),
    reason: "Made",
    message: "It was made",
    type: "Normal",
    count: 1,
    firstTimestamp: "2026-01-02T03:04:05Z",
    lastTimestamp: "2026-01-02T03:04:05Z",
    source: { component: "maker" },
  });
  assert.equal(created.code, 201);
  const { code } = await t.post(t.path("events"), {
    metadata: { name: "f" },
    involvedObject: { kind: "Node", name: "n" },
  });
  assert.equal(code, 422);
});

conformance("an event without anything else is accepted", async (t) => {
  const { code } = await t.post(t.path("events"), {
    metadata: { name: "e" },
    involvedObject: { namespace: t.namespace },
  });
  assert.equal(code, 201);
});

conformance("an event of either group is read in the other", async (t) => {
  await t.post(t.path("events"), {
    metadata: { name: "old" },
    involvedObject: about(t),
    message: "m",
    count: 3,
    firstTimestamp: "2026-01-02T03:04:05Z",
    source: { component: "c", host: "h" },
  });
  const inNewWords = await t.get(t.path("events/old", EVENTS));
  assert.equal(inNewWords.body.note, "m");
  assert.equal(inNewWords.body.deprecatedCount, 3);
  await t.post(t.path("events", EVENTS), newEvent(t));
  const inOldWords = await t.get(t.path("events/e"));
  assert.equal(inOldWords.body.message, "It was made");
  const { body } = await t.get(t.path("events", EVENTS));
  assert.equal(body.items.length, 2);
});

conformance("an event in newer words has a time and who reports it", async (t) => {
  await t.post(t.path("events", EVENTS), { metadata: { name: "e" }, regarding: about(t) });
  const { code } = await t.post(t.path("events", EVENTS), {
    metadata: { name: "e" },
    eventTime: TIME,
    regarding: about(t),
  });
  assert.equal(code, 422);
});

conformance("an event in newer words has none of the old fields", async (t) => {
  const { code } = await t.post(
    t.path("events", EVENTS),
    newEvent(t, {
      deprecatedCount: 1,
      deprecatedFirstTimestamp: "2026-01-02T03:04:05Z",
      deprecatedLastTimestamp: "2026-01-02T03:04:05Z",
      deprecatedSource: { component: "c" },
      type: "Other",
      series: { count: 1, lastObservedTime: null },
    }),
  );
  assert.equal(code, 422);
});

conformance("texts of an event are bounded", async (t) => {
  const { code } = await t.post(
    t.path("events", EVENTS),
    newEvent(t, {
      action: "a".repeat(129),
      reason: "r".repeat(129),
      note: "n".repeat(1025),
      reportingInstance: "i".repeat(129),
      reportingController: "no name",
    }),
  );
  assert.equal(code, 422);
});

conformance("an event in newer words changes only in its series", async (t) => {
  await t.post(t.path("events", EVENTS), newEvent(t));
  const changed = await t.patch("merge", t.path("events/e", EVENTS), { note: "other" });
  assert.equal(changed.code, 422);
  const { body } = await t.patch("merge", t.path("events/e", EVENTS), {
    series: { count: 2, lastObservedTime: TIME },
  });
  assert.equal(body.series.count, 2);
  await t.patch("merge", t.path("events/e", EVENTS), { series: { count: 1 } });
});

conformance("an event in older words changes freely", async (t) => {
  await t.post(t.path("events", EVENTS), newEvent(t));
  const { code } = await t.patch("merge", t.path("events/e"), { message: "other", count: 2 });
  assert.equal(code, 200);
});

conformance("events are selected by what they are about", async (t) => {
  await t.post(t.path("events", EVENTS), newEvent(t));
  const paths = [
    t.path(
      "events?fieldSelector=involvedObject.kind=ConfigMap,reason=Made,source=example.com/maker",
    ),
    t.path("events?fieldSelector=reportingComponent=example.com/maker,type=Normal"),
    t.path("events?fieldSelector=regarding.name=a,reportingController=example.com/maker", EVENTS),
  ];
  for (const path of paths) {
    const { body } = await t.get(path);
    assert.equal(body.items?.length, 1, path);
  }
  await t.get(t.path("events?fieldSelector=regarding.name=a"));
  const { code } = await t.get(t.path("events?fieldSelector=involvedObject.name=a", EVENTS));
  assert.equal(code, 400);
});

conformance("a PUT creates an event", async (t) => {
  const { code } = await t.put(t.path("events/e"), {
    metadata: { name: "e" },
    involvedObject: { namespace: t.namespace },
  });
  assert.equal(code, 201);
});

conformance("an event is applied with a series", async (t) => {
  await t.post(t.path("events", EVENTS), newEvent(t));
  const { code } = await t.patch("strategic", t.path("events/e"), { count: 5 });
  assert.equal(code, 200);
  const { body } = await t.get(t.path("events/e", EVENTS));
  assert.equal(body.deprecatedCount, 5);
});

conformance("a deleted event is answered with a status", async (t) => {
  await t.post(t.path("events", EVENTS), newEvent(t));
  const { body } = await t.delete(t.path("events/e"));
  assert.equal(body.kind, "Status");
});

conformance("fields of an event are owned in the words in which they were written", async (t) => {
  t.managedFields = true;
  await t.post(t.path("events?fieldManager=old", EVENTS), newEvent(t));
  await t.patch("merge", t.path("events/e?fieldManager=older"), { count: 2 });
  const { code } = await t.get(t.path("events/e", EVENTS));
  assert.equal(code, 200);
});

conformance("a lease is taken over by its version", async (t) => {
  t.managedFields = true;
  const path = t.path("leases/a?fieldManager=me", LEASES);
  const { body } = await t.put(path, {
    metadata: { name: "a" },
    spec: { holderIdentity: "me", renewTime: TIME },
  });
  await t.put(path, { ...body, spec: { ...body.spec, holderIdentity: "you" } });
  const { code } = await t.put(path, { ...body, spec: { ...body.spec, holderIdentity: "them" } });
  assert.equal(code, 409);
});

conformance("leases and events take finalizers without a domain", async (t) => {
  const lease = await t.post(t.path("leases", LEASES), {
    metadata: { name: "a", finalizers: ["odd"] },
  });
  assert.equal(lease.code, 201);
  await t.patch("merge", t.path("leases/a", LEASES), { metadata: { finalizers: ["odder"] } });
  await t.post(t.path("events"), {
    metadata: { name: "e", finalizers: ["odd"] },
    involvedObject: { namespace: t.namespace },
  });
  await t.patch("merge", t.path("events/e"), { metadata: { finalizers: ["odder"] } });
  await t.post(
    t.path("events", EVENTS),
    newEvent(t, { metadata: { name: "f", finalizers: ["odd"] } }),
  );
  await t.post(t.path("events"), {
    metadata: { name: "E_e" },
    involvedObject: { namespace: t.namespace },
  });
  await t.post(t.path("events"), {
    metadata: { name: "g", labels: { "!": "" } },
    involvedObject: { namespace: t.namespace },
  });
});

conformance("a PUT on trial shows the version that was sent", async (t) => {
  const { body } = await t.put(t.path("events/e?dryRun=All"), {
    metadata: { name: "e", resourceVersion: "12345" },
    involvedObject: { namespace: t.namespace },
  });
  assert.equal(body.metadata.resourceVersion, "12345");
});

conformance("metadata that stay are complained of once in an old event", async (t) => {
  await t.post(t.path("events"), {
    metadata: { name: "e" },
    involvedObject: { namespace: t.namespace },
  });
  const { body } = await t.patch("merge", t.path("events/e"), {
    metadata: { deletionGracePeriodSeconds: 5 },
  });
  assert.equal(body.details.causes.length, 1);
});

conformance("what is wrong with an old event is said before its metadata", async (t) => {
  const metadata = { name: "e", annotations: { "Not OK": "x" } };
  await t.post(t.path("events"), { metadata, involvedObject: { namespace: "default" } });
  const { code } = await t.post(t.path("events"), {
    metadata,
    involvedObject: { namespace: t.namespace },
  });
  assert.equal(code, 422);
});

conformance("events are not orphaned", async (t) => {
  for (const options of [{ orphanDependents: true }, { propagationPolicy: "Foreground" }]) {
    await t.post(t.path("events"), {
      metadata: { name: "e" },
      involvedObject: { namespace: t.namespace },
    });
    const { body } = await t.delete(t.path("events/e"), options);
    assert.equal(body.status, "Success");
  }
});

conformance("a name that is given where one would be made", async (t) => {
  const lease = { metadata: { name: "a", generateName: "gen-" } };
  await t.post(t.path("leases", LEASES), lease);
  const { code } = await t.post(t.path("leases", LEASES), lease);
  assert.equal(code, 409);
});

conformance("a generated name of a newer event is taken in the core group", async (t) => {
  const event = newEvent(t, { metadata: { name: "e", generateName: "gen-" } });
  await t.post(t.path("events", EVENTS), event);
  const { code } = await t.post(t.path("events", EVENTS), event);
  assert.equal(code, 409);
});

conformance("a newer event keeps what it is about", async (t) => {
  const path = t.path("events", EVENTS);
  await t.post(path, newEvent(t, { metadata: { name: "e" } }));
  const { code } = await t.put(`${path}/e`, newEvent(t, { regarding: { namespace: t.namespace } }));
  assert.equal(code, 422);
});

conformance("metadata of a newer event come between its rules", async (t) => {
  const metadata = { name: "e", annotations: { "Not OK": "" } };
  const { code } = await t.post(
    t.path("events", EVENTS),
    newEvent(t, { metadata, action: "", type: "Odd" }),
  );
  assert.equal(code, 422);
});

conformance("an event is not read at a version that is none", async (t) => {
  await t.get(t.path("events/e?resourceVersion=odd"));
  await t.get(t.path("leases/e?resourceVersion=odd", LEASES));
  const { code } = await t.get(t.path("events/e?resourceVersion=odd", EVENTS));
  assert.equal(code, 400);
});
