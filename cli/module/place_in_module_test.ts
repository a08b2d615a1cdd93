import assert from "node:assert/strict";
import { placeInModule } from "./place_in_module.ts";

/** Returns an error whose stack has the given file positions, innermost first. */
function errorAt(...places: string[]): Error {
  const error = new Error("mine");
  error.stack = ["Error: mine", ...places.map((place) => `    at f (${place})`)].join("\n");
  return error;
}

Deno.test("a position is reported by its path, whether its stack frame is encoded or not", () => {
  const folder = "/u/a b%é #?";
  for (
    const place of [`file://${folder}/op.ts:3:1`, "file:///u/a%20b%25%C3%A9%20%23%3F/op.ts:3:1"]
  ) {
    const error = errorAt("file:///elsewhere/x.ts:1:1", place);
    assert.equal(placeInModule(error, `${folder}/op.ts`), `${folder}/op.ts:3`, place);
  }
  const below = new URL("./a%20b%25%C3%A9/op.ts", `file://${Deno.cwd()}/`).href;
  assert.equal(placeInModule(errorAt(`${below}:3:1`), "./a b%é/op.ts"), "a b%é/op.ts:3");
});

Deno.test("stack frames of the plugin are skipped, in a folder with any name", () => {
  for (const own of ["file:///u/a b%é/main.js:1:1", "file:///u/a%20b%25%C3%A9/main.js:1:1"]) {
    const error = errorAt(own, "file:///home/op.ts:2:1");
    assert.equal(placeInModule(error, "/none/op.ts", ["file:///u/a b%é/"]), "/home/op.ts:2", own);
    assert.equal(placeInModule(errorAt(own), "/none/op.ts", ["file:///u/a b%é/"]), undefined);
  }
});

Deno.test("a position is reported without a working directory, and an invalid module is no error", () => {
  const cwd = Deno.cwd();
  const gone = Deno.makeTempDirSync();
  const error = errorAt("file:///home/op.ts:2:1");
  try {
    Deno.chdir(gone);
    Deno.removeSync(gone);
    assert.equal(placeInModule(error, "./op.ts"), "/home/op.ts:2");
  } finally {
    Deno.chdir(cwd);
  }
  assert.equal(placeInModule(error, "file://%"), "/home/op.ts:2");
  const hostile = new Error("mine");
  Object.defineProperty(hostile, "stack", { get: () => assert.fail("no stack") });
  assert.equal(placeInModule(hostile, "./op.ts"), undefined);
});
