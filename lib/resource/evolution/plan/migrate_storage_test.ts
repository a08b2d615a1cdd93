import assert from "node:assert/strict";
import { CustomResourceDefinition, type KubeObject, resourceType } from "@xca/apimachinery/meta";
import { ApiError, type Client, mergePatch, UnreachableError } from "../../../client/mod.ts";
import { ApiServer, clientOf } from "../../../testing/mod.ts";
import { migrateStorage } from "./migrate_storage.ts";

const NAME = "locks.example.org";
const version = (name: string, storage: boolean): string =>
  `{ name: ${name}, served: true, storage: ${storage}, schema: { openAPIV3Schema: { type: object } } }`;
const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${NAME} }
spec:
  group: example.org
  scope: Namespaced
  names: { plural: locks, kind: Lock }
  versions: [${version("v1", true)}, ${version("v2", false)}]
`;
const Lock = resourceType({ group: "example.org", version: "v1", kind: "Lock", plural: "locks" });

/** Creates two objects that are stored as v1, and makes v2 the storage version. */
async function storeOld(client: Client): Promise<void> {
  for (const name of ["a", "b"]) {
    await client.create(Lock, { metadata: { name, namespace: "default" } } as KubeObject);
  }
  const { spec } = await client.get(CustomResourceDefinition, NAME);
  const versions = spec.versions.map((each) => ({ ...each, storage: each.name === "v2" }));
  await client.patch(CustomResourceDefinition, NAME, mergePatch({ spec: { versions } } as never));
}

async function storedVersions(client: Client): Promise<readonly string[] | undefined> {
  return (await client.get(CustomResourceDefinition, NAME)).status?.storedVersions;
}

Deno.test("a migration ends with an error when the server cannot be reached, and refuses no object", async () => {
  await using server = await ApiServer.start();
  await server.seed(CRD);
  using admin = clientOf(server);
  await storeOld(admin);
  const lost = new UnreachableError("the connection was lost", {
    server: "https://a.example",
    mayPass: false,
  });
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (request.method === "PATCH" && request.url.includes("/locks/b")) throw lost;
      return await fetch(request);
    },
  });
  await assert.rejects(migrateStorage(client, NAME), UnreachableError);
  assert.deepEqual(await storedVersions(admin), ["v1", "v2"]);
});

for (const status of [502, 503, 504]) {
  Deno.test(`a migration ends with the error when a proxy answers ${status}, and refuses no object`, async () => {
    await using server = await ApiServer.start();
    await server.seed(CRD);
    using admin = clientOf(server);
    await storeOld(admin);
    using client = clientOf(server, {
      through: (fetch) => async (request) =>
        request.method === "PATCH" && request.url.includes("/locks/b")
          ? new Response("<html>no upstream</html>", { status })
          : await fetch(request),
    });
    await assert.rejects(
      migrateStorage(client, NAME),
      (error) => error instanceof ApiError && error.code === status,
    );
    assert.deepEqual(await storedVersions(admin), ["v1", "v2"]);
  });
}

Deno.test("an object that the server refuses is reported, and the others are written", async () => {
  await using server = await ApiServer.start();
  await server.seed(CRD);
  using admin = clientOf(server);
  await storeOld(admin);
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (request.method !== "PATCH" || !request.url.includes("/locks/b")) {
        return await fetch(request);
      }
      const status = { kind: "Status", apiVersion: "v1", status: "Failure", code: 422 };
      return Response.json({ ...status, reason: "Invalid", message: "out of range" }, {
        status: 422,
      });
    },
  });
  const { written, refused } = await migrateStorage(client, NAME);
  assert.deepEqual([written, refused.map(({ object }) => object)], [1, ["default/b"]]);
  assert.match(refused[0]!.reason, /out of range/);
  assert.deepEqual(await storedVersions(admin), ["v1", "v2"]);
  assert.equal((await migrateStorage(admin, NAME)).written, 2);
  assert.deepEqual(await storedVersions(admin), ["v2"]);
});
