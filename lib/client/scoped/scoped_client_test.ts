import assert from "node:assert/strict";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import {
  ConfigMap,
  type KubeObject,
  Namespace,
  Pod,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import type { Client } from "../typed/client.ts";
import { createClient } from "../create_client.ts";
import type { WebSocketLike } from "../transport/dial.ts";
import { applyPatch, mergePatch } from "../typed/patch.ts";
import type { ClientCall } from "./scoped_calls.ts";
import { dryRunOnly } from "./scoped_dry_run.ts";
import { withFieldOwner } from "./scoped_field_owner.ts";
import { intercept } from "./scoped_interceptor.ts";
import { inNamespace } from "./scoped_namespace.ts";
import { parseApiPath } from "./scoped_path.ts";
import { restClient } from "../rest/rest_builder.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly body: string;
  readonly groups: string;
}

/**
 * Returns a client whose server answers every request with an object that is also a list, and the
 * requests that it sent.
 */
function setUp(): { client: Client; sent: Sent[] } {
  const sent: Sent[] = [];
  const client = createClient(
    {
      server: "https://a.example",
      namespace: "home",
      impersonate: { user: "u", groups: ["a", "b"] },
    },
    {
      fetch: async (request) => {
        const { pathname: path, search } = new URL(request.url);
        const body = await request.text();
        const groups = request.headers.get("impersonate-group") ?? "";
        sent.push({ method: request.method, path, search, body, groups });
        if (search.includes("watch=true")) return new Response("");
        return Response.json({ metadata: { name: "a", namespace: "n" }, items: [] });
      },
    },
  );
  return { client, sent };
}

const MAP: V1ConfigMap = { metadata: { name: "a" }, data: {} };

/** Calls every method of a client once. */
async function callAll(client: Client, key: string, object: KubeObject): Promise<void> {
  await client.get(ConfigMap, key);
  await client.list(ConfigMap);
  await Array.fromAsync(client.pages(ConfigMap));
  await Array.fromAsync(client.watch(ConfigMap));
  await client.create(ConfigMap, object as UnstructuredObject);
  await client.update(ConfigMap, object as UnstructuredObject);
  await client.updateStatus(ConfigMap, object as UnstructuredObject);
  await client.patch(ConfigMap, key, mergePatch({}));
  await client.patchStatus(ConfigMap, key, mergePatch({}));
  await client.delete(ConfigMap, key);
  await client.deleteCollection(ConfigMap, { namespace: "n" });
  await client.raw(ConfigMap).list({}, () => {});
  await (await client.request({ path: "/api/v1/namespaces/n/configmaps/a" })).body?.cancel();
  await client.requestJson({ path: "/api/v1/namespaces/n/configmaps/a" });
}

const VERBS: readonly ClientCall["verb"][] = [
  "get",
  "list",
  "pages",
  "watch",
  "create",
  "update",
  "updateStatus",
  "patch",
  "patchStatus",
  "delete",
  "deleteCollection",
  "raw",
  "request",
  "requestJson",
];

Deno.test("intercept(): around receives every call, and may pass each unchanged", async () => {
  const plain = setUp();
  const wrapped = setUp();
  const seen: string[] = [];
  const client = intercept(wrapped.client, {
    around: (call, next) => {
      seen.push(call.verb);
      return next(call);
    },
  });
  const object = { ...MAP, metadata: { name: "a", namespace: "n" } };
  await callAll(plain.client, "n/a", object);
  await callAll(client, "n/a", object);
  assert.deepEqual(seen, VERBS);
  assert.deepEqual(wrapped.sent, plain.sent);
  // Repeated headers stay separate.
  assert.ok(wrapped.sent.every(({ groups }) => groups === "a, b"));
});

Deno.test("intercept(): each verb has a hook, inside of around", async () => {
  const { client } = setUp();
  const seen: string[] = [];
  const note =
    (name: string) => <Call, Result>(call: Call, next: (call: Call) => Result): Result => {
      seen.push(name);
      return next(call);
    };
  const hooked = intercept(client, {
    around: note("around"),
    onGet: note("get"),
    onList: note("list"),
    onPages: note("pages"),
    onWatch: note("watch"),
    onCreate: note("create"),
    onUpdate: note("update"),
    onUpdateStatus: note("updateStatus"),
    onPatch: note("patch"),
    onPatchStatus: note("patchStatus"),
    onDelete: note("delete"),
    onDeleteCollection: note("deleteCollection"),
    onRaw: note("raw"),
    onRequest: note("request"),
    onRequestJson: note("requestJson"),
  });
  await callAll(hooked, "n/a", { ...MAP, metadata: { name: "a", namespace: "n" } });
  assert.deepEqual(seen, VERBS.flatMap((verb) => ["around", verb]));
});

Deno.test("intercept(): a hook may answer, change the call, change the answer, and fail", async () => {
  const { client, sent } = setUp();
  const hooked = intercept(client, {
    onGet: async (call, next) => {
      if (call.key === "n/own") return { metadata: { name: "own" } };
      const object = await next({ ...call, key: "n/other" });
      return { ...object, metadata: { ...object.metadata, labels: { seen: "yes" } } };
    },
    onDelete: () => {
      throw new Error("not today");
    },
    onWatch: () => {
      throw new Error("no watching");
    },
  });
  assert.equal((await hooked.get(Pod, "n/own")).metadata.name, "own");
  assert.deepEqual((await hooked.get(Pod, "n/a")).metadata.labels, { seen: "yes" });
  assert.deepEqual(sent.map(({ path }) => path), ["/api/v1/namespaces/n/pods/other"]);
  // A synchronous throw becomes a rejection.
  await assert.rejects(hooked.delete(Pod, "n/a"), /not today/);
  await assert.rejects(Array.fromAsync(hooked.watch(Pod)), /no watching/);
  assert.equal(sent.length, 1);
});

Deno.test("intercept(): a connection passes through the hooks as well", async () => {
  const { client } = setUp();
  const seen: string[] = [];
  const socket = {} as WebSocketLike;
  const answering = intercept(client, { onConnect: () => Promise.resolve(socket) });
  const outer = intercept(withFieldOwner(inNamespace(answering, "n"), "me"), {
    around: (call, next) => {
      seen.push(call.verb);
      return next(call);
    },
  });
  const request = { path: "/api/v1/namespaces/n/pods/a/exec", protocols: ["v5.channel.k8s.io"] };
  assert.equal(await outer.connect(request), socket);
  assert.deepEqual(seen, ["connect"]);
});

Deno.test("intercept(): a call cannot be changed into one of another verb", async () => {
  const { client, sent } = setUp();
  const turned = intercept(client, {
    around: (call, next) => next({ ...call, verb: "raw" } as ClientCall),
  });
  await assert.rejects(turned.get(Pod, "n/a"), /a raw in the place of a get/);
  assert.equal(sent.length, 0);
});

Deno.test("wrappers compose, the outermost first; leaving a watch early reaches the server", async () => {
  const { client } = setUp();
  const seen: string[] = [];
  const named = (inner: Client, name: string): Client =>
    intercept(inner, {
      around: (call, next) => {
        seen.push(`${name} ${call.verb}`);
        return next(call);
      },
    });
  await named(named(client, "inner"), "outer").get(Pod, "n/a");
  assert.deepEqual(seen, ["outer get", "inner get"]);
  let ended = false;
  const source = intercept(client, {
    onWatch: async function* () {
      try {
        for (;;) yield { type: "ADDED", object: MAP };
      } finally {
        ended = true;
      }
    },
  });
  for await (const _ of inNamespace(source, "n").watch(Pod)) break;
  assert.equal(ended, true);
});

Deno.test("a wrapper closes the client that it wraps", async () => {
  const { client } = setUp();
  {
    using _ = dryRunOnly(withFieldOwner(inNamespace(client, "n"), "me"));
  }
  await assert.rejects(client.get(Pod, "n/a"), /the client is closed/);
});

Deno.test("inNamespace(): every call without a namespace uses this one", async () => {
  const { client, sent } = setUp();
  const bound = inNamespace(client, "n");
  assert.equal(bound.config.namespace, "n");
  await callAll(bound, "a", MAP);
  assert.ok(sent.every(({ path }) => path.startsWith("/api/v1/namespaces/n/configmaps")));
  assert.equal(sent.length, VERBS.length);
  sent.length = 0;
  await callAll(bound, "n/a", { ...MAP, metadata: { name: "a", namespace: "n" } });
  assert.ok(sent.every(({ path }) => path.startsWith("/api/v1/namespaces/n/configmaps")));
});

Deno.test("inNamespace(): a call with another namespace is refused before it is sent", async () => {
  const { client, sent } = setUp();
  const bound = inNamespace(client, "n");
  const other: V1ConfigMap = { metadata: { name: "a", namespace: "m" } };
  const calls: Record<string, () => unknown> = {
    'get configmaps.v1 "a"': () => bound.get(ConfigMap, "m/a"),
    "list configmaps.v1": () => bound.list(ConfigMap, { namespace: "m" }),
    "pages configmaps.v1": () => Array.fromAsync(bound.pages(ConfigMap, { namespace: "m" })),
    "watch configmaps.v1": () => Array.fromAsync(bound.watch(ConfigMap, { namespace: "m" })),
    'create configmaps.v1 "a"': () => bound.create(ConfigMap, other),
    "create configmaps.v1": () => bound.create(ConfigMap, MAP, { namespace: "m" }),
    'update configmaps.v1 "a"': () => bound.update(ConfigMap, other),
    'updateStatus configmaps.v1 "a"': () => bound.updateStatus(ConfigMap, other),
    'patch configmaps.v1 "a"': () => bound.patch(ConfigMap, "m/a", mergePatch({})),
    'patchStatus configmaps.v1 "a"': () => bound.patchStatus(ConfigMap, "m/a", mergePatch({})),
    'delete configmaps.v1 "a"': () => bound.delete(ConfigMap, "m/a"),
    "deleteCollection configmaps.v1": () => bound.deleteCollection(ConfigMap, { namespace: "m" }),
    "raw configmaps.v1": async () => await bound.raw(ConfigMap, { namespace: "m" }),
    "GET /api/v1/namespaces/m/pods": () => bound.request({ path: "/api/v1/namespaces/m/pods" }),
    "POST /api/v1/namespaces/m/pods": () =>
      restClient(bound).post().namespace("m").resource("pods").do(),
    "CONNECT /api/v1/namespaces/m/pods/a/exec": () =>
      bound.connect({ path: "/api/v1/namespaces/m/pods/a/exec", protocols: [] }),
  };
  for (const [what, call] of Object.entries(calls)) {
    await assert.rejects(async () => await call(), {
      name: "TypeError",
      message: `Cannot ${what} in namespace "m": this client is bound to namespace "n"; use the ` +
        `client that it was made from`,
    });
  }
  assert.equal(sent.length, 0);
});

Deno.test("inNamespace(): cluster-scoped resources, and paths without a namespace, pass", async () => {
  const { client, sent } = setUp();
  const bound = inNamespace(client, "n");
  await bound.get(Namespace, "m");
  await bound.create(Namespace, { metadata: { name: "m" } });
  await bound.list(Namespace);
  await bound.delete(Namespace, "m");
  await bound.requestJson({ path: "/version" });
  await bound.requestJson({ path: "/api/v1/namespaces/m" });
  await bound.requestJson({ path: "/api/v1/namespaces/m/status" });
  assert.deepEqual(sent.map(({ path }) => path), [
    "/api/v1/namespaces/m",
    "/api/v1/namespaces",
    "/api/v1/namespaces",
    "/api/v1/namespaces/m",
    "/version",
    "/api/v1/namespaces/m",
    "/api/v1/namespaces/m/status",
  ]);
});

Deno.test("inNamespace(): two wrappers that differ refuse every namespaced call", async () => {
  const { client, sent } = setUp();
  await assert.rejects(inNamespace(inNamespace(client, "a"), "b").get(Pod, "x"), /bound to/);
  assert.equal(sent.length, 0);
});

for (const bad of ["", ".", "..", "a/b", "%2f", "A", "a b", "x".repeat(64)]) {
  Deno.test(`21 inNamespace() refuses ${JSON.stringify(bad)}`, () => {
    const { client } = setUp();
    assert.throws(() => inNamespace(client, bad), /Cannot bind a client to namespace/);
  });
}

Deno.test("withFieldOwner(): writes have the field manager, reads and deletions do not", async () => {
  const { client, sent } = setUp();
  const owned = withFieldOwner(client, "me");
  await callAll(owned, "n/a", { ...MAP, metadata: { name: "a", namespace: "n" } });
  await restClient(owned).post().namespace("n").resource("configmaps").body({}).do();
  const path = "/api/v1/namespaces/n/configmaps/a";
  await owned.requestJson({ method: "patch", path, body: {} });
  await restClient(owned).delete().namespace("n").resource("configmaps").name("a").do();
  for (const { method, search } of sent) {
    const write = ["POST", "PUT", "PATCH"].includes(method);
    assert.equal(search.includes("fieldManager=me"), write, `${method} ${search}`);
  }
});

Deno.test("withFieldOwner(): a write that names a manager keeps it", async () => {
  const { client, sent } = setUp();
  const owned = withFieldOwner(client, "me");
  await owned.create(ConfigMap, MAP, { fieldManager: "own" });
  await owned.patch(ConfigMap, "n/a", applyPatch(MAP, { fieldManager: "own" }));
  await owned.requestJson({
    method: "PUT",
    path: "/api/v1/nodes/a",
    query: { fieldManager: "own" },
  });
  await withFieldOwner(owned, "nearer").create(ConfigMap, MAP);
  assert.deepEqual(sent.map(({ search }) => search), [
    "?fieldManager=own",
    "?fieldManager=own",
    "?fieldManager=own",
    "?fieldManager=nearer",
  ]);
  for (const bad of ["", "x".repeat(129)]) {
    assert.throws(() => withFieldOwner(client, bad), /must have 1 to 128 bytes/);
  }
});

Deno.test("dryRunOnly(): every write is a dry run, whatever its options; reads are unchanged", async () => {
  const { client, sent } = setUp();
  const dry = dryRunOnly(client);
  await callAll(dry, "n/a", { ...MAP, metadata: { name: "a", namespace: "n" } });
  await dry.create(ConfigMap, MAP, { dryRun: false });
  await dry.delete(ConfigMap, "n/a", { dryRun: false, gracePeriodSeconds: 0 });
  const rest = restClient(dry).namespace("n").resource("configmaps");
  await rest.post().body({}).do();
  await rest.delete().name("a").do();
  await rest.delete().name("a").body({ gracePeriodSeconds: 0, dryRun: [] }).do();
  const path = "/api/v1/namespaces/n/configmaps/a";
  await dry.requestJson({ method: "delete", path, body: { gracePeriodSeconds: 0 } });
  await dry.requestJson({ method: "DELETE", path, body: { toJSON: () => ({ orphan: true }) } });
  await dry.requestJson({ method: "patch", path, body: {} });
  await dry.requestJson({ method: "get", path });
  for (const { method, search, body } of sent) {
    const marked = body.includes(`"dryRun":["All"]`) ||
      (search.includes("dryRun=All") && !(method === "DELETE" && body));
    assert.equal(marked, method !== "GET", `${method} ${search} ${body}`);
  }
});

Deno.test("dryRunOnly(): calls that cannot be dry runs are refused", async () => {
  const { client, sent } = setUp();
  const dry = dryRunOnly(client);
  const refused = [
    { method: "POST", path: "/api/v1/namespaces/n/pods/a/exec" },
    { path: "/api/v1/namespaces/n/pods/a/proxy/do/it" },
    { path: "/api/v1/nodes/a/proxy" },
    { method: "POST", path: "/somewhere" },
    { method: "DELETE", path: "/api/v1/namespaces/n/pods/a", body: "{}" },
    { method: "DELETE", path: "/api/v1/namespaces/n/pods/a", body: new Uint8Array(1) },
    { method: "DELETE", path: "/api/v1/namespaces/n/pods/a", body: null },
    { method: "delete", path: "/api/v1/namespaces/n/pods/a", body: "{}" },
  ];
  for (const request of refused) {
    await assert.rejects(dry.requestJson(request), /this client makes dry runs only/);
    await assert.rejects(dry.request(request), /this client makes dry runs only/);
  }
  const lossy = { method: "DELETE", path: "/api/v1/namespaces/n/pods/a" };
  await assert.rejects(
    dry.requestJson({ ...lossy, body: { gracePeriodSeconds: NaN } }),
    /Cannot DELETE \/api\/v1\/namespaces\/n\/pods\/a: .*gracePeriodSeconds.* NaN/,
  );
  await assert.rejects(
    dry.connect({ path: "/api/v1/namespaces/n/pods/a/exec", protocols: [] }),
    /this client makes dry runs only/,
  );
  assert.equal(sent.length, 0);
});

for (
  const [path, parsed] of [
    ["/version", undefined],
    ["/", undefined],
    ["/api/v1", undefined],
    ["/apis/apps/v1", undefined],
    ["/openapi/v3/apis/apps/v1", undefined],
    ["/api/v1/pods", [undefined, "pods", undefined]],
    ["/api/v1/namespaces", [undefined, "namespaces", undefined]],
    ["/api/v1/namespaces/a", [undefined, "namespaces", "a"]],
    ["/api/v1/namespaces/a/finalize", [undefined, "namespaces", "a", "finalize"]],
    ["/api/v1/namespaces/a/pods", ["a", "pods", undefined]],
    ["/api/v1/watch/namespaces/a/pods/b", ["a", "pods", "b"]],
    ["/apis/example.org/v1/watch", [undefined, "watch", undefined]],
    ["/apis/apps/v1/namespaces/a%62/deployments/x/status", ["ab", "deployments", "x", "status"]],
    ["/api/v1/nodes/a/proxy/x/y", [undefined, "nodes", "a", "proxy", "x", "y"]],
  ] as const
) {
  Deno.test(`parseApiPath(${JSON.stringify(path)})`, () => {
    const { namespace, plural, name, subresource = [] } = parseApiPath(path) ?? {};
    const given = plural === undefined ? undefined : [namespace, plural, name, ...subresource];
    assert.deepEqual(given, parsed);
  });
}
