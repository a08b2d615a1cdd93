import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { controllerFor } from "../controller/definition/controller_builder.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { rbacManifests } from "../rbac/manifests/rbac_manifests.ts";
import { clientOf } from "../testing/embedded_client.ts";
import { createManager } from "./manager.ts";

Deno.test("the Role of an election is for the Lease that a manager with the same options uses", async () => {
  using server = await ApiServer.start({ controllers: false });
  using client = clientOf(server);
  const operator = defineOperator({
    name: "copier",
    controllers: [controllerFor(ConfigMap).reconcile(() => {})],
  });
  const expected = { manager: {}, fleet: { name: "fleet" } } as const;
  for (const [lease, options] of Object.entries(expected)) {
    for (const own of [undefined, "own"]) {
      const setup = { ...options, leaderElection: { namespace: "ops", name: own } };
      const { elector } = createManager({ client, ...setup });
      assert.equal(elector?.lease, `ops/${own ?? lease}`);
      const granted = rbacManifests(operator, { ...setup, namespace: "ops" })
        .flatMap(({ rules = [] }) => rules.flatMap(({ resourceNames = [] }) => resourceNames));
      assert.deepEqual(granted, [own ?? lease]);
    }
  }
});
