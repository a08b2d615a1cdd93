import assert from "node:assert/strict";
import { standardFunctions } from "../environment.ts";
import { compile, CompileFailure } from "../program.ts";
import { RULE_COST_LIMIT } from "../rules/rule_costs.ts";
import { STRING } from "../types/cel_type.ts";

const environment = {
  variables: new Map([["self", STRING]]),
  structs: new Map(),
  functions: standardFunctions(),
};

/** Returns the estimated maximum cost of a CEL rule, or why it does not compile. */
function estimate(source: string): number | string {
  const program = compile(source, environment);
  return program instanceof CompileFailure ? program.text : program.estimate().max;
}

const chain = (length: number): string =>
  `optional.of(self)${".optMap(x, x)".repeat(length)}.hasValue()`;

const nested = (depth: number): string =>
  depth === 0 ? "self" : `optional.of(${nested(depth - 1)}).optMap(x, x)`;

Deno.test("each optMap of a chain doubles the cost of the rule, not the work of checking it", () => {
  assert.equal(estimate(chain(1)), 19);
  assert.equal(estimate(chain(8)), 4083);
  assert.equal(estimate(chain(14)), 262131);
  assert.ok(Number(estimate(chain(24))) > RULE_COST_LIMIT, "a definition with it is refused");
  assert.ok(Number(estimate(chain(60))) > RULE_COST_LIMIT);
  assert.ok(Number(estimate(`${nested(60)}.hasValue()`)) > RULE_COST_LIMIT);
});

Deno.test("an error in the target of optMap is reported at each occurrence of the target", () => {
  const count = (source: string): number =>
    String(estimate(source)).split("undeclared reference").length - 1;
  assert.equal(count("optional.of(a).optMap(x, x).hasValue()"), 2);
  assert.equal(count("optional.of(a).optMap(x, x).optMap(y, y).hasValue()"), 4);
  const many = String(estimate(`optional.of(a)${".optMap(x, x)".repeat(20)}.hasValue()`));
  assert.match(many, /1048476 more errors were truncated$/);
});

Deno.test("a literal in the target of optMap is refused once per occurrence of the target", () => {
  const text = String(estimate("optional.of(duration('a')).optMap(x, x).hasValue()"));
  assert.equal(text.split("invalid duration argument").length - 1, 2);
});

Deno.test("a type that doubles with each step is refused", () => {
  const doubled = (times: number): string => `[1]${".map(x, {x: x})".repeat(times)}.size() > 0`;
  assert.equal(typeof estimate(doubled(8)), "number");
  assert.match(String(estimate(doubled(40))), /type of the expression exceeds the limit/);
});
