/**
 * Tests of a manager over the network: a kind that is installed, removed and installed again, and
 * the rights of the user.
 */
import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/mod.ts";
import { controllerFor, defineOperator } from "../../../lib/controller/mod.ts";
import { createManager } from "../../../lib/manager/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
  resourceType,
} from "../../../lib/apimachinery/meta/mod.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

const Gadget = resourceType({
  group: "manager.example.org",
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
});

const definition = {
  metadata: { name: "gadgets.manager.example.org" },
  spec: {
    group: "manager.example.org",
    names: { kind: "Gadget", plural: "gadgets", singular: "gadget", listKind: "GadgetList" },
    scope: "Namespaced" as const,
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }],
  },
};

suite.test("F30 in a manager a kind that is removed and installed again recovers, and other kinds work", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "manager-kinds";
  await client.create(Namespace, { metadata: { name: namespace } });
  const keys: string[] = [];
  const note = ({ key }: { key: string }): void => void keys.push(key);
  const manager = createManager({ client, namespaces: [namespace] });
  manager.add(defineOperator({
    name: "both",
    controllers: [controllerFor(Gadget).reconcile(note), controllerFor(ConfigMap).reconcile(note)],
  }));
  const running = manager.start();
  await running.ready;
  const condition = (): string | undefined =>
    manager.health.caches.find(({ type }) => type === Gadget.id)?.condition;
  await until(() => condition() === "missing", "the kind is reported as missing");
  const create = (name: string): Promise<boolean> =>
    client.create(Gadget, { metadata: { namespace, name } }).then(() => true, () => false);
  const works = async (name: string): Promise<void> => {
    await client.create(ConfigMap, { metadata: { namespace, name } });
    await until(() => keys.includes(`${namespace}/${name}`), "another kind works");
  };
  await works("first-map");

  await client.create(CustomResourceDefinition, definition);
  await until(() => create("first"), "the kind is served");
  await until(() => keys.includes(`${namespace}/first`), "an object of the new kind is reconciled");

  await client.delete(CustomResourceDefinition, definition.metadata.name);
  await until(() => condition() === "missing", "the kind is reported as removed");
  assert.equal(manager.health.ready, false);
  await works("second-map");

  const install = (): Promise<boolean> =>
    client.create(CustomResourceDefinition, definition).then(() => true, () => false);
  await until(install, "the definition is installed again");
  await until(() => create("second"), "the kind is served again");
  await until(() => keys.includes(`${namespace}/second`), "an object is reconciled again");
  assert.equal(condition(), "synced");
  await running.stop();
});

suite.test("a manager whose user lacks rights names them, and those of its election", async (plane) => {
  const nobody = await plane.addUser("manager-nobody", []);
  using client = createClient(nobody.config);
  const manager = createManager({ client });
  manager.add(defineOperator({
    name: "counter",
    controllers: [controllerFor(ConfigMap).reconcile(() => {})],
  }));
  await assert.rejects(manager.run(), {
    message:
      "Cannot set up counter: the user of this client may not list and watch configmaps; grant " +
      'that by a ClusterRole with {"apiGroups":[""],"resources":["configmaps"],"verbs":["list","watch"]}',
  });
  const elected = createManager({ client, name: "web", leaderElection: { namespace: "default" } });
  await assert.rejects(elected.run(), {
    message: "Cannot set up the leader election: the user of this client may not create " +
      "leases.coordination.k8s.io in namespace default, nor get and update " +
      "leases.coordination.k8s.io named web in namespace default; grant that by a Role with " +
      '{"apiGroups":["coordination.k8s.io"],"resources":["leases"],"verbs":["create"]}, ' +
      '{"apiGroups":["coordination.k8s.io"],"resources":["leases"],"resourceNames":["web"],' +
      '"verbs":["get","update"]}',
  });
});
