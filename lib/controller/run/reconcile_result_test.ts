import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import { completionOf } from "./reconcile_result.ts";
import type { Reconciler } from "../definition/reconciler.ts";

Deno.test("completionOf() takes nothing, and an object without a time, as done", () => {
  for (const result of [undefined, null, {}, { requeueAfterMs: undefined }, Object.create(null)]) {
    assert.deepEqual(completionOf(result), { type: "done" });
  }
});

Deno.test("completionOf() accepts requeueAfterMs in an object of the user's own class", () => {
  class Later {
    constructor(readonly requeueAfterMs: number) {}
  }
  class Soon {
    get requeueAfterMs(): number {
      return 0;
    }
  }
  assert.deepEqual(completionOf({ requeueAfterMs: 5 }), { type: "requeueAfter", ms: 5 });
  const withReason = { requeueAfterMs: 5, reason: "not ready" };
  assert.deepEqual(completionOf(withReason), { type: "requeueAfter", ms: 5 });
  assert.deepEqual(completionOf(new Later(7)), { type: "requeueAfter", ms: 7 });
  assert.deepEqual(completionOf(new Soon()), { type: "requeueAfter", ms: 0 });
});

for (
  const [shown, result] of [
    ["42", 42],
    ["0", 0],
    ["NaN", NaN],
    ["7", 7n],
    ["true", true],
    ["false", false],
    ["a string", "soon"],
    ["a string", ""],
    ["Symbol(later)", Symbol("later")],
    ["a function", () => {}],
    ["an array", []],
    ["a Date object", new Date(0)],
    ["a Map object", new Map()],
    ["{ requeueafterms }", { requeueafterms: 5 }],
    ['{ "a\\u001b[2J" }', { "a\u001b[2J": 5 }],
    ["{ apiVersion, kind, metadata, data, a, ... }", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {},
      data: { password: "c2VjcmV0" },
      a: 1,
      b: 2,
    }],
  ] as const
) {
  Deno.test(`a reconciler that returns ${shown} is reported as mistaken`, () => {
    assert.throws(() => completionOf(result), {
      name: "TypeError",
      message: `Cannot use what reconcile returned: ${shown}; return nothing, or ` +
        "{ requeueAfterMs: <milliseconds> }",
    });
  });
}

for (
  const [shown, ms] of [["NaN", NaN], ["-5", -5], ["Infinity", Infinity], ["a string", "soon"], [
    "null",
    null,
  ], ["Symbol(x)", Symbol("x")]] as const
) {
  Deno.test(`a requeueAfterMs of ${shown} is an invalid delay`, () => {
    assert.throws(() => completionOf({ requeueAfterMs: ms }), {
      name: "RangeError",
      message: "Cannot requeue: requeueAfterMs must be a number of milliseconds of at least 0, " +
        `is ${shown}`,
    });
  });
}

Deno.test("a run with an invalid result failed, and its key is retried", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let runs = 0;
  const misspelt = (): unknown => ++runs > 1 ? undefined : { requeueafterms: 5 };
  const handle = h.run(forMaps(misspelt as Reconciler));
  await h.clock.settle();
  assert.match(
    handle.progress().failing[0]!.error,
    /returned: \{ requeueafterms \}; return nothing/,
  );
  await h.clock.advance(1_000);
  assert.deepEqual([runs, handle.progress().failing], [2, []]);
});
