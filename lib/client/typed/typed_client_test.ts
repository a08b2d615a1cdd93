import assert from "node:assert/strict";
import denoConfig from "../../../deno.json" with { type: "json" };
import {
  refusal,
  type ScriptedFetch,
  scriptedFetch,
  type Step,
} from "../../../tests/client/scripted_fetch.ts";
import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import {
  ConfigMap,
  Deployment,
  type KubeObject,
  Namespace,
  Node,
  Pod,
  type ResourceType,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import { isForbidden, isGone } from "../errors/api_error.ts";
import type { Client } from "./client.ts";
import { createClient } from "../create_client.ts";
import { dynamicClient, type DynamicResource } from "../dynamic_client.ts";
import { applyPatch, jsonPatch, mergePatch, type Patch, strategicPatch } from "./patch.ts";
import { VERSION } from "../transport/user_agent.ts";

function setUp(...script: Step[]): { client: Client; requests: ScriptedFetch["requests"] } {
  const { fetch, requests } = scriptedFetch(...script);
  const config = { server: "https://a.example", namespace: "home" };
  return { client: createClient(config, { fetch }), requests };
}

function echo(request: Request): Promise<Response> {
  return request.json().then((body) => Response.json(body));
}

function page(names: string[], metadata: Record<string, unknown>): Response {
  const items = names.map((name) => ({ metadata: { name } }));
  return Response.json({ kind: "PodList", apiVersion: "v1", metadata, items });
}

const POD: UnstructuredObject = { metadata: { namespace: "n", name: "a" }, spec: { x: 1 } };

Deno.test("the version of the User-Agent is that of the package", () => {
  assert.equal(VERSION, denoConfig.version);
});

Deno.test("get() reads one object, and gives it apiVersion and kind", async () => {
  const { client, requests } = setUp(Response.json({ metadata: { name: "a" } }));
  using _ = client;
  const pod = await client.get(Pod, "n/a", { resourceVersion: "0" });
  assert.deepEqual(pod, { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } });
  assert.equal(requests[0]!.url.pathname, "/api/v1/namespaces/n/pods/a");
  assert.equal(requests[0]!.url.search, "?resourceVersion=0");
});

Deno.test("21 a name or namespace that is not one segment of a path is refused before any request", async () => {
  const { client, requests } = setUp();
  using _ = client;
  for (const key of ["n/..", "../a", "n/%2f", "n/a/b", "n/", "/a"]) {
    await assert.rejects(client.get(Pod, key), TypeError);
    await assert.rejects(client.delete(Pod, key), TypeError);
  }
  await assert.rejects(client.list(Pod, { namespace: "../x" }), TypeError);
  assert.throws(() => client.raw(Pod, { namespace: "%2e%2e" }), TypeError);
  assert.equal(requests.length, 0);
});

Deno.test("list() joins all pages; items have apiVersion and kind", async () => {
  const { client, requests } = setUp(
    page(["a", "b"], { resourceVersion: "5", continue: "t1", remainingItemCount: 1 }),
    page(["c"], { resourceVersion: "5" }),
  );
  using _ = client;
  const list = await client.list(Pod, {
    namespace: "n",
    labelSelector: "x=y",
    resourceVersion: "4",
  });
  assert.deepEqual(
    list.items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name]),
    [
      ["Pod", "v1", "a"],
      ["Pod", "v1", "b"],
      ["Pod", "v1", "c"],
    ],
  );
  assert.deepEqual(list.metadata, { resourceVersion: "5" });
  assert.deepEqual(requests.map(({ url }) => Object.fromEntries(url.searchParams)), [
    { labelSelector: "x=y", resourceVersion: "4", limit: "500" },
    { labelSelector: "x=y", limit: "500", continue: "t1" },
  ]);
});

Deno.test("F09 an empty continue ends the list", async () => {
  const { client } = setUp(page(["a"], { resourceVersion: "5", continue: "" }));
  using _ = client;
  assert.equal((await client.list(Pod)).items.length, 1);
});

Deno.test("F08 410 on continue: the pages are dropped, and the list is read again in one answer", async () => {
  const { client, requests } = setUp(
    page(["old-a"], { resourceVersion: "5", continue: "t1" }),
    refusal(410, { reason: "Expired", metadata: { continue: "inconsistent" } }),
    page(["new-a", "new-b"], { resourceVersion: "9" }),
  );
  using _ = client;
  const list = await client.list(Pod);
  assert.deepEqual(list.items.map(({ metadata }) => metadata.name), ["new-a", "new-b"]);
  assert.equal(list.metadata.resourceVersion, "9");
  assert.equal(requests[2]!.url.search, "");
});

Deno.test("F08 410 on the first page, and another error on a later one, reject the call", async () => {
  const { client } = setUp(
    refusal(410, { reason: "Expired" }),
    page(["a"], { resourceVersion: "5", continue: "t1" }),
    refusal(403, { reason: "Forbidden" }),
  );
  using _ = client;
  await assert.rejects(client.list(Pod), isGone);
  await assert.rejects(client.list(Pod), isForbidden);
});

Deno.test("pages() yields page by page, and rejects with a 410 between pages", async () => {
  const { client } = setUp(
    page(["a"], { resourceVersion: "5", continue: "t1" }),
    refusal(410, { reason: "Expired" }),
  );
  using _ = client;
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { items } of client.pages(Pod, { limit: 1 })) {
      seen.push(...items.map(({ metadata }) => metadata.name!));
    }
  }, isGone);
  assert.deepEqual(seen, ["a"]);
});

Deno.test("create() posts to the object's namespace, else the given, else the configured one", async () => {
  const { client, requests } = setUp(echo, echo, echo, echo);
  using _ = client;
  await client.create(Pod, POD);
  await client.create(Pod, { metadata: { name: "a" } }, { namespace: "given" });
  const made = await client.create(Pod, { metadata: { name: "a" } }, {
    dryRun: true,
    fieldManager: "me",
    fieldValidation: "Strict",
  });
  assert.deepEqual(made, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", namespace: "home" },
  });
  await client.create(Namespace, { metadata: { name: "a" } });
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`), [
    "POST /api/v1/namespaces/n/pods",
    "POST /api/v1/namespaces/given/pods",
    "POST /api/v1/namespaces/home/pods?dryRun=All&fieldManager=me&fieldValidation=Strict",
    "POST /api/v1/namespaces",
  ]);
  await assert.rejects(
    client.create(Pod, POD, { namespace: "other" }),
    /names namespace "n" itself/,
  );
});

Deno.test("create() does not change its argument", async () => {
  const { client } = setUp(echo);
  using _ = client;
  const given = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
  await client.create(Pod, given as UnstructuredObject);
  assert.deepEqual(given, { metadata: { name: "a" } });
});

Deno.test("update() and updateStatus() put the object to its path", async () => {
  const { client, requests } = setUp(echo, echo);
  using _ = client;
  await client.update(Pod, POD);
  await client.updateStatus(Pod, POD);
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url.pathname}`), [
    "PUT /api/v1/namespaces/n/pods/a",
    "PUT /api/v1/namespaces/n/pods/a/status",
  ]);
  assert.deepEqual(JSON.parse(requests[0]!.body), { ...POD, apiVersion: "v1", kind: "Pod" });
  await assert.rejects(client.update(Pod, { metadata: {} }), /metadata\.name/);
  await assert.rejects(client.update(Pod, { metadata: { name: "a" } }), /namespace\/name/);
});

Deno.test("patch() sends each kind of patch with its media type; apply with manager and force", async () => {
  const ok = (): Response => Response.json({ metadata: { name: "a" } });
  const { client, requests } = setUp(ok, ok, ok, ok, ok);
  using _ = client;
  await client.patch(Pod, "n/a", jsonPatch([{ op: "remove", path: "/x" }]));
  const merge = mergePatch({ x: null });
  const strategic = strategicPatch({ x: 1 });
  const apply = applyPatch({ x: 1 }, { fieldManager: "m", force: true });
  await client.patch(Pod, "n/a", merge, { fieldManager: "me" });
  await client.patch(Pod, "n/a", strategic);
  await client.patch(Pod, "n/a", apply);
  await client.patchStatus(Pod, "n/a", mergePatch({ status: {} }), { dryRun: true });
  assert.deepEqual(
    requests.map(({ url, headers, body }) => [
      url.pathname.slice("/api/v1/namespaces/n/pods/".length) + url.search,
      headers.get("content-type"),
      body,
    ]),
    [
      ["a", "application/json-patch+json", `[{"op":"remove","path":"/x"}]`],
      ["a?fieldManager=me", "application/merge-patch+json", `{"x":null}`],
      ["a", "application/strategic-merge-patch+json", `{"x":1}`],
      [
        "a?fieldManager=m&force=true",
        "application/apply-patch+yaml",
        `{"x":1,"metadata":{"name":"a"},"apiVersion":"v1","kind":"Pod"}`,
      ],
      ["a/status?dryRun=All", "application/merge-patch+json", `{"status":{}}`],
    ],
  );
});

Deno.test("apply() sends the fields with the kind and the namespace of the object, and a field manager", async () => {
  const { client, requests } = setUp(echo, echo, echo, echo);
  using _ = client;
  const deployed = await client.apply(Deployment, {
    metadata: { name: "web" },
    spec: { replicas: 2 },
  });
  assert.equal(deployed.kind, "Deployment");
  await client.apply(Deployment, { metadata: { name: "web", namespace: "n" } }, {
    fieldManager: "me",
    force: true,
    dryRun: true,
  });
  await client.applyStatus(Node, { metadata: { name: "a" }, status: { phase: "x" } });
  await client.patch(Node, "a", applyPatch({ spec: {} }), { fieldManager: "me" });
  assert.deepEqual(
    requests.map(({ method, url, headers, body }) => [
      `${method} ${url.pathname}${url.search}`,
      headers.get("content-type"),
      JSON.parse(body),
    ]),
    [
      [
        "PATCH /apis/apps/v1/namespaces/home/deployments/web?fieldManager=xca-operator",
        "application/apply-patch+yaml",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web", namespace: "home" },
          spec: { replicas: 2 },
        },
      ],
      [
        "PATCH /apis/apps/v1/namespaces/n/deployments/web?dryRun=All&fieldManager=me&force=true",
        "application/apply-patch+yaml",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web", namespace: "n" },
        },
      ],
      [
        "PATCH /api/v1/nodes/a/status?fieldManager=xca-operator",
        "application/apply-patch+yaml",
        { apiVersion: "v1", kind: "Node", metadata: { name: "a" }, status: { phase: "x" } },
      ],
      [
        "PATCH /api/v1/nodes/a?fieldManager=me",
        "application/apply-patch+yaml",
        { apiVersion: "v1", kind: "Node", metadata: { name: "a" }, spec: {} },
      ],
    ],
  );
  const nameless = { metadata: {} } as { metadata: { name: string } };
  await assert.rejects(client.apply(Node, nameless), /metadata\.name/);
});

Deno.test("apply() has the field manager that the server derives from the User-Agent", async () => {
  for (
    const [userAgent, manager] of [
      ["web-operator/1.2 (linux)", "web-operator"],
      ["plain", "plain"],
      [`${"é".repeat(70)}/1`, "é".repeat(64)],
    ] as const
  ) {
    const { fetch, requests } = scriptedFetch(echo);
    using client = createClient({ server: "https://a.example", userAgent }, { fetch });
    await client.apply(Node, { metadata: { name: "a" } });
    assert.equal(requests[0]!.url.searchParams.get("fieldManager"), manager);
  }
});

Deno.test("apply() and patch() accept only fields of the type of the resource", () => {
  const calls = (client: Client): unknown[] => [
    client.apply(Deployment, { metadata: { name: "a" }, spec: { replicas: 1 } }),
    client.patch(Deployment, "n/a", mergePatch({ spec: { paused: null } })),
    client.patch(Deployment, "n/a", mergePatch<V1Deployment>({ spec: { replicas: 1 } })),
    client.patch(
      Deployment,
      "n/a",
      strategicPatch({
        spec: { template: { spec: { containers: [{ name: "a", image: "b" }], $patch: "merge" } } },
      }),
    ),
    // @ts-expect-error There is no such field.
    client.apply(Deployment, { metadata: { name: "a" }, spec: { replica: 1 } }),
    // @ts-expect-error It is a number.
    client.apply(Deployment, { metadata: { name: "a" }, spec: { replicas: "1" } }),
    // @ts-expect-error It is another kind.
    client.apply(Deployment, { kind: "Pod", metadata: { name: "a" } }),
    // @ts-expect-error The name is missing.
    client.apply(Deployment, { spec: { replicas: 1 } }),
    // @ts-expect-error An apply needs a name.
    client.apply(Deployment, { metadata: {} }),
    // @ts-expect-error The server generates no name for an apply.
    client.applyStatus(Deployment, { metadata: { generateName: "a-" } }),
    // @ts-expect-error There is no such field.
    client.patch(Deployment, "n/a", mergePatch({ spec: { replicas: 1, replica: 1 } })),
    // @ts-expect-error It is a number.
    client.patchStatus(Deployment, "n/a", mergePatch({ status: { replicas: "1" } })),
    // @ts-expect-error A container has no such field.
    client.patch(Pod, "n/a", strategicPatch({ spec: { containers: [{ nam: "a" }] } })),
    // @ts-expect-error A list is replaced as a whole, and a container has a name.
    client.patch(Pod, "n/a", mergePatch({ spec: { containers: [{ image: "a" }] } })),
    // @ts-expect-error It is of another kind.
    client.patch(Pod, "n/a", mergePatch<V1Deployment>({ spec: {} })),
  ];
  const generic = <T extends KubeObject>(
    client: Client,
    type: ResourceType<T>,
    object: T & { metadata: { name: string } },
  ) => client.apply(type, object);
  assert.equal(typeof calls, typeof generic);
});

Deno.test("a patch as a literal has the fields of the objects, as by mergePatch() and its like", () => {
  const anything = { spec: { any: [{ thing: null }] } };
  const calls = (client: Client, resource: DynamicResource, type: ResourceType): unknown[] => [
    client.patch(Deployment, "n/a", { type: "merge", body: { spec: { paused: null } } }),
    client.patch(Deployment, "n/a", { type: "strategic", body: { spec: { $patch: "merge" } } }),
    client.patch(Deployment, "n/a", {
      type: "apply",
      force: true,
      body: { spec: { replicas: 1 } },
    }),
    client.patch(type, "n/a", { type: "merge", body: anything }),
    resource.patch("n/a", { type: "merge", body: anything }),
    resource.patch("n/a", { type: "apply", fieldManager: "m", body: anything }),
    // @ts-expect-error It is a number.
    client.patch(Deployment, "n/a", { type: "merge", body: { spec: { replicas: "x" } } }),
    // @ts-expect-error It is a number.
    client.patchStatus(Deployment, "n/a", { type: "merge", body: { status: { replicas: "x" } } }),
    // @ts-expect-error There is no such field.
    client.patch(Deployment, "n/a", { type: "merge", body: { specc: {} } }),
    // @ts-expect-error It is a number.
    client.patch(Deployment, "n/a", { type: "strategic", body: { spec: { replicas: "x" } } }),
    // @ts-expect-error A container has no such field.
    client.patch(Pod, "n/a", { type: "strategic", body: { spec: { containers: [{ nam: "a" }] } } }),
    // @ts-expect-error It is a number.
    client.patch(Deployment, "n/a", { type: "apply", body: { spec: { replicas: "x" } } }),
    // @ts-expect-error An apply removes no field by null.
    client.patch(Deployment, "n/a", { type: "apply", body: { spec: { paused: null } } }),
  ];
  const generic = <T extends KubeObject>(
    client: Client,
    type: ResourceType<T>,
    patch: Patch,
  ) => [client.patch(type, "n/a", patch), client.patch<T>(type, "n/a", patch)];
  assert.equal(typeof calls, typeof generic);
});

Deno.test("delete() sends its options as a body, and no body without options", async () => {
  const ok = (): Response => Response.json({ kind: "Status", apiVersion: "v1", status: "Success" });
  const { client, requests } = setUp(ok, ok);
  using _ = client;
  await client.delete(Pod, "n/a");
  await client.delete(Pod, "n/a", {
    propagationPolicy: "Foreground",
    gracePeriodSeconds: 0,
    preconditions: { uid: "u", resourceVersion: "3" },
    dryRun: true,
  });
  assert.equal(requests[0]!.body, "");
  assert.deepEqual(JSON.parse(requests[1]!.body), {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Foreground",
    gracePeriodSeconds: 0,
    preconditions: { uid: "u", resourceVersion: "3" },
    dryRun: ["All"],
  });
});

Deno.test("deleteCollection() deletes the selected objects, and requires a namespace", async () => {
  const { client, requests } = setUp(Response.json({ metadata: {}, items: [] }));
  using _ = client;
  await client.deleteCollection(Pod, { namespace: "n", labelSelector: "a=b" });
  assert.equal(requests[0]!.method, "DELETE");
  assert.equal(
    requests[0]!.url.href,
    "https://a.example/api/v1/namespaces/n/pods?labelSelector=a%3Db",
  );
  await assert.rejects(client.deleteCollection(Pod), /one namespace at a time/);
});

Deno.test("dynamicClient() accesses a resource by its names, and keeps the kinds of its objects", async () => {
  const { client, requests } = setUp(
    Response.json({ kind: "LeaseList", metadata: {}, items: [{ metadata: { name: "a" } }] }),
    echo,
    Response.json({ kind: "Lease", metadata: { name: "a" } }),
    echo,
    echo,
  );
  using _ = client;
  const leases = dynamicClient(client)
    .resource({ group: "coordination.k8s.io", version: "v1", plural: "leases" });
  const { items } = await leases.list({ namespace: "n" });
  assert.equal(items[0]!.kind, "Lease");
  assert.equal(items[0]!.apiVersion, "coordination.k8s.io/v1");
  const made = await leases.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "a", namespace: "n" },
  });
  assert.equal(made.kind, "Lease");
  await leases.get("n/a");
  await leases.apply(made);
  await leases.applyStatus(made);
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url.pathname}`), [
    "GET /apis/coordination.k8s.io/v1/namespaces/n/leases",
    "POST /apis/coordination.k8s.io/v1/namespaces/n/leases",
    "GET /apis/coordination.k8s.io/v1/namespaces/n/leases/a",
    "PATCH /apis/coordination.k8s.io/v1/namespaces/n/leases/a",
    "PATCH /apis/coordination.k8s.io/v1/namespaces/n/leases/a/status",
  ]);
});

Deno.test("a list whose items are null is empty, also as bytes, as for client-go", async () => {
  const answer = (): Response =>
    Response.json({ kind: "ConfigMapList", metadata: { resourceVersion: "7" }, items: null });
  const { client } = setUp(answer(), answer(), answer());
  using _ = client;
  const { items, metadata } = await client.list(ConfigMap);
  assert.deepEqual([items, metadata.resourceVersion], [[], "7"]);
  const pages = await Array.fromAsync(client.pages(ConfigMap));
  assert.deepEqual(pages.map(({ items }) => items), [[]]);
  const page = await client.raw(ConfigMap).list({}, () => assert.fail("it has no items"));
  assert.equal(page.metadata.resourceVersion, "7");
});

Deno.test("a list without items is an error, not an empty list", async () => {
  const { client } = setUp(Response.json({ kind: "ConfigMapList", metadata: {} }));
  using _ = client;
  await assert.rejects(client.list(ConfigMap), /no items/);
});
