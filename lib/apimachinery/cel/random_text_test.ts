import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { standardFunctions } from "./environment.ts";
import { CALL_COST_LIMIT, compile, CompileFailure } from "./program.ts";
import { untypedValue } from "./schema/untyped_value.ts";
import { DYN } from "./types/cel_type.ts";
import { toJson } from "./values/to_json.ts";
import { CelError, type CelValue, typeOf } from "./values/value.ts";

const ENVIRONMENT = {
  variables: new Map([["self", DYN]]),
  structs: new Map(),
  functions: standardFunctions(),
};

const SELF = untypedValue({ a: 1, b: "text", c: [1, 2, 3], d: { e: true, f: null } });

const WORDS = [
  ..."()[]{}.,:?!+-*/%<>=&|\"'`\\ \n0123456789aeux",
  ..."self a b c d e size has all exists map filter matches in true false null == != && || <= >="
    .split(" "),
  ..."x, (x 'a+' 1u 1.5 0xff r'' b'' \"\"\" duration('1s') timestamp optional.of( .?a [?0] "
    .split(" "),
  "self.c.map(x, ",
  "self.c.all(i, x, ",
  "self.b.matches('(a+)+$')",
  "\u{1f600}",
  "9223372036854775808",
];

/** Returns a random CEL expression that is mostly well formed. */
function grow(next: () => number, depth: number): string {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
  if (depth === 0) {
    return pick(["self", "self.a", "self.b", "self.c", "self.d", "1", "2u", "'t'", "true", "x"]);
  }
  const inner = (): string => grow(next, depth - 1);
  switch (Math.floor(next() * 9)) {
    case 0:
      return `(${inner()} ${pick(["+", "-", "*", "/", "%"])} ${inner()})`;
    case 1:
      return `(${inner()} ${pick(["==", "!=", "<", "<=", "in", "&&", "||"])} ${inner()})`;
    case 2:
      return `[${inner()}, ${inner()}]`;
    case 3:
      return `{${inner()}: ${inner()}}`;
    case 4:
      return `${inner()}.${pick(["all", "exists", "map", "filter"])}(x, ${inner()})`;
    case 5:
      return `${pick(["size", "string", "int", "type", "dyn"])}(${inner()})`;
    case 6:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 7:
      return `${inner()}[${inner()}]`;
    default:
      return `${inner()}.${pick(["a", "b", "?c", "matches('(a+)+$')", "split('')", "sum()"])}`;
  }
}

function shown(value: CelValue): string {
  if (value instanceof CelError) return value.message;
  try {
    return JSON.stringify(toJson(value));
  } catch {
    return `a value of type ${typeOf(value)}`;
  }
}

function tryOut(source: string): boolean {
  const program = compile(source, ENVIRONMENT);
  if (program instanceof CompileFailure) {
    assert.notEqual(program.text, "", source);
    return false;
  }
  const { min, max } = program.estimate();
  assert.ok(min <= max, source);
  const variables = (name: string): CelValue | undefined => name === "self" ? SELF : undefined;
  const { value, cost } = program.evaluate(variables);
  assert.ok(cost <= 2 * CALL_COST_LIMIT, `${source} costs ${cost}`);
  const steps = program.evaluateInSteps(variables);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const inSteps = step.value;
  assert.equal(shown(inSteps.value), shown(value), source);
  // Once an operand fails, the others need not be evaluated.
  if (!(value instanceof CelError)) assert.equal(inSteps.cost, cost, source);
  return true;
}

Deno.test("random text is compiled or refused, and never throws", () => {
  const { random } = printedRandom();
  for (let run = 0; run < 3000; run++) {
    const length = Math.floor(random.next() * 12);
    tryOut(
      Array.from({ length }, () => WORDS[Math.floor(random.next() * WORDS.length)]).join(""),
    );
  }
});

Deno.test("the evaluation of every expression ends within its cost limit", () => {
  const { random } = printedRandom();
  let evaluated = 0;
  for (let run = 0; run < 3000; run++) {
    if (tryOut(grow(random.next, Math.floor(random.next() * 5)))) evaluated++;
  }
  assert.ok(evaluated > 100, `only ${evaluated} were evaluated`);
});

Deno.test("nested loops are cut off", () => {
  const list = `[${"1,".repeat(100)}1]`;
  const loop = (body: string): string => `${list}.map(x, ${body})`;
  const program = compile(loop(loop(loop(loop("1")))), ENVIRONMENT);
  assert.ok(!(program instanceof CompileFailure));
  const { value } = program.evaluate(() => undefined);
  assert.match(String((value as { message?: string }).message), /cost limit exceeded/);
  const steps = [...program.evaluateInSteps(() => undefined)];
  assert.ok(steps.length > 100, `others had their turn ${steps.length} times`);
});
