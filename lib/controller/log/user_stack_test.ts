import assert from "node:assert/strict";
import { libraryOf } from "../../client/errors/library_frames.ts";
import { userStack } from "./user_stack.ts";

const LIBRARY = "file:///xca/lib/";

Deno.test("the library's frames are removed from a stack, the user's frames keep their order", () => {
  const stack = [
    "TypeError: a is",
    "undefined at file:///xca/lib/, says a second line",
    "    at CacheReader.get (file:///xca/lib/cache/readers/cache_reader.ts:1:2)",
    "    at deep (file:///home/u/operator.ts:2:34)",
    "    at Array.map (<anonymous>)",
    "    at async Object.reconcile (file:///home/u/operator.ts:5:3)",
    "    at async call (file:///xca/lib/controller/run/reconcile_run.ts:1:1)",
  ];
  assert.deepEqual(userStack(stack.join("\n"), LIBRARY).split("\n"), [
    "TypeError: a is",
    "undefined at file:///xca/lib/, says a second line",
    "    at deep (file:///home/u/operator.ts:2:34)",
    "    at Array.map (<anonymous>)",
    "    at async Object.reconcile (file:///home/u/operator.ts:5:3)",
  ]);
});

Deno.test("a stack of library frames only is unchanged, as in a bundle", () => {
  for (
    const stack of [
      "Error: no\n    at a (file:///xca/lib/a.ts:1:1)\n    at Array.map (<anonymous>)",
      "Error: no\n    at file:///xca/lib/a.ts:1:1",
      "Error: no\n    at file:///xca/lib/a.ts:1:1\n    at async ext:core/01_core.js:1:1",
      "Error: no\n    at file:///xca/lib/a.ts:1:1\n    at b (file:///d/npm/r.example/@s/b/5.5.0/b.mjs:1:2)",
      "Error: no",
      "",
    ]
  ) assert.equal(userStack(stack, LIBRARY), stack);
});

Deno.test("the library's frames are recognized in any folder, percent-encoded or not", () => {
  const user = "    at reconcile (file:///home/u/operator.ts:5:3)";
  for (const folder of ["a b%é", "a%20b%25%C3%A9"]) {
    const stack = `Error: no\n    at get (file:///${folder}/lib/cache/a.ts:1:2)\n${user}`;
    for (const library of ["file:///a b%é/lib/", "file:///a%20b%25%C3%A9/lib/"]) {
      assert.equal(userStack(stack, library), `Error: no\n${user}`, `${folder} of ${library}`);
    }
  }
});

Deno.test("in a bundle the user's frames are not taken for the library's", () => {
  const library = libraryOf("file:///app/main.js");
  const own = "    at a (file:///app/chunk.js:1:1)";
  const dependency = "    at b (file:///home/u/node_modules/b/b.js:1:1)";
  const user = "    at c (file:///home/u/operator.ts:5:3)";
  const together = `Error: no\n${own}\n${dependency}`;
  assert.equal(userStack(together, library), together);
  assert.equal(
    userStack(`Error: no\n${own}\n${dependency}\n${user}`, library),
    `Error: no\n${dependency}\n${user}`,
  );
});
