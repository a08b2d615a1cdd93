import assert from "node:assert/strict";
import { bodyText, checkJson } from "./json_values.ts";

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

Deno.test("a body is written as JSON.stringify does, but for values that it would lose", () => {
  const plain = { a: [1, 0.5, 1e21, 2 ** 53 - 1, "b", true, null, {}], b: undefined };
  assert.equal(bodyText("Cannot send", plain), JSON.stringify(plain));
  const dated = { at: new Date(0), deep: { list: [new Date(1)] } };
  assert.equal(bodyText("Cannot send", dated), JSON.stringify(dated));
  let deep: unknown = 1;
  for (let level = 0; level < 300; level++) deep = { deep };
  assert.equal(bodyText("Cannot send", deep), JSON.stringify(deep));
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (
    const [value, message] of [
      [{ spec: { replicas: NaN } }, "spec.replicas is NaN, which"],
      [{ spec: { data: new Map() } }, "spec.data is a Map, which"],
      [{ args: [() => 1] }, "args[0] is a function, which"],
      [{ args: new Array(1) }, "args[0] is undefined, which"],
      [cyclic, "self is an object that contains itself"],
      [{ spec: { id: 9007199254740993 } }, "spec.id is 9007199254740992, an integer beyond 2^53"],
      [{ spec: { id: -(2 ** 60) } }, "spec.id is -1152921504606847000, an integer beyond 2^53"],
    ] as const
  ) {
    assert.throws(() => bodyText("Cannot send", value), (error: Error) => {
      assert(error instanceof TypeError);
      assert(error.message.startsWith(`Cannot send: ${message}`), error.message);
      return true;
    });
  }
});
