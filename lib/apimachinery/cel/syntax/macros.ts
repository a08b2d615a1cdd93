// Mirrors `parser/macro.go, Macro`.
import { ACCUMULATOR, type Expr } from "./ast.ts";
import type { NodeFactory } from "./node_factory.ts";

/**
 * An error about a CEL macro with an invalid argument, or with a target that the macro cannot have
 * (`sortBy`), at the position of that argument or target.
 */
export class MacroError extends Error {
  override readonly name = "MacroError";
  constructor(readonly offset: number, message: string) {
    super(message);
  }
}

/**
 * A call of a CEL macro: its position, target and arguments, and the factory of the expanded nodes.
 */
interface MacroCall {
  readonly make: NodeFactory;
  /** The position of the CEL macro's call, which all nodes of the expansion have. */
  readonly at: number;
  readonly target: Expr;
  readonly args: readonly Expr[];
}

type Expand = (call: MacroCall) => Expr;

/** The name of a CEL loop variable that is never read. */
const UNUSED = "#unused";

/**
 * The functions that expand CEL macros, by name and number of arguments, such as `has/1`. The key
 * of a macro that is a method begins with a dot.
 */
const MACROS: Readonly<Record<string, Expand>> = {
  "has/1": has,
  ".all/2": (call) => quantify(call, oneVariable(call, "argument must be a simple name"), all),
  ".exists/2": (call) =>
    quantify(call, oneVariable(call, "argument must be a simple name"), exists),
  ".exists_one/2": (call) =>
    quantify(call, oneVariable(call, "argument must be a simple name"), existsOne),
  ".map/2": map,
  ".map/3": map,
  ".filter/2": filter,
  ".all/3": (call) => quantify(call, twoVariables(call), all),
  ".exists/3": (call) => quantify(call, twoVariables(call), exists),
  ".exists_one/3": (call) => quantify(call, twoVariables(call), existsOne),
  ".existsOne/3": (call) => quantify(call, twoVariables(call), existsOne),
  ".transformList/3": transformList,
  ".transformList/4": transformList,
  ".transformMap/3": (call) => transformMap(call, true),
  ".transformMap/4": (call) => transformMap(call, true),
  ".transformMapEntry/3": (call) => transformMap(call, false),
  ".transformMapEntry/4": (call) => transformMap(call, false),
  ".optMap/2": (call) => optionalMap(call, "optMap"),
  ".optFlatMap/2": (call) => optionalMap(call, "optFlatMap"),
  ".sortBy/2": sortBy,
};

/**
 * Returns the syntax tree that a call of a CEL macro expands to; `undefined` if no macro has the
 * name, the number of arguments and, as a method, a target, or as a function none.
 *
 * @throws {MacroError} If an argument or the target is invalid for the macro.
 */
export function expandMacro(
  make: NodeFactory,
  at: number,
  name: string,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | undefined {
  const expand = MACROS[`${target ? "." : ""}${name}/${args.length}`];
  return expand?.({ make, at, target: target!, args });
}

interface Variables {
  readonly variable: string;
  readonly variable2: string | undefined;
  /** The arguments of the CEL macro after its loop variables. */
  readonly rest: readonly Expr[];
}

function simpleName(expr: Expr, otherwise: string): string {
  if (expr.kind !== "ident") throw new MacroError(expr.offset, otherwise);
  return expr.name;
}

function notAccumulator(name: string, expr: Expr): void {
  if (name === ACCUMULATOR || name === "__result__") {
    throw new MacroError(expr.offset, "iteration variable overwrites accumulator variable");
  }
}

function oneVariable({ args }: MacroCall, otherwise: string): Variables {
  const variable = simpleName(args[0]!, otherwise);
  notAccumulator(variable, args[0]!);
  return { variable, variable2: undefined, rest: args.slice(1) };
}

function twoVariables({ args }: MacroCall): Variables {
  const variable = simpleName(args[0]!, "argument must be a simple name");
  const variable2 = simpleName(args[1]!, "argument must be a simple name");
  if (variable === variable2) {
    throw new MacroError(args[1]!.offset, `duplicate variable name: ${variable}`);
  }
  notAccumulator(variable, args[0]!);
  notAccumulator(variable2, args[1]!);
  return { variable, variable2, rest: args.slice(2) };
}

function has({ make, at, args: [arg] }: MacroCall): Expr {
  if (arg!.kind !== "select") {
    throw new MacroError(arg!.offset, "invalid argument to has() macro");
  }
  return make.select(at, arg!.operand, arg!.field, true);
}

type Quantifier = (make: NodeFactory, at: number, predicate: Expr) => {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
};

function quantify(
  { make, at, target }: MacroCall,
  { variable, variable2, rest }: Variables,
  quantifier: Quantifier,
): Expr {
  const parts = quantifier(make, at, rest[0]!);
  return make.comprehension(at, { range: target, variable, variable2, ...parts });
}

const all: Quantifier = (make, at, predicate) => ({
  init: make.literal(at, true),
  condition: make.call(at, "@not_strictly_false", make.accumulator(at)),
  step: make.call(at, "_&&_", make.accumulator(at), predicate),
  result: make.accumulator(at),
});

const exists: Quantifier = (make, at, predicate) => ({
  init: make.literal(at, false),
  condition: make.call(at, "@not_strictly_false", make.call(at, "!_", make.accumulator(at))),
  step: make.call(at, "_||_", make.accumulator(at), predicate),
  result: make.accumulator(at),
});

const existsOne: Quantifier = (make, at, predicate) => ({
  init: make.literal(at, 0n),
  condition: make.literal(at, true),
  step: make.call(
    at,
    "_?_:_",
    predicate,
    make.call(at, "_+_", make.accumulator(at), make.literal(at, 1n)),
    make.accumulator(at),
  ),
  result: make.call(at, "_==_", make.accumulator(at), make.literal(at, 1n)),
});

/**
 * Returns the CEL expression of one step of a loop that gathers a list or map: `change`, or with a
 * filter `filter ? change : accumulator`.
 */
function gathering(call: MacroCall, filter: Expr | undefined, change: Expr): Expr {
  const { make, at } = call;
  return filter ? make.call(at, "_?_:_", filter, change, make.accumulator(at)) : change;
}

function gatherList(
  call: MacroCall,
  { variable, variable2 }: Variables,
  filter: Expr | undefined,
  element: Expr,
): Expr {
  const { make, at, target } = call;
  const init = make.list(at, []);
  const condition = make.literal(at, true);
  const added = make.call(at, "_+_", make.accumulator(at), make.list(at, [element]));
  const step = gathering(call, filter, added);
  const result = make.accumulator(at);
  return make.comprehension(at, {
    range: target,
    variable,
    variable2,
    init,
    condition,
    step,
    result,
  });
}

function map(call: MacroCall): Expr {
  const variables = oneVariable(call, "argument is not an identifier");
  const [first, second] = variables.rest;
  return gatherList(call, variables, second && first, (second ?? first)!);
}

function filter(call: MacroCall): Expr {
  const variables = oneVariable(call, "argument is not an identifier");
  return gatherList(call, variables, variables.rest[0], call.args[0]!);
}

function transformList(call: MacroCall): Expr {
  const variables = twoVariables(call);
  const [first, second] = variables.rest;
  return gatherList(call, variables, second && first, (second ?? first)!);
}

function transformMap(call: MacroCall, keepsKey: boolean): Expr {
  const { make, at, target } = call;
  const { variable, variable2, rest: [first, second] } = twoVariables(call);
  const transform = (second ?? first)!;
  const inserted = keepsKey
    ? make.call(at, "cel.@mapInsert", make.accumulator(at), make.ident(at, variable), transform)
    : make.call(at, "cel.@mapInsert", make.accumulator(at), transform);
  return make.comprehension(at, {
    range: target,
    variable,
    variable2,
    init: make.map(at),
    condition: make.literal(at, true),
    step: gathering(call, second && first, inserted),
    result: make.accumulator(at),
  });
}

/**
 * Returns a CEL loop over an empty list, which evaluates to `result` with `value` as the variable
 * `name`: the loop's accumulator.
 */
function bind(
  { make, at }: MacroCall,
  name: string,
  value: Expr,
  result: Expr,
): Expr {
  return make.comprehension(at, {
    range: make.list(at, []),
    variable: UNUSED,
    variable2: undefined,
    init: value,
    condition: make.literal(at, false),
    step: make.ident(at, name),
    result,
  }, name);
}

/**
 * Expands CEL's macro `optMap` or `optFlatMap`. The target is one node at two positions of the
 * tree. cel-go copies the target instead, so that each call in a chain doubles the tree, and a
 * chain of twelve keeps kube-apiserver busy until the request's timeout.
 */
function optionalMap(call: MacroCall, macro: string): Expr {
  const { make, at, target, args } = call;
  const name = simpleName(args[0]!, `${macro}() variable name must be a simple identifier`);
  const value = make.method(at, "value", target);
  const mapped = bind(call, name, value, args[1]!);
  return make.call(
    at,
    "_?_:_",
    make.method(at, "hasValue", target),
    macro === "optMap" ? make.call(at, "optional.of", mapped) : mapped,
    make.call(at, "optional.none"),
  );
}

function sortBy(call: MacroCall): Expr {
  const { make, at, target } = call;
  if (!["list", "select", "ident", "comprehension", "call"].includes(target.kind)) {
    throw new MacroError(
      target.offset,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const input = "@__sortBy_input__";
  const keys = map({ ...call, target: make.ident(at, input) });
  const sorted = make.method(at, "@sortByAssociatedKeys", make.ident(at, input), keys);
  return bind(call, input, target, sorted);
}
