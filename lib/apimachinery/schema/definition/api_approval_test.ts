import assert from "node:assert/strict";
import { approvalErrors } from "./api_approval.ts";
import type { CustomResourceDefinition } from "./definition.ts";

function isApproved(value: string): boolean {
  const metadata = { name: "a", annotations: { "api-approved.kubernetes.io": value } };
  const definition = {
    metadata,
    spec: { group: "a.k8s.io" },
  } as unknown as CustomResourceDefinition;
  return approvalErrors(definition, undefined).length === 0;
}

Deno.test("the API approval is a URL or begins with unapproved, and is checked in linear time", () => {
  assert.equal(isApproved("https://a"), true);
  assert.equal(isApproved("https://a/b?c#d"), true);
  assert.equal(isApproved("unapproved, a test"), true);
  assert.equal(isApproved("https:///b"), false);
  assert.equal(isApproved(`https://${"a".repeat(1_000_000)} `), false);
});
