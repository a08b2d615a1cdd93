import assert from "node:assert/strict";
import { checkJson } from "./json_values.ts";

const check = (value: unknown): void => checkJson("Cannot write", value, "status");

Deno.test("values of JSON pass, and so do absent fields and objects of a class", () => {
  class Condition {
    type = "Ready";
  }
  const shared = { a: 1 };
  const value = {
    a: [1, "b", true, null, {}],
    b: undefined,
    c: new Condition(),
    d: shared,
    e: shared,
  };
  check(value);
  check(Object.assign(Object.create(null), { a: 1 }));
});

Deno.test("a value without a form in JSON is a TypeError that names its path", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = [cyclic];
  const wrong: [unknown, string][] = [
    [{ replicas: NaN }, "status.replicas is NaN"],
    [{ a: { b: [1, Infinity] } }, "status.a.b[1] is Infinity"],
    [{ a: 5n }, "status.a is a bigint"],
    [{ a: () => 1 }, "status.a is a function"],
    [{ a: Symbol("b") }, "status.a is a symbol"],
    [{ a: [undefined] }, "status.a[0] is undefined"],
    [{ a: new Array(1) }, "status.a[0] is undefined"],
    [{ since: new Date(0) }, "status.since is a Date"],
    [{ a: new Map() }, "status.a is a Map"],
    [cyclic, "status.self[0] is an object that contains itself"],
  ];
  for (const [value, message] of wrong) {
    assert.throws(() => check(value), {
      name: "TypeError",
      message: `Cannot write: ${message}, which has no form in JSON`,
    });
  }
});
