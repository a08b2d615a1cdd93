import assert from "node:assert/strict";
import { runAll } from "../../base/internal.ts";
import { SCHEMA_CODE } from "../schema_code.ts";
import type { CustomResourceDefinition } from "./definition.ts";
import { definitionErrors, definitionUpdateErrors } from "./definition_rules.ts";

const code = await SCHEMA_CODE.get();

function schemaOf(rule: string, fields: number): Record<string, unknown> {
  const text = { type: "string", "x-kubernetes-validations": [{ rule }] };
  const names = Array.from({ length: fields }, (_, index) => `f${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

/** Returns a definition with the versions v1 and v2; with one schema they share it. */
function definition(schemas: readonly unknown[], shortNames: string[] = []) {
  const versions = schemas.map((openAPIV3Schema, index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema },
  }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "foos.example.com", resourceVersion: "1" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "foos", singular: "foo", kind: "Foo", listKind: "FooList", shortNames },
      versions,
    },
    status: { storedVersions: ["v1"] },
  } as unknown as CustomResourceDefinition;
}

// More than the cost that one rule may have.
const COSTLY = `self.matches('^${"a".repeat(500)}$')`;
const costly = schemaOf(COSTLY, 1);
const cheap = schemaOf("self == 'a'", 1);

function costErrors(changed: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const errors = runAll(
    old ? definitionUpdateErrors(code, changed, old) : definitionErrors(code, changed),
  );
  return errors.map(({ field, body }) => `${field}: ${body.split(" (try")[0]}`);
}

Deno.test("the cost of a rule is not limited in a version whose schema did not change", () => {
  const refused = /x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds/;
  const [error, ...more] = costErrors(definition([costly]));
  assert.match(error!, refused);
  assert.deepEqual(more, []);
  // Unchanged, in the only version and in one of two.
  assert.deepEqual(costErrors(definition([costly], ["f"]), definition([costly])), []);
  const both = definition([costly, cheap]);
  assert.deepEqual(costErrors(definition([costly, cheap], ["f"]), both), []);
  // Changed, or of a new version.
  assert.match(costErrors(definition([costly]), definition([cheap]))[0]!, refused);
  assert.match(costErrors(definition([cheap, costly]), definition([cheap]))[0]!, refused);
  assert.equal(costErrors(definition([costly, costly]), definition([costly])).length, 0);
});

Deno.test("the cost of all rules is limited in a schema that did not change too", () => {
  const all = definition([schemaOf(COSTLY, 60)]);
  const errors = costErrors(all, all);
  assert.match(errors.at(-1)!, /estimated rule cost total for entire OpenAPIv3 schema exceeds/);
  assert(errors.every((error) => !error.includes("estimated rule cost exceeds")), errors[0]);
});
