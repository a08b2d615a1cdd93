import assert from "node:assert/strict";
import {
  type DiscoveryForm,
  type DiscoveryServer,
  discoveryServer,
  noSuchPath,
  type ServedVersion,
} from "../../../tests/client/discovery_server.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { Client } from "../typed/client.ts";
import { createClient } from "../create_client.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { type DiscoveryClient, discoveryClient } from "./discovery_client.ts";
import { dynamicClient } from "../dynamic_client.ts";
import { isForbidden } from "../errors/api_error.ts";
import { NoMatchError } from "./rest_mapping_error.ts";

const SERVED: readonly ServedVersion[] = [
  {
    group: "",
    version: "v1",
    resources: [
      { plural: "pods", kind: "Pod", singular: "pod", shortNames: ["po"], parts: ["log"] },
      { plural: "namespaces", kind: "Namespace", namespaced: false },
    ],
  },
  {
    group: "apps",
    version: "v1",
    resources: [{ plural: "deployments", kind: "Deployment", shortNames: ["deploy"] }],
  },
  { group: "apps", version: "v1beta1", resources: [{ plural: "deployments", kind: "Deployment" }] },
];
const DOWN: ServedVersion = {
  group: "metrics.k8s.io",
  version: "v1beta1",
  resources: [{ plural: "nodes", kind: "NodeMetrics" }],
  down: true,
};
const LOCKS: ServedVersion = {
  group: "example.org",
  version: "v1",
  resources: [{ plural: "locks", kind: "Lock" }],
};

interface SetUp extends Disposable {
  readonly server: DiscoveryServer;
  readonly discovery: DiscoveryClient;
  readonly client: Client;
  readonly clock: FakeClock;
}

function setUp(form: DiscoveryForm, versions: readonly ServedVersion[] = SERVED): SetUp {
  const clock = new FakeClock();
  const server = discoveryServer(form, versions);
  const client = createClient({ server: "https://a.example" }, { fetch: server.fetch, clock });
  const discovery = discoveryClient(client, { clock });
  return { server, discovery, client, clock, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

for (const form of ["v2", "v2beta1", "plain", "refuses"] as const) {
  Deno.test(`discovery of a server that knows ${form} gives groups, versions, resources, parts`, async () => {
    using test = setUp(form);
    const { groups, failures, format } = await test.discovery.resources();
    assert.equal(format, form.startsWith("v2") ? "aggregated" : "legacy");
    assert.deepEqual(failures, []);
    assert.deepEqual(
      groups.map(({ name, versions }) => [name, versions.map((each) => each.apiVersion)]),
      [["", ["v1"]], ["apps", ["apps/v1", "apps/v1beta1"]]],
    );
    assert.deepEqual(groups[1]!.versions.map(({ preferred }) => preferred), [true, false]);
    const [pods, namespaces] = groups[0]!.versions[0]!.resources;
    assert.deepEqual({ ...pods }, {
      group: "",
      version: "v1",
      kind: "Pod",
      plural: "pods",
      scope: "Namespaced",
      apiVersion: "v1",
      id: "pods.v1",
      singular: "pod",
      shortNames: ["po"],
      categories: [],
      verbs: ["get", "list"],
      subresources: [{
        name: "log",
        responseKind: { group: "", version: "v1", kind: "Pod" },
        verbs: ["get"],
      }],
    });
    assert.deepEqual([namespaces!.scope, namespaces!.singular], ["Cluster", "namespace"]);
  });

  Deno.test(`an aggregated API that is down is reported by a server that knows ${form}, the rest is found`, async () => {
    using test = setUp(form, [...SERVED, DOWN]);
    const { groups, failures } = await test.discovery.resources();
    assert.deepEqual(failures.map(({ apiVersion }) => apiVersion), ["metrics.k8s.io/v1beta1"]);
    assert.deepEqual(groups.at(-1), { name: "metrics.k8s.io", versions: [] });
    assert.equal((await test.discovery.resourceFor("deploy")).id, "deployments.v1.apps");
    // Requested once and not retried, which would delay the others.
    const asked = test.server.asked.filter((path) => path.includes("metrics"));
    assert.equal(asked.length, form.startsWith("v2") ? 0 : 1);
    const missed = test.discovery.resourceFor("nodes");
    missed.catch(() => {});
    await test.clock.advance(1_000);
    await assert.rejects(missed, (error) => {
      assert.ok(error instanceof NoMatchError);
      assert.match(error.message, /^the server doesn't have a resource type "nodes"; /);
      assert.match(error.message, /could not be discovered: metrics\.k8s\.io\/v1beta1 \(/);
      return true;
    });
  });
}

Deno.test("discovery accepts all forms at once, and requests the plain one only after a 406", async () => {
  using aggregated = setUp("v2");
  await aggregated.discovery.resources();
  assert.deepEqual(aggregated.server.asked, ["agg:/api", "agg:/apis"]);
  using refusing = setUp("refuses");
  await refusing.discovery.resources();
  assert.deepEqual(refusing.server.asked.toSorted(), [
    "/api",
    "/api/v1",
    "/apis",
    "/apis/apps/v1",
    "/apis/apps/v1beta1",
    "agg:/api",
    "agg:/apis",
  ]);
});

Deno.test("discovery accepts a server without a core group, and rejects when discovery is forbidden", async () => {
  using test = setUp("v2");
  const { fetch } = test.server;
  const answer = (status: number, at: string): Client =>
    createClient({ server: "https://a.example" }, {
      fetch: (request) =>
        new URL(request.url).pathname === at
          ? Promise.resolve(status === 404 ? noSuchPath() : new Response("no", { status }))
          : fetch(request),
    });
  using coreless = answer(404, "/api");
  const { groups } = await discoveryClient(coreless).resources();
  assert.deepEqual(groups.map(({ name }) => name), ["apps"]);
  using forbidding = answer(403, "/apis");
  await assert.rejects(discoveryClient(forbidding).resources(), isForbidden);
});

Deno.test("discovery rejects answers that are not those of an API server", async () => {
  for (const body of [{ hello: "world" }, null, [], "text"]) {
    using client = createClient({ server: "https://a.example" }, {
      fetch: () => Promise.resolve(Response.json(body)),
    });
    await assert.rejects(
      discoveryClient(client).resources(),
      (error) => error instanceof DecodeError && /not a list of API groups/.test(error.message),
    );
  }
});

Deno.test("lookups are answered from the cached answer until it is too old or invalidated", async () => {
  using test = setUp("v2");
  const { discovery, clock, server } = test;
  for (const name of ["pods", "po", "deploy", "deployments.v1beta1.apps"]) {
    await discovery.resourceFor(name);
  }
  assert.equal(server.asked.length, 2);
  await clock.advance(599_999);
  await discovery.resourceFor("pods");
  assert.equal(server.asked.length, 2);
  await clock.advance(1);
  await discovery.resourceFor("pods");
  assert.equal(server.asked.length, 4);
  discovery.invalidate();
  await discovery.resourceFor("pods");
  assert.equal(server.asked.length, 6);
});

Deno.test("concurrent first lookups share one request", async () => {
  using test = setUp("v2");
  const names = Array.from({ length: 20 }, () => "deploy");
  const found = await Promise.all(names.map((name) => test.discovery.resourceFor(name)));
  assert.ok(found.every((resource) => resource === found[0]));
  assert.equal(test.server.asked.length, 2);
});

Deno.test("a miss requests again, and finds a resource that is served since", async () => {
  using test = setUp("v2");
  const { discovery, clock, server } = test;
  await discovery.resources();
  server.versions = [...SERVED, LOCKS];
  await clock.advance(5_000);
  assert.equal((await discovery.resourceFor("locks")).id, "locks.v1.example.org");
  assert.equal(server.asked.length, 4);
});

Deno.test("a lookup that has just requested does not request again", async () => {
  using test = setUp("v2");
  await assert.rejects(test.discovery.resourceFor("locks"), NoMatchError);
  assert.equal(test.server.asked.length, 2);
});

Deno.test("misses share a request, at most one each second", async () => {
  using test = setUp("v2");
  const { discovery, clock, server } = test;
  await discovery.resources();
  const miss = (): Promise<unknown>[] =>
    Array.from(
      { length: 50 },
      () => assert.rejects(discovery.resourceFor("locks"), NoMatchError),
    );
  const first = miss();
  await clock.advance(999);
  assert.equal(server.asked.length, 2);
  await clock.advance(1);
  await Promise.all(first);
  assert.equal(server.asked.length, 4);
  const second = miss();
  const third = miss();
  server.versions = [...SERVED, LOCKS];
  const found = discovery.resourceFor("locks");
  [...second, ...third].forEach((each) => each.catch(() => {}));
  await clock.advance(1_000);
  assert.equal((await found).kind, "Lock");
  assert.equal(server.asked.length, 6);
  assert.equal(clock.pending, 0);
});

Deno.test("a miss during an older request waits for a newer one", async () => {
  using test = setUp("v2");
  const { discovery, clock, server } = test;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  server.before = () => held;
  const first = discovery.resources();
  await clock.advance(0);
  const found = discovery.resourceFor("locks");
  await clock.advance(0);
  // The server answers the earlier request with the old state.
  const old = server.versions;
  server.before = () => {
    server.versions = [...old, LOCKS];
  };
  release();
  await first;
  await clock.advance(1_000);
  assert.equal((await found).kind, "Lock");
  assert.equal(server.asked.length, 4);
});

Deno.test("an aborted lookup does not affect the others; the last one aborts the request", async () => {
  using test = setUp("v2");
  const { discovery, server, clock } = test;
  const aborts = [new AbortController(), new AbortController()];
  let release = (): void => {};
  server.before = () => new Promise<void>((resolve) => release = resolve);
  const calls = aborts.map(({ signal }) => discovery.resourceFor("pods", { signal }));
  const results = Promise.allSettled(calls);
  await clock.advance(0);
  assert.equal(server.asked.length, 2);
  aborts[0]!.abort(new Error("enough"));
  await assert.rejects(calls[0]!, /enough/);
  aborts[1]!.abort(new Error("enough, too"));
  await assert.rejects(calls[1]!, /enough, too/);
  await results;
  release();
  server.before = () => {};
  assert.equal((await discovery.resourceFor("pods")).kind, "Pod");
  assert.equal(server.asked.length, 4);
  await assert.rejects(
    discovery.resourceFor("pods", { signal: AbortSignal.abort(new Error("before")) }),
    /before/,
  );
});

Deno.test("a failed request is repeated by the next lookup", async () => {
  using test = setUp("v2");
  const { discovery, server } = test;
  server.before = () => Promise.reject(new Error("no way through"));
  await assert.rejects(discovery.resources(), /no way through/);
  server.before = () => {};
  assert.equal((await discovery.resourceFor("po")).kind, "Pod");
});

Deno.test("mappingsForKind() returns every resource of a kind, and which is preferred", async () => {
  using test = setUp("v2");
  const { discovery } = test;
  const ids = async (...args: Parameters<DiscoveryClient["mappingsForKind"]>): Promise<unknown> =>
    (await discovery.mappingsForKind(...args)).map(({ resource, preferred }) =>
      `${resource.id}${preferred ? " preferred" : ""}`
    );
  assert.deepEqual(await ids({ kind: "Deployment" }), [
    "deployments.v1.apps preferred",
    "deployments.v1beta1.apps",
  ]);
  assert.deepEqual(await ids({ kind: "Deployment", group: "apps", version: "v1beta1" }), [
    "deployments.v1beta1.apps preferred",
  ]);
  const missed = ids({ kind: "Deploymnet", group: "apps" });
  missed.catch(() => {});
  await test.clock.advance(1_000);
  await assert.rejects(missed, {
    name: "NoMatchError",
    message: `the server doesn't have a resource of kind "Deploymnet" in apps; ` +
      `did you mean "Deployment"?`,
  });
});

Deno.test("dynamicClient() finds a resource by any of its names, and calls it", async () => {
  using test = setUp("v2");
  const { client, server } = test;
  const dynamic = dynamicClient(client);
  const deployments = await dynamic.resourceFor("deploy");
  assert.deepEqual(deployments.type.id, "deployments.v1.apps");
  await dynamic.resourceFor("Deployment");
  assert.equal(server.asked.length, 2);
  await deployments.get("n/a").catch(() => {});
  assert.equal(server.asked.at(-1), "/apis/apps/v1/namespaces/n/deployments/a");
});
