import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { StrategicMergeError } from "./strategic_errors.ts";
import { applyStrategicMergePatch, type Fields } from "./strategic_merge.ts";

const TEXT: TypeSchema = { type: "string" };
const ITEM: TypeSchema = {
  type: "object",
  fields: {
    name: TEXT,
    image: TEXT,
    args: { type: "array", items: TEXT },
    ports: {
      type: "array",
      patchStrategy: "merge",
      patchMergeKey: "port",
      items: { type: "object", fields: { port: { type: "integer" }, host: TEXT } },
    },
  },
};
const SCHEMA: TypeSchema = {
  type: "object",
  fields: {
    map: { type: "object", values: TEXT },
    whole: { type: "object", fields: { a: TEXT, b: TEXT }, patchStrategy: "replace" },
    kept: { type: "object", fields: { a: TEXT, b: TEXT }, patchStrategy: "retainKeys" },
    items: { type: "array", patchStrategy: "merge", patchMergeKey: "name", items: ITEM },
    texts: { type: "array", patchStrategy: "merge", items: TEXT },
    list: { type: "array", items: TEXT },
  },
};

const patched = (object: Fields, patch: Fields) =>
  applyStrategicMergePatch(structuredClone(object), structuredClone(patch), SCHEMA);

Deno.test("lists merge by key, scalars unite, other lists are replaced", () => {
  const object = {
    items: [{ name: "a", image: "1" }, { name: "b" }],
    texts: ["x", "y"],
    list: ["x"],
  };
  assert.deepEqual(
    patched(object, {
      items: [{ name: "b", image: "2" }, { name: "c" }],
      texts: ["z", "x"],
      list: ["y"],
    }),
    {
      items: [{ name: "a", image: "1" }, { name: "b", image: "2" }, { name: "c" }],
      texts: ["z", "x", "y"],
      list: ["y"],
    },
  );
});

Deno.test("directives delete, replace, retain and order", () => {
  const object = { items: [{ name: "a" }, { name: "b" }, { name: "c" }], texts: ["x", "y", "z"] };
  const names = (patch: Fields) =>
    (patched(object, patch).items as Fields[]).map(({ name }) => name).join("");
  assert.equal(names({ items: [{ name: "b", $patch: "delete" }] }), "ac");
  assert.equal(names({ items: [{ $patch: "replace" }, { name: "z" }] }), "z");
  const order = [{ name: "c" }, { name: "d" }, { name: "a" }];
  assert.equal(names({ "$setElementOrder/items": order, items: [{ name: "d" }] }), "bcda");
  assert.deepEqual(patched(object, { "$deleteFromPrimitiveList/texts": ["y"] }).texts, ["x", "z"]);
  assert.deepEqual(patched({ map: { a: "1" } }, { map: { $patch: "delete" } }), { map: {} });
  assert.deepEqual(patched({ map: { a: "1" } }, { map: { $patch: "replace", b: "2" } }), {
    map: { b: "2" },
  });
  assert.deepEqual(patched({ kept: { a: "1" } }, { kept: { $retainKeys: ["b"], b: "2" } }), {
    kept: { b: "2" },
  });
  assert.deepEqual(patched({ whole: { a: "1" } }, { whole: { b: "2" } }), { whole: { b: "2" } });
});

Deno.test("directives without a target leave nothing", () => {
  assert.deepEqual(
    patched({}, {
      items: [{ name: "a", $patch: "delete" }, { name: "b", image: null }],
      map: { $patch: "delete" },
      "$deleteFromPrimitiveList/texts": ["x"],
      "$setElementOrder/items": [{ name: "b" }],
    }),
    { items: [{ name: "b", image: null }] },
  );
});

function randomObject(random: Random): Fields {
  const some = <T>(values: readonly T[]) => values.filter(() => random.next() < 0.5);
  const text = () => ["1", "2", "3"][Math.floor(random.next() * 3)]!;
  const shuffled = <T>(values: T[]) => values.sort(() => random.next() - 0.5);
  const item = (name: string) => ({
    name,
    ...(random.next() < 0.5 && { image: text() }),
    ...(random.next() < 0.5 && { args: some(["a", "b"]) }),
    ...(random.next() < 0.5 &&
      { ports: shuffled(some([1, 2, 3])).map((port) => ({ port, host: text() })) }),
  });
  return {
    map: Object.fromEntries(some(["a", "b", "c"]).map((name) => [name, text()])),
    items: shuffled(some(["a", "b", "c", "d"])).map(item),
    texts: shuffled(some(["x", "y", "z"])),
    list: some(["x", "y"]),
  };
}

/**
 * Returns the strategic merge patch from one object of a schema to another, with an order for each
 * list.
 */
function diff(from: Fields, to: Fields, schema: TypeSchema): Fields {
  const patch: Fields = {};
  for (const name of Object.keys(from)) if (!(name in to)) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const before = from[name];
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    const field = schema.fields?.[name] ?? schema.values!;
    const key = field.patchMergeKey;
    if (field.patchStrategy === "merge" && Array.isArray(before)) {
      patch[`$setElementOrder/${name}`] = (value as Fields[])
        .map((item) => key ? { [key]: item[key] } : item);
      Object.assign(patch, listDiff(name, before, value as Fields[], field));
    } else if (field.type === "object" && before !== undefined) {
      patch[name] = diff(before as Fields, value as Fields, field);
    } else patch[name] = value;
  }
  return patch;
}

function listDiff(name: string, from: Fields[], to: Fields[], field: TypeSchema): Fields {
  const key = field.patchMergeKey;
  if (key === undefined) {
    const gone = from.filter((item) => !to.includes(item));
    const added = to.filter((item) => !from.includes(item));
    return {
      ...(gone.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: gone }),
      ...(added.length > 0 && { [name]: added }),
    };
  }
  const items: Fields[] = [];
  for (const item of to) {
    const before = from.find((each) => each[key] === item[key]);
    const change = before ? diff(before, item, field.items!) : item;
    if (Object.keys(change).length > 0) items.push({ ...change, [key]: item[key] });
  }
  for (const item of from) {
    const gone = !to.some((each) => each[key] === item[key]);
    if (gone) items.push({ [key]: item[key], $patch: "delete" });
  }
  return items.length > 0 ? { [name]: items } : {};
}

Deno.test("a generated patch converts one object to another, including the order", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 3_000; round++) {
    const [from, to] = [randomObject(random), randomObject(random)];
    const patch = diff(from, to, SCHEMA);
    const context = JSON.stringify({ from, to, patch });
    assert.deepEqual(patched(from, patch), to, context);
  }
});

Deno.test("an empty patch changes nothing, and $patch: replace replaces everything", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 500; round++) {
    const [object, other] = [randomObject(random), randomObject(random)];
    assert.deepEqual(patched(object, {}), object);
    assert.deepEqual(patched(object, { ...other, $patch: "replace" }), other);
    assert.deepEqual(patched(object, { $patch: "delete" }), {});
  }
});

Deno.test("a random strategic merge patch is merged or refused", () => {
  const { random } = printedRandom();
  const names = [
    "map",
    "items",
    "texts",
    "list",
    "kept",
    "none",
    "name",
    "$patch",
    "$retainKeys",
    "$setElementOrder/items",
    "$setElementOrder/texts",
    "$setElementOrder",
    "$deleteFromPrimitiveList/texts",
    "$deleteFromPrimitiveList/none",
  ];
  const pick = <T>(values: readonly T[]) => values[Math.floor(random.next() * values.length)]!;
  const value = (depth: number): unknown => {
    const kind = depth > 0 ? Math.floor(random.next() * 4) : 3;
    const length = Math.floor(random.next() * 3);
    if (kind === 0) return Array.from({ length }, () => value(depth - 1));
    if (kind <= 2) {
      return Object.fromEntries(Array.from({ length }, () => [pick(names), value(depth - 1)]));
    }
    return pick([null, 1, 1.5, "a", "x", true, "delete", "replace", "merge", []]);
  };
  for (let round = 0; round < 5_000; round++) {
    const patch = { [pick(names)]: value(3), [pick(names)]: value(3) };
    try {
      patched(randomObject(random), patch);
    } catch (error) {
      assert.ok(error instanceof StrategicMergeError, `${JSON.stringify(patch)}: ${error}`);
    }
  }
});
