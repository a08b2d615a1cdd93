import assert from "node:assert/strict";
import type { V1ValidatingAdmissionPolicySpec } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, Deployment, Namespace, type UnstructuredObject } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type {
  OperatorWebhook,
  RuleParameters,
} from "../../controller/definition/operator_webhook.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { webhookFor } from "../admission/webhook_builder.ts";
import { Desktop } from "../server/webhook_fakes_test.ts";
import { checkRules } from "./check_rules.ts";
import { policiesOf } from "./policies_of.ts";
import { policyExpression, refersTo } from "./policy_expression.ts";

const spec = {
  type: "object",
  properties: { image: { type: "string", maxLength: 100 }, replicas: { type: "integer" } },
};

const crd: UnstructuredObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "desktops.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Desktop", plural: "desktops" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: "object" } },
      },
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      },
    ],
  },
};

function operatorOf(...webhooks: OperatorWebhook[]): Operator {
  return defineOperator({
    name: "desks",
    crds: [crd],
    controllers: [controllerFor(ConfigMap).reconcile(() => {})],
    webhooks,
  });
}

/** Returns the schema of a version of the first definition of an operator. */
function schemaOf({ crds }: Operator, at: number): Record<string, unknown> {
  const { versions } = crds[0]!.spec as { versions: { schema: { openAPIV3Schema: object } }[] };
  return versions[at]!.schema.openAPIV3Schema as Record<string, unknown>;
}

Deno.test("rules: those of a kind go into the schema of its version, and the given definition is not changed", async () => {
  const before = JSON.stringify(crd);
  const webhook = webhookFor(Desktop).rule("self.spec.replicas <= 10", {
    message: "at most ten",
    fieldPath: ".spec.replicas",
  });
  const operator = operatorOf(webhook);
  assert.deepEqual(schemaOf(operator, 1)["x-kubernetes-validations"], [
    { rule: "self.spec.replicas <= 10", message: "at most ten", fieldPath: ".spec.replicas" },
  ]);
  assert.equal(schemaOf(operator, 0)["x-kubernetes-validations"], undefined);
  assert.equal(JSON.stringify(crd), before);
  assert.deepEqual(policiesOf(operator), []);
  await checkRules(operator);
  // An operator that is defined again from the definitions of the first has each rule once.
  const again = defineOperator({ ...operator, name: "again" });
  assert.equal((schemaOf(again, 1)["x-kubernetes-validations"] as unknown[]).length, 1);
});

Deno.test("rules: those of other kinds become a policy with its binding; a rule of a transition passes creations", () => {
  const webhook = webhookFor(Deployment, {
    namespaceSelector: { matchLabels: { team: "blue" } },
    matchConditions: [{
      name: "people",
      expression: "!request.userInfo.username.startsWith('system:')",
    }],
  })
    .rule("self.spec.replicas <= 10", { message: "at most ten", fieldPath: ".spec.replicas" })
    .rule("self.spec.replicas >= oldSelf.spec.replicas", {
      message: "it only grows",
      messageExpression: "'from ' + string(oldSelf.spec.replicas)",
      reason: "FieldValueForbidden",
    });
  const [policy, binding] = policiesOf(operatorOf(webhook));
  assert.equal(policy?.metadata.name, "desks-deployments.v1.apps");
  assert.deepEqual(policy.spec, {
    failurePolicy: "Fail",
    matchConstraints: {
      matchPolicy: "Equivalent",
      namespaceSelector: { matchLabels: { team: "blue" } },
      resourceRules: [{
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["CREATE", "UPDATE"],
        resources: ["deployments"],
        scope: "Namespaced",
      }],
    },
    matchConditions: [
      { name: "people", expression: "!request.userInfo.username.startsWith('system:')" },
    ],
    validations: [
      {
        expression: "object.spec.replicas <= 10",
        message: "spec.replicas: at most ten",
        reason: "Invalid",
      },
      {
        expression: "oldObject == null || (object.spec.replicas >= oldObject.spec.replicas)",
        message: "it only grows",
        messageExpression: "'from ' + string(oldObject.spec.replicas)",
        reason: "Forbidden",
      },
    ],
  });
  assert.deepEqual(binding?.spec, {
    policyName: "desks-deployments.v1.apps",
    validationActions: ["Deny"],
  });
});

Deno.test("rules: those with parameters have a policy of their own, also for a kind of the operator", async () => {
  const parameters = { type: ConfigMap, name: "limits", namespace: "desks" };
  const webhook = webhookFor(Desktop, { parameters })
    .rule("self.spec.replicas <= 10", { message: "at most ten" })
    .rule("self.spec.replicas <= int(params.data.replicas)", {
      message: "too many",
      messageExpression: "'at most ' + params.data.replicas",
    })
    .rule("self.spec.image.params == ''", { message: "a field, no parameters" });
  const operator = operatorOf(webhook);
  const rules = schemaOf(operator, 1)["x-kubernetes-validations"] as { rule: string }[];
  assert.deepEqual(rules.map(({ rule }) => rule), [
    "self.spec.replicas <= 10",
    "self.spec.image.params == ''",
  ]);
  const [policy, binding, ...others] = policiesOf(operator);
  assert.deepEqual(others, []);
  assert.equal(policy?.metadata.name, "desks-desktops.v1.example.com.parameters");
  const { paramKind, validations } = policy.spec as V1ValidatingAdmissionPolicySpec;
  assert.deepEqual(paramKind, { apiVersion: "v1", kind: "ConfigMap" });
  assert.deepEqual(validations, [{
    expression: "object.spec.replicas <= int(params.data.replicas)",
    message: "too many",
    messageExpression: "'at most ' + params.data.replicas",
    reason: "Invalid",
  }]);
  assert.deepEqual(binding?.spec, {
    policyName: "desks-desktops.v1.example.com.parameters",
    paramRef: { name: "limits", namespace: "desks", parameterNotFoundAction: "Deny" },
    validationActions: ["Deny"],
  });
  // The rules of other kinds: those without parameters do not need any.
  const selector = { matchLabels: { limits: "yes" } };
  const deployments = webhookFor(Deployment, {
    parameters: { type: ConfigMap, selector, parameterNotFoundAction: "Allow" },
  })
    .rule("self.spec.replicas <= 10", { message: "m" })
    .rule("self.spec.replicas <= int(params.data.replicas)", { message: "m" });
  const made = policiesOf(operatorOf(deployments));
  assert.deepEqual(
    made.map(({ kind, spec }) => [kind, "paramKind" in spec!, "paramRef" in spec!]),
    [
      ["ValidatingAdmissionPolicy", false, false],
      ["ValidatingAdmissionPolicyBinding", false, false],
      ["ValidatingAdmissionPolicy", true, false],
      ["ValidatingAdmissionPolicyBinding", false, true],
    ],
  );
  await checkRules(operatorOf(deployments));
  const without = webhookFor(Deployment).rule("self.spec.replicas <= params.n", { message: "m" });
  await assert.rejects(
    checkRules(operatorOf(without)),
    /undeclared reference to 'params'[^]*give webhookFor the option parameters: \{ type, name \}/,
  );
});

Deno.test("rules: an API server compares objects with the parameters, and refuses them while there are none", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const operator = operatorOf(
    webhookFor(ConfigMap, {
      objectSelector: { matchLabels: { limited: "yes" } },
      parameters: { type: ConfigMap, name: "limits" },
    }).rule("size(self.data) <= int(params.data.keys)", {
      message: "too many keys",
      messageExpression: "'at most ' + params.data.keys + ' keys'",
    }),
  );
  await server.seed(policiesOf(operator));
  const create = (name: string, data: Record<string, string>): Promise<unknown> =>
    client.create(ConfigMap, {
      metadata: { name, namespace: "default", labels: { limited: "yes" } },
      data,
    });
  await assert.rejects(create("a", { a: "1" }), /no params found for policy binding/);
  const metadata = { name: "limits", namespace: "default" };
  await client.create(ConfigMap, { metadata, data: { keys: "1" } });
  await create("a", { a: "1" });
  await assert.rejects(create("b", { a: "1", b: "2" }), /at most 1 keys/);
});

Deno.test("rules: those of two webhooks for one resource are refused if their policies had one name", async () => {
  const limit = (max: number): OperatorWebhook =>
    webhookFor(Deployment).rule(`self.spec.replicas <= ${max}`, { message: "m" });
  const operator = operatorOf(limit(1), limit(2));
  const refusal = {
    name: "TypeError",
    message: "Cannot generate the policies of operator desks: two webhooks have rules for " +
      "deployments.v1.apps; put the rules into one webhookFor(...)",
  };
  assert.throws(() => policiesOf(operator), refusal);
  await assert.rejects(checkRules(operator), refusal);
  const parameters = { type: ConfigMap, name: "limits" };
  const limited = webhookFor(Deployment, { parameters })
    .rule("self.spec.replicas <= int(params.data.replicas)", { message: "m" });
  assert.throws(
    () => policiesOf(operatorOf(limited, limited)),
    /two webhooks have rules with parameters for deployments/,
  );
  // Rules with parameters and rules without have policies of different names, and a definition has
  // the rules of all webhooks of its kind.
  const names = policiesOf(operatorOf(limit(1), limited)).map(({ metadata }) => metadata.name);
  const name = "desks-deployments.v1.apps";
  assert.deepEqual(names, [name, name, `${name}.parameters`, `${name}.parameters`]);
  const rule = webhookFor(Desktop).rule("self.spec.replicas <= 10", { message: "m" });
  assert.deepEqual(policiesOf(operatorOf(rule, rule)), []);
});

Deno.test("rules: wrong parameters are refused, with the option", () => {
  const of = (parameters: unknown): () => void => () =>
    void webhookFor(Desktop, { parameters: parameters as RuleParameters });
  assert.throws(of("limits"), /parameters must be \{ type, name \} or \{ type, selector \}/);
  assert.throws(of({ name: "a" }), /parameters: the resource must be a constant such as ConfigMap/);
  assert.throws(of({ type: ConfigMap }), /need either the name of an object or a selector/);
  assert.throws(of({ type: ConfigMap, name: "a", selector: {} }), /need either the name/);
  assert.throws(of({ type: ConfigMap, name: 5 }), /parameters: name must be a text/);
  assert.throws(of({ type: ConfigMap, name: "a", kind: "x" }), /have no option kind, only type/);
  assert.throws(
    of({ type: Namespace, name: "a", namespace: "b" }),
    /cannot have a namespace, since namespaces are cluster-scoped/,
  );
  assert.throws(
    of({ type: ConfigMap, name: "a", parameterNotFoundAction: "Ignore" }),
    /parameterNotFoundAction must be Allow or Deny, is Ignore/,
  );
});

Deno.test("rules: self and oldSelf are renamed where they are variables, and nowhere else", () => {
  const cases: [rule: string, expected: string, old: boolean][] = [
    ["self.self == other.self", "object.self == other.self", false],
    ["has(self.?self) && self . oldSelf == 1", "has(object.?self) && object . oldSelf == 1", false],
    ["'self' + \"oldSelf\" + self.a", "'self' + \"oldSelf\" + object.a", false],
    ["'it\\'s self' == self.a", "'it\\'s self' == object.a", false],
    [
      "r'\\' == self.a && r\"\\\" == oldSelf.a",
      "r'\\' == object.a && r\"\\\" == oldObject.a",
      true,
    ],
    ["'''self 'self' ''' == self.a", "'''self 'self' ''' == object.a", false],
    ["self.a == 1 // not self, nor oldSelf", "object.a == 1 // not self, nor oldSelf", false],
    ["myself.a || selfish || self_2", "myself.a || selfish || self_2", false],
    ["self.list.all(x, x in oldSelf.list)", "object.list.all(x, x in oldObject.list)", true],
    ["self.`self-1` == 1", "object.`self-1` == 1", false],
  ];
  for (const [rule, expected, old] of cases) {
    assert.equal(policyExpression(rule), expected);
    assert.equal(refersTo(rule, "oldSelf"), old, rule);
  }
});

Deno.test("rules: what the API server would not accept is found before, with its place", async () => {
  const bad = (rule: string, messageExpression?: string): OperatorWebhook =>
    webhookFor(Desktop).rule(rule, {
      message: "m",
      ...(messageExpression && { messageExpression }),
    });
  await assert.rejects(checkRules(operatorOf(bad("self.spec.replcas <= 10"))), {
    name: "TypeError",
    message:
      /desktops.example.com: spec.versions\[1\].schema.openAPIV3Schema.x-kubernetes-validations\[0\].rule: .*undefined field 'replcas'/,
  });
  await assert.rejects(checkRules(operatorOf(bad("self.spec.image"))), /must evaluate to a bool/);
  await assert.rejects(checkRules(operatorOf(bad("true", "1"))), /messageExpression/);
  const builtIn = (rule: string, messageExpression?: string): OperatorWebhook =>
    webhookFor(Deployment).rule(rule, {
      message: "m",
      ...(messageExpression && { messageExpression }),
    });
  await assert.rejects(checkRules(operatorOf(builtIn("self.spec.replicas <="))), /Syntax error/);
  await assert.rejects(checkRules(operatorOf(builtIn("size('a')"))), /must evaluate to bool/);
  await assert.rejects(checkRules(operatorOf(builtIn("true", "1"))), /must evaluate to string/);
  await assert.rejects(
    checkRules(operatorOf(builtIn("sef.spec.x"))),
    /undeclared reference to 'sef'/,
  );
  await checkRules(operatorOf(builtIn("self.spec.replicas < 3", "'a'")));
});

Deno.test("rules: a rule without message, an unknown option, and rules of a subresource are refused", () => {
  const builder = webhookFor(Desktop);
  const never = (rule: unknown, options: unknown): () => void => () =>
    void builder.rule(rule as string, options as { message: string });
  assert.throws(never("", { message: "m" }), /a rule must be an expression in CEL/);
  assert.throws(never("true", {}), /needs a message of one line/);
  assert.throws(never("true", { message: "a\nb" }), /needs a message of one line/);
  assert.throws(never("true", { message: "m", path: "x" }), /a rule has no path, only message/);
  assert.throws(never("true", { message: "m", reason: "Bad" }), /reason of a rule must be of/);
  const status = webhookFor(Desktop, { subresource: "status" });
  assert.throws(() => status.rule("true", { message: "m" }), /not a subresource/);
  const other = webhookFor({ ...Desktop, version: "v9" }).rule("true", { message: "m" });
  assert.throws(() => operatorOf(other), /need a schema of version v9 in the definition desktops/);
});
