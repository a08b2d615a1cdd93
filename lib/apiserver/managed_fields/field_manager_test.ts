import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { FieldManager } from "./field_manager.ts";
import {
  difference,
  type FieldSet,
  forEachPath,
  hasPath,
  isEmpty,
  union,
} from "./field_set/field_set.ts";
import type { ManagedFieldsEntry } from "./managed_entries.ts";
import { mergeTypeOf } from "./typed/merge_type.ts";
import { randomObject, SCHEMA, withoutEmpty } from "./typed/random_typed_fakes_test.ts";
import { toFieldSet } from "./typed/to_field_set.ts";

const RESOURCE: ApiResource = {
  group: "example.com",
  version: "v1",
  kind: "Thing",
  plural: "things",
  singular: "thing",
  listKind: "ThingList",
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
  storageVersion: "v1",
  schema: () => SCHEMA,
  strategy: {},
  customResourceDefinition: "things.example.com",
};
const TYPE = mergeTypeOf(SCHEMA);
const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n));

function entries(object: ApiObject): ManagedFieldsEntry[] {
  return (object.metadata.managedFields ?? []) as ManagedFieldsEntry[];
}

function created(object: Record<string, unknown>, manager = "creator"): ApiObject {
  const next = structuredClone(object) as ApiObject;
  new FieldManager(RESOURCE).update(undefined, next, manager, second(0));
  next.metadata.uid = "uid";
  return next;
}

const thing = (spec: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "thing" },
  spec,
});

function apply(
  live: ApiObject | undefined,
  applied: unknown,
  manager: string,
  { force = false, at = 1 } = {},
): ApiObject {
  const options = { manager, force, now: second(at) };
  return new FieldManager(RESOURCE).apply(live, structuredClone(applied) as ApiObject, options);
}

Deno.test("applying an object a second time changes nothing", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 300; round++) {
    let live = created(randomObject(random, 0.4));
    for (let step = 0; step < 4; step++) {
      const manager = `m${Math.floor(random.next() * 3)}`;
      const applied = withoutEmpty(randomObject(random, 0.5));
      live = apply(live, applied, manager, { force: true, at: step });
      live.metadata.uid = "uid";
      const again = apply(live, applied, manager, { at: step + 1 });
      assert.deepEqual(again, live);
    }
  }
});

Deno.test("an applier owns the fields that it applied, and no manager owns absent fields", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 300; round++) {
    let live = created(randomObject(random, 0.4));
    for (let step = 0; step < 4; step++) {
      const applied = withoutEmpty(randomObject(random, 0.5));
      live = apply(live, applied, `m${step % 2}`, { force: true });
      live.metadata.uid = "uid";
      const own = entries(live).find(({ manager }) => manager === `m${step % 2}`);
      const set = difference(toFieldSet(applied, TYPE), {
        "f:apiVersion": {},
        "f:kind": {},
        "f:metadata": { ".": {}, "f:name": {} },
      });
      assert.deepEqual(own?.fieldsV1 ?? {}, set);
      const { managedFields: _, ...metadata } = live.metadata;
      const present = toFieldSet({ ...live, metadata }, TYPE);
      for (const { fieldsV1, operation } of entries(live)) {
        if (operation !== "Apply") continue;
        forEachPath(fieldsV1!, (path) => assert.ok(hasPath(present, path), path.join(" ")));
      }
    }
  }
});

Deno.test("an updated field is owned by its updater, and by no manager with another value", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 300; round++) {
    const live = created(randomObject(random, 0.3));
    // An object without managers gets none by an update.
    if (entries(live).length === 0) continue;
    const next = structuredClone(randomObject(random, 0.3)) as ApiObject;
    next.metadata.uid = "uid";
    new FieldManager(RESOURCE).update(live, next, "updater", second(1));
    const owned = entries(next).reduce<FieldSet>((set, { fieldsV1 }) => union(set, fieldsV1!), {});
    const { managedFields: _1, uid: _2, ...metadata } = next.metadata;
    const leaves = leavesOf(toFieldSet({ ...next, metadata }, TYPE));
    for (const path of leaves) {
      const system = path[0] !== "f:spec" &&
        !["f:labels", "f:finalizers"].includes(path[1] ?? "");
      if (!system) assert.ok(hasPath(owned, path), path.join(" "));
    }
  }
});

function leavesOf(set: FieldSet): string[][] {
  const leaves: string[][] = [];
  forEachPath(set, (path) => {
    let node: FieldSet | undefined = set;
    for (const element of path) node = node?.[element];
    if (node && isEmpty(node)) leaves.push([...path]);
  });
  return leaves;
}

Deno.test("an update without changes keeps times and owners", () => {
  const live = created(thing({ count: 1, tags: ["a"] }));
  const next = structuredClone(live);
  new FieldManager(RESOURCE).update(live, next, "somebody", second(9));
  assert.deepEqual(next, live);
});

Deno.test("an item that its applier removes keeps the fields of other owners", () => {
  const live = apply(undefined, thing({ items: [{ name: "a", value: 1 }, { name: "b" }] }), "m");
  const both = apply(live, thing({ items: [{ name: "a", inner: { a: "x" } }] }), "other");
  const rest = apply(both, thing({ items: [{ name: "b" }] }), "m");
  assert.deepEqual(rest.spec, { items: [{ name: "a", inner: { a: "x" } }, { name: "b" }] });
});

Deno.test("conflicts name manager, version and path", () => {
  const live = created(thing({ count: 1, items: [{ name: "a", value: 1 }] }));
  const conflicting = thing({ count: 2, items: [{ name: "a", value: 2 }] });
  assert.throws(() => apply(live, conflicting, "m"), (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(
      error.message,
      'Apply failed with 2 conflicts: conflicts with "creator" using example.com/v1:\n' +
        '- .spec.count\n- .spec.items[name="a"].value',
    );
    assert.deepEqual(error.status.details?.causes?.map(({ field }) => field), [
      ".spec.count",
      '.spec.items[name="a"].value',
    ]);
    return true;
  });
});

Deno.test("an apply of the status never conflicts with owners of the spec in other versions", () => {
  const status = { statusResetFields: [["metadata"], ["spec"]] };
  const row = { ...RESOURCE, strategy: status };
  const old = { ...row, version: "v0" };
  const applied = { ...thing({ count: 2 }), apiVersion: "example.com/v0" };
  const options = { manager: "m", force: false, now: second(1) };
  const applyTo = (subresource: string) => {
    const manager = new FieldManager(
      old,
      subresource,
      (version) => version.endsWith("0") ? old : row,
    );
    return manager.apply(created(thing({ count: 1 })), structuredClone(applied), options);
  };
  assert.equal(entries(applyTo("status")).length, 1);
  assert.throws(() => applyTo(""), /conflict with "creator" using example.com\/v1: .spec.count/);
});

Deno.test("a custom object is checked against the version of each manager", () => {
  const spec = { type: "object", fields: { other: { type: "string" } } } as const;
  const bare = { type: "object", fields: { spec } } as const;
  const old: ApiResource = { ...RESOURCE, version: "v0", schema: () => bare };
  const definedVersions = new Set(["example.com/v0", "example.com/v1"]);
  const next = { ...RESOURCE, definedVersions };
  const find = (version: string) => version === "example.com/v0" ? old : next;
  const manager = new FieldManager(next, "", find);
  const wrote = (apiVersion: string): ApiObject => ({
    ...thing({}),
    metadata: {
      name: "thing",
      uid: "uid",
      managedFields: [{
        manager: "m",
        operation: "Apply",
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": {} },
      }],
    },
  });
  const write = (live: ApiObject): number => {
    const changed = { ...structuredClone(live), spec: { count: 1 } };
    manager.update(live, changed, "updater", second(1));
    return entries(changed).length;
  };
  assert.equal(write(wrote("example.com/v1")), 2);
  // The live object does not match its type in v0, and v9 is undefined: it keeps its managers.
  assert.equal(write(wrote("example.com/v0")), 1);
  assert.equal(write(wrote("example.com/v9")), 1);

  const options = { manager: "m", force: true, now: second(1) };
  const applyTo = (live: ApiObject) => manager.apply(live, thing({ count: 1 }), options);
  assert.throws(
    () => applyTo(wrote("example.com/v0")),
    /^StatusError: failed to prune fields: .* last applied version: .spec.count: field not declared/,
  );
  assert.throws(
    () => applyTo(wrote("example.com/v9")),
    /request to convert CR to an invalid group\/version: example.com\/v9$/,
  );
});

Deno.test("entries are sorted by operation, second, manager and version", () => {
  const manager = new FieldManager(RESOURCE);
  let live = created(thing({ count: 0 }), "z");
  for (const [name, at] of [["c", 5], ["b", 5], ["a", 7]] as const) {
    const next = structuredClone(live);
    (next.spec as Record<string, unknown>)[name === "a" ? "whole" : name === "b" ? "any" : "tags"] =
      name === "b" ? "x" : ["x"];
    manager.update(live, next, name, second(at));
    live = next;
  }
  live = apply(live, thing({ atom: { a: "x" } }), "last");
  assert.deepEqual(entries(live).map(({ manager }) => manager), ["last", "z", "b", "c", "a"]);
});

Deno.test("the oldest of more than ten updaters are merged", () => {
  const manager = new FieldManager(RESOURCE);
  let live = created({ ...thing({}), metadata: { name: "thing", labels: { l: "0" } } });
  for (let n = 1; n <= 12; n++) {
    const next = structuredClone(live);
    next.metadata.labels![`l${n}`] = "1";
    manager.update(live, next, `m${n}`, second(n));
    live = next;
  }
  const managers = entries(live).map(({ manager }) => manager);
  assert.equal(managers.length, 10);
  assert.equal(managers[0], "ancient-changes");
  assert.deepEqual(Object.keys(entries(live)[0]!.fieldsV1!["f:metadata"]!["f:labels"]!), [
    ".",
    "f:l",
    "f:l1",
    "f:l2",
    "f:l3",
  ]);
});

Deno.test("invalid stored managed fields are dropped without an error", () => {
  const { random } = printedRandom();
  const pieces = [undefined, null, 1, "x", [], {}, [{}], { "f:spec": {} }, { "v:[": {} }, "Apply"];
  const pick = () => pieces[Math.floor(random.next() * pieces.length)];
  for (let round = 0; round < 2_000; round++) {
    const live = created(thing({ count: 1 }));
    const next = created(thing({ count: 2 }));
    const entry = {
      manager: "x",
      operation: random.next() < 0.5 ? "Update" : pick(),
      apiVersion: random.next() < 0.5 ? "example.com/v1" : "other/v9",
      fieldsType: random.next() < 0.8 ? "FieldsV1" : pick(),
      fieldsV1: pick(),
    };
    const garbage: unknown[] = [entry, random.next() < 0.3 ? pick() : entry];
    next.metadata.managedFields = garbage as ManagedFieldsEntry[];
    new FieldManager(RESOURCE).update(live, next, "m", second(1));
    assert.ok(Array.isArray(next.metadata.managedFields ?? []));
  }
});
