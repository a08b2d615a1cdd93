import assert from "node:assert/strict";
import {
  applyPatch,
  type Client,
  createClient,
  dynamicClient,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isRequestEntityTooLarge,
  jsonPatch,
  mergePatch,
  type Patch,
  strategicPatch,
  UnreachableError,
} from "../../../lib/client/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  type KubeObject,
  Namespace,
  Pod,
  resourceType,
  type UnstructuredObject,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { V1ConfigMap } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until, untilAnswered } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ audit: true });

interface Lock extends KubeObject {
  spec?: { holder?: string };
  status?: { taken?: boolean };
}
const Lock = resourceType<Lock>({
  group: "example.org",
  version: "v1",
  kind: "Lock",
  plural: "locks",
});
const CRD: UnstructuredObject = {
  metadata: { name: "locks.example.org" },
  spec: {
    group: "example.org",
    scope: "Namespaced",
    names: { plural: "locks", singular: "lock", kind: "Lock", listKind: "LockList" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: { type: "object", properties: { holder: { type: "string", maxLength: 8 } } },
            status: { type: "object", properties: { taken: { type: "boolean" } } },
          },
        },
      },
    }],
  },
};

/** A client, and a namespace of the test's own. */
async function setUp(plane: Plane, name: string): Promise<Client> {
  const client = createClient({ ...plane.config, namespace: name }, { onWarning: () => {} });
  await client.create(Namespace, { metadata: { name } });
  return client;
}

function configMap(name: string, data: Record<string, string> = {}): V1ConfigMap {
  return { metadata: { name }, data };
}

suite.test("create, get, update with a conflict, delete: each refusal has its predicate", async (plane) => {
  using client = await setUp(plane, "verbs");
  const made = await client.create(ConfigMap, configMap("a", { x: "1" }));
  assert.equal(made.kind, "ConfigMap");
  assert.equal(made.metadata.namespace, "verbs");
  await assert.rejects(client.create(ConfigMap, configMap("a")), isAlreadyExists);
  const second = await client.update(ConfigMap, { ...made, data: { x: "2" } });
  await assert.rejects(client.update(ConfigMap, { ...made, data: { x: "3" } }), isConflict);
  const read = await client.get(ConfigMap, "verbs/a");
  assert.deepEqual([read.apiVersion, read.kind, read.data], ["v1", "ConfigMap", { x: "2" }]);
  const stale = { preconditions: { resourceVersion: made.metadata.resourceVersion } };
  await assert.rejects(client.delete(ConfigMap, "verbs/a", stale), isConflict);
  const { uid } = second.metadata;
  await client.delete(ConfigMap, "verbs/a", { preconditions: { uid }, dryRun: true });
  await client.delete(ConfigMap, "verbs/a", { preconditions: { uid } });
  await assert.rejects(client.get(ConfigMap, "verbs/a"), (error) => {
    assert.ok(isNotFound(error));
    assert.equal(String(error), `Error from server (NotFound): configmaps "a" not found`);
    return true;
  });
  assert.equal(await ignoreNotFound(client.delete(ConfigMap, "verbs/a")), undefined);
});

suite.test("list reads all pages, with selectors; pages and raw list return equal objects", async (plane) => {
  using client = await setUp(plane, "lists");
  for (let i = 0; i < 12; i++) {
    await client.create(ConfigMap, {
      metadata: { name: `c${i}`, labels: { odd: String(i % 2 === 1) } },
    });
  }
  const all = await client.list(ConfigMap, { namespace: "lists", limit: 5 });
  assert.equal(all.items.length, 12);
  assert.ok(all.items.every(({ kind }) => kind === "ConfigMap"));
  assert.equal(all.metadata.continue, undefined);
  const odd = await client.list(ConfigMap, { namespace: "lists", labelSelector: "odd=true" });
  assert.equal(odd.items.length, 6);
  const one = await client.list(ConfigMap, {
    namespace: "lists",
    fieldSelector: "metadata.name=c3",
  });
  assert.deepEqual(one.items.map(({ metadata }) => metadata.name), ["c3"]);
  const sizes: number[] = [];
  for await (const { items } of client.pages(ConfigMap, { namespace: "lists", limit: 5 })) {
    sizes.push(items.length);
  }
  assert.deepEqual(sizes, [5, 5, 2]);
  const names: string[] = [];
  const { metadata } = await client.raw(ConfigMap, { namespace: "lists" }).list(
    { limit: 5 },
    (batch) => {
      for (const raw of batch) {
        names.push(JSON.parse(new TextDecoder().decode(raw)).metadata.name);
      }
    },
  );
  assert.equal(names.length, 5);
  assert.ok(metadata.continue && metadata.resourceVersion);
});

suite.test("watch yields changes, and ends when the server ends it", async (plane) => {
  using client = await setUp(plane, "watches");
  const { metadata } = await client.list(ConfigMap, { namespace: "watches" });
  let { resourceVersion } = metadata;
  const seen: string[] = [];
  const watchToItsEnd = async (): Promise<void> => {
    const options = { namespace: "watches", resourceVersion, timeoutSeconds: 1 };
    for await (const { type, object } of client.watch(ConfigMap, options)) {
      seen.push(`${type} ${object.metadata.name}`);
      resourceVersion = object.metadata.resourceVersion;
    }
  };
  const watching = watchToItsEnd();
  await client.create(ConfigMap, configMap("a"));
  await client.patch(ConfigMap, "watches/a", mergePatch({ data: { x: "1" } }));
  await client.delete(ConfigMap, "watches/a");
  await watching;
  // What comes too late for one watch is told by the next.
  await until(async () => {
    if (seen.length < 3) await watchToItsEnd();
    return seen.length >= 3;
  }, "that all changes are told");
  assert.deepEqual(seen, ["ADDED a", "MODIFIED a", "DELETED a"]);
});

suite.test("raw watch with initial events ends them with the annotated bookmark", async (plane) => {
  using client = await setUp(plane, "initial");
  await client.create(ConfigMap, configMap("a"));
  const abort = new AbortController();
  const watch = await client.raw(ConfigMap, { namespace: "initial" }).watch({
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    resourceVersionMatch: "NotOlderThan",
  }, { signal: abort.signal, idleTimeoutMs: 60_000 });
  const types: string[] = [];
  for await (const batch of watch) {
    for (const event of batch) {
      assert.ok(event.type !== "UNDECODABLE");
      const object = JSON.parse(new TextDecoder().decode(event.object));
      const end = object.metadata.annotations?.["k8s.io/initial-events-end"];
      types.push(end ? `${event.type} end` : event.type);
    }
    if (types.includes("BOOKMARK end")) break;
  }
  assert.deepEqual(types, ["ADDED", "BOOKMARK end"]);
});

suite.test("patch: json, merge, strategic, apply with a conflict and with force", async (plane) => {
  using client = await setUp(plane, "patches");
  await client.create(ConfigMap, configMap("a", { x: "1", y: "1" }));
  const key = "patches/a";
  const data = async (patch: Patch<V1ConfigMap>): Promise<unknown> =>
    (await client.patch(ConfigMap, key, patch)).data;
  assert.deepEqual(await data(jsonPatch([{ op: "replace", path: "/data/x", value: "2" }])), {
    x: "2",
    y: "1",
  });
  assert.deepEqual(await data(mergePatch({ data: { y: null } })), { x: "2" });
  await assert.rejects(
    data(jsonPatch([{ op: "test", path: "/data/x", value: "9" }])),
    isInvalid,
  );
  const body: V1ConfigMap = {
    ...configMap("a", { x: "3" }),
    apiVersion: "v1",
    kind: "ConfigMap",
  };
  await assert.rejects(data(applyPatch(body, { fieldManager: "applier" })), isConflict);
  assert.deepEqual(await data(applyPatch(body, { fieldManager: "applier", force: true })), {
    x: "3",
  });
  const { metadata, data: applied } = await client.apply(ConfigMap, {
    metadata: { name: "applied" },
    data: { z: "1" },
  });
  assert.deepEqual([metadata.namespace, applied], ["patches", { z: "1" }]);
  const updated = await client.update(ConfigMap, { metadata, data: { z: "2" } });
  assert.deepEqual(
    [metadata, updated.metadata].flatMap(({ managedFields = [] }) =>
      managedFields.map(({ manager, operation }) => [manager, operation])
    ),
    [["xca-operator", "Apply"], ["xca-operator", "Update"]],
  );
  const conflicting = { metadata: { name: "applied" }, data: { z: "3" } };
  await assert.rejects(client.apply(ConfigMap, conflicting, { fieldManager: "b" }), isConflict);
  const pod = {
    metadata: { name: "p" },
    spec: { containers: [{ name: "a", image: "a" }, { name: "b", image: "b" }] },
  };
  await client.create(Pod, pod);
  const containers = [{ name: "b", image: "c" }];
  const patched = await client.patch(Pod, "patches/p", strategicPatch({ spec: { containers } }));
  const spec = patched.spec as typeof pod.spec;
  assert.deepEqual(spec.containers.map(({ name, image }) => name + image), ["aa", "bc"]);
});

suite.test("a custom resource: status apart from spec, validation, dry run, dynamic access", async (plane) => {
  using client = await setUp(plane, "custom");
  await client.create(CustomResourceDefinition, CRD);
  const lock: Lock = { metadata: { name: "l", namespace: "custom" }, spec: { holder: "me" } };
  // It is served a moment after its definition was accepted.
  const made = await untilAnswered(
    () => client.create(Lock, { ...lock, status: { taken: true } }),
    isNotFound,
  );
  assert.equal(made.status, undefined);
  const taken = await client.updateStatus(Lock, {
    ...made,
    spec: { holder: "you" },
    status: { taken: true },
  });
  assert.deepEqual([taken.spec, taken.status], [{ holder: "me" }, { taken: true }]);
  await assert.rejects(client.updateStatus(Lock, made), isConflict);
  const patched = await client.patchStatus(
    Lock,
    "custom/l",
    mergePatch({ status: { taken: false } }),
  );
  assert.deepEqual(patched.status, { taken: false });
  const dry = await client.patch(Lock, "custom/l", mergePatch({ spec: { holder: "dry" } }), {
    dryRun: true,
  });
  assert.deepEqual(dry.spec, { holder: "dry" });
  await assert.rejects(
    client.create(Lock, { metadata: { name: "m" }, spec: { holder: "much too long" } }),
    isInvalid,
  );
  const locks = dynamicClient(client)
    .resource({ group: "example.org", version: "v1", plural: "locks" });
  const { items } = await locks.list();
  assert.deepEqual(items.map(({ kind, spec }) => [kind, spec]), [["Lock", { holder: "me" }]]);
});

suite.test("fieldValidation: Strict refuses the fields that Warn reports", async (plane) => {
  const warnings: string[] = [];
  const config = { ...plane.config, namespace: "default" };
  using client = createClient(config, { onWarning: (text) => warnings.push(text) });
  const strange: UnstructuredObject = { ...configMap("strange"), strange: 1 };
  const options = { dryRun: true } as const;
  await client.create(ConfigMap, strange, { ...options, fieldValidation: "Warn" });
  assert.deepEqual(warnings, [`unknown field "strange"`]);
  await assert.rejects(
    client.create(ConfigMap, strange, { ...options, fieldValidation: "Strict" }),
    /unknown field "strange"/,
  );
});

suite.test("deleteCollection deletes the selected objects", async (plane) => {
  using client = await setUp(plane, "collection");
  for (const name of ["a", "b", "c"]) {
    await client.create(ConfigMap, { metadata: { name, labels: { keep: String(name === "b") } } });
  }
  const selected = { namespace: "collection", labelSelector: "keep=false" };
  await client.deleteCollection(ConfigMap, { ...selected, dryRun: true });
  assert.equal((await client.list(ConfigMap, { namespace: "collection" })).items.length, 3);
  await client.deleteCollection(ConfigMap, selected);
  const { items } = await client.list(ConfigMap, { namespace: "collection" });
  assert.deepEqual(items.map(({ metadata }) => metadata.name), ["b"]);
});

suite.test("F16 an object of 1 MB is stored, listed and watched; one of 4 MB is refused", async (plane) => {
  using client = await setUp(plane, "large");
  const text = "ä".repeat(500_000);
  await client.create(ConfigMap, configMap("a", { text }));
  const { items } = await client.list(ConfigMap, { namespace: "large" });
  assert.equal((items[0]!.data as { text: string }).text, text);
  for await (const { object } of client.watch(ConfigMap, { namespace: "large" })) {
    assert.equal((object.data as { text: string }).text, text);
    break;
  }
  await assert.rejects(
    client.create(ConfigMap, configMap("b", { text: "x".repeat(4_000_000) })),
    isRequestEntityTooLarge,
  );
});

suite.test("a user without rights is refused, and an impersonated user with groups is recognized", async (plane) => {
  const nobody = await plane.addUser("nobody");
  using client = createClient(nobody.config);
  await assert.rejects(client.list(Pod, { namespace: "default" }), (error) => {
    assert.ok(isForbidden(error));
    assert.match(error.message, /User "nobody" cannot list resource "pods"/);
    return true;
  });
  const groups = ["one", "two, and a half"];
  using acting = createClient({ ...plane.config, impersonate: { user: "else", groups } });
  const review = await acting.requestJson<{ status: { userInfo: { groups: string[] } } }>({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const known = review.status.userInfo as { username?: string; groups: string[] };
  assert.equal(known.username, "else");
  assert.deepEqual(known.groups.slice(0, 2), groups);
});

suite.test("a server of another authority and missing credentials are different errors", async (plane) => {
  const other = await CertificateAuthority.create("other", new Date());
  using wrong = createClient({ ...plane.config, tls: { caData: other.cert } });
  await assert.rejects(wrong.list(Pod), UnreachableError);
  using anonymous = createClient({ server: plane.url, tls: { caData: plane.caData } });
  await assert.rejects(
    anonymous.list(Pod),
    (error) => error instanceof Error && /Unauthorized/.test(String(error)),
  );
});

suite.test("the server receives the User-Agent, and answers without pretty-printing", async (plane) => {
  using client = createClient(plane.config);
  const response = await client.request({ path: "/api/v1/namespaces/default" });
  assert.ok(!(await response.text()).includes("\n  "));
  const events = await plane.auditEvents();
  assert.ok(events.some((event) => /^xca-operator\//.test(event.userAgent ?? "")));
});

suite.test("the audit log names the object of a write, from the body where the path has no name", async (plane) => {
  using client = createClient({ ...plane.config, userAgent: "audited" });
  const metadata = { namespace: "default" };
  const made = await client.create(ConfigMap, { metadata: { ...metadata, name: "audited" } });
  await client.create(ConfigMap, { metadata: { ...metadata, generateName: "audited-" } });
  await client.update(ConfigMap, { ...made, data: { a: "b" } });
  await client.patch(ConfigMap, "default/audited", mergePatch({ data: { a: "c" } }));
  await client.delete(ConfigMap, "default/audited");
  const audited = async (): Promise<unknown[]> =>
    (await plane.auditEvents()).filter(({ userAgent }) => userAgent === "audited")
      .map(({ verb, objectRef }) => [verb, objectRef]);
  await until(async () => (await audited()).length === 5, "an audit log of all five writes");
  const common = { resource: "configmaps", namespace: "default", apiVersion: "v1" };
  const named = { ...common, name: "audited" };
  const { uid, resourceVersion } = made.metadata;
  assert.deepEqual(await audited(), [
    ["create", named],
    ["create", common],
    ["update", { ...named, uid, resourceVersion }],
    ["patch", named],
    ["delete", named],
  ]);
});
