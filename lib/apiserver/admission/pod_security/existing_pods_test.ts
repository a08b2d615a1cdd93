import assert from "node:assert/strict";
import { existingPodsWarnings } from "./existing_pods.ts";

const BASELINE = { level: "baseline", minor: Infinity } as const;

function pod(name: string, owner?: string): Parameters<typeof existingPodsWarnings>[2][number] {
  const reference = { apiVersion: "v1", kind: "A", name: "a", uid: owner!, controller: true };
  return {
    metadata: { name, ...(owner && { ownerReferences: [reference] }) },
    spec: { hostPID: true, containers: [] },
  };
}

Deno.test("existing pods with the same violations share a warning", () => {
  assert.deepEqual(existingPodsWarnings("n", BASELINE, [pod("b"), pod("a"), pod("c")]), [
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    "a (and 2 other pods): host namespaces",
  ]);
});

Deno.test("existing pods are checked one per controller first", () => {
  const alike = Array.from({ length: 5000 }, (_, index) => pod(`of-one-${index}`, "one"));
  const [first, , last] = existingPodsWarnings("n", BASELINE, [...alike, pod("a-lone")]);
  assert.equal(
    first,
    "new PodSecurity enforce level only checked against the first 3000 of 5001 existing pods",
  );
  assert.equal(last, "a-lone (and 2999 other pods): host namespaces");
});
