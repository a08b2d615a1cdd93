import assert from "node:assert/strict";
import { FieldPath } from "@xca/apimachinery/internal/errors";
import { validateFieldReference } from "./field_reference.ts";

function problem(fieldPath: string): string | undefined {
  const [error] = validateFieldReference({ apiVersion: "v1", fieldPath }, [], FieldPath.root);
  return error?.body;
}

Deno.test("the subscript of a field path begins at the first bracket, as in Kubernetes", () => {
  assert.equal(problem("metadata.labels['a']"), undefined);
  assert.match(problem("metadata.labels['a['b']")!, /name part must consist of/);
  assert.match(problem("spec.nodeName['x']")!, /field label does not support subscript/);
  for (const path of ["['metadata.labels['a']", "metadata.labels[']", "metadata.labels['a'"]) {
    assert.match(problem(path)!, /field label not supported/, path);
  }
  assert.match(problem("['".repeat(500_000))!, /field label not supported/);
});
