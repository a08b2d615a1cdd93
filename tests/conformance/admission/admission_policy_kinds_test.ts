import assert from "node:assert/strict";
import { BINDINGS, onConfigMaps, type Plain, POLICIES, rule, valid } from "./policy_fixtures.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("a policy and a binding are defaulted, and count their changes", async (t) => {
  const name = t.unique("policy");
  const spec = {
    ...onConfigMaps(valid("true")),
    matchConditions: [{ name: "never", expression: "false" }],
  };
  const policy = { metadata: { name }, spec };
  await t.post(POLICIES, policy);
  await t.patch("merge", `${POLICIES}/${name}`, { metadata: { labels: { a: "b" } } });
  await t.patch("merge", `${POLICIES}/${name}`, { spec: { failurePolicy: "Ignore" } });
  await t.patch("merge", `${POLICIES}/${name}/status`, {
    status: {
      observedGeneration: 1,
      conditions: [{
        type: "Known",
        status: "True",
        reason: "Known",
        message: "",
        lastTransitionTime: "2020-01-01T00:00:00Z",
      }],
    },
  });
  await t.get(`${POLICIES}/${name}/status`);
  const binding = {
    metadata: { name },
    spec: {
      policyName: name,
      validationActions: ["Warn"],
      paramRef: { name: "x", parameterNotFoundAction: "Allow" },
      matchResources: { resourceRules: [rule("none")] },
    },
  };
  await t.post(BINDINGS, binding);
  await t.patch("merge", `${BINDINGS}/${name}`, { spec: { validationActions: ["Audit"] } });
  await t.delete(`${BINDINGS}/${name}`);
  await t.delete(`${POLICIES}/${name}`);
});

/** A case: specs that cannot be. */
function refuses(name: string, path: string, base: Plain, ...specs: readonly Plain[]): void {
  conformance(name, async (t) => {
    for (const spec of specs) {
      const { code } = await t.post(`${path}?dryRun=All`, {
        metadata: { name: t.unique("refused") },
        spec: { ...base, ...spec },
      });
      assert.equal(code, 422, JSON.stringify(spec));
    }
  });
}

const refusesPolicy = (name: string, ...specs: readonly Plain[]): void =>
  refuses(`a policy: ${name}`, POLICIES, onConfigMaps(valid("true")), ...specs);

refusesPolicy(
  "expressions",
  valid("object.x =="),
  valid("1"),
  valid("none == 1"),
  valid(""),
  valid("params.x == 1"),
  valid("variables.x == 1"),
  valid("request.none == 1"),
  valid("authorizer.group('a').check('b')"),
);
refusesPolicy(
  "messages and reasons",
  valid("true", { message: " " }),
  valid("true", { message: "a\nb" }),
  valid("a\n== b"),
  valid("true", { messageExpression: "1" }),
  valid("true", { messageExpression: " " }),
  valid("true", { messageExpression: "object.x +" }),
  valid("true", { reason: "Because" }),
);
refusesPolicy("nothing to do", { validations: [] }, { validations: [], auditAnnotations: [] });
refusesPolicy(
  "variables",
  { variables: [{ name: "", expression: "1" }] },
  { variables: [{ name: "a-b", expression: "1" }] },
  { variables: [{ name: "a", expression: " " }] },
  { variables: [{ name: "a", expression: "1 +" }] },
  { variables: [{ name: "a", expression: "variables.b" }, { name: "b", expression: "1" }] },
  {
    variables: [{ name: "a", expression: "1" }],
    ...valid("variables.a == 'x'"),
  },
);
refusesPolicy(
  "what it is about",
  { matchConstraints: undefined },
  { matchConstraints: {} },
  { matchConstraints: { resourceRules: [{}] } },
  { matchConstraints: { resourceRules: [rule("configmaps", "READ")] } },
  { matchConstraints: { resourceRules: [rule("configmaps")], matchPolicy: "Fuzzy" } },
  {
    matchConstraints: {
      resourceRules: [rule("configmaps")],
      namespaceSelector: { matchLabels: { "a b": "c" } },
    },
  },
  { failurePolicy: "Never" },
);
refusesPolicy(
  "conditions",
  { matchConditions: [{ name: "a", expression: "object.x ==" }] },
  { matchConditions: [{ name: "", expression: "" }] },
  { matchConditions: [{ name: "a", expression: "1" }] },
  { matchConditions: [{ name: "a", expression: "true" }, { name: "a", expression: "true" }] },
);
refusesPolicy(
  "parameters",
  { paramKind: {} },
  { paramKind: { apiVersion: "v1" } },
  { paramKind: { apiVersion: "a/b/c", kind: "X" } },
  { paramKind: { apiVersion: "v1", kind: "Config Map" } },
);
refusesPolicy(
  "notes in the audit log",
  { auditAnnotations: [{ key: "", valueExpression: "'a'" }] },
  { auditAnnotations: [{ key: "a b", valueExpression: "'a'" }] },
  { auditAnnotations: [{ key: "a", valueExpression: " " }] },
  { auditAnnotations: [{ key: "a", valueExpression: "1" }] },
  {
    auditAnnotations: [
      { key: "a", valueExpression: "'a'" },
      { key: "a", valueExpression: "'b'" },
    ],
  },
);
refuses(
  "a binding",
  BINDINGS,
  { policyName: "a", validationActions: ["Deny"] },
  { policyName: "" },
  { policyName: "A b" },
  { validationActions: [] },
  { validationActions: ["Refuse"] },
  { validationActions: ["Deny", "Deny"] },
  { validationActions: ["Deny", "Warn"] },
  { paramRef: { parameterNotFoundAction: "Deny" } },
  { paramRef: { name: "a" } },
  { paramRef: { name: "a", parameterNotFoundAction: "Ask" } },
  {
    paramRef: { name: "a", selector: { matchLabels: {} }, parameterNotFoundAction: "Deny" },
  },
  { matchResources: { resourceRules: [rule("a", "READ")] } },
);
