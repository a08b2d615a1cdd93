// Mirrors `cel/environment/base.go, MustBaseEnvSet`.
import {
  declareFunctions,
  type FunctionDeclaration,
  type Implementation,
  type Library,
  namedType,
  type Overload,
} from "./declarations.ts";
import { AUTHORIZERS, JSON_PATCHES } from "./libraries/authorizers.ts";
import { CONVERSIONS } from "./libraries/conversions.ts";
import { FORMAT_LIBRARY } from "./libraries/formats.ts";
import { LISTS } from "./libraries/lists.ts";
import { NETWORKS } from "./libraries/networks.ts";
import { OPERATORS } from "./libraries/operators.ts";
import { OPTIONALS } from "./libraries/optionals.ts";
import { QUANTITIES } from "./libraries/quantities.ts";
import { REGULAR_EXPRESSIONS } from "./libraries/regular_expressions.ts";
import { STRINGS } from "./libraries/strings.ts";
import { TIMES } from "./libraries/times.ts";
import { URLS } from "./libraries/urls.ts";
import { VERSIONS } from "./libraries/versions.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  typeParameter,
  UINT,
} from "./types/cel_type.ts";

/** The CEL libraries that every kind of expression in Kubernetes 1.37 can use. */
const LIBRARIES: readonly Library[] = [
  OPERATORS,
  CONVERSIONS,
  TIMES,
  STRINGS,
  REGULAR_EXPRESSIONS,
  LISTS,
  OPTIONALS,
  URLS,
  QUANTITIES,
  NETWORKS,
  FORMAT_LIBRARY,
  VERSIONS,
  AUTHORIZERS,
];

/** The variables, struct types and functions that a CEL expression may use. */
export interface Environment {
  /** The types of the CEL expression's variables by name; a name may have dots. */
  readonly variables: ReadonlyMap<string, CelType>;
  /**
   * The types of the fields of CEL struct types, by the name of the struct type and the name of the
   * field.
   */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  readonly functions: Functions;
}

/** The CEL functions that an expression may call, for the checker and the evaluator. */
export interface Functions {
  readonly declarations: ReadonlyMap<string, FunctionDeclaration>;
  readonly overloads: ReadonlyMap<string, Overload>;
  /**
   * The implementations of the CEL functions, by the identifier of the overload or by the name of
   * the function.
   */
  readonly implementations: Readonly<Record<string, Implementation>>;
}

function functionsOf(libraries: readonly Library[]): Functions {
  const declarations = declareFunctions(libraries);
  const overloads = [...declarations.values()].flatMap((each) => each.overloads);
  return {
    declarations,
    overloads: new Map(overloads.map((overload) => [overload.id, overload])),
    implementations: Object.assign({}, ...libraries.map((each) => each.implementations)),
  };
}

let standard: Functions | undefined;
let withPatches: Functions | undefined;

/**
 * Returns the CEL functions that all expressions may call. The first call in a process declares
 * them; later calls return the same object.
 */
export function standardFunctions(): Functions {
  return standard ??= functionsOf(LIBRARIES);
}

/**
 * Returns the CEL functions that the expressions of mutating admission policies may call: the
 * standard functions and those for JSON patches. The first call in a process declares them; later
 * calls return the same object.
 */
export function mutationFunctions(): Functions {
  return withPatches ??= functionsOf([...LIBRARIES, JSON_PATCHES]);
}

/** The CEL types that expressions can name, by name, such as `int` in `type(x) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", BOOL],
  ["bytes", BYTES],
  ["double", DOUBLE],
  ["google.protobuf.Duration", DURATION],
  ["int", INT],
  ["list", listOf(typeParameter("A"))],
  ["net.CIDR", namedType("net.CIDR")],
  ["net.IP", namedType("net.IP")],
  ["map", mapOf(typeParameter("A"), typeParameter("B"))],
  ["null_type", NULL],
  ["optional_type", optionalOf(typeParameter("V"))],
  ["string", STRING],
  ["google.protobuf.Timestamp", TIMESTAMP],
  ["type", TYPE],
  ["uint", UINT],
]);
