/**
 * A custom resource whose schema uses every feature, in two versions.
 *
 * @module
 */
import type { Chance, Fields } from "./chance.ts";
import type { RandomKind } from "./kinds.ts";

const ITEM = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    port: { type: "integer", format: "int32", minimum: 1, maximum: 65_535, default: 80 },
    note: { type: "string", nullable: true },
  },
};

const SPEC = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer", minimum: 0, maximum: 10 },
    ratio: { type: "number", exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
    name: { type: "string", pattern: "^[a-z]+$", minLength: 2, maxLength: 8, default: "some" },
    mode: { type: "string", enum: ["fast", "slow"] },
    when: { type: "string", format: "date-time" },
    flag: { type: "boolean", default: false },
    percent: { "x-kubernetes-int-or-string": true },
    anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    labels: {
      type: "object",
      additionalProperties: { type: "string", maxLength: 5 },
      maxProperties: 2,
    },
    tags: {
      type: "array",
      items: { type: "string", maxLength: 10 },
      "x-kubernetes-list-type": "set",
      maxItems: 3,
    },
    items: {
      type: "array",
      items: ITEM,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      maxItems: 5,
    },
    plain: { type: "array", items: { type: "integer" }, maxItems: 4 },
    block: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: { type: "string" }, b: { type: "string" } },
    },
    nested: {
      type: "object",
      default: {},
      properties: {
        level: { type: "integer", default: 3 },
        maybe: { type: "string", nullable: true, default: null },
      },
    },
    choice: {
      type: "object",
      properties: { left: { type: "string" }, right: { type: "string" } },
      oneOf: [{ required: ["left"] }, { required: ["right"] }],
    },
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    formats: {
      type: "object",
      properties: Object.fromEntries(
        ["byte", "date", "duration", "ipv4", "ipv6", "cidr", "email", "uuid", "uri", "hostname"]
          .map((format) => [format, { type: "string", format }]),
      ),
      minProperties: 1,
    },
    logic: {
      type: "object",
      properties: {
        a: { type: "integer", format: "int64" },
        b: { type: "integer" },
        c: { type: "string" },
      },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      not: { required: ["c"] },
      allOf: [{ properties: { a: { minimum: 1 } } }, { properties: { a: { maximum: 9 } } }],
    },
    sequence: {
      type: "array",
      items: { type: "string", minLength: 1 },
      minItems: 1,
      "x-kubernetes-list-type": "atomic",
    },
    points: {
      type: "array",
      items: {
        type: "object",
        required: ["x", "y"],
        properties: {
          x: { type: "integer" },
          y: { type: "string", default: "zero" },
          weight: { type: "number", format: "double" },
          deep: {
            type: "object",
            properties: { open: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["x", "y"],
      maxItems: 4,
    },
    maps: {
      type: "object",
      additionalProperties: {
        type: "object",
        "x-kubernetes-map-type": "granular",
        properties: { n: { type: "integer", default: 1 }, s: { type: "string" } },
      },
    },
    once: {
      type: "integer",
      "x-kubernetes-validations": [{
        rule: "!oldSelf.hasValue() || oldSelf.value() <= self",
        optionalOldSelf: true,
        message: "once only grows",
        reason: "FieldValueInvalid",
      }],
    },
    fixed: {
      type: "string",
      maxLength: 10,
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed is fixed" }],
    },
  },
  "x-kubernetes-validations": [
    { rule: "self.size < 9 || self.flag", message: "nine and more need the flag" },
    {
      rule: "!has(self.tags) || self.tags.all(t, t.startsWith('t'))",
      messageExpression: "self.flag ? 'flagged tags begin with t' : 'tags begin with t'",
      reason: "FieldValueForbidden",
      fieldPath: ".tags",
    },
  ],
};

/** The schema of a version; `own` is a field that only this version has. */
const schema = (own: string) => ({
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: { ...SPEC, properties: { ...SPEC.properties, [own]: { type: "string" } } },
      status: {
        type: "object",
        properties: {
          replicas: { type: "integer" },
          selector: { type: "string" },
          conditions: {
            type: "array",
            items: {
              type: "object",
              required: ["type", "status"],
              properties: { type: { type: "string" }, status: { type: "string" } },
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
          },
        },
      },
    },
  },
});

const VERSION = {
  served: true,
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.size",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
  additionalPrinterColumns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size", description: "How large it is" },
    { name: "Ratio", type: "number", format: "float", jsonPath: ".spec.ratio", priority: 1 },
    { name: "Flag", type: "boolean", jsonPath: ".spec.flag" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='C0')].status" },
    { name: "Items", type: "string", jsonPath: ".spec.items[*].name" },
  ],
};

const GROUP = "differential.example.com";

const BYTES = ["YQ==", "no base64!"];

/** The CustomResourceDefinition. */
export const CUSTOM_DEFINITION: Fields = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        storage: true,
        schema: schema("stable"),
        selectableFields: [{ jsonPath: ".spec.mode" }],
        ...VERSION,
      },
      {
        name: "v1beta1",
        storage: false,
        schema: schema("beta"),
        selectableFields: [{ jsonPath: ".spec.mode" }, { jsonPath: ".spec.beta" }],
        deprecated: true,
        ...VERSION,
      },
    ],
  },
};

/** The kind as sequences write it. */
export const CUSTOM_KIND: RandomKind = {
  apiVersion: `${GROUP}/v1`,
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
  subresources: ["status", "scale"],
  strategic: false,
  plain: { spec: { size: 1 } },
  content: (chance) => ({ spec: spec(chance), ...status(chance) }),
};

/** The same kind in its other version. */
export const CUSTOM_KIND_BETA: RandomKind = { ...CUSTOM_KIND, apiVersion: `${GROUP}/v1beta1` };

function spec(chance: Chance): Fields {
  return {
    ...(chance.happens(0.95) && { size: chance.mostly([0, 1, 5, 9, 11, -1, "x", 1.5]) }),
    ...chance.fields({
      ratio: () => chance.mostly([0.5, 1, 0, 0.3, "x"]),
      name: () => chance.mostly(["ab", "abc", "A", "a", "abcdefghijk", null]),
      mode: () => chance.mostly(["fast", "slow", "odd", null]),
      when: () => chance.mostly(["2024-01-01T00:00:00Z", "yesterday"]),
      flag: () => chance.mostly<unknown>([true, false, "true"]),
      percent: () => chance.mostly<unknown>([5, "50%", 1.5, true]),
      anything: () => chance.mostly<unknown>([{}, { a: { b: [1, null] } }, "x"]),
      labels: () =>
        chance.mostly<unknown>([{ a: "b" }, { a: "toolong" }, { a: "b", c: "d", e: "f" }, {
          a: null,
        }]),
      tags: () => chance.mostly<unknown>([["t1"], ["t1", "t2"], ["t1", "t1"], ["x"], [], null]),
      items: () => chance.list(3, (index) => item(chance, index)),
      plain: () => chance.mostly<unknown>([[1, 2], [], [1, 2, 3, 4, 5], ["x"], [null]]),
      block: () => chance.fields({ a: () => chance.mostly(["1", "2"]), b: () => "1" }),
      nested: () =>
        chance.mostly<unknown>([{}, { level: 1 }, { maybe: "x" }, { level: null, odd: 1 }, null]),
      choice: () =>
        chance.mostly<unknown>([{ left: "x" }, { right: "x" }, { left: "x", right: "x" }, {}]),
      template: () =>
        chance.mostly<unknown>([
          { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { a: 1 } },
          { kind: "Pod" },
          { apiVersion: "v1", kind: "Pod", metadata: { name: 5 } },
        ]),
      formats: () =>
        chance.fields({
          byte: () => chance.mostly(BYTES),
          date: () => chance.mostly(["2024-02-29", "2023-02-29", "x"]),
          duration: () => chance.mostly(["1h30m", "5 days", "x"]),
          ipv4: () => chance.mostly(["10.1.0.1", "010.1.0.1", "::1"]),
          ipv6: () => chance.mostly(["::1", "10.1.0.1"]),
          cidr: () => chance.mostly(["10.128.0.0/8", "10.1.0.1"]),
          email: () => chance.mostly(["a@example.com", "x"]),
          uuid: () => chance.mostly(["11111111-1111-4111-8111-111111111111", "x"]),
          uri: () => chance.mostly(["https://example.com/x", "x y"]),
          hostname: () => chance.mostly(["example.com", "no good"]),
        }, 0.3),
      logic: () =>
        chance.mostly<unknown>([{ a: 1 }, { b: 1 }, { a: 1, b: 2 }, { a: 10 }, {}, {
          a: 0,
          c: "x",
        }, { a: 9_007_199_254_740_993 }]),
      sequence: () => chance.mostly<unknown>([["a"], ["a", "b", "a"], [], [""], "x"]),
      points: () =>
        chance.list(2, (index) => ({
          x: chance.mostly([index, 0, "x"]),
          ...chance.fields({
            y: () => chance.mostly(["a", "zero", null]),
            weight: () => chance.mostly([1, 1.5, 1e21, "x"]),
            deep: () => chance.mostly<unknown>([{ open: { a: [{ b: null }] } }, { odd: 1 }, null]),
          }),
        })),
      maps: () =>
        chance.mostly<unknown>([{ a: {} }, { a: { n: 2 }, b: { s: "x" } }, { a: null }, {
          a: { odd: 1 },
        }]),
      once: () => chance.mostly<unknown>([1, 2, 3, null]),
      fixed: () => chance.mostly(["a", "b"]),
      stable: () => "x",
      beta: () => "x",
      unknown: () => chance.mostly<unknown>([1, { a: 1 }]),
    }, 0.2),
  };
}

function item(chance: Chance, index: number): Fields {
  return {
    ...(chance.happens(0.95) && { name: chance.mostly([`i${index}`, `i${index}`, "i0"]) }),
    ...chance.fields({
      port: () => chance.mostly([1, 80, 0, null]),
      note: () => chance.mostly(["x", null]),
      odd: () => 1,
    }, 0.3),
  };
}

function status(chance: Chance): Fields {
  return chance.fields({
    status: () =>
      chance.fields({
        replicas: () => chance.mostly([0, 2, "x"]),
        selector: () => chance.mostly(["app=web", ""]),
        conditions: () =>
          chance.list(2, (index) => ({
            type: chance.mostly([`C${index}`, "C0"]),
            status: chance.mostly(["True", "False"]),
          })),
      }, 0.6),
  }, 0.3);
}
