// Mirrors `checker/types.go, internalIsAssignable`.
import {
  CelType,
  DYN,
  isDyn,
  isDynOrError,
  listOf,
  mapOf,
  sameType,
  typeOfType,
} from "./cel_type.ts";

/**
 * The types to which CEL type parameters are bound. The bindings of a failed attempt can be undone
 * one by one; a copy of all bindings for each attempt would make checking quadratic.
 */
class Bindings {
  readonly #types = new Map<string, CelType>();
  /**
   * The CEL type parameters that the current attempt has bound, with their former types, which are
   * restored if the attempt fails.
   */
  readonly #trail: (readonly [name: string, before: CelType | undefined])[] = [];

  get(name: string): CelType | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: CelType): void {
    this.#trail.push([name, this.#types.get(name)]);
    this.#types.set(name, type);
  }

  /**
   * Runs an attempt to unify CEL types and returns its result. A failed attempt's bindings are
   * undone.
   */
  attempt(run: () => boolean): boolean {
    const succeeded = run();
    if (!succeeded) {
      for (const [name, before] of this.#trail.reverse()) {
        if (before) this.#types.set(name, before);
        else this.#types.delete(name);
      }
    }
    this.#trail.length = 0;
    return succeeded;
  }
}

/**
 * A unification of CEL types: checks whether types are assignable, and records the types to which
 * it binds type parameters.
 */
export class Unification {
  readonly #bindings = new Bindings();

  /**
   * Reports whether the CEL type `from` is assignable to `to`. New bindings of type parameters are
   * kept only if so.
   */
  assignable(to: CelType, from: CelType): boolean {
    return this.allAssignable([to], [from]);
  }

  /**
   * Reports whether each CEL type of `from` is assignable to the type of `to` at the same index,
   * and both lists have the same length. New bindings of type parameters are kept only if all are.
   */
  allAssignable(to: readonly CelType[], from: readonly CelType[]): boolean {
    return this.#bindings.attempt(() => assignableAll(this.#bindings, to, from));
  }

  /**
   * Returns a CEL type with its bound type parameters replaced by their types and, with `toDyn`,
   * the unbound ones by `dyn`.
   */
  substitute(type: CelType, toDyn = false): CelType {
    return substitute(this.#bindings, type, toDyn);
  }
}

/**
 * Returns a CEL type with its bound type parameters replaced by their types and, with `toDyn`, the
 * unbound ones by `dyn`.
 */
export function substitute(
  bindings: Pick<ReadonlyMap<string, CelType>, "get">,
  type: CelType,
  toDyn = false,
): CelType {
  const replace = (each: CelType): CelType => substitute(bindings, each, toDyn);
  switch (type.kind) {
    case "param": {
      const bound = bindings.get(type.name);
      if (bound) return replace(bound);
      return toDyn ? DYN : type;
    }
    case "opaque":
      if (type.parameters.length === 0) return type;
      return new CelType("opaque", type.name, type.parameters.map(replace));
    case "list":
      return listOf(replace(type.parameters[0]!));
    case "map":
      return mapOf(replace(type.parameters[0]!), replace(type.parameters[1]!));
    case "type":
      return type.parameters[0] ? typeOfType(replace(type.parameters[0])) : type;
    default:
      return type;
  }
}

/** Returns the more general one of two compatible CEL types; `a` if they are equally general. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return atMostAsSpecific(a, b) ? a : b;
}

function atMostAsSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === "param") return true;
  if (isDyn(b) || b.kind === "param" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  return a.name === b.name && a.parameters.length === b.parameters.length &&
    a.parameters.every((each, index) => atMostAsSpecific(each, b.parameters[index]!));
}

function assignableAll(
  bindings: Bindings,
  to: readonly CelType[],
  from: readonly CelType[],
): boolean {
  return to.length === from.length &&
    to.every((each, index) => assignable(bindings, each, from[index]!));
}

function assignable(bindings: Bindings, a: CelType, b: CelType): boolean {
  if (b.kind === "param") {
    const { valid, bound } = bind(bindings, a, b);
    if (valid) return true;
    if (bound) return false;
  }
  if (a.kind === "param") return bind(bindings, b, a).valid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === "null") return nullable(b);
  if (b.kind === "null") return nullable(a);
  switch (a.kind) {
    case "type":
      return b.kind === "type";
    case "opaque":
    case "list":
    case "map":
      return a.kind === b.kind && a.name === b.name &&
        assignableAll(bindings, a.parameters, b.parameters);
    default:
      return sameType(a, b);
  }
}

function nullable({ kind }: CelType): boolean {
  return ["null", "opaque", "struct", "any", "duration", "timestamp"].includes(kind);
}

/**
 * Binds a CEL type parameter to `type`, or to the more general one of `type` and the bound type.
 * Reports whether the binding is possible (`valid`), and whether the parameter was bound before
 * (`bound`).
 */
function bind(
  bindings: Bindings,
  type: CelType,
  parameter: CelType,
): { readonly valid: boolean; readonly bound: boolean } {
  if (sameType(type, parameter)) return { valid: true, bound: true };
  const bound = bindings.get(parameter.name);
  if (!bound) {
    if (refersTo(bindings, parameter, type)) return { valid: false, bound: false };
    bindings.set(parameter.name, type);
    return { valid: true, bound: false };
  }
  if (sameType(type, bound)) return { valid: true, bound: true };
  if (!assignable(bindings, type, bound)) return { valid: false, bound: true };
  const general = mostGeneral(type, bound);
  if (!refersTo(bindings, parameter, general)) bindings.set(parameter.name, general);
  return { valid: true, bound: true };
}

/**
 * Reports whether a CEL type contains a type parameter, directly or by the bindings of other type
 * parameters, so that the parameter cannot be bound to the type.
 */
function refersTo(bindings: Bindings, parameter: CelType, type: CelType): boolean {
  if (sameType(parameter, type)) return true;
  if (type.kind === "param") {
    const bound = bindings.get(type.name);
    return bound !== undefined && refersTo(bindings, parameter, bound);
  }
  return type.parameters.some((each) => refersTo(bindings, parameter, each));
}
