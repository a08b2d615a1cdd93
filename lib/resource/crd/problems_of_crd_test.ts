import assert from "node:assert/strict";
import { problemsOfCrd } from "../mod.ts";

/** A definition of KVDI as one writes it by hand: a singular in the wrong case, and no schema. */
const KVDI = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "kvdis.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Kvdi", plural: "kvdis", singular: "kvdI", shortNames: ["kd"] },
    scope: "Namespaced",
    versions: [{ name: "v1alpha1", served: true, storage: true }],
  },
};

Deno.test("problemsOfCrd() names both faults of a definition: a singular in the wrong case, and no schema", async () => {
  assert.deepEqual(await problemsOfCrd(KVDI), [
    "spec.versions[0].schema.openAPIV3Schema: Required value",
    'spec.names.singular: Invalid value: "kvdI": a DNS-1035 label must consist of lower case ' +
    "alphanumeric characters or '-', start with an alphabetic character, and end with an " +
    "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
    "'[a-z]([-a-z0-9]*[a-z0-9])?')",
  ]);
});

Deno.test("problemsOfCrd() reports values of wrong types", async () => {
  const { spec } = KVDI;
  const cases: [value: unknown, problems: readonly string[]][] = [
    [null, ["a CustomResourceDefinition must be an object"]],
    [[], ["a CustomResourceDefinition must be an object"]],
    [
      { kind: "ConfigMap" },
      [
        "apiVersion: must be apiextensions.k8s.io/v1, is missing",
        'kind: must be CustomResourceDefinition, is "ConfigMap"',
        "metadata: must be an object, is missing",
        "spec: must be an object, is missing",
      ],
    ],
    [{ ...KVDI, spec: { ...spec, names: 1, versions: {} } }, [
      "spec.names: must be an object, is 1",
      "spec.versions: must be an array, is {}",
    ]],
    [{ ...KVDI, spec: { ...spec, names: { kind: 1 }, versions: [null, { name: 1, schema: 2 }] } }, [
      "spec.names.kind: must be a string, is 1",
      "spec.versions[0]: must be an object, is null",
      "spec.versions[1].name: must be a string, is 1",
      "spec.versions[1].schema: must be an object, is 2",
    ]],
    [{ ...KVDI, spec: { ...spec, versions: [{ name: "v1", schema: { openAPIV3Schema: 3 } }] } }, [
      "spec.versions[0].schema.openAPIV3Schema: must be an object, is 3",
    ]],
  ];
  for (const [value, problems] of cases) assert.deepEqual(await problemsOfCrd(value), problems);
});

Deno.test("problemsOfCrd() never throws for definitions with a field missing", async () => {
  for (const field of Object.keys(KVDI.spec)) {
    const spec: Record<string, unknown> = { ...KVDI.spec };
    delete spec[field];
    assert((await problemsOfCrd({ ...KVDI, spec })).length > 0, field);
  }
  const names: Record<string, unknown> = { ...KVDI.spec.names };
  for (const field of ["kind", "plural"]) {
    const { [field]: _, ...rest } = names;
    assert(
      (await problemsOfCrd({ ...KVDI, spec: { ...KVDI.spec, names: rest } })).length > 0,
      field,
    );
  }
});
