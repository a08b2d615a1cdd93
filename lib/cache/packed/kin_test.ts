import assert from "node:assert/strict";
import { KinTable } from "./kin.ts";

const labels = Object.freeze({ app: "web" });
const owners = Object.freeze([]);
const finalizers = Object.freeze([]);

Deno.test("related objects share their common facts, and unrelated ones do not", () => {
  const table = new KinTable();
  const kin = table.of("a", labels, owners, finalizers);
  assert.deepEqual(kin, { namespace: "a", labels, ownerReferences: owners, finalizers });
  assert.equal(table.of("a", labels, owners, finalizers), kin);
  assert.notEqual(table.of("a", { ...labels }, owners, finalizers), kin);
  assert.equal(table.of("a", labels, owners, finalizers), kin);
  for (
    const other of [
      table.of("b", labels, owners, finalizers),
      table.of("a", labels, [], finalizers),
      table.of("a", labels, owners, ["example.org/hold"]),
    ]
  ) assert.notEqual(other, kin);
});
