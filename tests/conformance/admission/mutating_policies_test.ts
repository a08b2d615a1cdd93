import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { GROUP, type Plain, rule } from "./policy_fixtures.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { withKind } from "../custom_resources/custom_kind.ts";
import { pod } from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url, { oneByOne: true });

const POLICIES = `${GROUP}/mutatingadmissionpolicies`;
const BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`;

const apply = (expression: string): Plain => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const jsonPatch = (expression: string): Plain => ({
  patchType: "JSONPatch",
  jsonPatch: { expression },
});

interface Bound {
  /** The `spec` beside its constraints; what is not said is as it mostly is. */
  readonly spec: Plain;
  readonly resource?: string;
  readonly operations?: readonly string[];
  readonly binding?: Plain;
}

async function make(t: Target, path: string, body: Plain): Promise<void> {
  const { code, body: answer } = await t.post(path, body, { unrecorded: true });
  assert.equal(code, 201, JSON.stringify(answer));
}

/**
 * Runs a part of a case while policies are in force in its namespace, each for the objects that are
 * labelled with its name, so that one wait serves many. A last one says when all of them are.
 */
async function withPolicies(
  t: Target,
  policies: Readonly<Record<string, Bound>>,
  run: () => Promise<void>,
): Promise<void> {
  const made: string[] = [];
  const probe = { spec: { mutations: [apply("Object{spec: Object.spec{limits: []}}")] } };
  const all = Object.entries({ ...policies, probe: { ...probe, resource: "limitranges" } });
  t.mask(/policy-[a-z0-9-]+-[0-9a-f]{8}/g, "<policy>");
  try {
    for (
      const [name, { spec, resource = "configmaps", operations, binding }] of all as [
        string,
        Bound,
      ][]
    ) {
      const policyName = t.unique(`policy-${name}`);
      await make(t, POLICIES, {
        metadata: { name: policyName },
        spec: {
          reinvocationPolicy: "Never",
          matchConstraints: {
            resourceRules: [rule(resource, ...operations ?? ["CREATE", "UPDATE"])],
            ...(name !== "probe" && { objectSelector: { matchLabels: { [name]: "yes" } } }),
          },
          ...spec,
        },
      });
      made.push(`${POLICIES}/${policyName}`);
      await make(t, BINDINGS, {
        metadata: { name: policyName },
        spec: {
          policyName,
          matchResources: {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
          },
          ...binding,
        },
      });
      made.push(`${BINDINGS}/${policyName}`);
    }
    await until(async () => {
      const body = { metadata: { name: "probe" }, spec: { limits: [] } };
      const answer = await t.post(t.path("limitranges?dryRun=All"), body, { unrecorded: true });
      return answer.code === 403;
    }, "that the policies are in force");
    await run();
  } finally {
    for (const path of made.reverse()) await t.delete(path, undefined, { unrecorded: true });
  }
}

const configMap = (labels: readonly string[], more: Plain = {}): Plain => ({
  metadata: {
    name: labels.join("-"),
    labels: Object.fromEntries(labels.map((label) => [label, "yes"])),
  },
  data: { x: "1" },
  ...more,
});

/** Creates a ConfigMap for each policy, or for each of some names. */
async function createEach(t: Target, names: Iterable<string>): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const name of names) answers[name] = await t.post(t.path("configmaps"), configMap([name]));
  return answers;
}

/** A case: what becomes of a ConfigMap by each of some mutations. */
function creates(name: string, mutations: Readonly<Record<string, Plain>>): void {
  const policies = Object.fromEntries(
    Object.entries(mutations).map((
      [name, mutation],
    ) => [name, { spec: { mutations: [mutation] } }]),
  );
  conformance(
    name,
    (t) => withPolicies(t, policies, async () => void await createEach(t, Object.keys(mutations))),
  );
}

creates("what configurations set is merged", {
  labels: apply('Object{metadata: Object.metadata{labels: {"added": "by-policy"}}}'),
  data: apply('Object{data: {"x": "2", "y": object.data.x + "!"}}'),
  nothing: apply("Object{}"),
  choice: apply('object.data.x == "1" ? Object{data: {"is": "one"}} : Object{}'),
  optional: apply(
    'Object{?data: object.?data.none.hasValue() ? optional.of({"a": "b"}) : optional.none()}',
  ),
  bool: apply("Object{immutable: true}"),
  request: apply(
    'Object{data: {"who": request.operation + request.namespace, "ns": namespaceObject.metadata.name}}',
  ),
});

creates("configurations that do not fit", {
  unknown: apply("Object{spec: Object.spec{replicas: 1}}"),
  type: apply("Object{data: Object.data{x: 1}}"),
  named: apply('Object{metadata: Object.wrong{labels: {"a": "b"}}}'),
  nested: apply('Object{metadata: Object.metadata{labels: Object.metadata.wrong{a: "b"}}}'),
  atomic: apply('Object{metadata: Object.metadata{finalizers: ["a/b"]}}'),
  fails: apply('Object{data: {"x": object.data.none}}'),
  invalid: apply('Object{data: {"no good": "x"}}'),
  key: apply("Object{data: {1: 'a'}}"),
});

creates("operations are applied in order", {
  add: jsonPatch('[JSONPatch{op: "add", path: "/data/y", value: "2"}]'),
  several: jsonPatch(
    '[JSONPatch{op: "copy", from: "/data/x", path: "/data/y"}, ' +
      'JSONPatch{op: "replace", path: "/data/x", value: "3"}, ' +
      'JSONPatch{op: "move", from: "/data/x", path: "/data/z"}]',
  ),
  remove: jsonPatch('[JSONPatch{op: "remove", path: "/data"}]'),
  tested: jsonPatch(
    '[JSONPatch{op: "test", path: "/data/x", value: "1"}, ' +
      'JSONPatch{op: "add", path: "/data/y", value: "2"}]',
  ),
  untested: jsonPatch(
    '[JSONPatch{op: "test", path: "/data/x", value: "2"}, ' +
      'JSONPatch{op: "add", path: "/data/y", value: "2"}]',
  ),
  empty: jsonPatch('[JSONPatch{op: "remove", path: "/data"}].filter(each, false)'),
  map: jsonPatch('[JSONPatch{op: "add", path: "/data", value: {"a": "b"}}]'),
  object: jsonPatch(
    '[JSONPatch{op: "add", path: "/metadata/annotations", value: Object.metadata.annotations{a: "b"}}]',
  ),
  escaped: jsonPatch(
    '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a.b/c"), value: "d"}]',
  ),
  computed: jsonPatch(
    '["a", "b"].map(k, JSONPatch{op: "add", path: "/data/" + k, value: string(size(k))})',
  ),
});

creates("operations that do not fit", {
  missing: jsonPatch('[JSONPatch{op: "replace", path: "/none/there", value: 1}]'),
  remove: jsonPatch('[JSONPatch{op: "remove", path: "/data/none"}]'),
  type: jsonPatch('[JSONPatch{op: "add", path: "/data/y", value: 1}]'),
  unknown: jsonPatch('[JSONPatch{op: "add", path: "/spec", value: {"a": "b"}}]'),
  op: jsonPatch('[JSONPatch{op: "shuffle", path: "/data"}]'),
  fails: jsonPatch('[JSONPatch{op: "add", path: object.none, value: 1}]'),
});

conformance("failures that are ignored, conditions and variables", (t) => {
  const ignored = (mutation: Plain): Bound => ({
    spec: { failurePolicy: "Ignore", mutations: [mutation, apply('Object{data: {"then": "b"}}')] },
  });
  const conditioned = (expression: string, failurePolicy = "Fail"): Bound => ({
    spec: {
      failurePolicy,
      matchConditions: [{ name: "a", expression }],
      mutations: [apply('Object{data: {"y": "2"}}')],
    },
  });
  const policies = {
    ignored: ignored(apply('Object{data: {"x": object.none}}')),
    holds: conditioned("object.data.x == '1'"),
    "holds-not": conditioned("object.data.x == '2'"),
    fails: conditioned("object.none == '2'"),
    "fails-ignored": conditioned("object.none == '2'", "Ignore"),
    variables: {
      spec: {
        variables: [
          { name: "a", expression: "object.data.x" },
          { name: "b", expression: "variables.a + '+'" },
        ],
        mutations: [
          apply('Object{data: {"b": variables.b}}'),
          jsonPatch('[JSONPatch{op: "add", path: "/data/x", value: "2"}]'),
          apply('Object{data: {"c": variables.b}}'),
        ],
      },
    },
    "variable-fails": {
      spec: {
        variables: [{ name: "a", expression: "object.none" }],
        mutations: [apply('Object{data: {"a": variables.a}}')],
      },
    },
  };
  return withPolicies(t, policies, async () => void await createEach(t, Object.keys(policies)));
});

conformance("parameters", async (t) => {
  await t.post(t.path("secrets"), {
    metadata: { name: "params", labels: { some: "yes" } },
    stringData: { a: "b" },
  }, { unrecorded: true });
  const parametrised = (paramRef: Plain): Bound => ({
    spec: {
      paramKind: { apiVersion: "v1", kind: "Secret" },
      mutations: [apply('Object{data: {"param": has(params.data) ? params.metadata.name : "?"}}')],
    },
    binding: {
      paramRef: { parameterNotFoundAction: "Deny", ...paramRef },
      matchResources: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
      },
    },
  });
  const policies = {
    "by-name": parametrised({ name: "params" }),
    "by-label": parametrised({ selector: { matchLabels: { some: "yes" } } }),
    none: parametrised({ name: "none" }),
    allowed: parametrised({ name: "none", parameterNotFoundAction: "Allow" }),
  };
  await withPolicies(t, policies, async () => {
    await until(async () => {
      const path = t.path("configmaps?dryRun=All");
      const { code } = await t.post(path, configMap(["by-name"]), { unrecorded: true });
      return code === 201;
    }, "that the parameters are known");
    await createEach(t, Object.keys(policies));
  });
});

conformance("pods are changed, and get their defaults", (t) => {
  const onPods = (...mutations: Plain[]): Bound => ({ resource: "pods", spec: { mutations } });
  const policies = {
    sidecar: onPods(apply(
      'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "side", ' +
        'image: "envoy:1", restartPolicy: "Always"}]}}',
    )),
    env: onPods(apply(
      "Object{spec: Object.spec{containers: object.spec.containers.map(c, " +
        'Object.spec.containers{name: c.name, env: [Object.spec.containers.env{name: "A", value: "b"}]})}}',
    )),
    atomic: onPods(apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", command: ["x"]}]}}',
    )),
    unnamed: onPods(apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{image: "x"}]}}',
    )),
    number: onPods(apply("Object{spec: Object.spec{terminationGracePeriodSeconds: 5}}")),
    patched: onPods(jsonPatch(
      '[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "d", image: "e"}}]',
    )),
    strict: onPods(jsonPatch('[JSONPatch{op: "add", path: "/spec/none", value: 1}]')),
  };
  return withPolicies(t, policies, async () => {
    for (const name of Object.keys(policies)) {
      await t.post(t.path("pods"), pod({}, { name, labels: { [name]: "yes" } }));
    }
  });
});

conformance("updates, patches, applies and dry runs are changed", (t) => {
  t.managedFields = true;
  const spec = {
    mutations: [jsonPatch('[JSONPatch{op: "add", path: "/data/op", value: request.operation}]')],
  };
  return withPolicies(t, { each: { spec } }, async () => {
    const path = t.path("configmaps");
    const as = "fieldManager=me";
    await t.post(`${path}?${as}&dryRun=All`, configMap(["each"]));
    await t.post(`${path}?${as}`, configMap(["each"]));
    await t.put(`${path}/each?${as}`, configMap(["each"]));
    await t.patch("merge", `${path}/each?${as}`, { data: { y: "2" } });
    await t.patch("apply", `${path}/each?fieldManager=other`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "each" },
      data: { z: "3" },
    });
    await t.delete(`${path}/each`);
  });
});

conformance("policies are applied again when others changed something", (t) => {
  const counts = (key: string, reinvocationPolicy: string): Plain => ({
    reinvocationPolicy,
    mutations: [
      jsonPatch(
        `[JSONPatch{op: "add", path: "/data/${key}", value: has(object.data.${key}) ? ` +
          `object.data.${key} + "+" : "1"}]`,
      ),
    ],
  });
  const policies = {
    needed: { spec: counts("needed", "IfNeeded") },
    never: { spec: counts("never", "Never") },
  };
  return withPolicies(t, policies, async () => {
    await t.post(t.path("configmaps"), configMap(["needed"]));
    await t.post(t.path("configmaps"), configMap(["never"]));
    await t.post(t.path("configmaps"), configMap(["needed", "never"]));
  });
});

conformance("a scale is changed as a scale", async (t) => {
  const rules = [{
    apiGroups: ["apps"],
    apiVersions: ["v1"],
    operations: ["UPDATE"],
    resources: ["deployments/scale"],
  }];
  const spec = (isNine: boolean, mutation: Plain): Plain => ({
    matchConstraints: { resourceRules: rules },
    matchConditions: [{ name: "a", expression: `(object.spec.replicas == 9) == ${isNine}` }],
    mutations: [mutation],
  });
  const seven = jsonPatch(
    '[JSONPatch{op: "replace", path: "/spec/replicas", value: [object, oldObject].all(each, ' +
      'each.kind == "Scale" && each.apiVersion == "autoscaling/v1") ? 7 : 1}]',
  );
  const policies = {
    sets: { spec: spec(false, seven) },
    configures: { spec: spec(true, apply("Object{spec: Object.spec{replicas: 1}}")) },
  };
  await withPolicies(t, policies, async () => {
    const path = t.path("deployments", "apps/v1");
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: pod()["spec"] };
    const deployment = { replicas: 3, selector: { matchLabels: labels }, template };
    await t.post(path, { metadata: { name: "a" }, spec: deployment }, { unrecorded: true });
    await t.patch("merge", `${path}/a/scale`, { spec: { replicas: 2 } });
    await t.patch("merge", `${path}/a/scale`, { spec: { replicas: 9 } });
    const { body } = await t.get(`${path}/a/scale`);
    assert.equal(body.spec.replicas, 7);
    const scale = { metadata: { name: "a", namespace: t.namespace }, spec: { replicas: 1 } };
    await t.put(`${path}/a/scale`, scale);
    await t.get(`${path}/a`);
  });
});

conformance("a LimitRange sees what a policy adds", async (t) => {
  const limits = [{ type: "Container", default: { cpu: "1" } }];
  await t.post(t.path("limitranges"), { metadata: { name: "l" }, spec: { limits } });
  const spec = {
    mutations: [
      apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "d", image: "e"}]}}',
      ),
    ],
  };
  await withPolicies(t, { adds: { resource: "pods", spec } }, async () => {
    const { body } = await t.post(t.path("pods"), pod({}, { labels: { adds: "yes" } }));
    assert.deepEqual(body.spec.containers[1].resources.limits, { cpu: "1" });
  });
});

conformance("expressions that are no patches are refused", async (t) => {
  const matchConstraints = { resourceRules: [rule("configmaps")] };
  const refused = async (...mutations: Plain[]): Promise<void> => {
    const spec = { reinvocationPolicy: "Never", matchConstraints, mutations };
    const { code } = await t.post(`${POLICIES}?dryRun=All`, {
      metadata: { name: t.unique("bad") },
      spec,
    });
    assert.equal(code, 422);
  };
  await refused(apply("object.data"), jsonPatch("object"));
  await refused(apply("1"), apply('"a"'), apply("[Object{}]"), apply("Object.spec{}"));
  await refused(jsonPatch('JSONPatch{op: "add"}'), jsonPatch("[1]"), jsonPatch("[Object{}]"));
  await refused(
    apply("Other{}"),
    jsonPatch('[JSONPatch{none: "a"}]'),
    jsonPatch("[JSONPatch{op: 1}]"),
  );
  await refused(apply("Object{"), apply("variables.none"), jsonPatch("[]"));
  const { code } = await t.post(`${POLICIES}?dryRun=All`, {
    metadata: { name: t.unique("bad") },
    spec: {
      reinvocationPolicy: "Never",
      matchConstraints,
      variables: [{ name: "a", expression: "none" }, { name: "1", expression: "1" }],
      mutations: [apply('Object{data: {"a": variables.a}}')],
    },
  });
  assert.equal(code, 422);
});

for (const operations of [["*"], ["CONNECT"], ["CREATE", "CONNECT"], ["DELETE"], ["*", "CREATE"]]) {
  conformance(`a mutating policy for ${operations.join(" and ")}`, async (t) => {
    const resourceRules = [rule("configmaps", ...operations)];
    await t.post(`${POLICIES}?dryRun=All`, {
      metadata: { name: t.unique("policy-operations") },
      spec: {
        reinvocationPolicy: "Never",
        matchConstraints: { resourceRules },
        mutations: [apply("Object{}")],
      },
    });
  });
}

conformance(
  "a mutating policy for all operations changes what is created and updated",
  async (t) => {
    const mutations = [
      apply('Object{metadata: Object.metadata{annotations: {"by": request.operation}}}'),
    ];
    await withPolicies(t, { all: { spec: { mutations }, operations: ["*"] } }, async () => {
      const path = t.path("configmaps");
      await t.post(path, { metadata: { name: "a", labels: { all: "yes" } } });
      await t.patch("merge", `${path}/a`, { data: { a: "b" } });
      await t.delete(`${path}/a`);
    });
  },
);

const otherKind = (kind: string, apiVersion = "v1", more = ""): Plain =>
  jsonPatch(
    `[JSONPatch{op: "remove", path: "/data"}, JSONPatch{op: "replace", path: "/kind", ` +
      `value: "${kind}"}, JSONPatch{op: "replace", path: "/apiVersion", value: "${apiVersion}"}${more}]`,
  );

creates("a patch changes the kind or the version", {
  secret: otherKind("Secret"),
  binary: jsonPatch('[JSONPatch{op: "replace", path: "/kind", value: "Secret"}]'),
  unknown: otherKind("Nope"),
  nowhere: otherKind("ConfigMap", "nope/v1"),
  unversioned: otherKind("ConfigMap", "v9"),
  deployment: otherKind("Deployment", "apps/v1"),
  field: otherKind("Deployment", "apps/v1", ', JSONPatch{op: "add", path: "/data", value: "x"}'),
  options: otherKind("DeleteOptions"),
  empty: otherKind(""),
  noversion: jsonPatch('[JSONPatch{op: "remove", path: "/apiVersion"}]'),
  nokind: jsonPatch('[JSONPatch{op: "remove", path: "/kind"}]'),
  number: jsonPatch('[JSONPatch{op: "replace", path: "/kind", value: 1}]'),
});

conformance("a patch changes the kind in several ways", async (t) => {
  const back = jsonPatch(
    '[JSONPatch{op: "replace", path: "/kind", value: "ConfigMap"}, ' +
      'JSONPatch{op: "replace", path: "/apiVersion", value: "v1"}, ' +
      'JSONPatch{op: "add", path: "/data", value: {"back": "yes"}}]',
  );
  const ofDeployments = (label: string, version: string, kind = "Deployment"): Bound => ({
    spec: {
      mutations: [jsonPatch(
        `[JSONPatch{op: "replace", path: "/apiVersion", value: "${version}"}, ` +
          `JSONPatch{op: "replace", path: "/kind", value: "${kind}"}]`,
      )],
      matchConstraints: {
        resourceRules: [{
          apiGroups: ["apps"],
          apiVersions: ["v1"],
          operations: ["CREATE"],
          resources: ["deployments"],
        }],
        objectSelector: { matchLabels: { [label]: "yes" } },
      },
    },
  });
  await withPolicies(t, {
    apart: { spec: { mutations: [otherKind("Deployment", "apps/v1"), back] } },
    ignored: { spec: { mutations: [otherKind("Deployment", "apps/v1")], failurePolicy: "Ignore" } },
    still: { spec: { mutations: [otherKind("Secret")], failurePolicy: "Ignore" } },
    beta: ofDeployments("beta", "apps/v1beta2"),
    quota: ofDeployments("quota", "policy/v1"),
  }, async () => {
    await createEach(t, ["apart", "ignored", "still"]);
    for (const name of ["beta", "quota"]) {
      await t.post(t.path("deployments", "apps/v1"), {
        metadata: { name, labels: { [name]: "yes" } },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { containers: [{ name: "a", image: "a" }] },
          },
        },
      });
    }
  });
});

const value = (text: string, op = "add", path = "/data/y"): Plain =>
  jsonPatch(`[JSONPatch{op: "${op}", path: "${path}"${text && `, value: ${text}`}}]`);

creates("the values of JSON patches", {
  big: value("9007199254740993"),
  unsigned: value("18446744073709551615u"),
  small: value("1"),
  optional: value('optional.of("x")'),
  "no-optional": value("optional.none()"),
  type: value("type(1)"),
  quantity: value('quantity("1")'),
  "integer-key": value('{1: "a"}', "add", "/data"),
  "boolean-key": value('{true: "a"}', "add", "/data"),
  "double-key": value('{dyn(1.5): "a"}', "add", "/data"),
  "null-key": value('{dyn(null): "a"}', "add", "/data"),
  none: value(""),
  "replaced-by-none": value("", "replace", "/data/x"),
  "test-of-none": value("", "test", "/data/x"),
  "no-data": value("", "add", "/data"),
});

conformance("a patch of a custom object removes its metadata", async (t) => {
  await withKind(t, {}, async (kind) => {
    const removes = (label: string, path: string): Bound => ({
      spec: {
        mutations: [jsonPatch(`[JSONPatch{op: "remove", path: "${path}"}]`)],
        matchConstraints: {
          resourceRules: [{
            apiGroups: [kind.group],
            apiVersions: ["*"],
            operations: ["CREATE"],
            resources: ["foos"],
          }],
          objectSelector: { matchLabels: { [label]: "yes" } },
        },
      },
    });
    await withPolicies(t, {
      all: removes("all", "/metadata"),
      name: removes("name", "/metadata/name"),
    }, async () => {
      for (const label of ["all", "name"]) {
        const apiVersion = `${kind.group}/v1`;
        const metadata = { name: label, labels: { [label]: "yes" } };
        const body = { apiVersion, kind: "Foo", metadata };
        const path = t.path("foos", apiVersion);
        // kube-apiserver hears of the kind some time after it serves it.
        await until(
          async () => (await t.post(`${path}?dryRun=All`, body, { unrecorded: true })).code !== 503,
          "that policies know the kind",
        );
        await t.post(path, body);
      }
    });
  });
});
