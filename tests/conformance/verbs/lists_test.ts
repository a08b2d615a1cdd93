import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

/** Creates ConfigMaps of some names, and returns the resourceVersion of the last. */
async function make(t: Target, ...names: string[]): Promise<string> {
  let version = "";
  for (const name of names) {
    const { body } = await t.post(t.path("configmaps"), {
      metadata: { name, labels: { app: name, first: name.slice(0, 1) } },
    });
    version = body.metadata.resourceVersion;
  }
  return version;
}

const names = (body: { items: { metadata: { name: string } }[] }): string =>
  body.items.map(({ metadata }) => metadata.name).join(" ");

/** A case of one list beside `a`, `b` and `c1`. */
function lists(name: string, query: string, expected: string | number): void {
  conformance(name, async (t) => {
    await make(t, "a", "b", "c1");
    if (query.includes("resourceVersion=0")) await t.untilFresh(t.path("configmaps"));
    const { code, body } = await t.get(t.path(`configmaps?${query}`));
    if (typeof expected === "number") assert.equal(code, expected);
    else assert.equal(names(body), expected);
  });
}

conformance("a list of nothing", async (t) => {
  const { body } = await t.get(t.path("configmaps"));
  assert.deepEqual(body.items, []);
});

conformance("items stand in the order of their names", async (t) => {
  await make(t, "b", "a-b", "a", "a.b", "a1");
  const { body } = await t.get(t.path("configmaps"));
  assert.equal(names(body), "a a-b a.b a1 b");
});

lists("a label by equality", "labelSelector=app%3Da", "a");
lists("a label by double equality", "labelSelector=app%3D%3Da", "a");
lists("a label by inequality", "labelSelector=app!%3Da", "b c1");
lists("a label in a set", "labelSelector=app in (a,b)", "a b");
lists("a label not in a set", "labelSelector=app notin (a,b)", "c1");
lists("a label that is there", "labelSelector=app", "a b c1");
lists("a label that is not there", "labelSelector=!app", "");
lists("two labels", "labelSelector=app,app!%3Da", "b c1");
lists("a label that nobody has counts as unequal", "labelSelector=none!%3Dx", "a b c1");
lists("a label selector that is none", "labelSelector=a b", 400);
lists("a label selector with a wrong key", "labelSelector=-a%3Dx", 400);
lists("a label selector with a wrong value", "labelSelector=a%3D-x", 400);
lists("a label selector with an open set", "labelSelector=a in (x", 400);
lists("a label selector with a number", "labelSelector=a>b", 400);
lists("a label greater than a number", "labelSelector=app>1", "");
lists("an empty label selector", "labelSelector=", "a b c1");
lists("a name", "fieldSelector=metadata.name%3Db", "b");
lists("a name by double equality", "fieldSelector=metadata.name%3D%3Db", "b");
lists("all names but one", "fieldSelector=metadata.name!%3Db", "a c1");
lists("a name that is not there", "fieldSelector=metadata.name%3Dnone", "");
lists("a namespace that is another one", "fieldSelector=metadata.namespace%3Dnone", "");
lists("a field that nobody knows", "fieldSelector=data.x%3D1", 400);
lists("a field selector that is none", "fieldSelector=metadata.name", 400);
lists("an empty field selector", "fieldSelector=", "a b c1");
lists(
  "labels and fields",
  "labelSelector=app in (a,b)&fieldSelector=metadata.name!%3Db",
  "a",
);
lists("a match without a version", "resourceVersionMatch=Exact", 422);
lists("a match that nobody knows", "resourceVersion=1&resourceVersionMatch=Near", 422);
lists("exactly version 0", "resourceVersion=0&resourceVersionMatch=Exact", 422);
lists("not older than version 0", "resourceVersion=0&resourceVersionMatch=NotOlderThan", "a b c1");
lists("version 0", "resourceVersion=0", "a b c1");
lists("a version that is no number", "resourceVersion=new", 400);
lists("a negative version", "resourceVersion=-1", 400);
lists("sendInitialEvents of a list", "sendInitialEvents=true", 422);
lists("a continue token that is none", "limit=1&continue=nonsense", 400);
lists("a continue token with a version", "resourceVersion=5&continue=abc", 400);
lists("a continue token with a match", "resourceVersionMatch=Exact&continue=abc", 422);
lists("a negative limit", "limit=-1", "a b c1");

conformance("a version that is not there yet", async (t) => {
  await make(t, "a");
  t.mask(/current: \d+/, "current: <n>");
  const { code, body } = await t.get(t.path("configmaps?resourceVersion=999999999999"));
  assert.equal(code, 504);
  assert.equal(body.details.causes[0].reason, "ResourceVersionTooLarge");
});

conformance("exactly a version that is not there yet", async (t) => {
  await make(t, "a");
  t.mask(/current: \d+/, "current: <n>");
  await t.get(
    t.path("configmaps?resourceVersion=999999999999&resourceVersionMatch=Exact"),
  );
});

conformance("a list not older than a version", async (t) => {
  const version = await make(t, "a", "b");
  const query = `resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
  const { body } = await t.get(t.path(`configmaps?${query}`), { unrecorded: true });
  assert.equal(names(body), "a b");
});

conformance("a list exactly at a past version", async (t) => {
  const version = await make(t, "a", "b");
  await t.delete(t.path("configmaps/a"));
  await make(t, "c");
  await t.patch("merge", t.path("configmaps/b"), { data: { x: "later" } });
  const query = `resourceVersion=${version}&resourceVersionMatch=Exact`;
  const { body } = await t.get(t.path(`configmaps?${query}`), { unrecorded: true });
  assert.equal(names(body), "a b");
  assert.equal(body.metadata.resourceVersion, version);
  assert.equal(body.items[1].data, undefined);
});

conformance("a list exactly at a past version by labels", async (t) => {
  const version = await make(t, "a", "b");
  await t.patch("merge", t.path("configmaps/a"), { metadata: { labels: { app: "z" } } });
  const query = `resourceVersion=${version}&resourceVersionMatch=Exact&labelSelector=app%3Da`;
  const { body } = await t.get(t.path(`configmaps?${query}`), { unrecorded: true });
  assert.equal(names(body), "a");
});

conformance("pages show the state at the first page", async (t) => {
  await make(t, "a", "b", "c", "d", "e");
  const first = await t.get(t.path("configmaps?limit=2"));
  assert.equal(names(first.body), "a b");
  assert.equal(first.body.metadata.remainingItemCount, 3);
  await t.delete(t.path("configmaps/c"));
  await make(t, "bb");
  const token = encodeURIComponent(first.body.metadata.continue);
  const second = await t.get(t.path(`configmaps?limit=2&continue=${token}`), {
    unrecorded: true,
  });
  assert.equal(names(second.body), "c d");
  assert.equal(second.body.metadata.remainingItemCount, 1);
  assert.equal(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
  const last = encodeURIComponent(second.body.metadata.continue);
  const third = await t.get(t.path(`configmaps?limit=2&continue=${last}`), { unrecorded: true });
  assert.equal(names(third.body), "e");
  assert.equal(third.body.metadata.continue, undefined);
  assert.equal(third.body.metadata.remainingItemCount, undefined);
});

conformance("a page of everything has no token", async (t) => {
  await make(t, "a", "b");
  const { body } = await t.get(t.path("configmaps?limit=2"));
  assert.equal(body.metadata.continue, undefined);
});

conformance("pages by labels do not say how many are left", async (t) => {
  await make(t, "a1", "b", "a2", "a3");
  const { body } = await t.get(t.path("configmaps?limit=2&labelSelector=first%3Da"));
  assert.equal(names(body), "a1 a2");
  assert.equal(body.metadata.remainingItemCount, undefined);
  const token = encodeURIComponent(body.metadata.continue);
  const rest = await t.get(
    t.path(`configmaps?limit=2&labelSelector=first%3Da&continue=${token}`),
    { unrecorded: true },
  );
  assert.equal(names(rest.body), "a3");
});

conformance("a token's list goes on without a limit", async (t) => {
  await make(t, "a", "b", "c");
  const { body } = await t.get(t.path("configmaps?limit=1"));
  const token = encodeURIComponent(body.metadata.continue);
  const rest = await t.get(t.path(`configmaps?continue=${token}`), { unrecorded: true });
  assert.equal(names(rest.body), "b c");
});

conformance("a token and a version do not go together", async (t) => {
  await make(t, "a", "b");
  const { body } = await t.get(t.path("configmaps?limit=1"));
  const token = encodeURIComponent(body.metadata.continue);
  const version = body.metadata.resourceVersion;
  const { code } = await t.get(
    t.path(`configmaps?limit=1&continue=${token}&resourceVersion=${version}`),
    { unrecorded: true },
  );
  assert.equal(code, 400);
});

conformance("a list over all namespaces by a namespace field", async (t) => {
  await make(t, "a");
  const { body } = await t.get(
    `/api/v1/configmaps?fieldSelector=metadata.namespace%3D${t.namespace}`,
  );
  assert.equal(names(body), "a");
});

conformance("a list over all namespaces by a name", async (t) => {
  const name = t.unique("only");
  await make(t, name);
  const { body } = await t.get(`/api/v1/configmaps?fieldSelector=metadata.name%3D${name}`);
  assert.equal(names(body), name);
});

conformance("the list of a pod's fields", async (t) => {
  for (const [name, nodeName] of [["p", "n1"], ["q", "n2"]]) {
    await t.post(t.path("pods"), {
      metadata: { name },
      spec: { nodeName, containers: [{ name: "c", image: "i" }] },
    }, { unrecorded: true });
  }
  const by = async (selector: string): Promise<string> => {
    const { body } = await t.get(
      t.path(`pods?fieldSelector=${encodeURIComponent(selector)}`),
      { unrecorded: true },
    );
    return names(body);
  };
  assert.equal(await by("spec.nodeName=n1"), "p");
  assert.equal(await by("spec.nodeName!=n1"), "q");
  assert.equal(await by("status.phase=Pending"), "p q");
  assert.equal(await by("spec.restartPolicy=Never"), "");
  assert.equal((await t.get(t.path("pods?fieldSelector=spec.image%3Di"))).code, 400);
});

conformance("a list by the path of one object is no list", async (t) => {
  await make(t, "a");
  const { body } = await t.get(t.path("configmaps/a?limit=1&labelSelector=x"));
  assert.equal(body.kind, "ConfigMap");
});
