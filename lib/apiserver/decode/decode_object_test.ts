import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { ResourceTable } from "../resources/resource_table.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { complete, completeObject } from "./complete.ts";
import { type DecodeInput, decodeObject } from "./decode_object.ts";

const table = ResourceTable.builtin();
const encoder = new TextEncoder();

function resource(group: string, plural: string): ApiResource {
  return table.find(group, "v1", plural)!;
}

function decode(
  body: string | Uint8Array,
  more: Partial<DecodeInput> = {},
): { object: ApiObject; warnings: string[] } {
  const warnings: string[] = [];
  const object = decodeObject({
    bytes: typeof body === "string" ? encoder.encode(body) : body,
    contentType: "application/json",
    resource: resource("", "configmaps"),
    fieldValidation: "Warn",
    warn: (text) => warnings.push(text),
    ...more,
  });
  return { object, warnings };
}

Deno.test("the exact and the fast JSON parser decode a body to the same object", () => {
  // An escape makes the decoder use the exact parser.
  const plain = '{"metadata":{"name":"a"},"data":{"x":"A"}}';
  assert.deepEqual(decode(plain.replace('"A"', '"\\u0041"')), decode(plain));
});

Deno.test("a key named __proto__ is decoded like any other key", () => {
  const { object } = decode('{"metadata":{"name":"a"},"data":{"__proto__":"x"}}');
  assert.deepEqual(Object.keys(object.data as object), ["__proto__"]);
  const { warnings } = decode('{"metadata":{"name":"a"},"__proto__":{"x":1},"constructor":1}');
  assert.equal(warnings.length, 2);
});

Deno.test("a custom resource keeps its fields, and warns of fields that its schema drops", () => {
  const custom: ApiResource = {
    ...resource("", "configmaps"),
    group: "example.com",
    kind: "Thing",
    plural: "things",
    customResourceDefinition: "things.example.com",
    // deno-lint-ignore require-yield -- one step
    coerce: function* (object) {
      delete object.foo;
      return ["foo"];
    },
  };
  const body = '{"apiVersion":"example.com/v1","kind":"Thing","foo":1,"spec":{"a":1,"a":2}}';
  const { object, warnings } = decode(body, { resource: custom });
  assert.deepEqual(object.spec, { a: 2 });
  assert.deepEqual(warnings, ['duplicate field "spec.a"', 'unknown field "foo"']);
});

Deno.test("completeObject() adds the fields that a type never leaves out", () => {
  const { object } = decode('{"metadata":{"name":"a"}}', {
    resource: resource("apps", "deployments"),
  });
  delete object.status;
  const whole = completeObject(resource("apps", "deployments").schema(), object);
  assert.deepEqual(whole.status, {});
});

Deno.test("completeObject() reads an empty list in storage as null", () => {
  const schema = resource("discovery.k8s.io", "endpointslices").schema();
  const slice = { metadata: { name: "a" }, endpoints: [] } as unknown as ApiObject;
  assert.deepEqual(completeObject(schema, slice).endpoints, []);
  assert.equal(completeObject(schema, slice, { stored: true }).endpoints, null);
});

Deno.test("decoding a completed object does not change it, for random objects", () => {
  const { random } = printedRandom();
  const rows = [...table.all()].filter(({ schema }) => schema() instanceof BuiltinType);
  for (let round = 0; round < 400; round++) {
    const row = rows[Math.floor(random.next() * rows.length)]!;
    const type = row.schema() as BuiltinType;
    const object = complete(type, randomValue(type, random, 0)) as ApiObject;
    const { kind, version, group } = row;
    const body = { ...object, kind, apiVersion: group === "" ? version : `${group}/${version}` };
    const { object: again, warnings } = decode(JSON.stringify(body), { resource: row });
    assert.deepEqual({ ...again }, body, `${kind} ${round}`);
    assert.deepEqual(warnings, []);
  }
});

/** Returns a random value of a built-in type in canonical form, with most fields absent. */
function randomValue(type: BuiltinType, random: Random, depth: number): unknown {
  switch (type.shape) {
    case "struct": {
      const made: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(type.fields!)) {
        if (name === "kind" || name === "apiVersion" || depth > 6) continue;
        if (random.next() < 0.3) made[name] = randomValue(field, random, depth + 1);
      }
      return made;
    }
    case "map":
      return { a: randomValue(type.values!, random, depth + 1) };
    case "list":
      return random.next() < 0.2 ? [] : [randomValue(type.items!, random, depth + 1)];
    case "string":
      return random.next() < 0.3 ? "" : "text";
    case "bytes":
      return "YQ==";
    case "bool":
      return random.next() < 0.5;
    case "int32":
    case "int64":
      return Math.floor(random.next() * 3);
    case "float64":
      return 1.5;
    default:
      return CUSTOM[type.format ?? ""] ?? undefined;
  }
}

const CUSTOM: Readonly<Record<string, unknown>> = {
  "date-time": "2020-01-02T03:04:05Z",
  "micro-time": "2020-01-02T03:04:05.123456Z",
  quantity: "100m",
  "int-or-string": "50%",
};

/** The fragments of text that the test inserts to break request bodies. */
const PIECES = [
  ...["{", "}", "[", "]", ":", ",", '"', "\\", "\\u", "null", "true", "1", "-", "1e999", "0.", " "],
  ...[
    '"metadata"',
    '"spec"',
    '"labels"',
    '"__proto__"',
    "\n",
    "\t",
    "- ",
    "&a ",
    "*a",
    "<<: ",
    "? ",
  ],
  ...[
    "!!binary ",
    "|\n",
    "'",
    "%",
    "#",
    "\u0000",
    "\ufeff",
    "\ud800",
    "é",
    "999999999999999999999",
  ],
];

Deno.test("decoding random bytes returns an object or throws a Status", () => {
  const { random } = printedRandom();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
  const seeds = [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"y"}},"data":{"k":"v"}}',
    "metadata:\n  name: a\n  labels: &l {x: y}\n  annotations: *l\ndata:\n  a: |\n    b\n",
    '{"metadata":{"name":"d"},"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"c"}]}}}}',
  ];
  const rows = [...table.all()];
  for (let round = 0; round < 3_000; round++) {
    let text = pick(seeds);
    for (let cut = 0; cut < 1 + random.next() * 6; cut++) {
      const at = Math.floor(random.next() * text.length);
      const to = random.next() < 0.5 ? at : at + Math.floor(random.next() * 8);
      text = text.slice(0, at) + (random.next() < 0.8 ? pick(PIECES) : "") + text.slice(to);
    }
    const bytes = encoder.encode(text);
    if (random.next() < 0.1 && bytes.length > 0) {
      bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    }
    const input = {
      resource: pick(rows),
      contentType: pick(["", "application/json", "application/yaml", "text/plain"]),
      fieldValidation: pick(["Ignore", "Warn", "Strict"] as const),
    };
    try {
      assert.equal(typeof decode(bytes, input).object, "object");
    } catch (error) {
      assert.ok(error instanceof StatusError, `${JSON.stringify(text)}: ${error}`);
      assert.ok([400, 415].includes(error.code), JSON.stringify(text));
    }
  }
});

Deno.test("a body nested to the depth limit is decoded, in JSON and in YAML", () => {
  const deep = (open: string, close: string): string => open.repeat(900) + "1" + close.repeat(900);
  const json = `{"metadata":{"name":"a"},"x":${deep("[", "]")}}`;
  assert.equal(decode(json).warnings.length, 1);
  const yaml = `metadata: {name: a}\nx: ${deep("[", "]")}\n`;
  assert.equal(decode(yaml, { contentType: "application/yaml" }).warnings.length, 1);
});

Deno.test("a YAML body whose aliases multiply is refused", () => {
  let text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (let level = 1; level < 9; level++) {
    const aliases = Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
    text += `a${level}: &a${level} [${aliases}]\n`;
  }
  const input = { contentType: "application/yaml" };
  assert.throws(() => decode(text, input), /excessive aliasing/);
});
