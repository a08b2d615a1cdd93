import assert from "node:assert/strict";
import { missingRules } from "./policy_rule.ts";

Deno.test("a rule covers a URL by the text before its last asterisks, in linear time", () => {
  const covers = (held: string, wanted: string) =>
    missingRules(
      [{ verbs: ["get"], nonResourceURLs: [held] }],
      [{ verbs: ["get"], nonResourceURLs: [wanted] }],
    ).length === 0;
  assert.equal(covers("/a/*", "/a/b"), true);
  assert.equal(covers("/a/**", "/a/*"), true);
  assert.equal(covers(`${"*".repeat(1_000_000)}a*`, "/a"), false);
});
