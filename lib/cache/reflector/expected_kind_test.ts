import assert from "node:assert/strict";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { ExpectedKind, type ObjectOrigin } from "./expected_kind.ts";
import { Thing } from "./reflector_fakes_test.ts";

function check(text: string, origin: ObjectOrigin = "list"): void {
  new ExpectedKind(Thing).check(new TextEncoder().encode(text), origin);
}

Deno.test("objects of the expected kind are accepted, however it is spelled", () => {
  for (
    const text of [
      '{"kind":"Thing","apiVersion":"example.org/v1","metadata":{}}',
      '{"apiVersion":"example.org/v1","kind":"Thing"}',
      ' \n{ "kind" : "Thing" ,\t"apiVersion" : "example.org/v1" }',
      '{"kind":"Th\\u0069ng","apiVersion":"example.org\\/v1"}',
      '{"k\\u0069nd":"Thing","apiVersion":"example.org/v1"}',
      '{"kind":"Pod","kind":"Thing","apiVersion":"example.org/v1"}',
    ]
  ) check(text);
});

Deno.test("objects that do not begin with kind and apiVersion are accepted, as items of lists must be", () => {
  for (
    const text of [
      '{"metadata":{"name":"a"}}',
      '{"kind":"Pod","metadata":{"name":"a"},"apiVersion":"v1"}',
      '{"kind":"Pod"}',
      '{"apiVersion":"v1"}',
      '{"kind":null,"apiVersion":"v1"}',
      '{"kind":"Pod","apiVersion":1}',
      "{}",
      "[]",
      "",
    ]
  ) check(text);
});

Deno.test("B52 an object of an event is checked wherever its kind is written", () => {
  for (
    const text of [
      '{"metadata":{"name":"a"},"kind":"Pod","apiVersion":"v1"}',
      '{"apiVersion":"v1","metadata":{"name":"a"},"spec":{"kind":"Thing"},"kind":"Pod"}',
      '{"kind":"Pod","metadata":{"name":"a"},"apiVersion":"v1","spec":{}}',
    ]
  ) assert.throws(() => check(text, "event"), /it is a Pod of v1, not a Thing /);
  for (
    const text of [
      '{"metadata":{"name":"a"},"kind":"Thing","apiVersion":"example.org/v1"}',
      '{"metadata":{"name":"a"},"spec":{"kind":"Pod","apiVersion":"v1"}}',
      '{"metadata":{}',
    ]
  ) check(text, "event");
});

Deno.test("B52 objects of another kind, version or group are refused", () => {
  for (
    const [kind, apiVersion] of [
      ["Pod", "example.org/v1"],
      ["Thing", "example.org/v2"],
      ["Thing", "example.com/v1"],
      ["Things", "example.org/v1"],
      ["thing", "example.org/v1"],
      ["", ""],
    ]
  ) {
    const members = [`"kind":"${kind}"`, `"apiVersion":"${apiVersion}"`];
    for (const [one, other] of [members, members.toReversed()]) {
      assert.throws(() => check(` {${one} ,${other},"metadata":{}}`), (error: unknown) => {
        assert.ok(error instanceof DecodeError);
        assert.equal(
          error.message,
          `Cannot store an object among ${Thing.id}: it is a ${kind} of ${apiVersion}, ` +
            "not a Thing of example.org/v1",
        );
        return true;
      });
    }
  }
});
