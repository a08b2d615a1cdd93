import assert from "node:assert/strict";
import { checkOptionNames, type OptionNames } from "./option_names.ts";

interface Options {
  readonly name?: string;
  readonly limits?: { readonly bytes?: number };
}

const KNOWN: OptionNames<Options> = { name: true, limits: { bytes: true } };

const check = (options: unknown): void => checkOptionNames("Cannot start", options, KNOWN);

Deno.test("known options pass, and so does an unknown one whose value is undefined", () => {
  for (const options of [{}, { name: "a", limits: { bytes: 1 } }, { limits: undefined }]) {
    check(options);
  }
  check({ nmae: undefined, limits: { byte: undefined } });
});

Deno.test("an unknown option is refused at each depth, with the names of the known ones", () => {
  assert.throws(() => check({ nmae: "a" }), {
    name: "TypeError",
    message: "Cannot start: there is no option nmae, only name, limits",
  });
  assert.throws(() => check({ limits: { byte: 1 } }), {
    name: "TypeError",
    message: "Cannot start: there is no option limits.byte, only limits.bytes",
  });
  assert.throws(() => check({ constructor: 1 }), /there is no option constructor/);
});

Deno.test("options that are no object are refused by their type", () => {
  for (
    const [wrong, what] of [[null, "null"], ["a", "of type string"], [[], "an array"]] as const
  ) {
    assert.throws(() => check(wrong), new RegExp(`its options must be an object, are ${what}`));
  }
  assert.throws(() => check({ limits: 5 }), /limits must be an object, is of type number/);
});
