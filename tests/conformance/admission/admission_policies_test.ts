import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { BINDINGS, onConfigMaps, type Plain, POLICIES, rule, valid } from "./policy_fixtures.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url, { oneByOne: true });

async function make(t: Target, path: string, body: Plain): Promise<void> {
  const { code, body: answer } = await t.post(path, body, { unrecorded: true });
  assert.equal(code, 201, JSON.stringify(answer));
}

interface Bound {
  readonly spec: Plain;
  /** Their `spec`s without policyName; one that denies where there are none. */
  readonly bindings?: readonly Plain[];
}

/**
 * Denies what {@linkcode waitUntilInForce} tries: made after the policies of a case, so that they are
 * in force when it is.
 */
const PROBE: Bound = {
  spec: {
    matchConstraints: { resourceRules: [rule("limitranges")] },
    ...valid("false", { message: "in force" }),
  },
};

/** Runs a part of a case while policies are in force in the case's own namespace. */
async function withPolicies(
  t: Target,
  policies: readonly Bound[],
  run: () => Promise<void>,
  probe: Bound = PROBE,
): Promise<void> {
  const made: string[] = [];
  try {
    for (const [index, { spec, bindings = [{}] }] of [...policies, probe].entries()) {
      const name = t.unique(`p${index}`);
      await make(t, POLICIES, { metadata: { name }, spec });
      made.push(`${POLICIES}/${name}`);
      for (const [number, more] of bindings.entries()) {
        const bindingName = t.unique(`b${index}${number}`);
        await make(t, BINDINGS, {
          metadata: { name: bindingName },
          spec: {
            policyName: name,
            validationActions: ["Deny"],
            matchResources: {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
            },
            ...more,
          },
        });
        made.push(`${BINDINGS}/${bindingName}`);
      }
    }
    await waitUntilInForce(t);
    await run();
  } finally {
    for (const path of made.reverse()) await t.delete(path, undefined, { unrecorded: true });
  }
}

async function waitUntilInForce(t: Target, wanted = true): Promise<void> {
  await until(async () => {
    const probe = { metadata: { name: "probe" }, spec: { limits: [] } };
    const { body } = await t.post(t.path("limitranges?dryRun=All"), probe, { unrecorded: true });
    const { message = "" } = body;
    const isInForce = message.includes("denied request") &&
      !message.includes("failed to configure");
    return isInForce === wanted;
  }, `that the policies are ${wanted ? "" : "no longer "}in force`);
}

const configMap = (data: Plain = { x: "1" }): Plain => ({ metadata: { name: "a" }, data });

/** Defines a case: the outcome of the creation of a ConfigMap under a policy. */
function creates(name: string, more: Plain, ...bindings: readonly Plain[]): void {
  conformance(name, (t) =>
    withPolicies(
      t,
      [{ spec: onConfigMaps(more), ...(bindings.length > 0 && { bindings }) }],
      async () => {
        await t.post(t.path("configmaps"), configMap());
      },
    ));
}

// What a rule says.
creates("a rule that holds", valid("object.data.x == '1'"));
creates("a rule that does not hold", valid("object.data.x == '2'"));
creates("a rule over lines", valid("object.data.x ==\n  '2'"));
creates("a message", valid("false", { message: "x must be 2" }));
creates(
  "a message of an expression",
  valid("false", { messageExpression: "'x is ' + object.data.x" }),
);
creates(
  "a message of an expression that fails",
  valid("false", { messageExpression: "string(object.data.none)", message: "the other" }),
);
creates(
  "a message of an expression that fails, and no other",
  valid("false", { messageExpression: "string(object.data.none)" }),
);
creates("an empty message of an expression", valid("false", { messageExpression: "' '" }));
creates("a message of two lines", valid("false", { messageExpression: "'a\\nb'" }));
for (const reason of ["Forbidden", "Invalid", "RequestEntityTooLarge"]) {
  creates(`the reason ${reason}`, valid("false", { reason, message: "no" }));
}
creates("an expression that fails", valid("object.data.none == '1'"));
creates("an expression that fails is ignored", {
  failurePolicy: "Ignore",
  ...valid("object.data.none == '1'"),
});
creates("a rule that does not hold is not ignored", {
  failurePolicy: "Ignore",
  ...valid("false"),
});
creates("the first of several rules that do not hold", {
  validations: [
    { expression: "true" },
    { expression: "1 > 2", message: "first" },
    { expression: "2 > 3", message: "second", reason: "Forbidden" },
  ],
});
creates("what an expression sees", {
  ...valid(
    "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && " +
      "request.name == 'a' && request.operation == 'CREATE' && !request.dryRun && " +
      "request.userInfo.groups.exists(g, g == 'system:masters') && oldObject == null && " +
      "namespaceObject.metadata.name == request.namespace && object.metadata.name == 'a'",
  ),
});
creates("libraries", {
  ...valid(
    "quantity('1Gi').isGreaterThan(quantity('1Mi')) && ip('::1').isLoopback() && " +
      "'a,b'.split(',').size() == 2 && [3, 1].max() == 3 && semver('1.2.3').major() == 1 && " +
      "object.?data.?none.orValue('n') == 'n' && url('https://a/b').getHost() == 'a' && " +
      "format.dns1123Label().validate('a').hasValue() == false",
  ),
});
creates("what the requester may do", {
  ...valid(
    "authorizer.group('').resource('configmaps').namespace(request.namespace).check('get')" +
      ".allowed() && authorizer.requestResource.check('delete').allowed()",
  ),
});
creates("what the requester may do on a path", {
  ...valid("!authorizer.path('/healthz').check('get').allowed()"),
});
creates("asking more often than one rule may", {
  ...valid("[1, 2, 3].all(i, authorizer.path('/healthz').check('get').allowed())"),
});
creates("asking more often than all rules may", {
  validations: Array.from({ length: 31 }, () => ({
    expression: "authorizer.path('/healthz').check('get').allowed()",
  })),
});

// Variables.
creates("variables", {
  variables: [
    { name: "x", expression: "object.data.x" },
    { name: "both", expression: "variables.x + variables.x" },
  ],
  ...valid("variables.both == '22'", { messageExpression: "'both is ' + variables.both" }),
});
creates("a variable that fails", {
  variables: [{ name: "x", expression: "object.data.none" }],
  ...valid("variables.x == '1'"),
});
creates("a variable that fails and is not used", {
  variables: [{ name: "x", expression: "object.data.none" }],
  ...valid("false", { message: "reached" }),
});

// Conditions.
creates("a condition that holds", {
  matchConditions: [{ name: "a", expression: "object.data.x == '1'" }],
  ...valid("false"),
});
creates("a condition that does not hold", {
  matchConditions: [{ name: "a", expression: "object.data.x == '2'" }],
  ...valid("false"),
});
creates("a condition that fails", {
  matchConditions: [{ name: "a", expression: "object.data.none == '2'" }],
  ...valid("true"),
});
creates("a condition that fails is ignored", {
  failurePolicy: "Ignore",
  matchConditions: [{ name: "a", expression: "object.data.none == '2'" }],
  ...valid("false"),
});

// Actions and bindings.
creates("a warning", valid("false", { message: "mind" }), { validationActions: ["Warn"] });
creates("a note in the audit log", valid("false"), { validationActions: ["Audit"] });
creates("a warning and a note", valid("false"), { validationActions: ["Warn", "Audit"] });
creates(
  "a warning by one binding, a denial by another",
  valid("false"),
  { validationActions: ["Warn"] },
  {},
);
creates("a policy without a binding in this namespace", valid("false"), {
  matchResources: {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "none" } },
  },
});
conformance(
  "two policies",
  (t) =>
    withPolicies(t, [
      { spec: onConfigMaps(valid("true")) },
      { spec: onConfigMaps(valid("false", { message: "the second" })) },
    ], async () => {
      await t.post(t.path("configmaps"), configMap());
      await t.post(t.path("configmaps?dryRun=All"), configMap());
    }),
);

// Matching.
const matching = (more: Plain): Plain => ({ matchConstraints: more, ...valid("false") });
creates("another resource", matching({ resourceRules: [rule("secrets")] }));
creates("all resources", matching({ resourceRules: [rule("*", "*")] }));
creates(
  "an excluded resource",
  matching({ resourceRules: [rule("*")], excludeResourceRules: [rule("configmaps")] }),
);
creates(
  "an excluded operation",
  matching({ resourceRules: [rule("*", "*")], excludeResourceRules: [rule("*", "UPDATE")] }),
);
creates(
  "names",
  matching({ resourceRules: [{ ...rule("configmaps"), resourceNames: ["b"] }] }),
);
creates(
  "labels",
  matching({
    resourceRules: [rule("configmaps")],
    objectSelector: { matchLabels: { a: "b" } },
  }),
);
conformance("updates and deletions see the old object", (t) =>
  withPolicies(t, [{
    spec: {
      matchConstraints: { resourceRules: [rule("configmaps", "UPDATE", "DELETE")] },
      validations: [
        { expression: "request.operation != 'UPDATE' || object.data.x == oldObject.data.x" },
        {
          expression: "request.operation != 'DELETE' || (object == null && has(oldObject.data.y))",
          message: "keep it",
        },
      ],
    },
  }], async () => {
    await t.post(t.path("configmaps"), configMap());
    await t.patch("merge", t.path("configmaps/a"), { data: { x: "2" } });
    await t.put(t.path("configmaps/a"), configMap({ x: "1", z: "1" }));
    await t.delete(t.path("configmaps/a"));
    await t.patch("merge", t.path("configmaps/a"), { data: { y: "2" } });
    await t.delete(t.path("configmaps/a"));
  }));

// Parameters.
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Defines a kind of parameters for one case. */
async function withParams(
  t: Target,
  run: (paramKind: Plain) => Promise<void>,
): Promise<void> {
  const group = `${t.unique("params")}.test.dev`;
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await make(t, CRDS, {
    metadata: { name: `params.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "params", singular: "param", kind: "Param", listKind: "ParamList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  try {
    for (const [name, max] of [["one", "1"], ["two", "2"]]) {
      await makeWhenServed(t, t.path("params", `${group}/v1`), {
        apiVersion: `${group}/v1`,
        kind: "Param",
        metadata: { name, labels: { use: "param" } },
        data: { max },
      });
    }
    await run({ apiVersion: `${group}/v1`, kind: "Param" });
  } finally {
    await t.delete(`${CRDS}/params.${group}`, undefined, { unrecorded: true });
  }
}

async function makeWhenServed(t: Target, path: string, body: Plain): Promise<void> {
  await until(
    async () => (await t.post(path, body, { unrecorded: true })).code === 201,
    "that parameters can be made",
  );
}

/** In force when the last of the parameters is known. */
const LAST_PARAM = { name: "two", parameterNotFoundAction: "Allow" };

// One case for all: the real server takes up to half a minute to know a kind of parameters.
conformance("parameters", (t) =>
  withParams(t, async (paramKind) => {
    const within = valid("size(object.metadata.name) > int(params.data.max)", {
      messageExpression: "'longer than ' + params.data.max",
    });
    const tries: [Plain, Plain][] = [
      [within, { name: "one", parameterNotFoundAction: "Deny" }],
      [valid("params.data.max == '2'"), { name: "two", parameterNotFoundAction: "Deny" }],
      [valid("params.data.max == '1'", { message: "not one" }), {
        selector: { matchLabels: { use: "param" } },
        parameterNotFoundAction: "Deny",
      }],
    ];
    for (const parameterNotFoundAction of ["Deny", "Allow"]) {
      const none = { matchLabels: { use: "none" } };
      tries.push(
        [within, { name: "none", parameterNotFoundAction }],
        [within, { selector: none, parameterNotFoundAction }],
      );
    }
    for (const [spec, paramRef] of tries) {
      const matchConstraints = { resourceRules: [rule("secrets")] };
      await withPolicies(
        t,
        [{ spec: { matchConstraints, paramKind, ...spec }, bindings: [{ paramRef }] }],
        async () => {
          const secret = { metadata: { name: "a" }, stringData: { x: "3" } };
          await t.post(t.path("secrets?dryRun=All"), secret);
        },
        { spec: { ...PROBE.spec, paramKind }, bindings: [{ paramRef: LAST_PARAM }] },
      );
      await waitUntilInForce(t, false);
    }
  }));
creates("parameters that a binding does not give", {
  paramKind: { apiVersion: "v1", kind: "ConfigMap" },
  ...valid("params == null"),
});
creates("parameters of a kind that is not there", {
  paramKind: { apiVersion: "none.test.dev/v1", kind: "None" },
  ...valid("true"),
});
