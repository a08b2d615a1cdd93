import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { ANY, type CustomKind, type KindOptions, specSchema, withKind } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;

/** A case with a kind that is served. */
function withServed(
  name: string,
  options: KindOptions,
  run: (kind: CustomKind, t: Target) => Promise<void>,
): void {
  conformance(name, (t) => withKind(t, options, (kind) => run(kind, t)));
}

/** A case: objects that a schema refuses (or takes) one after the other, without an effect. */
function answers(name: string, properties: Plain, code: number, ...specs: unknown[]): void {
  withServed(name, { schema: specSchema(properties) }, async (kind) => {
    for (const spec of specs) {
      const answer = await kind.create({ spec }, "?dryRun=All");
      assert.equal(answer.code, code, JSON.stringify(answer.body));
    }
  });
}

const refused = (name: string, properties: Plain, ...specs: unknown[]): void =>
  answers(name, properties, 422, ...specs);
const accepted = (name: string, properties: Plain, ...specs: unknown[]): void =>
  answers(name, properties, 201, ...specs);

const text = { type: "string" };
const map = (properties: Plain, more: Plain = {}): Plain => ({
  type: "object",
  properties,
  ...more,
});
const list = (items: Plain, more: Plain = {}): Plain => ({ type: "array", items, ...more });
const SPEC = specSchema({ a: { type: "integer" } });
const STATUS = {
  schema: map({
    spec: map({ a: { type: "integer" } }),
    status: map({ b: { type: "integer" } }),
  }),
  version: { subresources: { status: {} } },
};

// Types.
refused("a text where a number should be", { a: { type: "integer" } }, { a: "x" });
refused("a fraction where a whole number should be", { a: { type: "integer" } }, { a: 1.5 });
refused("a number where a text should be", { a: text }, { a: 5 });
refused("a text where a boolean should be", { a: { type: "boolean" } }, { a: "true" });
refused("an object where a list should be", { a: list(text) }, { a: {} });
refused("a list where an object should be", { a: map({}) }, { a: [] });
refused("a spec that is no object", {}, [], 5, "x", true);
accepted("a whole number where a fraction may be", { a: { type: "number" } }, { a: 5 });
refused(
  "the type of an item, and of a value of a map",
  {
    a: list({ type: "integer" }),
    b: { type: "object", additionalProperties: { type: "integer" } },
  },
  { a: [1, "x"] },
  { b: { c: "x" } },
);
refused(
  "int-or-string is neither a boolean nor a fraction",
  {
    a: { "x-kubernetes-int-or-string": true },
  },
  { a: true },
  { a: {} },
);
accepted("int-or-string", { a: { "x-kubernetes-int-or-string": true } }, { a: 5 }, { a: "50%" });

// Numbers.
refused(
  "a number above its maximum",
  {
    a: { type: "integer", maximum: 5 },
    b: { type: "number", maximum: 5.5, exclusiveMaximum: true },
  },
  { a: 6 },
  { b: 5.5 },
);
refused(
  "a number below its minimum",
  {
    a: { type: "integer", minimum: 5 },
    b: { type: "number", minimum: 0.00001, exclusiveMinimum: true },
  },
  { a: 4 },
  { b: 0.00001 },
);
refused(
  "a number that is no multiple",
  {
    a: { type: "integer", multipleOf: 3 },
    b: { type: "number", multipleOf: 0.5 },
  },
  { a: 4 },
  { b: 0.7 },
);
refused("a large number with a fraction for its limit", {
  a: { type: "integer", maximum: 5.5 },
}, { a: 2147483648 });
refused("a number beyond its format", { a: { type: "integer", format: "int32" } }, {
  a: 2147483648,
});

// Texts.
refused("a long text, in characters", { a: { ...text, maxLength: 2 } }, { a: "äöü" });
refused("a short text", { a: { ...text, minLength: 2 } }, { a: "ü" });
accepted("lengths count characters", { a: { ...text, maxLength: 2, minLength: 2 } }, { a: "😀é" });
refused("a text that does not match", { a: { ...text, pattern: "^[a-z]+$" } }, { a: "B" });
refused("a text that is none of those allowed", { a: { ...text, enum: ["x", "y"] } }, { a: "z" });
refused("a number that is none of those allowed", { a: { type: "integer", enum: [1, 2] } }, {
  a: 3,
});
for (
  const [format, wrong, right] of [
    ["date", "2020-02-30", "2020-02-29"],
    ["date-time", "2020-02-29", "2020-02-29T12:00:00Z"],
    ["ipv4", "::1", "10.0.0.1"],
    ["ipv6", "10.0.0.1", "2001:db8::1"],
    ["cidr", "10.0.0.1", "10.0.0.0/8"],
    ["uri", "not a uri", "https://example.com/x"],
    ["uuid", "x", "123e4567-e89b-12d3-a456-426614174000"],
    ["byte", "!", "YWJj"],
    ["email", "nobody", "a@example.com"],
    ["hostname", "-a-", "example.com"],
    ["duration", "soon", "1h30m"],
    ["mac", "00:11", "00:11:22:33:44:55"],
  ] as const
) {
  withServed(
    `the format ${format}`,
    { schema: specSchema({ a: { ...text, format } }) },
    async (kind) => {
      assert.equal((await kind.create({ spec: { a: wrong } }, "?dryRun=All")).code, 422);
      assert.equal((await kind.create({ spec: { a: right } }, "?dryRun=All")).code, 201);
    },
  );
}

// Lists and objects.
refused("too many items", { a: list(text, { maxItems: 1 }) }, { a: ["x", "y"] });
refused("too few items", { a: list(text, { minItems: 1 }) }, { a: [] });
refused("too many properties", {
  a: { type: "object", additionalProperties: text, maxProperties: 1 },
}, { a: { x: "", y: "" } });
refused("too few properties", {
  a: { type: "object", additionalProperties: text, minProperties: 1 },
}, { a: {} });
refused("a required field that is absent", { a: map({ b: text }, { required: ["b"] }) }, { a: {} });
refused("properties that are forbidden", { a: { type: "object", additionalProperties: false } }, {
  a: { x: 1 },
});
refused("a set with an item twice", {
  a: list(text, { "x-kubernetes-list-type": "set" }),
}, { a: ["x", "y", "x", "x"] });
refused("a list of type map with a key twice", {
  a: list(map({ k: text, l: { type: "integer" } }, { required: ["k", "l"] }), {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k", "l"],
  }),
}, { a: [{ k: "x", l: 1 }, { k: "x", l: 2 }, { k: "x", l: 1 }] });
refused("a list of type map with one key twice", {
  a: list(map({ k: text }, { required: ["k"] }), {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  }),
}, { a: [{ k: "x" }, { k: "x" }] });

// Junctors.
const either = [{ required: ["b"] }, { required: ["c"] }];
const both = { b: text, c: text };
refused("none of anyOf", { a: map(both, { anyOf: either }) }, { a: {} });
accepted("one or two of anyOf", { a: map(both, { anyOf: either }) }, { a: { b: "" } }, {
  a: { b: "", c: "" },
});
refused("none or two of oneOf", { a: map(both, { oneOf: either }) }, { a: {} }, {
  a: { b: "", c: "" },
});
refused("some or none of allOf", { a: map(both, { allOf: either }) }, { a: { b: "" } }, { a: {} });
refused("what not describes", { a: map(both, { not: { required: ["b"] } }) }, { a: { b: "" } });
refused("junctors within junctors", {
  a: {
    type: "integer",
    anyOf: [{ allOf: [{ minimum: 5 }, { maximum: 7 }] }, { enum: [1] }],
  },
}, { a: 3 });

// Null.
accepted("null where it may be is kept, else dropped", {
  a: { ...text, nullable: true },
  b: text,
  c: { type: "object", additionalProperties: text },
  d: list({ ...text, nullable: true }),
}, { a: null, b: null, c: { x: null }, d: [null] });
refused("null as an item", { a: list(text) }, { a: [null] });
accepted("null where a default is takes the default", {
  a: { ...text, default: "x" },
  b: { ...text, nullable: true, default: "y" },
  c: list({ ...text, default: "z" }),
}, { a: null, b: null, c: [null] });

// Defaults and pruning.
accepted(
  "defaults of a spec that is there",
  {
    a: { ...text, default: "x" },
    b: map({ c: { type: "integer", default: 1 } }),
    d: map({ e: { type: "integer", default: 2 } }, { default: {} }),
    f: list(map({ g: { ...text, default: "y" } })),
    h: { type: "object", additionalProperties: map({ i: { type: "boolean", default: true } }) },
  },
  {},
  { b: {}, f: [{}, { g: "z" }], h: { x: {} } },
);
withServed("defaults do not make a spec that is absent", {
  schema: specSchema({ a: { ...text, default: "x" } }),
}, async (kind) => {
  const { body } = await kind.create({}, "?dryRun=All");
  assert.equal(body.spec, undefined);
});
const PRUNED = specSchema({
  a: map({ b: text }),
  c: list(map({ d: text })),
  e: { type: "object", additionalProperties: map({ f: text }) },
  g: map({ h: map({ i: text }) }, { "x-kubernetes-preserve-unknown-fields": true }),
  j: map({}),
  k: { type: "object", additionalProperties: true },
});
const UNPRUNED = {
  a: { b: "", x: 1 },
  c: [{ d: "", x: 1 }],
  e: { y: { f: "", x: 1 } },
  g: { h: { i: "", x: 1 }, x: { y: [{ z: 1 }] } },
  j: { x: {} },
  k: { x: { y: 1 } },
  x: 1,
};
withServed("unknown fields are pruned, and warned of", { schema: PRUNED }, async (kind) => {
  const { code, headers } = await kind.create({ spec: UNPRUNED, other: 1 }, "?dryRun=All");
  assert.equal(code, 201);
  assert.match(headers.get("warning") ?? "", /unknown field \\"spec.a.x\\"/);
});
withServed("unknown fields are refused when it is strict", { schema: PRUNED }, async (kind) => {
  const query = "?dryRun=All&fieldValidation=Strict";
  const metadata = { unknown: 1 };
  assert.equal((await kind.create({ spec: UNPRUNED, other: 1, metadata }, query)).code, 400);
});
withServed("unknown fields are pruned in silence", { schema: PRUNED }, async (kind) => {
  const query = "?dryRun=All&fieldValidation=Ignore";
  const { code, headers } = await kind.create({ spec: UNPRUNED }, query);
  assert.equal(code, 201);
  assert.equal(headers.get("warning"), null);
});
withServed("repeated fields", { schema: SPEC }, async (kind, t) => {
  const body = JSON.stringify(kind.object({ spec: { a: 1 } })).replace('"a":1', '"a":1,"a":2');
  for (const mode of ["Warn", "Strict", "Ignore"]) {
    await t.post(`${kind.path()}?dryRun=All&fieldValidation=${mode}`, body);
  }
});
withServed("unknown fields in a patch", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "?fieldManager=maker", { unrecorded: true });
  const patch = { spec: { a: 2, x: 1 } };
  await t.patch("merge", `${kind.path("/a")}?fieldManager=maker&fieldValidation=Warn`, patch);
  const path = `${kind.path("/a")}?fieldManager=maker&fieldValidation=Strict`;
  t.mask(/resourceVersion\\":\\"\d+/g, "resourceVersion");
  const strict = await t.patch("merge", path, patch);
  assert.equal(strict.code, 422, JSON.stringify(strict.body));
  assert.match(strict.body.message, /strict decoding error: unknown field "spec.x"$/);
});

// Metadata and type.
for (
  const [what, metadata] of [
    ["labels that are no map", { labels: 5 }],
    ["a label that is no text", { labels: { a: 5 } }],
    ["a generation that is no number", { generation: "5" }],
    ["a time that is none", { creationTimestamp: "bad" }],
    ["owners that are no list", { ownerReferences: {} }],
    ["an owner whose name is no text", { ownerReferences: [{ name: 5 }] }],
    ["finalizers that are no texts", { finalizers: [1] }],
    ["a label that is null", { labels: { a: null } }],
    ["empty metadata fields", { labels: {}, annotations: null, finalizers: [] }],
  ] as const
) {
  withServed(what, { schema: SPEC }, async (kind) => {
    await kind.create({ metadata }, "?dryRun=All");
  });
}
withServed("metadata that is no object", { schema: SPEC }, async (kind, t) => {
  for (const metadata of [5, "x", [], null]) {
    await t.post(`${kind.path()}?dryRun=All`, { ...kind.object(), metadata });
  }
});
withServed("a body of another kind or version", { schema: SPEC }, async (kind, t) => {
  const path = `${kind.path()}?dryRun=All`;
  await t.post(path, { ...kind.object(), kind: "Bar" });
  await t.post(path, { ...kind.object(), apiVersion: `${kind.group}/v2` });
  await t.post(path, { ...kind.object(), apiVersion: undefined });
  await t.post(path, { ...kind.object(), kind: undefined });
  await t.post(path, "{");
});
withServed("names of custom objects", { schema: SPEC }, async (kind) => {
  await kind.create({ metadata: { name: "A" } }, "?dryRun=All");
  await kind.create({ metadata: { name: "a/b" } }, "?dryRun=All");
  await kind.create({ metadata: { name: "x".repeat(254) } }, "?dryRun=All");
  await kind.create({ metadata: { name: undefined } }, "?dryRun=All");
});
withServed("finalizers without a domain are warned of", { schema: SPEC }, async (kind) => {
  const finalizers = ["plain", "example.com", "example.com/ok"];
  const { headers } = await kind.create({ metadata: { finalizers } }, "?dryRun=All");
  assert.match(headers.get("warning") ?? "", /prefer a domain-qualified/);
});

const EMBEDDED = specSchema({
  a: {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  },
});
withServed("an embedded resource needs a type", { schema: EMBEDDED }, async (kind) => {
  await kind.create({ spec: { a: {} } }, "?dryRun=All");
});
withServed("an embedded resource with a wrong type", { schema: EMBEDDED }, async (kind) => {
  await kind.create({ spec: { a: { apiVersion: 1, kind: "X" } } }, "?dryRun=All");
  await kind.create({ spec: { a: { apiVersion: "a/b/c", kind: "X" } } }, "?dryRun=All");
  await kind.create({ spec: { a: { apiVersion: "v1", kind: "X Y" } } }, "?dryRun=All");
  await kind.create({ spec: { a: { apiVersion: "", kind: "X" } } }, "?dryRun=All");
});
withServed("an embedded resource with wrong metadata", { schema: EMBEDDED }, async (kind) => {
  const a = { apiVersion: "v1", kind: "X" };
  await kind.create({ spec: { a: { ...a, metadata: { labels: 5 } } } }, "?dryRun=All");
  await kind.create({ spec: { a: { ...a, metadata: { labels: { "a b": "c" } } } } }, "?dryRun=All");
  await kind.create({ spec: { a: { ...a, metadata: { name: "a/b" } } } }, "?dryRun=All");
});
withServed(
  "an embedded resource keeps its fields and clean metadata",
  { schema: EMBEDDED },
  async (kind) => {
    const metadata = { name: "x", labels: {}, unknown: 1, creationTimestamp: null };
    const a = { apiVersion: "v1", kind: "X", metadata, spec: { any: [1] } };
    await kind.create({ spec: { a } }, "?dryRun=All");
  },
);

// Updates.
withServed("an update needs the version of the object", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  assert.equal((await t.put(kind.path("/a"), kind.object({ spec: { a: 2 } }))).code, 422);
});
withServed("an update of what is not there", { schema: SPEC }, async (kind, t) => {
  assert.equal((await t.put(kind.path("/a"), kind.object())).code, 404);
});
withServed("the generation counts changes but of metadata", { schema: ANY }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  await t.patch("merge", kind.path("/a"), { metadata: { labels: { a: "b" } } });
  await t.patch("merge", kind.path("/a"), { spec: { a: 2 } });
  await t.patch("merge", kind.path("/a"), { status: { a: 2 } });
  await t.patch("merge", kind.path("/a"), { spec: { a: 2 } });
});
withServed("a patch that makes metadata malformed", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "?fieldManager=maker", { unrecorded: true });
  t.mask(/resourceVersion\\":\\"\d+/g, "resourceVersion");
  for (const metadata of [{ labels: { a: 5 } }, { labels: 5 }, { generation: "x" }]) {
    const { code } = await t.patch("merge", kind.path("/a"), { metadata });
    assert.equal(code, 422);
  }
});
withServed("a strategic merge patch", { schema: SPEC }, async (kind, t) => {
  await kind.create({}, "", { unrecorded: true });
  assert.equal((await t.patch("strategic", kind.path("/a"), { spec: { a: 1 } })).code, 415);
});
withServed("a JSON patch that the schema refuses", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  const patch = [{ op: "replace", path: "/spec/a", value: "x" }];
  assert.equal((await t.patch("json", kind.path("/a"), patch)).code, 422);
});
withServed("an apply makes, merges and conflicts", {
  schema: specSchema({
    m: { type: "object", additionalProperties: text },
    l: list(map({ k: text, v: text }, { required: ["k"] }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    }),
    s: list(text, { "x-kubernetes-list-type": "set" }),
    t: list(text),
    u: map({ x: text, y: text }, { "x-kubernetes-map-type": "atomic" }),
  }),
}, async (kind, t) => {
  t.managedFields = true;
  const apply = (manager: string, spec: Plain) =>
    t.patch("apply", `${kind.path("/a")}?fieldManager=${manager}`, kind.object({ spec }));
  await apply("one", { m: { a: "1" }, l: [{ k: "a", v: "1" }], s: ["a"], t: ["a"], u: { x: "1" } });
  await apply("two", { m: { b: "2" }, l: [{ k: "b", v: "2" }], s: ["b"] });
  const conflict = await apply("two", { m: { a: "2" }, t: ["b"], u: { y: "2" } });
  assert.equal(conflict.code, 409);
  await apply("one", { l: [{ k: "a", v: "3" }] });
});

// Ratcheting.
/** Waits until a new schema is in force, which refuses this spec. */
async function untilRefused(kind: CustomKind, spec: Plain): Promise<void> {
  const fields = { metadata: { name: "b" }, spec };
  await until(
    async () => (await kind.create(fields, "?dryRun=All", { unrecorded: true })).code === 422,
    "that the new schema is in force",
  );
}

withServed("what was wrong already may stay", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 10 } }, "", { unrecorded: true });
  const properties = {
    a: { type: "integer", maximum: 5 },
    b: { type: "integer", maximum: 5 },
  };
  await t.patch("json", kind.definitionPath, [{
    op: "replace",
    path: "/spec/versions/0/schema/openAPIV3Schema",
    value: specSchema(properties),
  }], { unrecorded: true });
  await untilRefused(kind, { a: 6 });
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { b: 1 } })).code, 200);
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { b: 6 } })).code, 422);
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { a: 7 } })).code, 422);
});
withServed("a list of type map keeps the wrong items that it had", {
  schema: specSchema({
    l: list(map({ k: text, v: { type: "integer" } }, { required: ["k"] }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    }),
  }),
}, async (kind, t) => {
  await kind.create({ spec: { l: [{ k: "a", v: 10 }, { k: "b", v: 10 }] } }, "", {
    unrecorded: true,
  });
  await t.patch("json", kind.definitionPath, [{
    op: "add",
    path:
      "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/l/items/properties/v/maximum",
    value: 5,
  }], { unrecorded: true });
  await untilRefused(kind, { l: [{ k: "a", v: 6 }] });
  const reordered = { spec: { l: [{ k: "b", v: 10 }, { k: "c", v: 1 }, { k: "a", v: 10 }] } };
  assert.equal((await t.patch("merge", kind.path("/a"), reordered)).code, 200);
  const changed = { spec: { l: [{ k: "b", v: 10 }, { k: "a", v: 11 }] } };
  assert.equal((await t.patch("merge", kind.path("/a"), changed)).code, 422);
});

withServed("what a junctor refuses may not stay", { schema: ANY }, async (kind, t) => {
  await kind.create({ spec: { a: 3, b: 1 } }, "", { unrecorded: true });
  await t.patch("json", kind.definitionPath, [{
    op: "replace",
    path: "/spec/versions/0/schema/openAPIV3Schema",
    value: specSchema({ a: { type: "integer" }, b: { type: "integer" } }, {
      allOf: [{ properties: { a: { multipleOf: 2 } } }],
    }),
  }], { unrecorded: true });
  await untilRefused(kind, { a: 3 });
  assert.equal(
    (await t.patch("merge", kind.path("/a"), { metadata: { labels: { a: "" } } })).code,
    200,
  );
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { b: 2 } })).code, 422);
});

// Rules.
const RULES = specSchema({
  size: {
    type: "integer",
    "x-kubernetes-validations": [{ rule: "self >= 0", message: "no debts" }],
  },
  name: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
  min: { type: "integer" },
}, {
  "x-kubernetes-validations": [{
    rule: "!has(self.min) || self.size >= self.min",
    messageExpression: "self.min > 5 ? 'far too small' : 'too small'",
    fieldPath: ".size",
    reason: "FieldValueForbidden",
  }],
});
withServed("a rule that does not hold", { schema: RULES }, async (kind) => {
  assert.equal((await kind.create({ spec: { size: -1 } }, "?dryRun=All")).code, 422);
  assert.equal((await kind.create({ spec: { size: 1, min: 2 } }, "?dryRun=All")).code, 422);
  assert.equal((await kind.create({ spec: { size: 2, min: 2 } }, "?dryRun=All")).code, 201);
});
withServed("rules wait until the object fits its schema", { schema: RULES }, async (kind) => {
  assert.equal((await kind.create({ spec: { size: -1, name: 5 } }, "?dryRun=All")).code, 422);
});
withServed("a rule about a change", { schema: RULES }, async (kind, t) => {
  await kind.create({ spec: { name: "a" } }, "", { unrecorded: true });
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { name: "b" } })).code, 422);
  assert.equal(
    (await t.patch("merge", kind.path("/a"), { spec: { name: "a", size: 1 } })).code,
    200,
  );
});

// Status.
withServed("a creator does not set the status", STATUS, async (kind) => {
  const { body } = await kind.create({ spec: { a: 1 }, status: { b: 1 } });
  assert.equal(body.status, undefined);
});
withServed("the object and its status are written apart", STATUS, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  const status = await t.patch("merge", kind.path("/a/status"), {
    metadata: { labels: { a: "b" } },
    spec: { a: 2 },
    status: { b: 1 },
  });
  assert.equal(status.body.spec.a, 1);
  assert.equal(status.body.metadata.generation, 1);
  const object = await t.patch("merge", kind.path("/a"), { spec: { a: 3 }, status: { b: 2 } });
  assert.equal(object.body.status.b, 1);
  await t.get(kind.path("/a/status"));
  await t.patch("merge", kind.path("/a/status"), { status: null });
});
withServed("a status that the schema refuses", STATUS, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  const { code } = await t.patch("merge", kind.path("/a/status"), { status: { b: "x" } });
  assert.equal(code, 422);
});
withServed(
  "without a status subresource the status is a field",
  { schema: ANY },
  async (kind, t) => {
    const { body } = await kind.create({ status: { b: 1 } });
    assert.equal(body.status.b, 1);
    assert.equal((await t.get(kind.path("/a/status"))).code, 404);
  },
);

// Scale.
const SCALE: KindOptions = {
  schema: ANY,
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: ".spec.size",
        statusReplicasPath: ".status.size",
        labelSelectorPath: ".status.selector",
      },
    },
  },
};
withServed("the scale of an object is read and written", SCALE, async (kind, t) => {
  await kind.create({ spec: { size: 2 } }, "", { unrecorded: true });
  await t.patch("merge", kind.path("/a/status"), { status: { size: 1, selector: "a=b" } }, {
    unrecorded: true,
  });
  await t.get(kind.path("/a/scale"));
  const scaled = await t.patch("merge", kind.path("/a/scale"), { spec: { replicas: 5 } });
  assert.equal(scaled.body.spec.replicas, 5);
  const { body } = await t.get(kind.path("/a"));
  assert.equal(body.spec.size, 5);
});
withServed("an object that says no size has no scale", SCALE, async (kind, t) => {
  await kind.create({ spec: {} }, "", { unrecorded: true });
  await t.get(kind.path("/a/scale"));
  await t.patch("merge", kind.path("/a/scale"), { metadata: { labels: { a: "b" } } });
  await t.patch("merge", kind.path("/a/scale"), { spec: { replicas: 1 } });
});
withServed("a size that is no size", SCALE, async (kind, t) => {
  await kind.create({ spec: { size: -1 } }, "?dryRun=All");
  await kind.create({ spec: { size: "x" } }, "?dryRun=All");
  await kind.create({ spec: { size: 3000000000 } }, "?dryRun=All");
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  await t.patch("merge", kind.path("/a/scale"), { spec: { replicas: -1 } });
});
withServed("the scale of what is not there", SCALE, async (kind, t) => {
  assert.equal((await t.get(kind.path("/a/scale"))).code, 404);
});

// Selection and output.
withServed("objects are selected by fields", {
  schema: specSchema({ color: text, size: { type: "integer" }, on: { type: "boolean" } }),
  version: {
    selectableFields: [".spec.color", ".spec.size", ".spec.on"].map((jsonPath) => ({ jsonPath })),
  },
}, async (kind, t) => {
  const make = (name: string, spec: Plain) =>
    kind.create({ metadata: { name }, spec }, "", { unrecorded: true });
  await make("a", { color: "red", size: 1, on: true });
  await make("b", { color: "blue", size: 1 });
  await make("c", {});
  const select = (selector: string) =>
    t.get(`${kind.path()}?fieldSelector=${encodeURIComponent(selector)}`);
  await select("spec.color=red");
  await select("spec.size=1,spec.color!=red");
  await select("spec.on=true");
  await select("spec.color=");
  await select("metadata.name=c");
  assert.equal((await select("spec.other=1")).code, 400);
});
withServed("columns of a table", {
  schema: ANY,
  version: {
    additionalPrinterColumns: [
      { name: "Color", type: "string", jsonPath: ".spec.color", description: "How it looks" },
      { name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 },
      { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: "First", type: "string", jsonPath: ".spec.list[0]" },
      { name: "Ratio", type: "number", format: "double", jsonPath: ".spec.ratio" },
      { name: "On", type: "boolean", jsonPath: ".spec.on" },
      { name: "Any", type: "string", jsonPath: ".spec.list" },
    ],
  },
}, async (kind, t) => {
  // The prose of the real server's types is not here.
  t.mask(/^Name must be unique.*$/s, "");
  await kind.create(
    {
      spec: { color: "red", size: 3, list: ["x", 1], ratio: 0.5, on: true },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    },
    "",
    { unrecorded: true },
  );
  await kind.create(
    { metadata: { name: "b" }, spec: { color: 5, size: "x", ratio: 2, on: "y" } },
    "",
    {
      unrecorded: true,
    },
  );
  const Accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  await t.get(`${kind.path()}?includeObject=None`, { headers: { Accept } });
});

// Versions.
const version = (name: string, more: Plain = {}): Plain => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: ANY },
  ...more,
});
withServed("an object in another version says that version alone", {
  versions: [version("v1"), version("v2")],
}, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  const { body } = await t.get(kind.path("/a", "v2"));
  assert.equal(body.apiVersion, `${kind.group}/v2`);
  await t.post(kind.path("", "v2"), kind.object({ metadata: { name: "b" } }, "v2"));
  await t.get(kind.path());
  await t.get(kind.path("", "v2"));
});
withServed("each version has a schema and defaults of its own", {
  versions: [
    version("v1", { schema: { openAPIV3Schema: specSchema({ a: { ...text, default: "one" } }) } }),
    version("v2", {
      schema: { openAPIV3Schema: specSchema({ a: text, b: { ...text, default: "two" } }) },
    }),
  ],
}, async (kind, t) => {
  await t.post(kind.path("", "v2"), kind.object({ spec: { b: "x", c: 1 } }, "v2"));
  await t.get(kind.path("/a"));
  await t.get(kind.path("/a", "v2"));
  await kind.create({ metadata: { name: "b" }, spec: { b: "x" } });
  await t.get(kind.path("/b", "v2"));
});
withServed("a version that is not served", {
  versions: [version("v1"), version("v2", { served: false })],
}, async (kind, t) => {
  assert.equal((await t.get(kind.path("", "v2"))).code, 404);
});
withServed("a deprecated version is warned of", {
  versions: [
    version("v1", { deprecated: true }),
    version("v2", { deprecated: true, deprecationWarning: "use something else" }),
    version("v3"),
    version("v3alpha1"),
  ],
}, async (kind, t) => {
  for (const name of ["v1", "v2", "v3", "v3alpha1"]) await t.get(kind.path("", name));
});
withServed(
  "a cluster-scoped kind",
  { schema: ANY, spec: { scope: "Cluster" } },
  async (kind, t) => {
    const path = `/apis/${kind.group}/v1/foos`;
    const name = t.unique("x");
    assert.equal((await t.post(path, kind.object({ metadata: { name } }))).code, 201);
    assert.equal((await t.get(`${path}/${name}`)).code, 200);
    assert.equal((await t.get(kind.path())).code, 404);
    assert.equal((await t.delete(`${path}/${name}`)).code, 200);
  },
);
withServed("paths that a custom kind has not", { schema: ANY }, async (kind, t) => {
  await t.get(`/apis/${kind.group}/v1/foos/a`);
  await t.get(`/apis/${kind.group}/v9/foos`);
  await t.get(`/apis/${kind.group}/v1/bars`);
  await t.get(kind.path("/a/other"));
  await t.post(kind.path("/a"), kind.object());
});
withServed(
  "what is stored is pruned and defaulted by the newest schema",
  { schema: ANY },
  async (kind, t) => {
    await kind.create({ spec: { a: "x", b: 1 } }, "", { unrecorded: true });
    await t.patch("json", kind.definitionPath, [{
      op: "replace",
      path: "/spec/versions/0/schema/openAPIV3Schema",
      value: specSchema({ a: text, c: { ...text, default: "new" } }),
    }], { unrecorded: true });
    await kind.waitForObject("a", ({ spec }) => spec.b === undefined);
    const { body } = await t.get(kind.path("/a"));
    assert.deepEqual(body.spec, { a: "x", c: "new" });
  },
);
withServed("a watch of custom objects", { schema: SPEC }, async (kind, t) => {
  const version = await kind.watchableFrom();
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  await t.patch("merge", kind.path("/a"), { spec: { a: 2 } }, { unrecorded: true });
  await t.delete(kind.path("/a"), undefined, { unrecorded: true });
  const path = `${kind.path()}?watch=1&timeoutSeconds=60&resourceVersion=${version}`;
  await t.watch(path, (events) => events.length === 3);
});
withServed("a watch ends when the definition changes", { schema: SPEC }, async (kind, t) => {
  await kind.create({ spec: { a: 1 } }, "", { unrecorded: true });
  const path = `${kind.path()}?watch=1&timeoutSeconds=60`;
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const watch = t.watch(path, () => {
    open();
    return false;
  });
  await Promise.race([isOpen, watch]);
  await t.patch("merge", kind.definitionPath, { spec: { names: { shortNames: ["fo"] } } }, {
    unrecorded: true,
  });
  assert.equal((await watch).length, 1);
});
