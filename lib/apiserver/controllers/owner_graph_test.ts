import assert from "node:assert/strict";
import type { OwnerReference } from "@xca/apimachinery/meta";
import { OwnerGraph } from "./owner_graph.ts";

const owner = (uid: string, blockOwnerDeletion = false): OwnerReference => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: uid,
  uid,
  blockOwnerDeletion,
});

Deno.test("OwnerGraph returns the dependents of an unknown owner", () => {
  const graph = new OwnerGraph();
  graph.note("a", { ownerReferences: [owner("x")] });
  graph.note("b", { ownerReferences: [owner("x", true), owner("y")] });
  assert.deepEqual(graph.dependentsOf("x"), ["a", "b"]);
  assert.deepEqual(graph.blockingDependentsOf("x"), ["b"]);
  assert.deepEqual(graph.dependentsOf("y"), ["b"]);
});

Deno.test("OwnerGraph drops owners that an object no longer references", () => {
  const graph = new OwnerGraph();
  graph.note("a", { ownerReferences: [owner("x"), owner("y")] });
  graph.note("a", { ownerReferences: [owner("y")] });
  assert.deepEqual(graph.dependentsOf("x"), []);
  graph.note("a", undefined);
  assert.deepEqual(graph.dependentsOf("y"), []);
  assert.deepEqual(graph.ownersOf("a"), []);
});
