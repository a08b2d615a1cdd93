import assert from "node:assert/strict";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { guardManagedFields } from "./admission_guard.ts";

const entry = (fields: Record<string, unknown> = {}) => ({
  manager: "m",
  operation: "Update",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": {} },
  ...fields,
});

function admitted(managedFields: unknown[] | undefined): { object: ApiObject; warned: string[] } {
  const object: ApiObject = { metadata: { managedFields: [entry()] } };
  const guard = guardManagedFields(object);
  const after = { metadata: managedFields ? { managedFields } : {} } as ApiObject;
  const warned: string[] = [];
  guard(after, (text) => warned.push(text));
  return { object: after, warned };
}

Deno.test("valid managed fields of admission are kept and sorted", () => {
  const { object, warned } = admitted([entry({ manager: "b" }), entry({ manager: "a" })]);
  const managers = (object.metadata.managedFields as { manager: string }[]).map((each) =>
    each.manager
  );
  assert.deepEqual(managers, ["a", "b"]);
  assert.deepEqual(warned, []);
});

Deno.test("invalid managed fields of admission are restored with a warning", () => {
  const { object, warned } = admitted([entry({ operation: "Bogus" })]);
  assert.deepEqual(object.metadata.managedFields, [entry()]);
  assert.match(warned[0]!, /please fix your requests: operation must be `Apply` or `Update`$/);
});

Deno.test("admission may remove the managed fields", () => {
  assert.equal(admitted(undefined).object.metadata.managedFields, undefined);
});
