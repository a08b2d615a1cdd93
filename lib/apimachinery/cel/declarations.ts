// Mirrors `common/decls/decls.go, FunctionDecl`.
import {
  ANY,
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  structType,
  TIMESTAMP,
  TYPE,
  typeOfType,
  typeParameter,
  UINT,
} from "./types/cel_type.ts";
import type { CelValue } from "./values/value.ts";

/** An overload of a CEL function: its identifier, argument types and result type. */
export interface Overload {
  readonly id: string;
  /**
   * Reports whether the overload of the CEL function is a method, such as `text.size()`; its
   * receiver is the first of `args`.
   */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /**
   * The names of the type parameters in the argument and result types of the CEL function's
   * overload, such as `A`.
   */
  readonly parameters: readonly string[];
}

/** The declaration of a CEL function: its name and its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/**
 * A TypeScript function that implements a CEL function or one of its overloads. Takes the values of
 * the arguments, the receiver first, and returns the result. Never throws: an error is returned as
 * a `CelError`.
 */
export type Implementation = (...args: CelValue[]) => CelValue;

/** A library of CEL functions. */
export interface Library {
  /**
   * The signatures of the CEL library's functions, one per line: `function overload(argument types)
   * result`, or `overload.(...)` for a method. A capital letter is a type parameter.
   */
  readonly signatures: string;
  /**
   * The implementations of the CEL library's functions, by the identifier of the overload, or by
   * the name of a function whose overloads share one implementation.
   */
  readonly implementations: Readonly<Record<string, Implementation>>;
}

const NAMED: Readonly<Record<string, CelType>> = {
  any: ANY,
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  type: TYPE,
  uint: UINT,
  "net.IP": new CelType("opaque", "net.IP"),
  "net.CIDR": new CelType("opaque", "net.CIDR"),
};

const structs = new Map<string, CelType>();

/**
 * Returns the CEL type with a name, always the same object. Every name that is not that of a
 * built-in type denotes a struct type.
 */
export function namedType(name: string): CelType {
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : structs.get(name);
  if (known) return known;
  const made = structType(name);
  structs.set(name, made);
  return made;
}

/**
 * Parses the text of a CEL type, such as `map(K, list(string))`. A single capital letter is a type
 * parameter.
 *
 * @throws {TypeError} If the type before a parenthesis is not `list`, `map`, `optional` or `type`.
 */
export function parseType(text: string): CelType {
  const open = text.indexOf("(");
  if (open < 0) return /^[A-Z]$/.test(text) ? typeParameter(text) : namedType(text);
  const parameters = splitTypes(text.slice(open + 1, -1)).map(parseType);
  switch (text.slice(0, open)) {
    case "list":
      return listOf(parameters[0]!);
    case "map":
      return mapOf(parameters[0]!, parameters[1]!);
    case "optional":
      return optionalOf(parameters[0]!);
    case "type":
      return typeOfType(parameters[0]!);
    default:
      throw new TypeError(`Cannot read the type ${text}`);
  }
}

function splitTypes(text: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if ((character === "," || character === undefined) && depth === 0) {
      const type = text.slice(start, index).trim();
      if (type !== "") types.push(type);
      start = index + 1;
    }
  }
  return types;
}

function parametersOf(types: readonly CelType[]): string[] {
  const names = new Set<string>();
  const visit = (type: CelType): void => {
    if (type.kind === "param") names.add(type.name);
    type.parameters.forEach(visit);
  };
  types.forEach(visit);
  return [...names];
}

function parseSignature(line: string): { readonly name: string; readonly overload: Overload } {
  const match = /^(\S+) ([^\s(]+?)(\.?)\((.*)\) (\S+(?:, \S+)*)$/.exec(line.trim());
  if (!match) throw new TypeError(`Cannot read the signature ${line}`);
  const [, name, id, dot, argumentTypes, resultType] = match;
  const args = splitTypes(argumentTypes!).map(parseType);
  const result = parseType(resultType!);
  const parameters = parametersOf([...args, result]);
  return { name: name!, overload: { id: id!, member: dot === ".", args, result, parameters } };
}

/**
 * Parses the signatures of CEL libraries and returns the declared functions by name. The overloads
 * of one function may come from several libraries.
 *
 * @throws {TypeError} If a signature is malformed.
 */
export function declareFunctions(
  libraries: readonly Library[],
): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, { name: string; overloads: Overload[] }>();
  for (const { signatures } of libraries) {
    for (const line of signatures.split("\n")) {
      if (line.trim() === "") continue;
      const { name, overload } = parseSignature(line);
      const known = functions.get(name);
      if (known) known.overloads.push(overload);
      else functions.set(name, { name, overloads: [overload] });
    }
  }
  return functions;
}
