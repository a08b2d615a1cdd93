/**
 * Every builder of `s` with values that its schema accepts and rejects, as the API server decides.
 *
 * @module
 */
import { ConfigMap } from "../../../lib/apimachinery/meta/builtin.ts";
import { s } from "../../../lib/resource/mod.ts";
import type { AnySchema } from "../../../lib/resource/mod.ts";

/** A builder of schemas, or an option of one. */
export interface SchemaFeature {
  readonly schema: AnySchema;
  /** Values that the API server accepts. */
  readonly valid: readonly unknown[];
  /** Values that the API server rejects. */
  readonly invalid?: readonly unknown[];
  /** Updates: the value before, the value after, and whether the API server accepts the change. */
  readonly updates?: readonly (readonly [before: unknown, after: unknown, isValid: boolean])[];
  /** Values that the API server stores in another form: with defaults, without unknown fields. */
  readonly stored?: readonly (readonly [written: unknown, stored: unknown])[];
}

const CONDITION = {
  type: "Ready",
  status: "True",
  reason: "Started",
  message: "",
  lastTransitionTime: "2026-01-31T12:00:00Z",
};

/** The absence of a field. */
export const ABSENT: undefined = undefined;

/** The features by name, which is that of a field too. */
export const SCHEMA_FEATURES: Readonly<Record<string, SchemaFeature>> = {
  text: {
    schema: s.string(),
    valid: ["", "a", null],
    invalid: [1, true, {}, []],
    stored: [[null, ABSENT]],
  },
  lengths: {
    schema: s.string({ minLength: 1, maxLength: 3 }),
    valid: ["a", "äöü", "😀😀😀"],
    invalid: ["", "abcd"],
  },
  pattern: { schema: s.string({ pattern: "^[a-z]+$" }), valid: ["abc"], invalid: ["", "a1", "A"] },
  formatIpv4: {
    schema: s.string({ format: "ipv4" }),
    valid: ["10.0.0.1"],
    invalid: ["10.0.0", "::1"],
  },
  formatCidr: {
    schema: s.string({ format: "cidr" }),
    valid: ["10.0.0.0/8"],
    invalid: ["10.0.0.0"],
  },
  formatUuid: {
    schema: s.string({ format: "uuid" }),
    valid: ["123e4567-e89b-12d3-a456-426614174000"],
    invalid: ["123e4567"],
  },
  formatUri: {
    schema: s.string({ format: "uri" }),
    valid: ["https://a.example/b"],
    invalid: ["a b"],
  },
  formatByte: { schema: s.string({ format: "byte" }), valid: ["YQ=="], invalid: ["a"] },
  formatDate: {
    schema: s.string({ format: "date" }),
    valid: ["2026-01-31"],
    invalid: ["2026-13-31"],
  },
  formatHostname: {
    schema: s.string({ format: "hostname" }),
    valid: ["a.example"],
    invalid: ["a_b.example", ""],
  },
  formatEmail: { schema: s.string({ format: "email" }), valid: ["a@b.example"], invalid: ["a"] },
  choice: { schema: s.enum(["A", "B"]), valid: ["A", "B"], invalid: ["C", ""] },
  choiceOfNumbers: { schema: s.enum([1, 2]), valid: [1, 2], invalid: [3, "1"] },
  choiceOfBooleans: { schema: s.enum([true]), valid: [true], invalid: [false] },
  choiceOfFractions: { schema: s.enum([1, 0.5]), valid: [1, 0.5], invalid: [2] },
  literal: { schema: s.literal("v1"), valid: ["v1"], invalid: ["v2"] },
  integer: { schema: s.integer(), valid: [0, -1, 2 ** 40], invalid: [0.5, "1", true] },
  bounds: {
    schema: s.integer({ minimum: 1, maximum: 10, multipleOf: 3 }),
    valid: [3, 9],
    invalid: [0, 12, 4],
  },
  exclusiveBounds: {
    schema: s.number({ minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true }),
    valid: [0.5],
    invalid: [0, 1],
  },
  int32: {
    schema: s.integer({ format: "int32" }),
    valid: [2 ** 31 - 1, -(2 ** 31)],
    invalid: [2 ** 31],
  },
  int64: { schema: s.integer({ format: "int64" }), valid: [2 ** 53], invalid: [0.5] },
  number: { schema: s.number(), valid: [0.5, 1, -1e20], invalid: ["1"] },
  double: { schema: s.number({ format: "double" }), valid: [0.5], invalid: ["1"] },
  boolean: { schema: s.boolean(), valid: [true, false], invalid: ["true", 0] },
  intOrString: { schema: s.intOrString(), valid: [80, "http"], invalid: [0.5, true, {}] },
  quantity: {
    schema: s.quantity(),
    valid: ["500m", "2Gi", 3, "1e3", "-1.5"],
    invalid: ["2GB", "", "1 Gi", true],
  },
  duration: {
    schema: s.duration(),
    valid: ["1h30m", "250ms", "0s", "1.5h"],
    invalid: ["1", "", "3 days", "abc", 5],
  },
  dateTime: {
    schema: s.dateTime(),
    valid: ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123456+01:00"],
    invalid: ["2026-01-31", "now", 5],
  },
  unknown: { schema: s.unknown(), valid: [1, "a", { a: [null] }, [], false] },
  object: {
    schema: s.object({ a: s.string(), b: s.optional(s.integer()) }),
    valid: [{ a: "" }, { a: "x", b: 1 }],
    invalid: [{}, { b: 1 }, { a: 1 }, { a: "", b: "1" }, { a: null }, []],
    stored: [[{ a: "x", other: 1 }, { a: "x" }]],
  },
  objectWithUnknown: {
    schema: s.object({ a: s.string() }, { preserveUnknownFields: true }),
    valid: [{ a: "", other: { b: 1 } }],
    invalid: [{ other: 1 }],
    stored: [[{ a: "", other: { b: [1] } }, { a: "", other: { b: [1] } }]],
  },
  objectWithLimits: {
    schema: s.object({ a: s.optional(s.string()), b: s.optional(s.string()) }, {
      minProperties: 1,
      maxProperties: 1,
      atomic: true,
    }),
    valid: [{ a: "" }],
    invalid: [{}, { a: "", b: "" }],
  },
  map: {
    schema: s.map(s.integer({ minimum: 0 }), { minProperties: 1, maxProperties: 2 }),
    valid: [{ a: 1 }, { "a.b/c": 1, "": 0 }],
    invalid: [{}, { a: -1 }, { a: 1, b: 1, c: 1 }, { a: "1" }],
  },
  array: {
    schema: s.array(s.string({ maxLength: 2 }), { minItems: 1, maxItems: 2 }),
    valid: [["a"], ["a", "a"]],
    invalid: [[], ["a", "b", "c"], ["abc"], [1], "a"],
  },
  atomicArray: {
    schema: s.array(s.object({ a: s.string() }), { listType: "atomic" }),
    valid: [[{ a: "" }, { a: "" }]],
    invalid: [[{}]],
  },
  set: {
    schema: s.array(s.string(), { listType: "set" }),
    valid: [["a", "b"], []],
    invalid: [["a", "a"]],
  },
  mapArray: {
    schema: s.array(
      s.object({ name: s.string(), protocol: s.string({ default: "TCP" }), port: s.integer() }),
      { listType: "map", mapKeys: ["name", "protocol"] },
    ),
    valid: [[{ name: "a", port: 1 }, { name: "a", protocol: "UDP", port: 1 }]],
    invalid: [[{ name: "a", port: 1 }, { name: "a", protocol: "TCP", port: 2 }], [{ port: 1 }]],
    stored: [[[{ name: "a", port: 1 }], [{ name: "a", port: 1, protocol: "TCP" }]]],
  },
  nullable: {
    schema: s.nullable(s.string({ maxLength: 1 })),
    valid: [null, "a"],
    invalid: ["ab", 1],
  },
  nullableChoice: { schema: s.nullable(s.enum(["A"])), valid: [null, "A"], invalid: ["B"] },
  defaulted: {
    schema: s.integer({ default: 3, maximum: 5 }),
    valid: [1],
    invalid: [6],
    stored: [[ABSENT, 3], [null, 3], [1, 1]],
  },
  defaultedObject: {
    schema: s.object({ a: s.integer({ default: 1 }), b: s.string({ default: "x" }) }, {
      default: { b: "y" },
    }),
    valid: [{}],
    stored: [[ABSENT, { a: 1, b: "y" }], [{}, { a: 1, b: "x" }], [{ a: 2 }, { a: 2, b: "x" }]],
  },
  defaultedArray: {
    schema: s.array(s.string(), { default: ["a"] }),
    valid: [[]],
    stored: [[ABSENT, ["a"]], [[], []]],
  },
  described: {
    schema: s.string({ description: "The zone", deprecated: "Use `zones`" }),
    valid: ["a"],
  },
  rule: {
    schema: s.object({ low: s.integer(), high: s.integer() }, {
      rules: [{
        rule: "self.low <= self.high",
        messageExpression: "self.low > 9 ? 'low is far more than high' : 'low is more than high'",
        message: "low is more than high",
        reason: "FieldValueForbidden",
        fieldPath: ".low",
      }],
    }),
    valid: [{ low: 1, high: 1 }],
    invalid: [{ low: 2, high: 1 }],
  },
  transition: {
    schema: s.integer({ rules: [{ rule: "self >= oldSelf", message: "cannot shrink" }] }),
    valid: [1],
    updates: [[1, 2, true], [2, 1, false], [2, 2, true], [ABSENT, 1, true], [1, ABSENT, true]],
  },
  optionalOldSelf: {
    schema: s.integer({
      rules: [{ rule: "oldSelf.hasValue() || self == 0", optionalOldSelf: true }],
    }),
    valid: [0],
    invalid: [1],
    updates: [[0, 1, true]],
  },
  immutable: {
    schema: s.optional(s.string({ immutable: true })),
    valid: ["a"],
    updates: [["a", "a", true], ["a", "b", false], ["a", ABSENT, false], [ABSENT, "a", false]],
  },
  onceSet: {
    schema: s.optional(s.string({ immutable: "once-set" })),
    valid: ["a"],
    updates: [["a", "a", true], ["a", "b", false], ["a", ABSENT, false], [ABSENT, "a", true]],
  },
  inheritedName: {
    schema: s.object({ constructor: s.optional(s.string({ immutable: true })) }),
    valid: [{ constructor: "a" }, {}],
    invalid: [{ constructor: 1 }],
    updates: [
      [{ constructor: "a" }, { constructor: "a" }, true],
      [{ constructor: "a" }, { constructor: "b" }, false],
      [{}, { constructor: "b" }, false],
    ],
  },
  union: {
    schema: s.union("type", {
      Git: { git: s.object({ url: s.string() }), note: s.optional(s.string()) },
      Http: { url: s.string(), note: s.optional(s.string()) },
      None: {},
    }),
    valid: [{ type: "Git", git: { url: "" } }, { type: "Http", url: "", note: "" }, {
      type: "None",
    }],
    invalid: [
      {},
      { type: "Git" },
      { type: "Other" },
      { type: "None", url: "" },
      { type: "None", note: "" },
      { type: "Git", git: { url: "" }, url: "" },
    ],
  },
  exactlyOneOf: {
    schema: s.exactlyOneOf({ a: s.string(), "b-c": s.object({ d: s.integer() }) }),
    valid: [{ a: "" }, { "b-c": { d: 1 } }],
    invalid: [{}, { a: "", "b-c": { d: 1 } }, { a: 1 }],
  },
  atMostOneOf: {
    schema: s.atMostOneOf({ if: s.string(), else: s.string() }),
    valid: [{}, { if: "" }],
    invalid: [{ if: "", else: "" }],
  },
  embedded: {
    schema: s.embeddedResource(),
    valid: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { any: 1 } }],
    invalid: [{}, { apiVersion: "v1" }, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: 5,
    }],
  },
  embeddedConfigMap: {
    schema: s.embeddedResource(ConfigMap),
    valid: [{ apiVersion: "v1", kind: "ConfigMap", data: { a: "b" } }],
    invalid: [{ apiVersion: "v1", kind: "Secret" }],
  },
  podTemplate: {
    schema: s.kubernetes("V1PodTemplateSpec"),
    valid: [{ spec: { containers: [{ name: "a", resources: { limits: { cpu: "1" } } }] } }],
    invalid: [
      { spec: {} },
      { spec: { containers: [{ image: "a" }] } },
      { spec: { containers: [{ name: "a", resources: { limits: { cpu: "one" } } }] } },
      { spec: { containers: [{ name: "a" }, { name: "a" }] } },
    ],
    stored: [[
      {
        metadata: { labels: { a: "b" }, uid: "u" },
        spec: { containers: [{ name: "a", ports: [{ containerPort: 1 }] }] },
      },
      {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "a", ports: [{ containerPort: 1, protocol: "TCP" }] }] },
      },
    ]],
  },
  labelSelector: {
    schema: s.kubernetes("V1LabelSelector"),
    valid: [{}, { matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "Exists" }] }],
    invalid: [{ matchExpressions: [{ key: "a" }] }, { matchLabels: { a: 1 } }],
  },
  conditions: {
    schema: s.conditions(),
    valid: [[], [CONDITION, { ...CONDITION, type: "Other" }]],
    invalid: [[CONDITION, CONDITION], [{ ...CONDITION, status: "Yes" }], [{ type: "Ready" }]],
  },
};
