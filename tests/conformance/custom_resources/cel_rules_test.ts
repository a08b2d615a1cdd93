import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { type CustomKind, definitionOf, DEFINITIONS, withKind } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;

/** Fields of every sort, so that expressions have something to speak of. */
const FIELDS: Plain = {
  count: { type: "integer" },
  ratio: { type: "number" },
  name: { type: "string", maxLength: 20 },
  on: { type: "boolean" },
  since: { type: "string", format: "date-time" },
  every: { type: "string", format: "duration" },
  size: { "x-kubernetes-int-or-string": true },
  tags: { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 } },
  unbounded: { type: "array", items: { type: "string" } },
  labels: {
    type: "object",
    maxProperties: 10,
    additionalProperties: { type: "string", maxLength: 10 },
  },
  parts: {
    type: "array",
    maxItems: 5,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
    items: {
      type: "object",
      required: ["key"],
      properties: { key: { type: "string", maxLength: 5 }, value: { type: "integer" } },
    },
  },
  set: {
    type: "array",
    maxItems: 5,
    "x-kubernetes-list-type": "set",
    items: { type: "string", maxLength: 5 },
  },
  "with-dash": { type: "string", maxLength: 5 },
  "with.dot": { type: "integer" },
  namespace: { type: "string", maxLength: 5 },
  inner: { type: "object", properties: { x: { type: "integer" }, y: { type: "string" } } },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};

function schema(rules: readonly unknown[], fields: Plain = FIELDS): Plain {
  return {
    type: "object",
    properties: {
      spec: { type: "object", properties: fields, "x-kubernetes-validations": rules },
    },
  };
}

/** A case: a definition is refused (or taken) for its rules. */
function defines(
  name: string,
  code: number,
  rules: readonly (string | Plain)[],
  fields: Plain = FIELDS,
): void {
  conformance(name, async (t) => {
    t.mask(/selfType\d+/g, "<self type>");
    for (const rule of rules) {
      const one = typeof rule === "string" ? { rule } : rule;
      const definition = definitionOf(t, { schema: schema([one], fields) });
      const { code: got, body } = await t.post(`${DEFINITIONS}?dryRun=All`, definition);
      assert.equal(got, code, JSON.stringify(body));
    }
  });
}

const refuses = (name: string, rules: readonly (string | Plain)[], fields?: Plain): void =>
  defines(`a definition: ${name}`, 422, rules, fields);
const takes = (name: string, rules: readonly (string | Plain)[], fields?: Plain): void =>
  defines(`a definition: ${name}`, 201, rules, fields);

/** A case: what objects come to under rules. */
function objects(
  name: string,
  rules: readonly (string | Plain)[],
  specs: readonly unknown[],
  fields: Plain = FIELDS,
): void {
  const all = rules.map((rule) => typeof rule === "string" ? { rule } : rule);
  conformance(
    `an object: ${name}`,
    (t) =>
      withKind(t, { schema: schema(all, fields) }, async (kind) => {
        for (const spec of specs) await kind.create({ spec }, "?dryRun=All");
      }),
  );
}

/** A case: an object is made, then replaced by others. */
function updates(
  name: string,
  rules: readonly (string | Plain)[],
  first: unknown,
  then: readonly unknown[],
  fields: Plain = FIELDS,
): void {
  const all = rules.map((rule) => typeof rule === "string" ? { rule } : rule);
  conformance(
    `an update: ${name}`,
    (t) =>
      withKind(t, { schema: schema(all, fields) }, async (kind) => {
        await kind.create({ spec: first });
        for (const spec of then) await replace(t, kind, spec);
      }),
  );
}

async function replace(t: Target, kind: CustomKind, spec: unknown): Promise<void> {
  const patch = [{ op: "replace", path: "/spec", value: spec }];
  await t.patch("json", kind.path("/a"), patch);
}

// What a definition may say: syntax.
refuses("an expression that ends too early", ["self.name ==", "self.name == 'a' &&", "(self.on"]);
refuses("a word too many", ["self.on)", "1 2", "1 2 3", "&& self.on"]);
refuses("a character that is no word", ["self.name = 'a'", "#", "$self", "self.on | self.on"]);
refuses("a string without its end", ["'abc", '"abc', "'\\q' == 'a'"]);
refuses("lists and maps that are not written well", ["[1,,2]", "{1 2}", "[1, 2", "{a:}", "f(1"]);
refuses("reserved words", ["for", "as == 1", "self.true", "import == 1"]);
refuses("numbers that are too large", ["99999999999999999999 == 1", "1u == 99999999999999999999u"]);
refuses("macros that are not used well", [
  "has(self)",
  "self.tags.all(1, true)",
  "self.tags.all(x, x, true)",
  "self.tags.map(x + 1, x) == self.tags",
]);
// Types.
refuses("fields that are not there", ["self.none", "self.inner.none == 1", "self.open.a == 1"]);
refuses("names that are not declared", ["other == 1", "foo(self.name)", "self.name.foo()"]);
refuses("operands that do not fit", [
  "self.name == 1",
  "self.count + 'a' == 1",
  "self.count in ['a']",
  "!self.count",
  "self.on ? 'a' : 1",
]);
refuses("a rule that is no bool", ["1", "self.name", "self.tags.size()"]);
refuses("lists and maps of mixed types", ["[1, 'a'].size() > 0", "{'a': 1, 'b': 'c'}.size() > 0"]);
refuses("a format that does not fit", [
  "'%d'.format([self.name]) == 'a'",
  "'%d'.format([1, 2]) == 'a'",
  "'%y'.format([1]) == 'a'",
]);
refuses("constants that cannot be", [
  "self.name.matches('[a-z')",
  "timestamp('bad') == self.since",
  "duration('1x') == self.every",
  "int('x') == 1",
  "matches(self.name, 'a(')",
]);
refuses("a range that is none", ["self.count.all(x, true)", "self.name.map(x, x).size() > 0"]);
refuses("functions of another environment", [
  "authorizer.path('/').check('get').allowed()",
  "request.name == 'a'",
  "cel.bind(x, 1, x == 1)",
]);
takes("names with signs and reserved words", [
  "self.with__dash__dash == 'a'",
  "self.with__dot__dot == 1",
  "self.__namespace__ == 'a'",
  "self.namespace == 'a'",
]);
takes("functions of all libraries", [
  "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
  "url(self.name).getHost() == 'a' && isURL(self.name)",
  "cidr('10.0.0.0/8').containsIP(self.name) && ip('1.2.3.4').family() == 4",
  "!format.dns1123Label().validate(self.name).hasValue()",
  "semver('1.2.3').isLessThan(semver('1.2.4'))",
  "self.tags.isSorted() && sets.contains(self.tags, ['a'])",
  "self.labels.all(k, v, k != v)",
  "self.?name.orValue('') == ''",
  "self.tags.sortBy(x, x)[0] == 'a'",
]);
// Rules.
refuses("messages that are none", [
  { rule: "self.on", message: "  " },
  { rule: "self.on", message: "a\nb" },
  { rule: "self.on\n&& true" },
  { rule: " " },
  { rule: "self.on", messageExpression: "  " },
]);
refuses("message expressions that do not compile", [
  { rule: "self.on", messageExpression: "self.none" },
  { rule: "self.on", messageExpression: "1" },
]);
refuses("reasons and paths that are none", [
  { rule: "self.on", reason: "Other" },
  { rule: "self.on", fieldPath: ".none" },
  { rule: "self.on", fieldPath: "name" },
]);
refuses("a transition rule where old values cannot be found", ["true"], {
  list: {
    type: "array",
    maxItems: 5,
    items: {
      type: "string",
      maxLength: 5,
      "x-kubernetes-validations": [{ rule: "self == oldSelf" }],
    },
  },
});
refuses("optionalOldSelf without oldSelf", [{ rule: "self.on", optionalOldSelf: true }]);
refuses("a transition rule that takes its old value for one that is there", [
  { rule: "oldSelf.on == self.on && oldSelf == 1", optionalOldSelf: true },
]);
// Costs.
refuses("a rule that costs too much", [
  "self.unbounded.all(x, self.unbounded.all(y, x == y))",
  "self.unbounded.all(x, x.contains('abc'))",
  "self.unbounded.map(x, x + 'a').size() > 0",
]);
refuses("a rule that is applied too often", ["true"], {
  list: {
    type: "array",
    items: {
      type: "string",
      "x-kubernetes-validations": [{ rule: "self.contains('abcdefghijk')" }],
    },
  },
});
takes("a rule whose cost has limits", ["self.tags.all(x, self.tags.all(y, x == y))"]);

// What objects come to.
objects("a rule that does not hold", ["self.count > 5"], [{ count: 3 }, { count: 7 }]);
objects("a message", [{ rule: "self.count > 5", message: " too few " }], [{ count: 3 }]);
objects("a message that is computed", [{
  rule: "self.count > 5",
  messageExpression: "'few of ' + self.name",
  message: "else",
}], [{ count: 3, name: "x" }, { count: 3 }]);
objects("a message that cannot be computed", [{
  rule: "self.count > 5",
  messageExpression: "self.labels['none']",
  message: "else",
}], [{ count: 3, labels: {} }]);
objects(
  "reasons",
  ["FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", "FieldValueInvalid"].map(
    (reason) => ({ rule: "self.count > 5", message: reason, reason }),
  ),
  [{ count: 3 }],
);
objects("a field path", [
  { rule: "self.count > 5", fieldPath: ".count" },
  { rule: "self.count > 5", fieldPath: ".inner.x" },
  { rule: "self.count > 5", fieldPath: ".labels['a.b']" },
], [{ count: 3 }]);
objects("a field that is absent", ["self.name == 'a'", "has(self.name)", "self.inner.x == 1"], [
  {},
  { inner: {} },
]);
objects("errors in an expression", [
  "self.count / 0 == 1",
  "self.tags[5] == 'a'",
  "self.labels['none'] == 'a'",
  "int(self.name) == 1",
  "self.size < 5",
  "self.count + 9223372036854775807 > 0",
], [{ count: 3, tags: [], labels: {}, name: "x", size: "a" }]);
objects("one error hidden by another operand", [
  "self.count / 0 == 1 || true",
  "self.count / 0 == 1 && false",
  "self.tags.all(x, int(x) > 0 || x == 'a')",
], [{ count: 3, tags: ["a"] }]);
objects("int or string", ["type(self.size) == int ? self.size < 5 : self.size == '5%'"], [
  { size: 3 },
  { size: 7 },
  { size: "5%" },
  { size: "7%" },
]);
objects("times and durations", [
  "self.since > timestamp('2020-01-01T00:00:00Z')",
  "self.since.getFullYear() == 2021",
  "self.every <= duration('1h')",
], [{ since: "2021-05-05T10:00:00Z", every: "5m" }, {
  since: "2019-01-01T00:00:00Z",
  every: "2h",
}]);
objects("lists that are sets and maps", [
  "self.set == ['b', 'a']",
  "self.parts == self.parts",
  "self.parts.exists(p, p.key == 'a' && p.value == 1)",
], [{ set: ["a", "b"], parts: [{ key: "a", value: 1 }] }, { set: ["a"], parts: [] }]);
objects("names with signs", [
  "self.with__dash__dash == 'a'",
  "self.with__dot__dot == 1",
  "self.__namespace__ == 'n'",
], [
  { "with-dash": "a", "with.dot": 1, namespace: "n" },
  { "with-dash": "b", "with.dot": 2, namespace: "m" },
], { ...FIELDS });
objects("rules of fields, items and values", [], [
  { tags: ["ok", "bad"], labels: { a: "ok", b: "bad" }, one: "bad" },
], {
  one: text(),
  tags: { type: "array", maxItems: 5, items: text() },
  labels: { type: "object", maxProperties: 5, additionalProperties: text() },
});
objects("a rule of a scalar shows the value", [], [{ one: "bad", n: 3 }], {
  one: text(),
  n: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 5" }] },
});
objects("a rule is not asked when the schema refuses", ["self.count > 5"], [{ count: "x" }]);
objects(
  "a rule that is too much work",
  [
    "self.unbounded.all(x, self.unbounded.all(y, self.unbounded.all(z, x != 'no')))",
  ],
  [{ unbounded: Array(120).fill("a") }],
  {
    unbounded: { type: "array", maxItems: 120, items: { type: "string", maxLength: 1 } },
  },
);

function text(): Plain {
  return {
    type: "string",
    maxLength: 10,
    "x-kubernetes-validations": [{ rule: "self == 'ok'" }],
  };
}

// Transitions.
updates("a value that may not change", [{ rule: "self.count == oldSelf.count" }], { count: 1 }, [
  { count: 1, name: "a" },
  { count: 2 },
]);
updates("items of a list that is a map are matched by key", [], {
  parts: [{ key: "a", value: 1 }, { key: "b", value: 1 }],
}, [
  { parts: [{ key: "b", value: 2 }, { key: "a", value: 1 }, { key: "c", value: 0 }] },
  { parts: [{ key: "b", value: 1 }] },
], {
  parts: {
    type: "array",
    maxItems: 5,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
    items: {
      type: "object",
      required: ["key"],
      properties: {
        key: { type: "string", maxLength: 5 },
        value: {
          type: "integer",
          "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "must not fall" }],
        },
      },
    },
  },
});
updates(
  "an optional old value",
  [{ rule: "oldSelf.hasValue() || self.count == 1", optionalOldSelf: true }],
  { count: 1 },
  [{ count: 5 }],
);
conformance("an object: an optional old value on create", (t) =>
  withKind(t, {
    schema: schema([{ rule: "oldSelf.hasValue() || self.count == 1", optionalOldSelf: true }]),
  }, async (kind) => {
    await kind.create({ spec: { count: 5 } });
  }));
conformance(
  "an update: what was wrong before is a warning while it does not change",
  (t) =>
    withKind(t, { schema: schema([]) }, async (kind) => {
      await kind.create({ spec: { count: 1, name: "a" } });
      await tighten(t, kind);
      await t.patch("merge", kind.path("/a"), { metadata: { labels: { a: "b" } } });
      await t.patch("merge", kind.path("/a"), { spec: { name: "b" } });
      await t.patch("merge", kind.path("/a"), { spec: { count: 2 } });
    }),
);

/** Adds a rule to the field `count`, and waits until the rule is in effect. */
async function tighten(t: Target, kind: CustomKind): Promise<void> {
  const fields = {
    ...FIELDS,
    count: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 5" }] },
  };
  const value = schema([], fields);
  const path = "/spec/versions/0/schema/openAPIV3Schema";
  const patched = await t.patch("json", kind.definitionPath, [{ op: "replace", path, value }], {
    unrecorded: true,
  });
  assert.equal(patched.code, 200, JSON.stringify(patched.body));
  await until(async () => {
    const probe = kind.object({ metadata: { name: "probe" }, spec: { count: 1 } });
    const { code } = await t.post(`${kind.path()}?dryRun=All`, probe, { unrecorded: true });
    return code === 422;
  }, "that the rule is in force");
}
