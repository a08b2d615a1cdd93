import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const FOOS = "/apis/example.com/v1/namespaces/default/foos";

async function send(
  server: ApiServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return await server.fetch(
    new Request(`https://embedded.invalid${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

/** Waits for everything that needs no timer. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function serverWithFoos(): Promise<ApiServer> {
  const server = await ApiServer.start();
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const created = await send(server, "POST", DEFINITIONS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "foos.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "foos", kind: "Foo" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
      }],
    },
  });
  assert.equal(created.status, 201, await created.text());
  await settled();
  return server;
}

function foo(name: string, finalizers: string[] = []): unknown {
  return { apiVersion: "example.com/v1", kind: "Foo", metadata: { name, finalizers } };
}

Deno.test("a kind is served once its definition is created", async () => {
  using server = await serverWithFoos();
  assert.equal((await send(server, "POST", FOOS, foo("a"))).status, 201);
});

Deno.test("a watch reports the deletion of a deleted definition's objects, and ends", async () => {
  using server = await serverWithFoos();
  await send(server, "POST", FOOS, foo("a"));
  const watch = await send(server, "GET", `${FOOS}?watch=1`);
  await send(server, "DELETE", `${DEFINITIONS}/foos.example.com`);
  const events = (await watch.text()).trim().split("\n").map((line) => JSON.parse(line).type);
  assert.deepEqual(events, ["ADDED", "DELETED"]);
  assert.equal((await send(server, "GET", `${DEFINITIONS}/foos.example.com`)).status, 404);
  assert.equal((await send(server, "GET", FOOS)).status, 404);
});

Deno.test("a definition is removed with the last finalizer of its objects", async () => {
  using server = await serverWithFoos();
  await send(server, "POST", FOOS, foo("a", ["example.com/hold"]));
  await send(server, "DELETE", `${DEFINITIONS}/foos.example.com`);
  await settled();
  const read = await send(server, "GET", `${FOOS}/a`);
  const object = await read.json();
  assert(object.metadata.deletionTimestamp);
  delete object.metadata.finalizers;
  await send(server, "PUT", `${FOOS}/a`, object);
  await settled();
  assert.equal((await send(server, "GET", `${DEFINITIONS}/foos.example.com`)).status, 404);
});

Deno.test("a new definition does not cause others to be parsed again", async () => {
  using server = await ApiServer.start();
  const create = (index: number): Promise<Response> =>
    send(server, "POST", DEFINITIONS, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `kind${index}s.example.com` },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: `kind${index}s`, kind: `Kind${index}` },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      },
    });
  const { parse } = JSON;
  /** Returns the number of CustomResourceDefinitions that are parsed to serve one more. */
  const parsedFor = async (index: number): Promise<number> => {
    let parsed = 0;
    JSON.parse = (text, reviver) => {
      const value = parse(text, reviver);
      if (value?.kind === "CustomResourceDefinition") parsed++;
      return value;
    };
    try {
      assert.equal((await create(index)).status, 201);
      await settled();
    } finally {
      JSON.parse = parse;
    }
    return parsed;
  };
  const first = await parsedFor(0);
  for (let index = 1; index < 20; index++) await create(index);
  await settled();
  assert.equal(await parsedFor(20), first);
});
