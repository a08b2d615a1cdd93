import assert from "node:assert/strict";
import { ANY, specSchema, tryDefinition } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;

/** A case: a schema that is refused. */
function refused(name: string, schema: Plain, version: Plain = {}): void {
  conformance(name, async (t) => {
    const { code } = await tryDefinition(t, { schema, version });
    assert.equal(code, 422);
  });
}

/** A case: a schema that is accepted, and how it is shown. */
function accepted(name: string, schema: Plain): void {
  conformance(name, async (t) => {
    const { code } = await tryDefinition(t, { schema });
    assert.equal(code, 201);
  });
}

const text = { type: "string" };
const map = (properties: Plain): Plain => ({ type: "object", properties });

refused("a root without a type", { properties: {} });
refused("a root that is no object", { type: "string" });
refused("a field without a type", specSchema({ a: {} }));
refused("items without a type", specSchema({ a: { type: "array", items: {} } }));
refused("an array without items", specSchema({ a: { type: "array" } }));
refused("a type that is not known", specSchema({ a: { type: "text" } }));
refused("the type null", specSchema({ a: { type: "null" } }));
refused("additionalProperties at the root", { type: "object", additionalProperties: text });
refused(
  "additionalProperties beside properties",
  specSchema({ a: { ...map({ b: text }), additionalProperties: text } }),
);
refused("a type below anyOf", specSchema({ a: { type: "string", anyOf: [{ type: "string" }] } }));
refused(
  "a description below allOf",
  specSchema({ a: { type: "string", allOf: [{ description: "no" }] } }),
);
refused("a default below not", specSchema({ a: { type: "string", not: { default: "no" } } }));
refused("nullable below oneOf", specSchema({ a: { type: "string", oneOf: [{ nullable: true }] } }));
refused("additionalProperties below anyOf", {
  ...specSchema({ a: text }),
  anyOf: [{ additionalProperties: { minLength: 1 } }],
});
refused("a field that only anyOf knows", {
  ...specSchema({ a: text }),
  anyOf: [{ properties: { other: { minimum: 1 } } }],
});
refused("items that only allOf knows", {
  ...map({ a: { type: "array", items: text } }),
  allOf: [{ properties: { a: { items: { items: { maxLength: 1 } } } } }],
});
refused("metadata below not", {
  ...specSchema({}),
  not: { properties: { metadata: {} } },
});
refused(
  "more than names in metadata",
  map({ metadata: { type: "object", properties: { labels: { type: "object" } } } }),
);
accepted(
  "names in metadata",
  map({ metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } } }),
);
refused("metadata that is no object", map({ metadata: text }));
refused("a kind that is no text", map({ kind: { type: "integer" } }));
refused(
  "an embedded resource without a type",
  specSchema({
    a: { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  }),
);
refused(
  "an embedded resource without properties",
  specSchema({
    a: { type: "object", "x-kubernetes-embedded-resource": true },
  }),
);
refused(
  "an embedded resource with additionalProperties",
  specSchema({
    a: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      additionalProperties: text,
    },
  }),
);
refused(
  "int-or-string that preserves unknown fields",
  specSchema({
    a: { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true },
  }),
);
accepted(
  "int-or-string with its types below anyOf",
  specSchema({
    a: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+%?$",
    },
  }),
);
accepted(
  "int-or-string with its types below the first of allOf",
  specSchema({
    a: {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { maxLength: 5 }],
    },
  }),
);
refused(
  "int-or-string with a type",
  specSchema({
    a: { "x-kubernetes-int-or-string": true, allOf: [{ type: "string" }] },
  }),
);
refused("a pattern that is no expression", specSchema({ a: { type: "string", pattern: "a(" } }));
refused("a pattern that looks ahead", specSchema({ a: { type: "string", pattern: "(?=a)" } }));
refused("a reference", specSchema({ a: { $ref: "#/definitions/a" } }));
refused("definitions", { ...specSchema({}), definitions: { a: text } });
refused("dependencies", { ...specSchema({}), dependencies: { a: ["b"] } });
refused("patternProperties", { ...specSchema({}), patternProperties: { a: text } });
refused(
  "additionalItems",
  specSchema({ a: { type: "array", items: text, additionalItems: true } }),
);
refused("an id", specSchema({ a: { type: "string", id: "a" } }));
refused("a list of items", specSchema({ a: { type: "array", items: [text] } }));
refused("unique items", specSchema({ a: { type: "array", items: text, uniqueItems: true } }));
refused("a root that may be null", { type: "object", nullable: true });
refused("unknown fields that are not preserved by word", {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": false,
});
refused(
  "a list type of what is no list",
  specSchema({
    a: { type: "object", "x-kubernetes-list-type": "set" },
  }),
);
refused(
  "a list type that is not known",
  specSchema({
    a: { type: "array", items: text, "x-kubernetes-list-type": "bag" },
  }),
);
refused(
  "a map type of what is no object",
  specSchema({
    a: { type: "string", "x-kubernetes-map-type": "atomic" },
  }),
);
refused(
  "a map type that is not known",
  specSchema({
    a: { type: "object", "x-kubernetes-map-type": "loose" },
  }),
);
refused(
  "a set of objects that are no units",
  specSchema({
    a: { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" },
  }),
);
refused(
  "a set of lists that are no units",
  specSchema({
    a: {
      type: "array",
      items: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      "x-kubernetes-list-type": "set",
    },
  }),
);
refused(
  "a set of what may be null",
  specSchema({
    a: { type: "array", items: { ...text, nullable: true }, "x-kubernetes-list-type": "set" },
  }),
);

const list = (keys: unknown, items: Plain): Plain =>
  specSchema({
    a: {
      type: "array",
      items,
      "x-kubernetes-list-type": "map",
      ...(keys !== undefined && { "x-kubernetes-list-map-keys": keys }),
    },
  });

refused("a list of type map without keys", list(undefined, map({ k: text })));
refused("a list of type map of texts", list(["k"], text));
refused("a key that is no field", list(["other"], { ...map({ k: text }), required: ["k"] }));
refused(
  "a key that is no scalar",
  list(["k"], {
    ...map({ k: { type: "object" } }),
    required: ["k"],
  }),
);
refused("a key that stands twice", list(["k", "k"], { ...map({ k: text }), required: ["k"] }));
refused("a key that may be absent", list(["k"], map({ k: text })));
refused(
  "a key that may be null",
  list(["k"], {
    ...map({ k: { ...text, nullable: true } }),
    required: ["k"],
  }),
);
accepted("a key with a default", list(["k"], map({ k: { ...text, default: "x" } })));
refused(
  "keys of a list that is no map",
  specSchema({
    a: { type: "array", items: map({ k: text }), "x-kubernetes-list-map-keys": ["k"] },
  }),
);
refused(
  "keys of a set",
  specSchema({
    a: {
      type: "array",
      items: text,
      "x-kubernetes-list-type": "set",
      "x-kubernetes-list-map-keys": ["k"],
    },
  }),
);

refused("a default of another type", specSchema({ a: { type: "string", default: 5 } }));
refused(
  "a default that the schema refuses",
  specSchema({
    a: { type: "string", maxLength: 2, default: "abc" },
  }),
);
refused(
  "a default with unknown fields",
  specSchema({
    a: { ...map({ b: text }), default: { c: "x" } },
  }),
);
refused(
  "a default that lacks a required field",
  specSchema({
    a: { ...map({ b: text }), required: ["b"], default: {} },
  }),
);
refused(
  "a default in metadata",
  map({
    metadata: { type: "object", properties: { name: { type: "string", default: "x" } } },
  }),
);
refused(
  "a default for an embedded resource without a kind",
  specSchema({
    a: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { apiVersion: "v1" },
    },
  }),
);
accepted(
  "defaults at all levels",
  specSchema({
    a: { type: "string", default: "x" },
    b: { ...map({ c: { type: "integer", default: 1 } }), default: {} },
    d: { type: "array", items: { type: "string", default: "y" }, default: [] },
  }, { default: {} }),
);
accepted("a default of null is none", specSchema({ a: { type: "string", default: null } }));

const rules = (...given: Plain[]): Plain =>
  specSchema({ a: { type: "string", maxLength: 9, "x-kubernetes-validations": given } });
refused("a rule that is none", rules({ rule: "self ==" }));
refused("a rule of another type", rules({ rule: "self + 'x'" }));
refused("a rule without a text", rules({ rule: "  " }));
refused("a rule with an empty message", rules({ rule: "true", message: " " }));
refused("a rule about a field that is not there", rules({ rule: "self.b == 1" }));
refused(
  "a rule about a change of an item of a list",
  specSchema({
    a: {
      type: "array",
      maxItems: 3,
      items: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
  }),
);
refused(
  "a default that a rule refuses",
  specSchema({
    a: { type: "string", default: "x", "x-kubernetes-validations": [{ rule: "self == 'y'" }] },
  }),
);

refused("a junctor at the root beside a status subresource", {
  ...specSchema({ a: text }),
  oneOf: [{ required: ["spec"] }],
}, { subresources: { status: {} } });
accepted(
  "empty and zero fields of a schema are left out but for limits",
  specSchema({
    a: { type: "string", description: "", nullable: false, enum: [], maxLength: 0, pattern: "" },
    b: { type: "object", additionalProperties: false },
    c: { type: "number", minimum: 0, exclusiveMinimum: false, multipleOf: 0.1, maximum: 1e21 },
  }, { required: [] }),
);
conformance("a format that is not known is warned of", async (t) => {
  const schema = specSchema({ a: { type: "string", format: "color" } });
  const { code, headers } = await tryDefinition(t, { schema });
  assert.equal(code, 201);
  assert.match(headers.get("warning") ?? "", /unrecognized format/);
});
conformance("a schema that preserves all", async (t) => {
  assert.equal((await tryDefinition(t, { schema: ANY })).code, 201);
});
