import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ApiServer } from "../../server.ts";
import type { ApiServerOptions } from "../../server_options.ts";

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

async function serverWithFoos(options?: ApiServerOptions): Promise<ApiServer> {
  const server = await ApiServer.start(options);
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

Deno.test("a webhook that refuses deletions does not hold back a deleted definition", async () => {
  const callWebhook = (): Promise<never> => Promise.reject(new Error("unreachable"));
  using server = await serverWithFoos({ callWebhook });
  await send(server, "POST", FOOS, foo("a"));
  const hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const created = await send(server, "POST", hooks, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "foos" },
    webhooks: [{
      name: "foos.example.com",
      clientConfig: { url: "https://hooks.example.com" },
      rules: [{
        apiGroups: ["example.com"],
        apiVersions: ["v1"],
        resources: ["foos"],
        operations: ["DELETE"],
      }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    }],
  });
  assert.equal(created.status, 201, await created.text());
  assert.equal((await send(server, "DELETE", `${FOOS}/a`)).status, 500);
  await send(server, "DELETE", `${DEFINITIONS}/foos.example.com`);
  await settled();
  assert.equal((await send(server, "GET", `${DEFINITIONS}/foos.example.com`)).status, 404);
});

Deno.test("the deletion of a definition's objects that fails is retried", async () => {
  const clock = new FakeClock();
  let isDown = true;
  using server = await serverWithFoos({
    clock,
    callWebhook: ({ review }) => {
      const { request } = review as {
        readonly request: { readonly uid: string; readonly objects: readonly ApiObject[] };
      };
      if (isDown && request.objects.some(({ metadata }) => metadata.name === "a")) {
        return Promise.reject(new Error("unreachable"));
      }
      return Promise.resolve({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        response: {
          uid: request.uid,
          result: { status: "Success" },
          convertedObjects: request.objects.map((each) => ({
            ...each,
            apiVersion: "example.com/v2",
          })),
        },
      });
    },
  });
  await send(server, "POST", FOOS, foo("a"));
  await send(server, "POST", FOOS, foo("b"));
  const path = `${DEFINITIONS}/foos.example.com`;
  const definition = await (await send(server, "GET", path)).json();
  const [v1] = definition.spec.versions;
  definition.spec.versions = [{ ...v1, storage: false }, { ...v1, name: "v2" }];
  definition.spec.conversion = {
    strategy: "Webhook",
    webhook: {
      clientConfig: { url: "https://hooks.example.com" },
      conversionReviewVersions: ["v1"],
    },
  };
  const updated = await send(server, "PUT", path, definition);
  assert.equal(updated.status, 200, await updated.text());
  await send(server, "DELETE", path);
  await settled();
  const status = async (name: string): Promise<number> => {
    const response = await send(server, "GET", `${FOOS.replace("v1", "v2")}/${name}`);
    await response.text();
    return response.status;
  };
  assert.equal(await status("a"), 500);
  assert.equal(await status("b"), 404);
  isDown = false;
  clock.step(1000);
  await settled();
  assert.equal((await send(server, "GET", path)).status, 404);
});
