import assert from "node:assert/strict";
import { joinVerbs, missingRules, ruleText } from "./policy_rule.ts";

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

Deno.test("rules that differ in their verbs are joined, those for URLs are not", () => {
  const pods = { apiGroups: [""], resources: ["pods"] };
  const url = { nonResourceURLs: ["/a"], verbs: ["get"] };
  const parts = [{ ...pods, verbs: ["get"] }, url, { ...pods, verbs: ["list"] }, url];
  const texts = [...new Set(joinVerbs(parts).map(ruleText))];
  assert.deepEqual(texts.sort(), [
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    '{NonResourceURLs:["/a"], Verbs:["get"]}',
  ]);
});
