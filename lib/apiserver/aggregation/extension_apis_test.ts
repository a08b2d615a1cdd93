import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { API } from "./api_service_fakes_test.ts";
import { ExtensionApis } from "./extension_apis.ts";

/** Extension APIs with one APIService, whose server sends the given response. */
class AnsweredApis extends ExtensionApis {
  readonly #response: Response;

  constructor(response: Response) {
    super({ get: () => undefined, list: () => [API] as never }, new FakeClock());
    this.#response = response;
  }

  override answer(): Promise<Response> {
    return Promise.resolve(this.#response);
  }
}

async function versionShownFor(response: Response): Promise<unknown> {
  const { signal } = new AbortController();
  const items = await new AnsweredApis(response).items(signal);
  return (items[0] as unknown as { readonly versions: readonly unknown[] }).versions[0];
}

Deno.test("a version of an extension API is current only with a successful discovery", async () => {
  const resources = [{ name: "things", kind: "Thing", namespaced: true, verbs: ["get"] }];
  const list = { kind: "APIResourceList", apiVersion: "v1", groupVersion: "ext/v1", resources };
  const shown = await versionShownFor(Response.json(list)) as {
    readonly resources: readonly { readonly resource: string }[];
  };
  assert.deepEqual(shown.resources.map(({ resource }) => resource), ["things"]);
  const stale = { version: "v1", freshness: "Stale" };
  for (
    const response of [
      Response.json({ kind: "Status", code: 403 }, { status: 403 }),
      Response.json(list, { status: 500 }),
      Response.json(list, { status: 201 }),
      Response.json({ kind: "Status", status: "Failure" }),
      new Response("no JSON"),
    ]
  ) assert.deepEqual(await versionShownFor(response), stale);
});

Deno.test("the discovery of a server that never responds ends after five seconds, or with the client's request", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const clock = new FakeClock();
  const service = { spec: { clusterIP: "10.0.0.1", ports: [{ port: 443 }] } };
  const apis = new ExtensionApis({
    get: (_group, resource) => (resource === "services" ? service : API) as never,
    list: () => [API] as never,
    reach: () => ({ host: "127.0.0.1", port }),
  }, clock);
  const client = new AbortController();
  for (const end of [() => clock.advance(5000), () => client.abort()]) {
    const accepted = listener.accept();
    const items = apis.items(client.signal);
    using _connection = await accepted;
    await end();
    const versions = [{ version: "v1", freshness: "Stale" }];
    assert.deepEqual(await items, [{
      metadata: { name: "ext.example.org" },
      versions,
    }]);
    assert.equal(clock.pending, 0);
  }
});

Deno.test("groups and versions of extension APIs are listed by the priorities of their APIServices", () => {
  const api = (version: string, group: string, priority: number, versionPriority: number) => ({
    spec: { ...API.spec, group, version, groupPriorityMinimum: priority, versionPriority },
  });
  const list = () => [
    { spec: { ...API.spec, group: "local", service: undefined } },
    api("v1", "low", 100, 10),
    api("v1beta1", "low", 100, 10),
    api("v2", "low", 100, 10),
    api("v3", "low", 100, 5),
    api("v1", "high", 200, 10),
  ];
  const apis = new ExtensionApis({ get: () => undefined, list: list as never }, new FakeClock());
  const found = apis.groups() as { name: string; versions: { groupVersion: string }[] }[];
  assert.deepEqual(
    found.map(({ versions }) => versions.map(({ groupVersion }) => groupVersion)),
    [["high/v1"], ["low/v2", "low/v1", "low/v1beta1", "low/v3"]],
  );
});

Deno.test("a group of this server and of others is listed once, with the versions of both", () => {
  const api = (version: string, versionPriority: number) => ({
    spec: { ...API.spec, group: "mixed", version, versionPriority },
  });
  const local = { spec: { ...API.spec, group: "mixed", version: "v1", service: undefined } };
  const list = () => [api("v2", 5), api("v3", 15), local];
  const apis = new ExtensionApis({ get: () => undefined, list: list as never }, new FakeClock());
  const version = (name: string) => ({ groupVersion: `mixed/${name}`, version: name });
  const own = { name: "mixed", versions: [version("v1")], preferredVersion: version("v1") };
  const items = ["v3", "v2"].map((name) => ({ version: name, freshness: "Stale" }));
  const current = { version: "v1", freshness: "Current" };
  const [v1, v2, v3] = ["v1", "v2", "v3"].map(version);
  assert.deepEqual(apis.inserted([own], apis.groups()), [
    { name: "mixed", versions: [v3, v2, v1], preferredVersion: v3 },
  ]);
  assert.deepEqual(
    apis.inserted(
      [{ metadata: { name: "mixed" }, versions: [current] }],
      [{ metadata: { name: "mixed" }, versions: items }],
    ),
    [{ metadata: { name: "mixed" }, versions: [items[0]!, items[1]!, current] }],
  );
});
