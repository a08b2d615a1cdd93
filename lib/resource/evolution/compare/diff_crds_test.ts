import assert from "node:assert/strict";
import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import { diffCrd, diffCrds } from "./diff_crds.ts";

type Version = V1CustomResourceDefinitionVersion;
type Spec = V1CustomResourceDefinition["spec"];

function version(spec: V1JSONSchemaProps, more: Partial<Version> = {}): Version {
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...more };
}

function definition(versions: Version[], more: Partial<Spec> = {}): V1CustomResourceDefinition {
  return {
    metadata: { name: "desks.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Desk", plural: "desks" },
      scope: "Namespaced",
      versions,
      ...more,
    },
  };
}

/** Returns the changes between definitions, each as level, rule and path. */
function changes(old: V1CustomResourceDefinition, now: V1CustomResourceDefinition): string[] {
  return diffCrd(old, now).map(({ level, rule, path }) => `${level} ${rule} ${path}`);
}

/** Returns the changes between two schemas of the field `spec.a`. */
function changesOf(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  around: V1JSONSchemaProps = {},
): string[] {
  const spec = (a: V1JSONSchemaProps) => ({ type: "object", ...around, properties: { a } });
  return changes(definition([version(spec(old))]), definition([version(spec(now))]));
}

const string = (more: V1JSONSchemaProps = {}): V1JSONSchemaProps => ({ type: "string", ...more });
const integer = (more: V1JSONSchemaProps = {}): V1JSONSchemaProps => ({ type: "integer", ...more });
const object = (...names: string[]): V1JSONSchemaProps => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, string()])),
});
const list = (type?: string, keys?: string[]): V1JSONSchemaProps => ({
  type: "array",
  items: { ...object("x", "y"), required: ["x", "y"] },
  ...(type !== undefined && { "x-kubernetes-list-type": type }),
  ...(keys !== undefined && { "x-kubernetes-list-map-keys": keys }),
});
const rule = (text: string): V1JSONSchemaProps => ({
  "x-kubernetes-validations": [{ rule: text }],
});
const keep: V1JSONSchemaProps = { "x-kubernetes-preserve-unknown-fields": true };
const intOrString: V1JSONSchemaProps = { "x-kubernetes-int-or-string": true };
const implied = { ...intOrString, anyOf: [{ type: "integer" }, { type: "string" }] };

/** Two schemas of `spec.a`, and the changes between them; third, what surrounds the field. */
const FIELDS: readonly (readonly [
  string,
  V1JSONSchemaProps,
  V1JSONSchemaProps,
  readonly string[],
  V1JSONSchemaProps?,
])[] = [
  ["the same schema", string(), string(), []],
  ["a description", string(), string({ description: "x" }), ["safe description-changed .spec.a"]],
  ["another type", string(), integer(), ["breaking type-changed .spec.a"]],
  ["a wider type", integer(), { type: "number" }, ["warning type-widened .spec.a"]],
  ["int-or-string of a string", string(), intOrString, ["warning type-widened .spec.a"]],
  ["the implied form of int-or-string", intOrString, implied, []],
  [
    "a wider type that a rule reads",
    integer(),
    { type: "number" },
    ["breaking type-widened .spec.a"],
    rule("self.a > 1"),
  ],
  ["an enum", string(), string({ enum: ["a"] }), ["breaking enum-added .spec.a"]],
  ["no enum", string({ enum: ["a"] }), string(), ["warning enum-removed .spec.a"]],
  ["another enum", string({ enum: ["a", "b"] }), string({ enum: ["b", "c"] }), [
    "breaking enum-value-removed .spec.a",
    "warning enum-value-added .spec.a",
  ]],
  ["a maximum", integer(), integer({ maximum: 3 }), ["breaking bound-added .spec.a"]],
  ["a smaller maximum", integer({ maximum: 4 }), integer({ maximum: 3 }), [
    "breaking bound-tightened .spec.a",
  ]],
  ["a larger minimum", integer({ minimum: 4 }), integer({ minimum: 5 }), [
    "breaking bound-tightened .spec.a",
  ]],
  ["a larger maximum", integer({ maximum: 3 }), integer({ maximum: 4 }), [
    "safe bound-loosened .spec.a",
  ]],
  [
    "an exclusive maximum",
    integer({ maximum: 3 }),
    integer({ maximum: 3, exclusiveMaximum: true }),
    ["breaking bound-tightened .spec.a"],
  ],
  ["a factor", integer({ multipleOf: 6 }), integer({ multipleOf: 3 }), [
    "safe bound-loosened .spec.a",
  ]],
  ["another factor", integer({ multipleOf: 3 }), integer({ multipleOf: 6 }), [
    "breaking bound-tightened .spec.a",
  ]],
  ["a shorter text", string({ maxLength: 9 }), string({ maxLength: 8 }), [
    "breaking bound-tightened .spec.a",
  ]],
  ["no length", string({ minLength: 1 }), string(), ["safe bound-removed .spec.a"]],
  ["a pattern", string(), string({ pattern: "^a" }), ["breaking pattern-added .spec.a"]],
  ["another pattern", string({ pattern: "^b" }), string({ pattern: "^a" }), [
    "breaking pattern-changed .spec.a",
  ]],
  ["no pattern", string({ pattern: "^b" }), string(), ["safe pattern-removed .spec.a"]],
  ["a format", string(), string({ format: "date-time" }), ["breaking format-changed .spec.a"]],
  ["an unchecked format", string(), string({ format: "color" }), ["safe format-changed .spec.a"]],
  ["no format", string({ format: "date" }), string(), ["safe format-changed .spec.a"]],
  ["a format that a rule reads", string({ format: "date" }), string(), [
    "breaking format-changed .spec.a",
  ], rule("self.a == self.a")],
  ["int64 of int32", integer({ format: "int32" }), integer({ format: "int64" }), [
    "safe format-changed .spec.a",
  ]],
  ["int32 of int64", integer({ format: "int64" }), integer({ format: "int32" }), [
    "breaking format-changed .spec.a",
  ]],
  ["null", string(), string({ nullable: true }), ["warning nullable-added .spec.a"]],
  ["no null", string({ nullable: true }), string(), ["breaking nullable-removed .spec.a"]],
  [
    "null that an enum lacks",
    string({ enum: ["a"] }),
    string({ enum: ["a"], nullable: true }),
    ["breaking nullable-added .spec.a"],
  ],
  ["a field", object("x"), object("x", "y"), ["safe field-added .spec.a.y"]],
  ["no field", object("x", "y"), object("x"), ["breaking field-removed .spec.a.y"]],
  ["a field of another name", object("my-x"), object("my.x"), [
    "breaking field-removed .spec.a.my-x",
    'safe field-added .spec.a["my.x"]',
  ]],
  ["a required field", object("x"), { ...object("x"), required: ["x"] }, [
    "breaking required-added .spec.a.x",
  ]],
  ["a required field with a default", {
    type: "object",
    properties: { x: string({ default: "" }) },
  }, {
    type: "object",
    properties: { x: string({ default: "" }) },
    required: ["x"],
  }, ["safe required-added .spec.a.x"]],
  ["an optional field", { ...object("x"), required: ["x"] }, object("x"), [
    "safe required-removed .spec.a.x",
  ]],
  ["unknown fields that are dropped", { type: "object", ...keep }, { type: "object" }, [
    "breaking unknown-fields-dropped .spec.a",
  ]],
  ["unknown fields that are kept", { type: "object" }, { type: "object", ...keep }, [
    "safe unknown-fields-kept .spec.a",
  ]],
  ["a field of an open object", { type: "object", ...keep }, { ...object("x"), ...keep }, [
    "breaking type-changed .spec.a.x",
    "safe field-declared .spec.a.x",
  ]],
  [
    "another type of map values",
    { type: "object", additionalProperties: string() },
    { type: "object", additionalProperties: integer() },
    ["breaking type-changed .spec.a.*"],
  ],
  [
    "fields in place of a map",
    { type: "object", additionalProperties: string() },
    object("x"),
    ["breaking unknown-fields-dropped .spec.a.*", "safe field-declared .spec.a.x"],
  ],
  ["a default", string(), string({ default: "x" }), ["warning default-added .spec.a"]],
  ["another default", string({ default: "y" }), string({ default: "x" }), [
    "warning default-changed .spec.a",
  ]],
  ["no default", string({ default: "y" }), string(), ["warning default-removed .spec.a"]],
  ["no default of a required field", string({ default: "y" }), string(), [
    "breaking default-removed .spec.a",
  ], { required: ["a"] }],
  ["a default that a rule reads", string(), string({ default: "x" }), [
    "breaking default-added .spec.a",
  ], rule("!has(self.a)")],
  ["a default that no rule reads", string(), string({ default: "x" }), [
    "warning default-added .spec.a",
  ], rule("!has(self.b)")],
  ["a list of unique items", list(), list("map", ["x"]), ["breaking list-type-changed .spec.a"]],
  ["a list of any items", list("map", ["x"]), list(), ["warning list-type-changed .spec.a"]],
  ["other keys", list("map", ["x"]), list("map", ["y"]), ["breaking list-keys-changed .spec.a"]],
  ["a map type", object("x"), { ...object("x"), "x-kubernetes-map-type": "atomic" }, [
    "warning map-type-changed .spec.a",
  ]],
  ["a rule", string(), string(rule("self != ''")), ["breaking rule-added .spec.a"]],
  ["no rule", string(rule("self != ''")), string(), ["safe rule-removed .spec.a"]],
  [
    "fewer alternatives",
    string({ anyOf: [{ minLength: 2 }, { pattern: "^a" }] }),
    string({
      anyOf: [{ minLength: 2 }],
    }),
    ["breaking alternatives-changed .spec.a"],
  ],
  [
    "more alternatives",
    string({ anyOf: [{ minLength: 2 }] }),
    string({
      anyOf: [{ minLength: 2 }, { pattern: "^a" }],
    }),
    ["safe alternatives-changed .spec.a"],
  ],
  ["a resource", { type: "object", ...keep }, {
    type: "object",
    ...keep,
    "x-kubernetes-embedded-resource": true,
  }, ["breaking embedded-resource-added .spec.a"]],
];

for (const [what, old, now, expected, around] of FIELDS) {
  Deno.test(`diffCrd() judges a change of a field: ${what}`, () => {
    assert.deepEqual(changesOf(old, now, around), expected);
  });
}

Deno.test("diffCrd() judges the settings of a version", () => {
  const settings = (more: Partial<Version>) => definition([version(object(), more)]);
  const scale = { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" };
  const table: readonly (readonly [Partial<Version>, Partial<Version>, string])[] = [
    [{ served: false }, {}, "safe version-served served"],
    [{}, { served: false }, "breaking version-unserved served"],
    [{}, { deprecated: true }, "safe version-deprecated deprecated"],
    [{ subresources: { status: {} } }, {}, "breaking status-removed subresources.status"],
    [{}, { subresources: { status: {} } }, "safe status-added subresources.status"],
    [{ subresources: { scale } }, {}, "breaking scale-removed subresources.scale"],
    [{}, { subresources: { scale } }, "safe scale-added subresources.scale"],
    [
      { subresources: { scale } },
      { subresources: { scale: { ...scale, specReplicasPath: ".spec.b" } } },
      "breaking scale-path-changed subresources.scale.specReplicasPath",
    ],
    [
      { selectableFields: [{ jsonPath: ".spec.a" }] },
      {},
      "breaking selectable-field-removed selectableFields",
    ],
    [
      {},
      { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.a" }] },
      "safe printer-columns-changed additionalPrinterColumns",
    ],
  ];
  for (const [old, now, expected] of table) {
    const [level, rule, field] = expected.split(" ");
    assert.deepEqual(changes(settings(old), settings(now)), [
      `${level} ${rule} spec.versions[v1].${field}`,
    ]);
  }
});

Deno.test("diffCrd() judges names, scope and group", () => {
  const old = definition([version(object())], {
    names: { kind: "Desk", plural: "desks", shortNames: ["dk"], categories: ["all"] },
  });
  const now = definition([version(object())], {
    group: "example.org",
    scope: "Cluster",
    names: { kind: "Table", plural: "desks", singular: "table", shortNames: ["tb"] },
  });
  assert.deepEqual(changes(old, now), [
    "breaking immutable spec.group",
    "breaking immutable spec.names.kind",
    "breaking immutable spec.scope",
    "breaking name-changed spec.names.listKind",
    "warning name-removed spec.names.shortNames",
    "warning name-removed spec.names.categories",
    "warning name-changed spec.names.singular",
    "safe name-added spec.names.shortNames",
  ]);
});

const alpha = (more: Partial<Version> = {}): Version =>
  version(object("x"), { name: "v1alpha1", ...more });
const beta = (more: Partial<Version> = {}): Version =>
  version(object("x"), { name: "v1beta1", storage: false, ...more });

Deno.test("diffCrd() judges the removal of a version by whether it is stored and served", () => {
  const now = definition([beta({ storage: true })]);
  const stored = definition([alpha(), beta()]);
  assert.equal(changes(stored, now)[0], "breaking stored-version-removed spec.versions[v1alpha1]");
  const migrated = definition([alpha({ storage: false }), beta({ storage: true })]);
  assert.equal(changes(migrated, now)[0], "breaking version-removed spec.versions[v1alpha1]");
  const unserved = definition([
    alpha({ storage: false, served: false }),
    beta({ storage: true }),
  ]);
  assert.equal(changes(unserved, now)[0], "safe version-removed spec.versions[v1alpha1]");
  const onServer = { ...unserved, status: { storedVersions: ["v1alpha1", "v1beta1"] } };
  assert.equal(
    changes(onServer as V1CustomResourceDefinition, now)[0],
    "breaking stored-version-removed spec.versions[v1alpha1]",
  );
});

Deno.test("diffCrd() reports fields that are lost between versions without a webhook", () => {
  const other = beta({ schema: version(object("y")).schema! });
  const old = definition([alpha()]);
  assert.deepEqual(changes(old, definition([alpha(), other])), [
    "breaking conversion-loss .spec.y",
    "breaking conversion-loss .spec.x",
    "safe version-added spec.versions[v1beta1]",
  ]);
  const webhook = { conversion: { strategy: "Webhook" } };
  assert.deepEqual(changes(definition([alpha()], webhook), definition([alpha(), other], webhook)), [
    "safe version-added spec.versions[v1beta1]",
  ]);
  assert.deepEqual(changes(definition([alpha(), other]), definition([alpha(), other])), []);
});

Deno.test("diffCrd() warns of another storage version and of another conversion", () => {
  const old = definition([alpha(), beta()]);
  const now = definition([alpha({ storage: false }), beta({ storage: true })], {
    conversion: { strategy: "Webhook" },
  });
  assert.deepEqual(changes(old, now), [
    "warning conversion-changed spec.conversion.strategy",
    "warning storage-version-changed spec.versions[v1beta1].storage",
  ]);
});

Deno.test("diffCrds() compares definitions by name", () => {
  const one = definition([version(object())]);
  const other = { ...one, metadata: { name: "chairs.example.com" } };
  assert.deepEqual(diffCrds([one], [other]).map(({ level, rule, crd }) => [level, rule, crd]), [
    ["breaking", "definition-removed", "desks.example.com"],
    ["safe", "definition-added", "chairs.example.com"],
  ]);
  assert.deepEqual(diffCrds([one, other], [other, one]), []);
});

Deno.test("diffCrd() names the value that ratcheting lets stored objects keep", () => {
  const ratchets = (spec: V1JSONSchemaProps, now: V1JSONSchemaProps) =>
    diffCrd(definition([version(spec)]), definition([version(now)]))
      .map((change) => change.ratchets);
  const spec = (type: string | undefined, x: V1JSONSchemaProps): V1JSONSchemaProps => ({
    type: "object",
    properties: {
      list: {
        ...list(type, type === undefined ? undefined : ["y"]),
        items: { type: "object", required: ["y"], properties: { x, y: string() } },
      },
    },
  });
  const pattern = string({ pattern: "^a" });
  assert.deepEqual(ratchets(spec("map", string()), spec("map", pattern)), [".spec.list[*].x"]);
  assert.deepEqual(ratchets(spec(undefined, string()), spec(undefined, pattern)), [".spec.list"]);
});
