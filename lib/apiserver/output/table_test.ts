import assert from "node:assert/strict";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ResourceTable } from "../resources/resource_table.ts";
import { complete } from "../decode/complete.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { toTable } from "./table.ts";

const table = ResourceTable.builtin();

Deno.test("the table row of each built-in kind can be made from an empty object", () => {
  for (const resource of table.all()) {
    const type = resource.schema();
    if (!(type instanceof BuiltinType) || !resource.verbs.includes("list")) continue;
    const object = complete(type, { metadata: { name: "a" } }) as ApiObject;
    const { columnDefinitions, rows } = toTable([object], resource, { now: new Date(0) });
    const [row] = rows as unknown as [{ cells: unknown[] }];
    const columns = columnDefinitions as unknown[];
    // One kind has a cell too many, in kube-apiserver too.
    const expected = resource.kind === "IPAddress" ? columns.length + 1 : columns.length;
    assert.equal(row.cells.length, expected, resource.kind);
    assert.ok(row.cells.every((cell) => cell !== undefined), resource.kind);
  }
});

Deno.test("ages in a table are computed at the given time", () => {
  const now = new Date("2020-01-02T00:00:00Z");
  const object = { metadata: { name: "a", creationTimestamp: "2020-01-01T23:00:00Z" } };
  const resource = table.find("", "v1", "serviceaccounts")!;
  const { rows } = toTable([object], resource, { now, includeObject: "None" });
  assert.deepEqual(rows, [{ cells: ["a", "60m"], object: null }]);
});
