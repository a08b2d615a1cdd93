import assert from "node:assert/strict";
import {
  type Client,
  createClient,
  createTransport,
  type Fetch,
  isNotFound,
  mergePatch,
} from "@xca/operator/client";
import { Deployment, type UnstructuredObject } from "@xca/operator/meta";
import { planeSuite } from "../tests/real/suite.ts";
import { manageDeployment } from "./05_deployment.ts";

const KEY = "default/demo-deployment";

interface Spec {
  replicas: number;
  template: { spec: { containers: { image: string }[] } };
}

function facts(object: UnstructuredObject): [number, string] {
  const spec = object["spec"] as Spec;
  return [spec.replicas, spec.template.spec.containers[0]!.image];
}

/**
 * Returns a fetch function with which another client writes after each of the first `times` reads
 * of the Deployment.
 */
function contended(network: Fetch, other: Client, times: number): Fetch {
  return async (request) => {
    const response = await network(request);
    if (request.method === "GET" && request.url.endsWith("/demo-deployment") && times-- > 0) {
      await other.patch(
        Deployment,
        KEY,
        mergePatch({ metadata: { annotations: { left: `${times}` } } }),
      );
    }
    return response;
  };
}

const suite = planeSuite();

suite.test("example 05: creates, updates, lists and deletes a Deployment", async (plane) => {
  using client = createClient(plane.config);
  const lines: string[] = [];
  const seen: Record<string, [number, string]> = {};
  await manageDeployment(client, {
    namespace: "default",
    print: (line) => lines.push(line),
    pause: async (next) => {
      seen[next] = facts(await client.get(Deployment, KEY));
    },
  });
  assert.deepEqual(seen, {
    update: [2, "nginx:1.12"],
    list: [1, "nginx:1.13"],
    delete: [1, "nginx:1.13"],
  });
  assert.deepEqual(lines, [
    "Creating deployment...",
    "Created deployment demo-deployment.",
    "Updating deployment...",
    "Updated deployment...",
    "Listing deployments in namespace default:",
    " * demo-deployment (1 replicas)",
    "Deleting deployment...",
    "Deleted deployment.",
  ]);
  await release(client);
});

suite.test("example 05: writes of somebody else between read and write are kept", async (plane) => {
  using other = createClient(plane.config);
  using transport = createTransport(plane.config);
  let conflicts = 0;
  const network = contended(transport.fetch, other, 3);
  using client = createClient(plane.config, {
    fetch: async (request) => {
      const response = await network(request);
      if (response.status === 409) conflicts++;
      return response;
    },
  });
  await manageDeployment(client, {
    namespace: "default",
    print: () => {},
    pause: async (next) => {
      if (next !== "list") return;
      const updated = await other.get(Deployment, KEY);
      assert.deepEqual(facts(updated), [1, "nginx:1.13"]);
      assert.equal(updated.metadata.annotations?.["left"], "0");
    },
  });
  assert.equal(conflicts, 3);
  await release(other);
});

for (const step of ["update", "delete"]) {
  suite.test(`example 05: another Deployment that takes the name before the ${step} is left alone`, async (plane) => {
    using client = createClient(plane.config);
    let other: UnstructuredObject | undefined;
    const managed = manageDeployment(client, {
      namespace: "default",
      print: () => {},
      pause: async (next) => {
        if (next !== step) return;
        const { spec } = await client.get(Deployment, KEY);
        await client.delete(Deployment, KEY, { propagationPolicy: "Background" });
        const metadata = { name: "demo-deployment", namespace: "default" };
        other = await client.create(Deployment, { metadata, spec }) as UnstructuredObject;
      },
    });
    await assert.rejects(managed);
    const { metadata } = await client.get(Deployment, KEY);
    assert.deepEqual(
      [metadata.uid, metadata.resourceVersion, metadata.deletionTimestamp],
      [other?.metadata.uid, other?.metadata.resourceVersion, undefined],
    );
    await client.delete(Deployment, KEY, { propagationPolicy: "Background" });
  });
}

/** Removes the finalizer of foreground deletion, since no garbage collector runs here. */
async function release(client: Client): Promise<void> {
  const deleted = await client.get(Deployment, KEY);
  assert.deepEqual(deleted.metadata.finalizers, ["foregroundDeletion"]);
  await client.patch(Deployment, KEY, { type: "merge", body: { metadata: { finalizers: null } } });
  await assert.rejects(client.get(Deployment, KEY), isNotFound);
}
