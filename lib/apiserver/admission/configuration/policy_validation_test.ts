import assert from "node:assert/strict";
import { runAll } from "@xca/apimachinery/internal/base";
import type { CelType } from "@xca/apimachinery/internal/cel";
import { FieldPath } from "@xca/apimachinery/internal/errors";
import { EXPRESSIONS } from "../expression_code.ts";
import { validateVariables } from "./policy_validation.ts";

Deno.test("each variable of a policy is compiled once", async () => {
  const code = await EXPRESSIONS.get();
  const compiled: string[] = [];
  const counted: typeof code = {
    ...code,
    compileExpression: (source, ...more) => {
      compiled.push(source);
      return code.compileExpression(source, ...more);
    },
  };
  const types = new Map<string, CelType>();
  const variables = [
    { name: "a", expression: "1 + 1" },
    { name: "b", expression: "variables.a +" },
    { name: "c", expression: "variables.a == 2" },
  ];
  const errors = runAll(validateVariables(counted, { variables }, FieldPath.of("spec"), types));
  assert.deepEqual(compiled, variables.map(({ expression }) => expression));
  assert.deepEqual(errors.map(({ field }) => field), ["spec[1].expression"]);
  assert.deepEqual([...types].map(([name, type]) => [name, String(type)]), [
    ["a", "int"],
    ["b", "dyn"],
    ["c", "bool"],
  ]);
});
