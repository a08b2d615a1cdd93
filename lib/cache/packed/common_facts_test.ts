import assert from "node:assert/strict";
import { CommonFactsTable } from "./common_facts.ts";

const labels = Object.freeze({ app: "web" });
const owners = Object.freeze([]);
const finalizers = Object.freeze([]);

Deno.test("related objects share their common facts, and unrelated ones do not", () => {
  const table = new CommonFactsTable();
  const common = table.of("a", labels, owners, finalizers);
  assert.deepEqual(common, { namespace: "a", labels, ownerReferences: owners, finalizers });
  assert.equal(table.of("a", labels, owners, finalizers), common);
  assert.notEqual(table.of("a", { ...labels }, owners, finalizers), common);
  assert.equal(table.of("a", labels, owners, finalizers), common);
  for (
    const other of [
      table.of("b", labels, owners, finalizers),
      table.of("a", labels, [], finalizers),
      table.of("a", labels, owners, ["example.org/hold"]),
    ]
  ) assert.notEqual(other, common);
});
