import assert from "node:assert/strict";
import { ApiError, isNotFound } from "../../../client/errors/api_error.ts";
import { mark, markClass } from "./mark.ts";

const KIND = Symbol.for("@xca/operator/test");

/**
 * Returns a copy of a class marked by this library, as another copy of the library would have it;
 * each call makes a new one.
 */
function copy(): { new (message: string): Error } {
  return class Marked extends Error {
    static {
      markClass(this, KIND);
    }
  };
}

Deno.test("markClass(): instanceof recognizes instances of another copy of the library, and no others", () => {
  const [One, Other] = [copy(), copy()];
  assert(new One("a") instanceof Other);
  for (const value of [new Error("a"), {}, null, undefined, 1, "a"]) {
    assert(!(value instanceof One));
  }
});

Deno.test("markClass(): a derived class keeps the standard instanceof", () => {
  const Base = copy();
  class Derived extends Base {}
  assert(new Derived("a") instanceof Derived);
  assert(new Derived("a") instanceof Base);
  assert(!(new Base("a") instanceof Derived));
});

Deno.test("the mark appears neither in JSON nor among the keys", () => {
  assert.deepEqual(Object.keys(new (copy())("a")), []);
});

Deno.test("the predicates recognize an ApiError of another copy of the library", () => {
  const foreign = Object.assign(new Error("gone"), { code: 404, reason: "NotFound" });
  mark(foreign, Symbol.for("@xca/operator/ApiError"));
  assert(foreign instanceof ApiError);
  assert(isNotFound(foreign));
});
