// Mirrors `checker/checker.go, Check`.
import { type FunctionDeclaration, namedType, type Overload } from "../declarations.ts";
import { type Environment, TYPE_NAMES } from "../environment.ts";
import {
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type Select,
  type StructExpr,
} from "../syntax/ast.ts";
import type { FoundErrors, SourceErrors } from "../syntax/source_errors.ts";
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  INT,
  isDyn,
  isDynOrError,
  listOf,
  mapOf,
  optionalOf,
  optionalValue,
  sameType,
  typeOfType,
  typeParameter,
  TypeTooLarge,
} from "../types/cel_type.ts";
import { mostGeneral, substitute, Unification } from "../types/unification.ts";
import { typeOf } from "../values/value.ts";

/**
 * The result of {@linkcode checkExpression}: a CEL expression with the types of its nodes, the
 * overloads of its calls and the qualified names in it.
 */
export interface CheckedExpression {
  readonly expr: Expr;
  readonly types: ReadonlyMap<number, CelType>;
  /**
   * The identifiers of the possible overloads of each call of the CEL expression, by the identifier
   * of the node. A call has several overloads when its argument types are known at run time only.
   */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
  /**
   * The qualified names, such as `a.b.c`, of variables, types and functions that the CEL expression
   * denotes by chains of selections, by the identifier of the chain's last selection, or of the
   * call of the function.
   */
  readonly names: ReadonlyMap<number, string>;
}

/**
 * Checks the types of a CEL expression. Returns the types of its nodes, the overloads of its calls
 * and its qualified names. Type errors are added to `errors`, never thrown.
 */
export function checkExpression(
  expr: Expr,
  environment: Environment,
  errors: SourceErrors,
): CheckedExpression {
  return new Checker(environment, errors).run(expr);
}

class Checker {
  readonly #environment: Environment;
  readonly #errors: SourceErrors;
  readonly #types = new Map<number, CelType>();
  /**
   * The type errors found in each node of the CEL expression and below it. A macro may place one
   * node at several positions of the tree; the errors are then reported once per position.
   */
  readonly #found = new Map<Expr, FoundErrors>();
  readonly #overloads = new Map<number, readonly string[]>();
  readonly #names = new Map<number, string>();
  readonly #unification = new Unification();
  readonly #scopes: Map<string, CelType>[] = [];
  #freeParameters = 0;

  constructor(environment: Environment, errors: SourceErrors) {
    this.#environment = environment;
    this.#errors = errors;
  }

  run(expr: Expr): CheckedExpression {
    try {
      this.#check(expr);
      for (const [id, type] of this.#types) {
        this.#types.set(id, this.#unification.substitute(type, true));
      }
    } catch (error) {
      if (!(error instanceof TypeTooLarge)) throw error;
      this.#errors.add(-1, "the type of the expression exceeds the limit of this server");
    }
    return { expr, types: this.#types, overloads: this.#overloads, names: this.#names };
  }

  #check(expr: Expr): CelType {
    const known = this.#types.get(expr.id);
    if (known) {
      const found = this.#found.get(expr);
      if (found) this.#errors.repeat(found);
      return known;
    }
    let type = ERROR;
    const found = this.#errors.during(() => type = this.#typeOf(expr));
    if (found) this.#found.set(expr, found);
    this.#types.set(expr.id, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return typeOf(expr.value);
      case "ident":
        return this.#ident(expr);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  #lookup(name: string): CelType | undefined {
    const bare = name.startsWith(".") ? name.slice(1) : name;
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const found = this.#scopes[index]!.get(bare);
      if (found) return found;
    }
    const variable = this.#environment.variables.get(bare);
    if (variable) return variable;
    const type = TYPE_NAMES.get(bare);
    return type && typeOfType(type);
  }

  #ident(expr: Ident): CelType {
    const type = this.#lookup(expr.name);
    if (type) return type;
    this.#undeclared(expr.offset, expr.name);
    return ERROR;
  }

  #undeclared(offset: number, name: string): void {
    this.#errors.add(offset, `undeclared reference to '${name}' (in container '')`);
  }

  #select(expr: Select): CelType {
    const name = qualifiedName(expr);
    const variable = name === undefined ? undefined : this.#lookup(name);
    if (variable) {
      this.#names.set(expr.id, name!);
      return variable;
    }
    const type = this.#field(expr, expr.operand, expr.field, false);
    return expr.testOnly ? BOOL : this.#unification.substitute(type);
  }

  #field(expr: Expr, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = this.#unification.substitute(this.#check(operand));
    const held = optionalValue(operandType);
    const target = held ?? operandType;
    const type = this.#fieldOf(expr, target, field);
    return held || optional ? optionalOf(type) : type;
  }

  #fieldOf(expr: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case "map":
        return target.parameters[1]!;
      case "struct": {
        const fields = this.#environment.structs.get(target.name);
        if (!fields) {
          this.#errors.add(expr.offset, `unexpected failed resolution of '${target.name}'`);
          return ERROR;
        }
        const type = fields.get(field);
        if (!type) this.#errors.add(expr.offset, `undefined field '${field}'`);
        return type ?? ERROR;
      }
      case "param":
        this.#unification.assignable(DYN, target);
        return DYN;
      default:
        if (!isDynOrError(target)) {
          this.#errors.add(expr.offset, `type '${target}' does not support field selection`);
        }
        return DYN;
    }
  }

  #call(expr: Call): CelType {
    if (expr.name === "_?._") return this.#optionalSelect(expr);
    const args = expr.args.map((arg) => this.#check(arg));
    if (!expr.target) return this.#resolve(expr, this.#function(expr.name), undefined, args);
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : this.#function(`${prefix}.${expr.name}`);
    if (qualified) {
      this.#names.set(expr.id, qualified.name);
      return this.#resolve(expr, qualified, undefined, args);
    }
    const target = this.#check(expr.target);
    return this.#resolve(expr, this.#function(expr.name), target, args);
  }

  #function(name: string): FunctionDeclaration | undefined {
    const bare = name.startsWith(".") ? name.slice(1) : name;
    return this.#environment.functions.declarations.get(bare);
  }

  #optionalSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    if (field?.kind !== "literal" || typeof field.value !== "string") {
      this.#errors.add(expr.offset, "unsupported optional field selection");
      return ERROR;
    }
    const type = this.#field(expr, operand!, field.value, true);
    this.#overloads.set(expr.id, ["select_optional_field"]);
    return this.#unification.substitute(type);
  }

  #resolve(
    expr: Call,
    declaration: FunctionDeclaration | undefined,
    target: CelType | undefined,
    args: readonly CelType[],
  ): CelType {
    if (!declaration) {
      this.#undeclared(expr.offset, expr.name);
      return ERROR;
    }
    if (declaration.name === "_&&_" || declaration.name === "_||_") {
      return this.#logical(expr, declaration, args);
    }
    const given = target ? [target, ...args] : args;
    const fitting: string[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const instance = this.#instantiate(overload);
      if (!this.#unification.allAssignable(given, instance.args)) continue;
      fitting.push(overload.id);
      const type = this.#unification.substitute(instance.result);
      if (!result) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = DYN;
    }
    if (result) {
      this.#overloads.set(expr.id, fitting);
      return result;
    }
    const shown = given.map((type) => String(this.#unification.substitute(type, true)));
    const receiver = target ? `${shown.shift()}.` : "";
    this.#errors.add(
      expr.offset,
      `found no matching overload for '${declaration.name}' applied to ` +
        `'${receiver}(${shown.join(", ")})'`,
    );
    return ERROR;
  }

  #logical(expr: Call, { overloads }: FunctionDeclaration, args: readonly CelType[]): CelType {
    this.#overloads.set(expr.id, [overloads[0]!.id]);
    let fits = true;
    for (const [index, type] of args.entries()) {
      if (this.#unification.assignable(type, BOOL)) continue;
      this.#mismatch(expr.args[index]!.offset, BOOL, type);
      fits = false;
    }
    return fits ? BOOL : ERROR;
  }

  #mismatch(offset: number, expected: CelType, actual: CelType): void {
    this.#errors.add(offset, `expected type '${expected}' but found '${actual}'`);
  }

  #free(): CelType {
    return typeParameter(`_var${this.#freeParameters++}`);
  }

  /**
   * Returns the argument and result types of an overload of a CEL function, with its type
   * parameters replaced by new ones.
   */
  #instantiate(overload: Overload): Pick<Overload, "args" | "result"> {
    if (overload.parameters.length === 0) return overload;
    const fresh = new Map(overload.parameters.map((name) => [name, this.#free()]));
    return {
      args: overload.args.map((arg) => substitute(fresh, arg)),
      result: substitute(fresh, overload.result),
    };
  }

  /**
   * Returns the type that an optional element of a CEL list, map or struct has when it is present.
   * A type that is not optional is returned unchanged; unless it is `dyn`, an error is added.
   */
  #unwrapped(expr: Expr, type: CelType): CelType {
    const held = optionalValue(type);
    if (!held && !isDyn(type)) this.#mismatch(expr.offset, optionalOf(type), type);
    return held ?? type;
  }

  #list(expr: ListExpr): CelType {
    let element: CelType | undefined;
    for (const [index, each] of expr.elements.entries()) {
      const type = this.#check(each);
      const plain = expr.optional.has(index) ? this.#unwrapped(each, type) : type;
      element = this.#join(element, plain);
    }
    return listOf(element ?? this.#free());
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(key, this.#check(entry.key));
      const type = this.#check(entry.value);
      const plain = entry.optional ? this.#unwrapped(entry.value, type) : type;
      value = this.#join(value, plain);
    }
    return mapOf(key ?? this.#free(), value ?? this.#free());
  }

  /**
   * Returns the common type of two elements, keys or values of a CEL list or map literal: the more
   * general type, or `dyn` if `current` is not assignable to `previous`. Returns `current` if there
   * is no `previous`. Reports no error; `checkLiterals` rejects lists and maps of mixed types.
   */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    return this.#unification.assignable(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  #struct(expr: StructExpr): CelType {
    const name = expr.typeName.replace(/^\./, "");
    const fields = this.#environment.structs.get(name);
    if (!fields) {
      this.#undeclared(expr.offset, expr.typeName);
      return ERROR;
    }
    for (const field of expr.fields) {
      const type = this.#check(field.value);
      const expected = fields.get(field.name);
      const actual = field.optional ? this.#unwrapped(field.value, type) : type;
      if (!expected) this.#errors.add(field.offset, `undefined field '${field.name}'`);
      else if (!this.#unification.assignable(expected, actual)) {
        this.#errors.add(
          field.offset,
          `expected type of field '${field.name}' is '${expected}' but provided type is '${actual}'`,
        );
      }
    }
    return namedType(name);
  }

  #comprehension(expr: Comprehension): CelType {
    this.#check(expr.range);
    const accumulator = this.#check(expr.init);
    const range = this.#unification.substitute(this.#types.get(expr.range.id)!);
    this.#scopes.push(new Map([[expr.accumulator, accumulator]]));
    this.#scopes.push(this.#loopVariables(expr, range));
    this.#expect(expr.condition, BOOL);
    this.#expect(expr.step, accumulator);
    this.#scopes.pop();
    const result = this.#check(expr.result);
    this.#scopes.pop();
    return this.#unification.substitute(result);
  }

  #expect(expr: Expr, type: CelType): void {
    const actual = this.#check(expr);
    if (!this.#unification.assignable(type, actual)) this.#mismatch(expr.offset, type, actual);
  }

  #loopVariables(
    { range, variable, variable2 }: Comprehension,
    type: CelType,
  ): Map<string, CelType> {
    const pair = (first: CelType, second: CelType): Map<string, CelType> =>
      new Map([
        [variable, first],
        ...variable2 === undefined ? [] : [[variable2, second] as const],
      ]);
    switch (type.kind) {
      case "list":
        return variable2 === undefined
          ? pair(type.parameters[0]!, DYN)
          : pair(INT, type.parameters[0]!);
      case "map":
        return pair(type.parameters[0]!, type.parameters[1]!);
      case "dyn":
      case "error":
      case "param":
        this.#unification.assignable(DYN, type);
        return pair(DYN, DYN);
      default:
        this.#errors.add(
          range.offset,
          `expression of type '${type}' cannot be range of a comprehension ` +
            "(must be list, map, or dynamic)",
        );
        return pair(ERROR, ERROR);
    }
  }
}
