import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const YAML = { type: "application/yaml" };

/** Creates a ConfigMap of a text, on trial. */
function configMap(t: Target, body: string, query = "", options = {}): Promise<Answer> {
  return t.post(`${t.path("configmaps")}?dryRun=All${query}`, body, options);
}

function deployment(t: Target, spec: unknown): Promise<Answer> {
  const body = { metadata: { name: "d" }, spec };
  return t.post(`${t.path("deployments", "apps/v1")}?dryRun=All`, body);
}

/** A deployment whose one container has these fields. */
function container(t: Target, fields: object): Promise<Answer> {
  const labels = { a: "b" };
  return deployment(t, {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: "c", image: "i", ...fields }] },
    },
  });
}

const NOT_JSON: Readonly<Record<string, string>> = {
  "no text": "",
  "white space": " ",
  "half an object": '{"metadata":',
  "text behind the object": '{"metadata":{}}x',
  "a bare word": "garbage",
  "a trailing comma": '{"metadata":{"name":"a"},}',
  "a leading zero": '{"data":{"a":01}}',
  "a control character in a string": '{"data":{"a":"\u0001"}}',
  "a wrong escape": '{"data":{"a":"\\q"}}',
  "a wrong literal": '{"immutable":tru}',
  "a number cut short": '{"metadata":{"generation":1.}}',
};
for (const [what, body] of Object.entries(NOT_JSON)) {
  conformance(`a body that is no JSON answers 400: ${what}`, async (t) => {
    assert.equal((await configMap(t, body)).code, 400);
  });
}

const NO_OBJECT: Readonly<Record<string, string>> = {
  "a list": "[]",
  "a number": "5",
  "a string": '"x"',
  "a boolean": "true",
};
for (const [what, body] of Object.entries(NO_OBJECT)) {
  conformance(`a body that is no object answers 400: ${what}`, async (t) => {
    assert.equal((await configMap(t, body)).code, 400);
  });
}

conformance("a body of null is an empty object", async (t) => {
  assert.equal((await configMap(t, "null")).code, 422);
});

conformance("a body that nests too deep answers 400", async (t) => {
  assert.equal((await configMap(t, '{"a":'.repeat(10_001))).code, 400);
});

const WRONG_KIND: Readonly<Record<string, object>> = {
  "a kind that is no text": { kind: 5 },
  "an apiVersion that is no text": { apiVersion: {} },
  "an apiVersion with two slashes": { apiVersion: "a/b/c" },
  "an unknown version of the group": { apiVersion: "v2", kind: "ConfigMap" },
  "an apiVersion of another group": { apiVersion: "apps/v1" },
  "another kind of the group": { kind: "Secret" },
  "a kind of another group": { apiVersion: "apps/v1", kind: "Deployment" },
  "a kind that there is not": { apiVersion: "foo.example.com/v1", kind: "Foo" },
  "a kind in other case": { Kind: "Secret" },
};
for (const [what, body] of Object.entries(WRONG_KIND)) {
  conformance(`${what} answers 400`, async (t) => {
    assert.equal((await configMap(t, JSON.stringify(body))).code, 400);
  });
}

conformance("another version of the same kind answers 400", async (t) => {
  const path = `${t.path("horizontalpodautoscalers", "autoscaling/v1")}?dryRun=All`;
  const body = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler" };
  assert.equal((await t.post(path, body)).code, 400);
});

conformance("a version that is not served any more answers 400", async (t) => {
  const path = `${t.path("deployments", "apps/v1")}?dryRun=All`;
  const body = { apiVersion: "apps/v1beta1", kind: "Deployment", metadata: { name: "a" } };
  assert.equal((await t.post(path, body)).code, 400);
});

conformance("apiVersion and kind may be left out", async (t) => {
  const { code, body } = await configMap(t, '{"metadata":{"name":"a"}}');
  assert.deepEqual([code, body.kind, body.apiVersion], [201, "ConfigMap", "v1"]);
});

const WRONG_TYPE: Readonly<Record<string, object>> = {
  "a number for a struct": { metadata: 5 },
  "a number for a string": { metadata: { name: 5 } },
  "a number for a value of a map": { metadata: { labels: { a: 5 } } },
  "a list for a map": { metadata: { labels: [] } },
  "a boolean for a value of a map": { data: { a: true } },
  "an object for a string": { data: { a: {} } },
  "a string for a boolean": { immutable: "yes" },
  "a number for an item of a list of structs": { metadata: { ownerReferences: [5] } },
  "a string for a list": { metadata: { finalizers: "a" } },
  "a number for a time": { metadata: { creationTimestamp: 5 } },
  "a number for bytes": { binaryData: { a: 5 } },
};
for (const [what, body] of Object.entries(WRONG_TYPE)) {
  conformance(`a wrong type answers 400: ${what}`, async (t) => {
    assert.equal((await configMap(t, JSON.stringify(body))).code, 400);
  });
}

for (const number of ["1.5", "1e3", "9223372036854775808", '"5"', "true"]) {
  conformance(`${number} for a 64-bit integer`, async (t) => {
    const answer = await configMap(t, `{"metadata":{"name":"a","generation":${number}}}`);
    assert.equal(answer.code, 400);
  });
}

for (const number of ["3.5", "2147483648", '"3"', "-0"]) {
  conformance(`${number} for a 32-bit integer`, async (t) => {
    const body = `{"metadata":{"name":"a"},"spec":{"replicas":${number}}}`;
    await t.post(`${t.path("deployments", "apps/v1")}?dryRun=All`, body);
  });
}

conformance("the first wrong type of a body is told of", async (t) => {
  await deployment(t, { replicas: "3", selector: 5, template: [] });
});

conformance("a wrong type deep down is told with its path", async (t) => {
  await container(t, { ports: [{ containerPort: "80" }] });
});

conformance("the path of a wrong type names embedded structs", async (t) => {
  await container(t, { livenessProbe: { httpGet: { port: true } } });
});

const TIMES = [
  "foo",
  "2020-13-01T00:00:00Z",
  "2020-02-30T00:00:00Z",
  "2020-01-01T24:00:00Z",
  "2020-01-01T00:00:00",
  "2020-01-01",
  "2020-01-01T00:00:00Zx",
  "2020/01/01T00:00:00Z",
  "20-01-01T00:00:00Z",
];
for (const time of TIMES) {
  conformance(`a time that is none answers 400: ${time}`, async (t) => {
    const meta = { name: "a", creationTimestamp: time };
    assert.equal((await configMap(t, JSON.stringify({ metadata: meta }))).code, 400);
  });
}

for (const time of ["2020-01-02T03:04:05.123456789Z", "2020-01-02T03:04:05+02:00"]) {
  conformance(`a time is kept in whole seconds of UTC: ${time}`, async (t) => {
    const owner = { deletionTimestamp: time };
    const body = { involvedObject: { namespace: t.namespace }, firstTimestamp: time, ...owner };
    const { deletionTimestamp: _, ...event } = body;
    const answer = await t.post(`${t.path("events")}?dryRun=All`, {
      metadata: { name: "e" },
      ...event,
    });
    assert.match(answer.body.firstTimestamp, /^2020-01-02T\d\d:04:05Z$/);
  });
}

for (const time of ["2020-01-02T03:04:05Z", "2020-01-02T03:04:05.123456Z", "2020-01-02"]) {
  conformance(`a time with microseconds: ${time}`, async (t) => {
    const body = { metadata: { name: "l" }, spec: { renewTime: time } };
    await t.post(`${t.path("leases", "coordination.k8s.io/v1")}?dryRun=All`, body);
  });
}

const QUANTITIES = [
  "1000m",
  "0.5",
  "1.500",
  "1024Ki",
  "1500Mi",
  "0.5Gi",
  "1e3",
  "100000",
  "1.23456789012",
  "0.1m",
  "+5",
  "12E",
  "1Ki",
];
for (const quantity of QUANTITIES) {
  conformance(`a quantity has one form: ${quantity}`, async (t) => {
    const { body } = await container(t, { resources: { limits: { "example.com/a": quantity } } });
    assert.ok(body);
  });
}

for (const quantity of [0.5, 2, 1e3]) {
  conformance(`a quantity may be a number: ${quantity}`, async (t) => {
    await container(t, { resources: { limits: { cpu: quantity } } });
  });
}

for (const quantity of ["abc", "1x", "", "1.2.3", [], true, "--1"]) {
  conformance(`a quantity that is none answers 400: ${JSON.stringify(quantity)}`, async (t) => {
    const answer = await container(t, { resources: { limits: { cpu: quantity } } });
    assert.equal(answer.code, 400);
  });
}

for (const surge of [1, "25%", "1", {}, 1.5, 99999999999]) {
  conformance(`a number or a text: ${JSON.stringify(surge)}`, async (t) => {
    const labels = { a: "b" };
    await deployment(t, {
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxSurge: surge } },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    });
  });
}

for (const bytes of ["!!", "abc", "YQ=", "YQ==x", "YR==", "Y Q==", "YQ\n==", "====", null, ""]) {
  conformance(`bytes are base64: ${JSON.stringify(bytes)}`, async (t) => {
    await configMap(t, JSON.stringify({ metadata: { name: "a" }, binaryData: { a: bytes } }));
  });
}

conformance("null is the zero of a field, which is left out when empty", async (t) => {
  const body = { metadata: { name: "a", labels: null }, data: null, immutable: null };
  const answer = await configMap(t, JSON.stringify(body));
  assert.equal("data" in answer.body, false);
});

conformance("null as a value of a map is the zero of its type", async (t) => {
  const answer = await configMap(t, '{"metadata":{"name":"a"},"data":{"a":null}}');
  assert.deepEqual(answer.body.data, { a: "" });
});

conformance("an empty map or list is left out where the type says so", async (t) => {
  const meta = { name: "a", labels: {}, finalizers: [] };
  const answer = await configMap(t, JSON.stringify({ metadata: meta, data: {} }));
  assert.equal(answer.body.metadata.labels, undefined);
});

conformance("an empty list is null where the type does not leave it out", async (t) => {
  const path = `${t.path("roles", "rbac.authorization.k8s.io/v1")}?dryRun=All`;
  const answer = await t.post(path, { metadata: { name: "a" }, rules: [] });
  assert.equal(answer.body.rules, null);
});

conformance("the last of a repeated key counts, and structs and maps are merged", async (t) => {
  const text = '{"metadata":{"name":"a"},"data":{"a":"1","b":"1"},"data":{"b":"2"},' +
    '"metadata":{"labels":{"x":"y"}}}';
  const { body, code } = await configMap(t, text);
  assert.equal(code, 201);
  assert.deepEqual(body.data, { a: "1", b: "2" });
});

conformance("half a character becomes the replacement character", async (t) => {
  const { body } = await configMap(t, '{"metadata":{"name":"a"},"data":{"a":"\\ud800"}}');
  assert.equal(body.data.a, "\ufffd");
});

const UNKNOWN = JSON.stringify({
  metadata: { name: "a", Labels: {}, ownerReferences: [{ foo: 1 }] },
  Data: {},
  spec: { x: 1 },
});
const REPEATED = '{"metadata":{"name":"a","labels":{"a":"1","a":"2"}},"data":{},"data":{}}';

conformance("unknown fields are warned of by default, and dropped", async (t) => {
  const body = JSON.stringify({ metadata: { name: "a", foo: 1 }, bar: { x: 1 } });
  const answer = await configMap(t, body);
  assert.equal(answer.code, 201);
  assert.match(answer.headers.get("warning")!, /unknown field/);
});

conformance("unknown fields answer 400 when validation is strict", async (t) => {
  const { code, body } = await configMap(t, UNKNOWN, "&fieldValidation=Strict");
  assert.equal(code, 400);
  assert.match(body.message, /strict decoding error/);
});

conformance("unknown fields are dropped in silence when validation ignores them", async (t) => {
  const body = JSON.stringify({ metadata: { name: "a", foo: 1 }, bar: { x: 1 } });
  const answer = await configMap(t, body, "&fieldValidation=Ignore");
  assert.equal(answer.headers.get("warning"), null);
});

conformance("repeated fields are warned of by default", async (t) => {
  assert.equal((await configMap(t, REPEATED)).code, 201);
});

conformance("repeated fields answer 400 when validation is strict", async (t) => {
  assert.equal((await configMap(t, REPEATED, "&fieldValidation=Strict")).code, 400);
});

conformance("a wrong type goes before unknown fields", async (t) => {
  const body = '{"foo":1,"metadata":{"name":5}}';
  assert.equal((await configMap(t, body, "&fieldValidation=Strict")).code, 400);
});

conformance("no more than a hundred unknown fields are told of", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`u${i}`, i]));
  const body = JSON.stringify({ metadata: { name: "a" }, ...many });
  assert.equal((await configMap(t, body, "&fieldValidation=Strict")).code, 400);
});

conformance("a field validation that there is not answers 422", async (t) => {
  assert.equal((await configMap(t, "{}", "&fieldValidation=Foo")).code, 422);
});

conformance("a body may be YAML", async (t) => {
  const text =
    'metadata:\n  name: a\n  labels: &l {x: "1"}\n  annotations: *l\ndata:\n  a: |\n    b\n';
  assert.equal((await configMap(t, text, "", YAML)).code, 201);
});

for (const scalar of ["1", "yes", "0x1F", "1e3", "off", "y"]) {
  conformance(`a scalar of YAML that is no text answers 400: ${scalar}`, async (t) => {
    const text = `metadata: {name: a}\ndata: {a: ${scalar}}\n`;
    assert.equal((await configMap(t, text, "", YAML)).code, 400);
  });
}

for (const scalar of ["0777", "1_000", "1.0", "1e3", "0b11"]) {
  conformance(`an integer of YAML: ${scalar}`, async (t) => {
    await configMap(t, `metadata: {name: a, generation: ${scalar}}\n`, "", YAML);
  });
}

for (const scalar of ["2020-01-01", "12:30:45", "1.2.3", "!!str 5", "~", '"1"']) {
  conformance(`a scalar of YAML that is a text: ${scalar}`, async (t) => {
    await configMap(t, `metadata: {name: a}\ndata: {a: ${scalar}}\n`, "", YAML);
  });
}

conformance("keys of YAML become texts", async (t) => {
  const text = "metadata: {name: a}\ndata:\n  1: a\n  true: b\n  1.5: c\n";
  await configMap(t, text, "", YAML);
});

conformance("keys that YAML repeats are warned of with their line", async (t) => {
  const text = 'metadata:\n  name: a\n  foo: 1\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\n';
  await configMap(t, text, "", YAML);
});

conformance("keys that YAML repeats answer 400 when validation is strict", async (t) => {
  const text = 'metadata:\n  name: a\n  foo: 1\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\n';
  assert.equal((await configMap(t, text, "&fieldValidation=Strict", YAML)).code, 400);
});

conformance("only the first document of YAML counts", async (t) => {
  await configMap(t, "metadata: {name: a}\n---\nmetadata: {name: b}\n", "", YAML);
});

/** Data of a ConfigMap, each as YAML 1.1 alone reads it. */
const YAML_DATA: Readonly<Record<string, string>> = {
  "a flow collection that ends at the column of its key": "data: {\n  a: b\n}\n",
  "a bracket at the column of its key": "metadata:\n  finalizers: [\n  a/b\n  ]\n  name: a\n",
  "an escape of half a character": 'data: {a: "\\ud83d\\ude00"}\n',
  "an escaped character": 'data: {a: "\\U0001f600\\x41\\e"}\n',
  "an escaped slash": 'data: {a: "\\/"}\n',
  "a literal at the end of the text": "data:\n  a: |\n    b\n    c",
  "a folded scalar at the end of the text": "data:\n  a: >+\n    b\n    c\n\n",
  "a tab before a comment": "data: # c\n  a: b\t# c\n",
  "a tab before a key": "data:\n\ta: b\n",
  "text behind the first document": "data: {a: b}\n---\n@ {",
  "text behind the end of the first document": "data: {a: b}\n...\n}",
  "text behind a bracket": "data: {a: b}\n}\n",
  "a merge behind what it changes": "data: {a: b, <<: {a: c, d: e}}\n",
  "a key of another document's kind": "data: {{x}: a}\n",
  "a control character": "data: {a: '\x7f'}\n",
};
for (const [what, text] of Object.entries(YAML_DATA)) {
  conformance(`YAML: ${what}`, async (t) => {
    const metadata = text.startsWith("metadata") ? "" : "metadata: {name: a}\n";
    await configMap(t, metadata + text, "", YAML);
    const applied = `apiVersion: v1\nkind: ConfigMap\n${metadata}${text}`;
    await t.patch("apply", `${t.path("configmaps")}/a?fieldManager=m`, applied);
  });
}

const NOT_YAML = ["{", "a: b: c\n", "a: [}\n", "a: *b\n", "@x", "a: 'x", '"a', "- a\n", "foo\n"];
for (const text of NOT_YAML) {
  conformance(`a body that is no YAML of an object: ${JSON.stringify(text)}`, async (t) => {
    assert.equal((await configMap(t, text, "", YAML)).code, 400);
  });
}

for (const type of ["text/plain", "application/xml; charset=utf-8", "a/b/c"]) {
  conformance(`a body of another media type answers 415: ${type}`, async (t) => {
    assert.equal((await configMap(t, "{}", "", { type })).code, 415);
  });
}

conformance("a media type may have parameters", async (t) => {
  const type = "application/json; charset=utf-8";
  assert.equal((await configMap(t, '{"metadata":{"name":"a"}}', "", { type })).code, 201);
});

conformance("a body that says to be protobuf and is not answers 400", async (t) => {
  const type = "application/vnd.kubernetes.protobuf";
  assert.equal((await configMap(t, "{}", "", { type })).code, 400);
});

conformance("a deployment has its structs though they are empty", async (t) => {
  const { body } = await container(t, {});
  assert.deepEqual([body.status, body.spec.template.spec.containers[0].resources], [{}, {}]);
});

conformance("zero is kept where absent means something else", async (t) => {
  const labels = { a: "b" };
  const { body } = await deployment(t, {
    replicas: 0,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 0 },
    },
  });
  assert.equal(body.spec.replicas, 0);
});

conformance("a quantity without digits is none at all", async (t) => {
  for (const storage of ["n", "Ki", ".", "+", "-m", ".Mi", "Ti", "Pi", "e-30", "e3"]) {
    await t.post(t.path("persistentvolumeclaims"), {
      metadata: { name: "a" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
  }
});
