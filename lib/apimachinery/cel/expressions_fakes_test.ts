/**
 * Helpers for tests with tables of CEL expressions. All values and errors of the tables are those
 * of kube-apiserver.
 *
 * @module
 */
import assert from "node:assert/strict";
import { standardFunctions } from "./environment.ts";
import { compile, CompileFailure } from "./program.ts";
import { untypedValue } from "./schema/untyped_value.ts";
import { DYN } from "./types/cel_type.ts";
import { CelError, type CelValue } from "./values/value.ts";

const ENVIRONMENT = {
  variables: new Map([["self", DYN]]),
  structs: new Map(),
  functions: standardFunctions(),
};
const SELF = untypedValue({ name: "cel", list: [1, 2], map: { k: "v" } });

/** Returns the value of a CEL expression as `%s` formats it, or its error. */
export function shown(source: string): string {
  const failure = compile(source, ENVIRONMENT);
  if (failure instanceof CompileFailure) return firstLine(failure);
  const program = compile(`'%s'.format([${source}])`, ENVIRONMENT);
  if (program instanceof CompileFailure) return firstLine(program);
  const { value } = program.evaluate(variable);
  return value instanceof CelError ? `error: ${value.message}` : String(value);
}

function firstLine({ text }: CompileFailure): string {
  return text.split("\n")[0]!.replace(/ \(in container ''\)$/, "");
}

function variable(name: string): CelValue | undefined {
  return name === "self" ? SELF : undefined;
}

/** Registers a test per CEL expression of a table that the expression has the listed value. */
export function testTable(what: string, table: Readonly<Record<string, string>>): void {
  Deno.test(what, () => {
    for (const [source, expected] of Object.entries(table)) {
      assert.equal(shown(source), expected, source);
    }
  });
}
