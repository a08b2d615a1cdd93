import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target, WatchEvent } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

/** Creates a ConfigMap, and returns its resourceVersion. */
async function make(t: Target, name: string, labels: Record<string, string> = {}): Promise<string> {
  const { body } = await t.post(t.path("configmaps"), { metadata: { name, labels } });
  return body.metadata.resourceVersion;
}

const label = (t: Target, name: string, app: string | null): Promise<unknown> =>
  t.patch("merge", t.path(`configmaps/${name}`), { metadata: { labels: { app } } });

/** Returns a predicate that is true after a number of events. */
const events = (count: number) => (seen: readonly WatchEvent[]): boolean => seen.length >= count;

const types = (seen: readonly WatchEvent[]): string => seen.map(({ type }) => type).join(" ");

/** Watches ConfigMaps from a version; the record leaves the version out. */
function watchFrom(
  t: Target,
  version: string,
  query: string,
  enough?: (seen: readonly WatchEvent[]) => boolean,
): Promise<WatchEvent[]> {
  t.mask(new RegExp(`resourceVersion=${version}\\b`, "g"), "resourceVersion=<from>");
  const path = t.path(
    `configmaps?watch=true&timeoutSeconds=60&resourceVersion=${version}&${query}`,
  );
  return t.watch(path, enough);
}

conformance("a watch from a past version tells what was written since", async (t) => {
  const version = await make(t, "a");
  await t.patch("merge", t.path("configmaps/a"), { data: { x: "1" } });
  await make(t, "b");
  await t.delete(t.path("configmaps/a"));
  const seen = await watchFrom(t, version, "", events(3));
  assert.equal(types(seen), "MODIFIED ADDED DELETED");
});

conformance("a deletion has a version of its own", async (t) => {
  const version = await make(t, "a");
  await t.delete(t.path("configmaps/a"));
  const [deleted] = await watchFrom(t, version, "", events(1));
  assert.notEqual(deleted!.object.metadata.resourceVersion, version);
});

conformance("a watch without a version begins with the state", async (t) => {
  await make(t, "a");
  await make(t, "b");
  const seen = await t.watch(t.path("configmaps?watch=true&timeoutSeconds=60"), events(2));
  assert.equal(types(seen), "ADDED ADDED");
});

conformance("a watch from 0 begins with the state", async (t) => {
  await make(t, "b");
  await make(t, "a");
  await t.untilFresh(t.path("configmaps"));
  const seen = await t.watch(
    t.path("configmaps?watch=1&timeoutSeconds=60&resourceVersion=0"),
    events(2),
  );
  assert.equal(types(seen), "ADDED ADDED");
});

conformance("a watch ends after its timeoutSeconds", async (t) => {
  await make(t, "a");
  const seen = await t.watch(t.path("configmaps?watch=true&timeoutSeconds=1"));
  assert.equal(types(seen), "ADDED");
});

conformance("what enters and leaves a selection", async (t) => {
  const version = await make(t, "a");
  await label(t, "a", "x");
  await t.patch("merge", t.path("configmaps/a"), { data: { k: "1" } });
  await label(t, "a", "y");
  await label(t, "a", "x");
  await t.delete(t.path("configmaps/a"));
  const seen = await watchFrom(t, version, "labelSelector=app%3Dx", events(5));
  assert.equal(types(seen), "ADDED MODIFIED DELETED ADDED DELETED");
});

conformance("what never was in the selection is not told", async (t) => {
  const version = await make(t, "a", { app: "y" });
  await label(t, "a", "z");
  await t.delete(t.path("configmaps/a"));
  await make(t, "b", { app: "x" });
  const seen = await watchFrom(t, version, "labelSelector=app%3Dx", events(1));
  assert.equal(seen[0]!.object.metadata.name, "b");
});

conformance("a watch of one name by its field", async (t) => {
  const version = await make(t, "a");
  await make(t, "b");
  await t.delete(t.path("configmaps/a"));
  const seen = await watchFrom(t, version, "fieldSelector=metadata.name%3Da", events(1));
  assert.equal(types(seen), "DELETED");
});

conformance("a watch by the path of one object is a read", async (t) => {
  await make(t, "a");
  const { body } = await t.get(t.path("configmaps/a?watch=true&timeoutSeconds=60"));
  assert.equal(body.kind, "ConfigMap");
});

conformance("the old path of watches", async (t) => {
  await make(t, "a");
  const path = `/api/v1/watch/namespaces/${t.namespace}/configmaps?timeoutSeconds=60`;
  assert.equal(types(await t.watch(path, events(1))), "ADDED");
});

conformance("the old path of watches of one object", async (t) => {
  await make(t, "a");
  await make(t, "b");
  const path = `/api/v1/watch/namespaces/${t.namespace}/configmaps/b?timeoutSeconds=60`;
  assert.equal(types(await t.watch(path, events(1))), "ADDED");
});

conformance("initial events end with a bookmark", async (t) => {
  await make(t, "a");
  await make(t, "b");
  const query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true" +
    "&resourceVersionMatch=NotOlderThan&timeoutSeconds=60";
  const seen = await t.watch(t.path(`configmaps?${query}`), events(3), { unrecorded: true });
  assert.equal(types(seen), "ADDED ADDED BOOKMARK");
  const { object } = seen[2]!;
  assert.deepEqual(Object.keys(object).sort(), ["apiVersion", "kind", "metadata"]);
  assert.equal(object.kind, "ConfigMap");
  assert.equal(object.apiVersion, "v1");
  assert.equal(object.metadata.annotations["k8s.io/initial-events-end"], "true");
  const newest = Math.max(...seen.slice(0, 2).map((each) => each.object.metadata.resourceVersion));
  assert.ok(Number(object.metadata.resourceVersion) >= newest);
});

conformance("initial events of an empty selection are the bookmark alone", async (t) => {
  await make(t, "a");
  const query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true" +
    "&resourceVersionMatch=NotOlderThan&timeoutSeconds=60&labelSelector=none";
  const seen = await t.watch(t.path(`configmaps?${query}`), events(1), { unrecorded: true });
  assert.equal(types(seen), "BOOKMARK");
});

conformance("sendInitialEvents that is false begins with what comes", async (t) => {
  await make(t, "a");
  const query = "watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan" +
    "&timeoutSeconds=1";
  assert.equal(types(await t.watch(t.path(`configmaps?${query}`))), "");
});

conformance("sendInitialEvents without a match", async (t) => {
  await t.watch(t.path("configmaps?watch=true&sendInitialEvents=true"));
});

conformance("a match of a watch without sendInitialEvents", async (t) => {
  await t.watch(t.path("configmaps?watch=true&resourceVersion=5&resourceVersionMatch=Exact"));
});

conformance("a match of a watch that is not NotOlderThan", async (t) => {
  await t.watch(
    t.path("configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact"),
  );
});

conformance("a match of a watch with a continue token", async (t) => {
  await t.watch(
    t.path(
      "configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
    ),
  );
});

conformance("a watch from a version that is no number", async (t) => {
  await t.watch(t.path("configmaps?watch=true&resourceVersion=new"));
});

conformance("a watch of a field that nobody knows", async (t) => {
  await t.watch(t.path("configmaps?watch=true&fieldSelector=data.x%3D1"));
});

conformance("a watch of a selector that is none", async (t) => {
  await t.watch(t.path("configmaps?watch=true&labelSelector=a b"));
});

conformance("a watch of what is not served", async (t) => {
  await t.watch(t.path("things?watch=true"));
});

conformance("a watch whose media type nobody has", async (t) => {
  await t.watch(t.path("configmaps?watch=true&timeoutSeconds=1"), undefined, {
    headers: { Accept: "text/html" },
  });
});

conformance("a watch of metadata alone", async (t) => {
  await make(t, "a");
  const seen = await t.watch(t.path("configmaps?watch=true&timeoutSeconds=60"), events(1), {
    headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
  });
  assert.equal(seen[0]!.object.kind, "PartialObjectMetadata");
});

conformance("a watch as tables", async (t) => {
  await make(t, "a");
  await make(t, "b");
  const seen = await t.watch(t.path("configmaps?watch=true&timeoutSeconds=60"), events(2), {
    headers: { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    unrecorded: true,
  });
  const [first, second] = seen.map(({ object }) => object);
  assert.equal(first.kind, "Table");
  assert.deepEqual(
    first.columnDefinitions.map(({ name }: { name: string }) => name),
    ["Name", "Data", "Age"],
  );
  assert.deepEqual(first.rows[0].cells.slice(0, 2), ["a", 0]);
  assert.equal(first.rows[0].object.kind, "PartialObjectMetadata");
  assert.equal(first.metadata.resourceVersion, first.rows[0].object.metadata.resourceVersion);
  assert.equal(second.columnDefinitions, null);
  assert.deepEqual(second.rows[0].cells.slice(0, 2), ["b", 0]);
});

conformance("a watch is a stream of JSON", async (t) => {
  await make(t, "a");
  const { headers } = await t.get(t.path("configmaps?watch=true&timeoutSeconds=1"));
  assert.equal(headers.get("content-type"), "application/json");
});

conformance("writes that come while one watches", async (t) => {
  const version = await make(t, "a");
  const seen = watchFrom(t, version, "", events(3));
  await t.patch("merge", t.path("configmaps/a"), { data: { x: "1" } }, { unrecorded: true });
  await t.post(t.path("configmaps"), { metadata: { name: "b" } }, { unrecorded: true });
  await t.delete(t.path("configmaps/b"), undefined, { unrecorded: true });
  assert.equal(types(await seen), "MODIFIED ADDED DELETED");
});
