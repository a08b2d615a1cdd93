/**
 * Internals of the CEL implementation for other packages of this repository: the compiler, the
 * values, and the types and functions that an expression may use. Not public API: no compatibility
 * is promised.
 *
 * @module
 */
export { namedType, parseType } from "./declarations.ts";
export { type Environment, mutationFunctions, standardFunctions } from "./environment.ts";
export { AuthorizerValue } from "./libraries/authorizers.ts";
export { MutationTypes } from "./mutation_types.ts";
export { compile, CompileFailure, type Program } from "./program.ts";
export { untypedValue } from "./schema/untyped_value.ts";
export { toJson, toProtobufJson } from "./values/to_json.ts";
export { CelError, CelList, CelMap, CelStruct, type CelValue } from "./values/value.ts";
