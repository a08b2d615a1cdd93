import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { ApiServer } from "../../server.ts";
import type { ApiServerOptions } from "../../server_options.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** A server on a clock that stands still, for tests of watches. */
class Watched implements Disposable {
  readonly clock: FakeClock = new FakeClock();
  readonly #server: ApiServer;

  private constructor(server: ApiServer, clock: FakeClock) {
    this.#server = server;
    this.clock = clock;
  }

  static async start(options: ApiServerOptions = {}): Promise<Watched> {
    const clock = new FakeClock();
    return new Watched(await ApiServer.start({ clock, controllers: false, ...options }), clock);
  }

  // deno-lint-ignore no-explicit-any
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const response = await this.#server.fetch(this.#request(method, path, body));
    return await response.json();
  }

  async watch(query: string, collection = CONFIG_MAPS): Promise<Events> {
    const path = `${collection}?watch=1&${query}`;
    const response = await this.#server.fetch(this.#request("GET", path));
    assert.equal(response.status, 200);
    return new Events(response.body!);
  }

  #request(method: string, path: string, body?: unknown): Request {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { "Content-Type": type };
    return new Request(`https://server.invalid${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers }),
    });
  }

  [Symbol.dispose](): void {
    this.#server[Symbol.dispose]();
  }
}

/** A reader of the events of a watch, one by one. */
class Events {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #lines: string[] = [];

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Returns the next event of the watch, or `undefined` at the end of the stream. */
  // deno-lint-ignore no-explicit-any
  async next(): Promise<any> {
    while (this.#lines.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#lines.push(...value.split("\n").filter((line) => line !== ""));
    }
    return JSON.parse(this.#lines.shift()!);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

Deno.test("a watch ends at its timeout and leaves no timer", async () => {
  using watched = await Watched.start();
  const before = watched.clock.pending;
  const events = await watched.watch("timeoutSeconds=10&resourceVersion=0");
  watched.clock.step(9_999);
  await watched.call("POST", CONFIG_MAPS, { metadata: { name: "a" } });
  assert.equal((await events.next()).type, "ADDED");
  watched.clock.step(1);
  assert.equal(await events.next(), undefined);
  assert.equal(watched.clock.pending, before);
});

Deno.test("watches begin at the server's start, those of events at the last compaction", async () => {
  using watched = await Watched.start();
  const events = "/api/v1/namespaces/default/events";
  const early = await watched.watch("resourceVersion=1");
  assert.match((await early.next()).object.message, /^too old resource version: 1 \(\d+\)$/);
  await watched.call("POST", events, {
    metadata: { name: "a" },
    involvedObject: { namespace: "default" },
  });
  const past = await watched.watch("resourceVersion=1", events);
  assert.equal((await past.next()).object.metadata.name, "a");
  watched.clock.step(5 * 60_000);
  assert.equal((await (await watched.watch("resourceVersion=1", events)).next()).type, "ADDED");
  watched.clock.step(5 * 60_000);
  const late = await watched.watch("resourceVersion=1", events);
  const { message } = (await late.next()).object;
  assert.equal(message, "The resourceVersion for the provided watch is too old.");
});

Deno.test("a watch without a timeout lasts between 30 and 60 minutes", async () => {
  using watched = await Watched.start();
  const events = await watched.watch("");
  watched.clock.step(30 * 60_000 - 1);
  await watched.call("POST", CONFIG_MAPS, { metadata: { name: "a" } });
  assert.equal((await events.next()).type, "ADDED");
  watched.clock.step(30 * 60_000 + 1);
  assert.equal(await events.next(), undefined);
});

Deno.test("bookmarks are sent every minute and shortly before the end", async () => {
  using watched = await Watched.start();
  const events = await watched.watch("allowWatchBookmarks=true&timeoutSeconds=100");
  const initial = await events.next();
  assert.equal(initial.object.metadata.annotations["k8s.io/initial-events-end"], "true");
  const { metadata } = await watched.call("POST", "/api/v1/namespaces", {
    metadata: { name: "elsewhere" },
  });
  watched.clock.step(60_000);
  const bookmark = await events.next();
  assert.equal(bookmark.type, "BOOKMARK");
  assert.equal(bookmark.object.metadata.resourceVersion, metadata.resourceVersion);
  assert.equal(bookmark.object.metadata.annotations, undefined);
  watched.clock.step(38_000);
  assert.equal((await events.next()).type, "BOOKMARK");
  watched.clock.step(2_000);
  assert.equal(await events.next(), undefined);
});

Deno.test("history older than ten minutes is compacted", async () => {
  using watched = await Watched.start();
  const { metadata } = await watched.call("POST", CONFIG_MAPS, { metadata: { name: "a" } });
  await watched.call("POST", CONFIG_MAPS, { metadata: { name: "b" } });
  const from = `resourceVersion=${metadata.resourceVersion}`;
  watched.clock.step(5 * 60_000);
  const early = await watched.watch(from);
  assert.equal((await early.next()).object.metadata.name, "b");
  await early.cancel();
  watched.clock.step(5 * 60_000);
  const late = await watched.watch(from);
  const error = await late.next();
  assert.equal(error.type, "ERROR");
  assert.equal(error.object.code, 410);
  assert.equal(await late.next(), undefined);
});

Deno.test("a watch whose reader disconnects leaves no timer", async () => {
  using watched = await Watched.start();
  const before = watched.clock.pending;
  const events = await watched.watch("allowWatchBookmarks=true");
  await events.cancel();
  assert.equal(watched.clock.pending, before);
});

Deno.test("watchers of one format receive the same frames in the order of writes", async () => {
  using watched = await Watched.start();
  const all = await Promise.all(Array.from({ length: 20 }, () => watched.watch("")));
  for (let number = 0; number < 10; number++) {
    await watched.call("POST", CONFIG_MAPS, { metadata: { name: `a${number}` } });
  }
  for (const events of all) {
    for (let number = 0; number < 10; number++) {
      assert.equal((await events.next()).object.metadata.name, `a${number}`);
    }
    await events.cancel();
  }
});

Deno.test("the first table event has the columns, even if more events were queued before the first read", async () => {
  using server = await ApiServer.start({ controllers: false });
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    };
    return await server.fetch(
      new Request(`https://server.invalid${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  };
  const create = async (name: string) =>
    await (await call("POST", CONFIG_MAPS, { metadata: { name } })).body!.cancel();
  await create("a");
  const { metadata } = await (await call("GET", CONFIG_MAPS)).json();
  const since = Number(metadata.resourceVersion);
  for (let i = 0; i < 70; i++) await create(`b${i}`);
  for (const query of [`resourceVersion=${since}`, "resourceVersion=0"]) {
    const { body } = await call("GET", `${CONFIG_MAPS}?watch=1&${query}`);
    const events = new Events(body!);
    await create(`late-${query.at(-1)}`);
    const columns: boolean[] = [];
    for (let i = 0; i < 71; i++) {
      columns.push(Boolean((await events.next()).object.columnDefinitions));
    }
    assert.deepEqual(columns, columns.map((_, index) => index === 0));
    await events.cancel();
  }
});

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

// deno-lint-ignore no-explicit-any
type Json = any;

/** Returns the path of the objects of {@linkcode fooDefinition} in a version. */
const foosIn = (version: string): string => `/apis/example.com/${version}/namespaces/default/foos`;

/** A definition of the kind Foo, stored in v1, whose versions have a selectable field in `spec`. */
function fooDefinition(fields: Readonly<Record<string, object>>, conversion?: object): Json {
  return {
    metadata: { name: "foos.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "foos", kind: "Foo" },
      conversion,
      versions: Object.entries(fields).map(([field, schema], index) => ({
        name: `v${index + 1}`,
        served: true,
        storage: index === 0,
        selectableFields: [{ jsonPath: `.spec.${field}` }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { [field]: schema } } },
          },
        },
      })),
    },
  };
}

/** Starts a server that serves a definition. */
async function serving(definition: Json, options?: ApiServerOptions): Promise<Watched> {
  const watched = await Watched.start({ controllers: true, ...options });
  await watched.call("POST", DEFINITIONS, definition);
  await settled();
  return watched;
}

/** Waits for everything that needs no timer. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const foo = (spec: object, name = "a"): object => ({
  apiVersion: "example.com/v1",
  kind: "Foo",
  metadata: { name },
  spec,
});

/** A conversion webhook for Foos, which have `spec.color` in v1 and `spec.shade` in v2. */
const callWebhook: ApiServerOptions["callWebhook"] = ({ review }) => {
  const { request, ...rest } = review as Json;
  const convertedObjects = structuredClone(request.objects);
  for (const object of convertedObjects) {
    object.apiVersion = request.desiredAPIVersion;
    object.spec = { shade: object.spec.color };
  }
  const result = { status: "Success" };
  return Promise.resolve({ ...rest, response: { uid: request.uid, result, convertedObjects } });
};

Deno.test("a watch selects by the fields of its own version, which a webhook converts to", async () => {
  const webhook = {
    clientConfig: { url: "https://webhook.invalid" },
    conversionReviewVersions: ["v1"],
  };
  const text = { type: "string" };
  const definition = fooDefinition({ color: text, shade: text }, { strategy: "Webhook", webhook });
  using watched = await serving(definition, { callWebhook });
  await watched.call("POST", foosIn("v1"), foo({ color: "red" }, "other"));
  const { metadata } = await watched.call("POST", foosIn("v1"), foo({ color: "blue" }));
  const query = "fieldSelector=spec.shade=blue";
  const now = await watched.watch(query, foosIn("v2"));
  const since = `${query}&resourceVersion=${metadata.resourceVersion - 1}`;
  const later = await watched.watch(since, foosIn("v2"));
  await watched.call("PATCH", `${foosIn("v1")}/a`, foo({ color: "red" }));
  await watched.call("PATCH", `${foosIn("v1")}/other`, foo({ color: "blue" }, "other"));
  for (const events of [now, later]) {
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const { type, object } = await events.next();
      seen.push([type, object.metadata.name, object.spec]);
    }
    const spec = { shade: "blue" };
    assert.deepEqual(seen, [["ADDED", "a", spec], ["DELETED", "a", spec], [
      "ADDED",
      "other",
      spec,
    ]]);
    await events.cancel();
  }
});

Deno.test("a watch selects by a default that was added after the object was stored", async () => {
  using watched = await serving(fooDefinition({ color: { type: "string" } }));
  const { metadata } = await watched.call("POST", foosIn("v1"), foo({}));
  await watched.call(
    "PATCH",
    `${DEFINITIONS}/foos.example.com`,
    fooDefinition({ color: { type: "string", default: "blue" } }),
  );
  await settled();
  const since = `resourceVersion=${metadata.resourceVersion - 1}`;
  for (const begin of ["", since]) {
    const events = await watched.watch(`fieldSelector=spec.color=blue&${begin}`, foosIn("v1"));
    assert.equal((await events.next()).object.spec.color, "blue");
    await events.cancel();
  }
});

Deno.test("a watch ends at an object that cannot be converted, and the write succeeds", async () => {
  const any = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const embedded = { ...any, "x-kubernetes-embedded-resource": true };
  const definition = fooDefinition({ a: any, b: embedded });
  definition.spec.versions[1].schema.openAPIV3Schema.properties.spec.properties.a = embedded;
  for (const version of definition.spec.versions) delete version.selectableFields;
  using watched = await serving(definition);
  const spec = { a: { apiVersion: "v1", kind: "Any", metadata: { labels: 1 } } };
  for (const [name, query] of [["a", ""], ["b", "labelSelector=!x"]] as const) {
    const { metadata } = await watched.call("GET", foosIn("v1"));
    const before = watched.clock.pending;
    const since = `${query}&resourceVersion=${metadata.resourceVersion}`;
    const events = await watched.watch(since, foosIn("v2"));
    assert.equal((await watched.call("POST", foosIn("v1"), foo(spec, name))).kind, "Foo");
    assert.equal(await events.next(), undefined);
    assert.equal(await (await watched.watch(query, foosIn("v2"))).next(), undefined);
    assert.equal(watched.clock.pending, before);
  }
});
