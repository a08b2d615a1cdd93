import assert from "node:assert/strict";
import { isConditionTrue } from "@xca/apimachinery/meta";
import { type Client, controllerFor, CustomResourceDefinition, defineOperator } from "../../mod.ts";
import { ApiServer, clientOf, expectObject } from "../testing/mod.ts";
import { defineResource, type InputOf, ResourceDefinitionError, s, type StoredOf } from "./mod.ts";

const Lock = defineResource({
  group: "example.org",
  version: "v1",
  kind: "Lock",
  shortNames: ["lk"],
  spec: s.object({ holder: s.string(), seconds: s.integer({ default: 30 }) }),
  status: s.object({ expires: s.dateTime() }),
});
type Lock = StoredOf<typeof Lock>;

/** Defined once per compilation: the assignments fail to compile when the inferred types are wrong. */
function _typesOfLock(lock: Lock, input: InputOf<typeof Lock>): void {
  const seconds: number = lock.spec.seconds;
  const optional: number | undefined = input.spec.seconds;
  const expires: string | undefined = lock.status?.expires;
  // @ts-expect-error -- the input may lack a field with a default
  const required: number = input.spec.seconds;
  void [seconds, optional, expires, required];
}

/** Compiled only: a defined resource and its input are what the calls of a client take. */
async function _typesOfCalls(client: Client): Promise<void> {
  const made = await client.create(Lock, { metadata: { name: "a" }, spec: { holder: "me" } });
  const seconds: number = made.spec.seconds;
  const read: Lock = await client.get(Lock, "default/a");
  // @ts-expect-error -- a field of the wrong type
  await client.create(Lock, { metadata: { name: "a" }, spec: { holder: 1 } });
  // @ts-expect-error -- a required field is missing
  await client.create(Lock, { metadata: { name: "a" }, spec: {} });
  void [seconds, read];
}

Deno.test("a defined resource is a resource type with its definition", async () => {
  assert.equal(Lock.id, "locks.v1.example.org");
  assert.equal(Lock.crd.metadata.name, "locks.example.org");
  using server = await ApiServer.start();
  await server.seed([Lock.crd]);
  await expectObject(
    server,
    CustomResourceDefinition,
    "locks.example.org",
    ({ status }) => isConditionTrue(status?.conditions, "Established"),
  );
  using client = clientOf(server);
  const lock = await client.create(Lock, { metadata: { name: "a" }, spec: { holder: "me" } });
  assert.deepEqual(lock.spec, { holder: "me", seconds: 30 });
  const status = { expires: "2026-01-31T12:00:00Z" };
  assert.deepEqual((await client.updateStatus(Lock, { ...lock, status })).status, status);
});

Deno.test("an operator has the definitions of the resources that its controllers are for, each once", () => {
  const Child = defineResource({ group: "example.org", version: "v1", kind: "Child" });
  const one = controllerFor(Lock).owns(Child).reconcile(() => {});
  const two = controllerFor(Lock).named("second").reconcile(() => {});
  const crdNames = (crds: readonly unknown[]) =>
    defineOperator({ name: "o", controllers: [one, two], crds: crds as never[] })
      .crds.map(({ metadata }) => metadata.name);
  assert.deepEqual(crdNames([]), ["locks.example.org"]);
  assert.deepEqual(crdNames([structuredClone(Lock.crd)]), ["locks.example.org"]);
  assert.deepEqual(crdNames([Child.crd]), ["childs.example.org", "locks.example.org"]);
  const other = { ...Lock.crd, spec: { ...Lock.crd.spec, scope: "Cluster" } };
  assert.throws(() => crdNames([other]), /two different definitions are named locks.example.org/);
});

Deno.test("all faults of a definition are in one error", () => {
  assert.throws(
    () =>
      defineResource({
        group: "Example",
        version: "V1",
        kind: "lock",
        plural: "Locks",
        shortNames: ["l", "l"],
        spec: s.object({ size: s.integer() }),
        subresources: { status: true, scale: true },
        printerColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.sise" }],
        selectableFields: [".spec.color"],
      }),
    (error) => {
      assert(error instanceof ResourceDefinitionError);
      assert.deepEqual(error.problems, [
        'group must be a DNS name in lower case with a dot, as apps.example.com, is "Example"',
        'kind must be a word in PascalCase of at most 63 letters and digits, as CronTab, is "lock"',
        "plural must be lower case letters, digits and '-', beginning with a letter, at most 63, " +
        'is "Locks"',
        'shortNames lists "l" twice',
        "version must be lower case letters, digits and '-', as v1alpha1, is \"V1\"",
        "subresources.status needs a schema of the status",
        "printerColumns[0].jsonPath .spec.sise names .spec.sise, which the schema does not have; " +
        "there is size",
        "subresources.scale.specReplicasPath .spec.replicas names .spec.replicas, which the schema " +
        "does not have; there is size",
        "subresources.scale.statusReplicasPath .status.replicas names .status, which the schema " +
        "does not have; there are apiVersion, kind, metadata, spec",
        "selectableFields[0] .spec.color names .spec.color, which the schema does not have; " +
        "there is size",
      ]);
      return true;
    },
  );
});
