import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { ResourceTable } from "../../resources/resource_table.ts";
import { RevisionLog } from "../../storage/revision_log.ts";
import { ObjectRegistry } from "./object_registry.ts";

Deno.test("ObjectRegistry.update() of a missing object is refused with 404, also for kinds that PUT creates", async () => {
  const registry = new ObjectRegistry({
    log: new RevisionLog(),
    resources: ResourceTable.builtin(),
    clock: new FakeClock(),
    random: seededRandom(1),
    admission: [],
    serviceCidr: "10.0.0.0/24",
    nodePorts: { first: 30_000, last: 30_100 },
    signal: new AbortController().signal,
  });
  const address = {
    group: "rbac.authorization.k8s.io",
    resource: "clusterroles",
    namespace: "",
    name: "view",
  };
  await assert.rejects(
    registry.update(address, (current) => current),
    (error) => error instanceof StatusError && error.code === 404,
  );
});
