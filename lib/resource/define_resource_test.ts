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
        'group must be a DNS name in lower case with a dot, such as apps.example.com, is "Example"',
        'kind must be a word in PascalCase of at most 63 letters and digits, such as CronTab, is "lock"',
        "plural must be lower case letters, digits and '-', beginning with a letter, at most 63, " +
        'is "Locks"',
        'shortNames lists "l" twice',
        "version must be lower case letters, digits and '-', such as v1alpha1, is \"V1\"",
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

/** Returns the faults of a definition. */
function faultsOf(define: () => unknown): readonly string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof ResourceDefinitionError) return error.problems;
    throw error;
  }
  return [];
}

Deno.test("faults of versions name the version", () => {
  const names = { group: "example.org", kind: "Disk" };
  const size = { spec: s.object({ size: s.integer() }) };
  const wide = { spec: s.object({ size: s.integer(), note: s.optional(s.string()) }) };
  // deno-lint-ignore no-explicit-any -- wrong definitions do not compile.
  const define = (versions: any, storedVersion?: string) =>
    faultsOf(() => defineResource({ ...names, versions, storedVersion: storedVersion as "v1" }));
  assert.deepEqual(define({ v1: size }, "v1"), []);
  assert.deepEqual(define({ v1: size, v2: size }), [
    "storedVersion must name the version that objects are stored in, one of v1, v2",
  ]);
  assert.deepEqual(define({ v1: size, v2: size }, "v3"), [
    'storedVersion is "v3", not one of v1, v2',
  ]);
  assert.deepEqual(define({}, "v1"), ["versions must name a version"]);
  assert.deepEqual(define({ v1: { ...size, served: false } }, "v1"), ["a version must be served"]);
  assert.deepEqual(define({ v1: size, v2: wide }, "v2"), [
    "version v1 has other fields than the stored version v2, and the API server would drop them; " +
    "give it convert: { toStored, fromStored }",
  ]);
  const convert = { toStored: (x: unknown) => x };
  assert.deepEqual(define({ v1: { ...size, convert }, v2: { ...wide, convert } }, "v2"), [
    "version v1 needs convert.fromStored, since versions are converted",
    "version v2 is stored and must not have convert",
  ]);
  const selectableFields = [".spec.size"];
  assert.match(
    define({
      v1: { ...size, selectableFields },
      v2: { ...size, selectableFields, description: "Another one" },
    }, "v2").join(),
    /^selectableFields must not be the same in all versions/,
  );
  const wrong = { spec: s.object({ size: s.integer({ minimum: 1, default: 0 }) }) };
  assert.deepEqual(define({ v1: wrong, v2: wrong }, "v2").length, 2);
  assert.match(define({ v1: { ...size, deprecated: "" } }, "v1").join(), /^deprecated must be/);
});

Deno.test("a group of Kubernetes needs an approval", () => {
  const names = { group: "locks.k8s.io", version: "v1", kind: "Lock" };
  assert.match(faultsOf(() => defineResource(names)).join(), /api-approved.kubernetes.io/);
  const annotations = { "api-approved.kubernetes.io": "unapproved, an experiment" };
  assert.deepEqual(faultsOf(() => defineResource({ ...names, annotations })), []);
});

Deno.test("objects are converted between any two versions by way of the stored one", () => {
  const Disk = defineResource({
    group: "example.org",
    kind: "Disk",
    storedVersion: "v2",
    versions: {
      v1alpha1: {
        spec: s.object({ bytes: s.string() }),
        convert: {
          toStored: ({ spec, ...rest }) => ({ ...rest, spec: { size: Number(spec.bytes) } }),
          fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { bytes: `${spec.size}` } }),
        },
      },
      v1: {
        spec: s.object({ amount: s.integer() }),
        convert: {
          toStored: ({ spec, ...rest }) => ({ ...rest, spec: { size: spec.amount } }),
          fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { amount: spec.size } }),
        },
      },
      v2: { spec: s.object({ size: s.integer() }) },
    },
  });
  const { convert, versions } = Disk.conversion!;
  assert.deepEqual(versions, ["v1alpha1", "v1", "v2"]);
  const metadata = { name: "a", labels: { a: "b" } };
  const disk = Object.freeze({
    apiVersion: "example.org/v1alpha1",
    kind: "Disk",
    metadata,
    spec: { bytes: "7" },
  });
  assert.deepEqual(convert(disk, "v1"), {
    apiVersion: "example.org/v1",
    kind: "Disk",
    metadata,
    spec: { amount: 7 },
  });
  assert.deepEqual(convert(disk, "v1alpha1"), disk);
  assert.throws(
    () => convert(disk, "v3"),
    /known versions of group example.org are v1alpha1, v1, v2/,
  );
  assert.throws(() => convert({ ...disk, kind: "Lock" }, "v1"), /the conversion is of Disk/);
  assert.equal(Disk.crd.spec.conversion?.strategy, "Webhook");
});

Deno.test("options of a wrong type are faults too", () => {
  const names = { group: "example.org", version: "v1", kind: "Lock" };
  const cases: [init: unknown, fault: string][] = [
    [undefined, "the definition must be an object"],
    [{ ...names, printerColumns: [null] }, "printerColumns must be an array of columns"],
    [
      { ...names, selectableFields: ".a" },
      'selectableFields must be an array of paths, such as [".spec.color"]',
    ],
    [{ ...names, annotations: null }, "annotations must be an object, is null"],
    [{ ...names, subresources: [] }, "subresources must be an object, is an array"],
    [{ ...names, rules: 1 }, "rules must be an array of rules"],
    [{ ...names, versions: 1 }, "versions must be an object, is of type number"],
    [{ ...names, versions: { v1: null } }, "versions.v1 must be an object, is null"],
    [{ ...names, shortNames: "lk" }, 'shortNames must be an array of names, is "lk"'],
  ];
  for (const [init, fault] of cases) {
    assert.deepEqual(faultsOf(() => defineResource(init as typeof names)), [fault]);
  }
  assert.equal(faultsOf(() => defineResource({} as typeof names)).length, 3);
});

Deno.test("a status may have a default, as may a schema that is given by its JSON", () => {
  const json = { type: "string", default: "a" } as const;
  const { crd } = defineResource({
    group: "example.org",
    version: "v1",
    kind: "Lock",
    spec: s.object({ owner: { json } }),
    status: s.object({ holder: s.optional(s.string()) }, { default: { holder: "nobody" } }),
  });
  const schema = crd.spec.versions[0]!.schema!.openAPIV3Schema!;
  assert.deepEqual(schema.properties?.status?.default, { holder: "nobody" });
  assert.deepEqual(schema.properties?.spec, { type: "object", properties: { owner: json } });
});
