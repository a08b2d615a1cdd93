/**
 * Applies random patches, valid and broken, to random objects of built-in kinds, and checks
 * properties that hold for every patch.
 */
import assert from "node:assert/strict";
import { EVERY_KIND } from "../../../tests/conformance/kinds/every_kind_bodies.ts";
import { decodeObject } from "../decode/decode_object.ts";
import { runAll } from "@xca/apimachinery/internal/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, canonicalJson, isMap, setField } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../machinery/request_context.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { FieldManagers } from "../managed_fields/field_managers.ts";
import { Chance } from "../random_values_test.ts";
import { ResourceTable } from "../resources/resource_table.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { type PatchType, preparePatch } from "./patch_request.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const TABLE = ResourceTable.builtin();
const encoder = new TextEncoder();

type Plain = Record<string, unknown>;

/** A stored object of a random kind, with functions to prepare patches for it. */
class Patched {
  readonly row: ApiResource;
  readonly object: ApiObject;
  readonly #chance: Chance;
  readonly #managers = new FieldManagers(() => () => this.row);

  constructor(chance: Chance) {
    const { apiVersion, resource, body } = chance.pick(EVERY_KIND);
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    this.#chance = chance;
    this.row = TABLE.find(group, version, resource)!;
    this.object = this.stored({ apiVersion, kind: this.row.kind, ...body("a", "default") });
    this.object = this.another();
  }

  /**
   * Returns the stored object with some fields changed at random, provided that it is still valid
   * for its kind.
   */
  another(): ApiObject {
    let tree: unknown = structuredClone(this.object);
    for (let times = this.#chance.below(4); times > 0; times--) {
      tree = this.#chance.changed(tree, this.row.schema() as BuiltinType);
    }
    try {
      return this.stored(tree as Plain);
    } catch (error) {
      assert.ok(error instanceof StatusError, String(error));
      return this.object;
    }
  }

  stored(tree: Plain): ApiObject {
    const { apiVersion, kind } = this.object ?? tree as unknown as ApiObject;
    const metadata = { name: "a", uid: "u", resourceVersion: "1" };
    const object = decodeObject({
      bytes: encoder.encode(JSON.stringify({ ...tree, apiVersion, kind, metadata })),
      contentType: "application/json",
      resource: this.row,
      fieldValidation: "Ignore",
      warn: () => {},
    });
    this.row.strategy.defaults?.(object);
    return object;
  }

  /** Returns a function that applies a patch to an object. */
  prepare(type: PatchType, patch: unknown, query = ""): (current: ApiObject) => ApiObject {
    const context = {
      resource: this.row,
      subresource: "",
      namespace: "",
      name: "a",
      fieldManager: "m",
      fieldValidation: this.#chance.pick(["Ignore", "Warn"]),
      now: new Date(0),
      query: new URLSearchParams(query),
      warn: () => {},
    } as unknown as RequestContext<ApiResource>;
    const bytes = patch instanceof Uint8Array ? patch : encoder.encode(JSON.stringify(patch));
    return (current) => {
      const prepared = runAll(preparePatch(context, type, bytes, this.#managers));
      return runAll(prepared(structuredClone(current)));
    };
  }
}

/** Returns an object without its managed fields. */
function bare({ metadata, ...object }: ApiObject): unknown {
  const { managedFields: _, ...rest } = metadata;
  return JSON.parse(canonicalJson({ ...object, metadata: rest }));
}

function randomPatch(chance: Chance, { object, row }: Patched, type: string): unknown {
  if (chance.happens(0.1)) return chance.json();
  if (type !== JSON_PATCH) {
    const changed = chance.changed(object, row.schema() as BuiltinType);
    if (!isMap(changed)) return changed;
    const fields = Object.entries(changed).filter(([name]) =>
      chance.happens(type === APPLY && name === "kind" ? 0.95 : 0.7)
    );
    const patch = Object.fromEntries(fields);
    if (chance.happens(0.2)) setField(patch, chance.name(), chance.json(2));
    if (chance.happens(0.1)) patch.$patch = chance.pick(["replace", "delete", "merge", 1]);
    if (chance.happens(0.1)) patch["$setElementOrder/ports"] = chance.json(1);
    return { ...patch, ...(type === APPLY && { metadata: { name: "a" } }) };
  }
  const finalizers = "/metadata/finalizers";
  const paths = [
    ...["", "/", "/metadata", "/spec", "/data/a", "/spec/x/0/-", "/metadata/labels", "/kind"],
    ...[finalizers, `${finalizers}/-`],
  ];
  // Later operations may change the value that was added, but not the value in the patch.
  const first = { op: "add", path: finalizers, value: ["x/a"] };
  const rest = chance.several(4, () => ({
    op: chance.pick(["add", "add", "remove", "replace", "move", "copy", "test"]),
    path: chance.pick(paths),
    from: chance.pick(paths),
    value: chance.happens(0.5) ? "x/b" : chance.json(2),
  }));
  return chance.happens(0.5) ? [first, { ...first, path: `${finalizers}/-`, value: "x/c" }] : rest;
}

Deno.test("a random patch is refused with a Status, or patches equal objects alike", async () => {
  let patched = 0;
  await Chance.runs(800, (chance) => {
    const subject = new Patched(chance);
    const type = chance.pick<PatchType>([JSON_PATCH, MERGE, STRATEGIC, APPLY]);
    const tree = randomPatch(chance, subject, type);
    const bytes = encoder.encode(JSON.stringify(tree));
    const patch = chance.happens(0.1) ? chance.damaged(bytes) : bytes;
    const about = `${type} ${new TextDecoder().decode(patch)} of ${JSON.stringify(subject.object)}`;
    const apply = subject.prepare(type, patch, chance.happens(0.5) ? "force=true" : "");
    const [first, second] = [1, 2].map(() => {
      try {
        return { object: apply(subject.object) };
      } catch (error) {
        assert.ok(error instanceof StatusError, `${about}: ${(error as Error).stack}`);
        assert.ok([400, 409, 413, 422, 500].includes(error.code), about);
        if (error.code === 500) assert.doesNotMatch(error.message, /Cannot read|is not a/, about);
        return { status: error.status };
      }
    });
    assert.deepEqual(second, first, about);
    if (first!.object) patched++;
  });
  assert.ok(patched > 150, `only ${patched} were patched`);
});

Deno.test("an empty patch changes nothing", async () => {
  await Chance.runs(400, (chance) => {
    const subject = new Patched(chance);
    const tests = Object.entries(subject.object).filter(() => chance.happens(0.5))
      .map(([name, value]) => ({ op: "test", path: `/${name}`, value }));
    for (const [type, patch] of [[JSON_PATCH, tests], [MERGE, {}], [STRATEGIC, {}]] as const) {
      assert.deepEqual(bare(subject.prepare(type, patch)(subject.object)), bare(subject.object));
    }
  });
});

/** Returns the JSON merge patch from one value to another. */
function difference(from: Plain, to: Plain): Plain {
  const patch: Plain = {};
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) setField(patch, name, null);
  for (const [name, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, name) ? from[name] : undefined;
    if (canonicalJson(before) === canonicalJson(value)) continue;
    setField(patch, name, isMap(before) && isMap(value) ? difference(before, value) : value);
  }
  return patch;
}

Deno.test("a merge patch between two objects converts one to the other", async () => {
  await Chance.runs(600, (chance) => {
    const subject = new Patched(chance);
    const to = subject.another();
    if (canonicalJson(bare(to)).includes(":null")) return; // A merge patch cannot set null.
    const patch = difference(subject.object as unknown as Plain, to as unknown as Plain);
    const result = subject.prepare(MERGE, patch)(subject.object);
    assert.deepEqual(bare(result), bare(to), JSON.stringify(patch));
  });
});

/** Returns a value in which the lists that a strategic merge patch merges are shuffled. */
function reordered(chance: Chance, value: unknown, type: TypeSchema | undefined): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => reordered(chance, item, type?.items));
    const key = type?.patchStrategy?.includes("merge") ? type.patchMergeKey : undefined;
    const names = new Set(items.map((item) => key && (item as Plain)[key]));
    return key !== undefined && names.size === items.length ? chance.shuffled(items) : items;
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) =>
    [name, reordered(chance, inner, type?.fields?.[name] ?? type?.values)] as const
  );
  return Object.fromEntries(chance.shuffled(entries));
}

/**
 * Returns a value in which the lists that a strategic merge patch merges are sorted, to compare
 * them as sets.
 */
function asSets(value: unknown, type: TypeSchema | undefined): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => asSets(item, type?.items));
    return type?.patchMergeKey === undefined
      ? items
      : items.sort((a, b) => canonicalJson(a) < canonicalJson(b) ? -1 : 1);
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      [name, asSets(inner, type?.fields?.[name] ?? type?.values)] as const
    ),
  );
}

Deno.test("a strategic merge patch in another order has the same result as a set", async () => {
  let merged = 0;
  await Chance.runs(600, (chance) => {
    const subject = new Patched(chance);
    const schema = subject.row.schema()!;
    const { metadata: _, ...patch } = subject.another();
    const result = (tree: unknown): unknown => {
      try {
        return asSets(bare(subject.prepare(STRATEGIC, tree)(subject.object)), schema);
      } catch (error) {
        assert.ok(error instanceof StatusError);
        return error.code;
      }
    };
    const expected = result(patch);
    if (isMap(expected)) merged++;
    assert.deepEqual(result(reordered(chance, patch, schema)), expected, JSON.stringify(patch));
  });
  assert.ok(merged > 300, `only ${merged} were merged`);
});

Deno.test("applying an object twice changes nothing", async () => {
  let applied = 0;
  await Chance.runs(300, (chance) => {
    const subject = new Patched(chance);
    const patch = {
      ...subject.another(),
      metadata: { name: "a", labels: { [chance.name()]: "x" } },
    };
    const apply = subject.prepare(APPLY, patch, "force=true");
    try {
      const once = apply(subject.object);
      assert.deepEqual(apply(once), once, JSON.stringify(patch));
      applied++;
    } catch (error) {
      assert.ok(
        error instanceof StatusError,
        `${JSON.stringify(patch)}: ${(error as Error).stack}`,
      );
    }
  });
  assert.ok(applied > 150, `only ${applied} were applied`);
});
