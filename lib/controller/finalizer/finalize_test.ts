import assert from "node:assert/strict";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap } from "@xca/apimachinery/meta";
import { ApiError } from "../../client/errors/api_error.ts";
import {
  type Client,
  clientOfCluster,
  withCluster,
} from "../../../tests/support/in_process/helper_cluster.ts";
import { finalize } from "./finalize.ts";

const finalizer = "example.org/bucket";
const noCleanup = (): void => assert.fail("the cleanup must not run");

async function map(client: Client, finalizers?: string[]): Promise<V1ConfigMap> {
  const metadata = { name: "web", ...(finalizers && { finalizers }) };
  return await client.create(ConfigMap, { metadata });
}

Deno.test("finalize() adds the finalizer once, beside those of others", async () => {
  await withCluster(async ({ client, requests }) => {
    const made = await map(client, ["example.org/other"]);
    requests.length = 0;
    const live = await finalize({ client }, ConfigMap, made, { finalizer, cleanup: noCleanup });
    assert.deepEqual(live?.metadata.finalizers, ["example.org/other", finalizer]);
    assert.deepEqual(requests, ["PATCH /api/v1/namespaces/default/configmaps/web"]);
    assert.equal(
      await finalize({ client }, ConfigMap, live!, { finalizer, cleanup: noCleanup }),
      live,
    );
    assert.equal(requests.length, 1);
  });
});

Deno.test("finalize() works from an old version of the object, and loses no finalizer of others", async () => {
  await withCluster(async ({ client }) => {
    const old = await map(client);
    await client.update(ConfigMap, {
      ...old,
      metadata: { ...old.metadata, finalizers: ["example.org/other"] },
    });
    const live = await finalize({ client }, ConfigMap, old, { finalizer, cleanup: noCleanup });
    assert.deepEqual(live?.metadata.finalizers, ["example.org/other", finalizer]);
    await client.delete(ConfigMap, "default/web");
    const going = await client.get(ConfigMap, "default/web");
    await client.patch(ConfigMap, "default/web", {
      type: "merge",
      body: { metadata: { annotations: { changed: "meanwhile" } } },
    });
    const cleaned: unknown[] = [];
    const cleanup = ({ metadata }: V1ConfigMap): void =>
      void cleaned.push(metadata?.annotations?.["changed"]);
    assert.equal(await finalize({ client }, ConfigMap, going, { finalizer, cleanup }), undefined);
    const left = await client.get(ConfigMap, "default/web");
    assert.deepEqual(left.metadata.finalizers, ["example.org/other"]);
    assert.deepEqual(cleaned, [undefined, "meanwhile"]);
  });
});

Deno.test("F32 finalize() cleans up again what a newer version names, and not for a finalizer of others", async () => {
  await withCluster(async ({ client }) => {
    await map(client, [finalizer, "example.org/other", "example.org/third"]);
    await client.delete(ConfigMap, "default/web");
    const going = await client.get(ConfigMap, "default/web");
    const buckets = new Set(["first", "second"]);
    let cleanups = 0;
    const cleanup = async ({ data }: V1ConfigMap): Promise<void> => {
      cleanups++;
      buckets.delete(data?.["bucket"] ?? "first");
      const changes = [
        { data: { bucket: "second" } },
        { metadata: { finalizers: [finalizer, "example.org/other"] } },
      ];
      const body = changes[cleanups - 1];
      if (body) await client.patch(ConfigMap, "default/web", { type: "merge", body });
    };
    assert.equal(await finalize({ client }, ConfigMap, going, { finalizer, cleanup }), undefined);
    assert.deepEqual([[...buckets], cleanups], [[], 2]);
    const { finalizers } = (await client.get(ConfigMap, "default/web")).metadata;
    assert.deepEqual(finalizers, ["example.org/other"]);
  });
});

Deno.test("F32 finalize() adds no finalizer to an object that is being deleted, not even from an old version", async () => {
  await withCluster(async ({ client, requests }) => {
    const old = await map(client, ["example.org/other"]);
    await client.delete(ConfigMap, "default/web");
    requests.length = 0;
    assert.equal(
      await finalize({ client }, ConfigMap, old, { finalizer, cleanup: noCleanup }),
      undefined,
    );
    assert.deepEqual(requests.map((line) => line.split(" ")[0]), ["PATCH", "GET"]);
    const going = await client.get(ConfigMap, "default/web");
    requests.length = 0;
    assert.equal(
      await finalize({ client }, ConfigMap, going, { finalizer, cleanup: noCleanup }),
      undefined,
    );
    assert.deepEqual(requests, []);
  });
});

Deno.test("F32 finalize() keeps the finalizer when the cleanup fails, whatever its error", async () => {
  await withCluster(async ({ client }) => {
    await map(client, [finalizer]);
    await client.delete(ConfigMap, "default/web");
    const going = await client.get(ConfigMap, "default/web");
    for (const code of [404, 409, 500]) {
      let runs = 0;
      const cleanup = (): Promise<void> => {
        runs++;
        return Promise.reject(new ApiError({ status: { code, message: `answer ${code}` } }));
      };
      await assert.rejects(
        finalize({ client }, ConfigMap, going, { finalizer, cleanup }),
        new RegExp(`answer ${code}`),
      );
      assert.equal(runs, 1);
    }
    assert.deepEqual((await client.get(ConfigMap, "default/web")).metadata.finalizers, [finalizer]);
  });
});

Deno.test("finalize() leaves a new object of the same name alone", async () => {
  await withCluster(async ({ client }) => {
    const old = await map(client);
    await client.delete(ConfigMap, "default/web");
    await map(client);
    assert.equal(
      await finalize({ client }, ConfigMap, old, { finalizer, cleanup: noCleanup }),
      undefined,
    );
    assert.equal((await client.get(ConfigMap, "default/web")).metadata.finalizers, undefined);
    await client.delete(ConfigMap, "default/web");
    assert.equal(
      await finalize({ client }, ConfigMap, old, { finalizer, cleanup: noCleanup }),
      undefined,
    );
  });
});

Deno.test("finalize() refuses a finalizer without a domain, before it sends anything", async () => {
  await withCluster(async ({ client, requests }) => {
    const made = await map(client);
    requests.length = 0;
    for (const name of ["bucket", "Example.org/bucket", "example.org/", "example.org/a/b"]) {
      await assert.rejects(
        finalize({ client }, ConfigMap, made, { finalizer: name, cleanup: noCleanup }),
        /the finalizer must be a domain, a slash and a name, such as example.org\/cleanup, is/,
      );
    }
    assert.deepEqual(requests, []);
  });
});

Deno.test("finalize() ends with the reason of its signal when all writes conflict", async () => {
  await withCluster(async ({ server }) => {
    const conflict = { code: 409, reason: "Conflict", message: "always" };
    using client = clientOfCluster(
      server,
      (request) =>
        request.method === "PATCH" ? Response.json(conflict, { status: 409 }) : undefined,
    );
    const made = await map(client);
    const ended = new AbortController();
    const context = { client, signal: ended.signal };
    const finalizing = finalize(context, ConfigMap, made, { finalizer, cleanup: noCleanup });
    ended.abort(new Error("the run is over"));
    await assert.rejects(finalizing, /the run is over/);
  });
});
