// Mirrors `typed/validate.go, validatingObjectWalker`.
import { type NestedSteps, runAll, runNested } from "@xca/apimachinery/internal/base";
import { goSyntax, goType, goValue, isMap } from "@xca/apimachinery/internal/values";
import { fieldElement, showElement, showPath } from "../field_set/path_element.ts";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType, ScalarType } from "./merge_type.ts";
import { TypedError, type TypedErrorEntry } from "./typed_error.ts";

/**
 * Checks a value against its merge rules, as server-side apply does. `allowDuplicates` accepts
 * several items of a list with the same key.
 *
 * @throws {TypedError} With the path of each mismatch; an object is not checked beyond an
 * undeclared field, nor a list beyond an item that cannot be identified.
 */
export function validateTyped(
  value: unknown,
  type: MergeType,
  options: { readonly allowDuplicates?: boolean } = {},
): void {
  runAll(validateTypedInSteps(value, type, options));
}

/**
 * Checks a value as {@linkcode validateTyped} does, in steps, between which other requests may run.
 */
export function* validateTypedInSteps(
  value: unknown,
  type: MergeType,
  options: { readonly allowDuplicates?: boolean } = {},
): Generator<void, void> {
  const validation = new Validation(options.allowDuplicates ?? false);
  yield* runNested(validation.visit(value, type));
  if (validation.errors.length > 0) throw new TypedError(validation.errors);
}

/** The number of checked maps, lists and `null`s between two pauses; scalars do not count. */
const PAUSE_AFTER = 500;

/**
 * Reports whether a value is a string or a number, as its scalar type requires; false leaves the
 * decision to the full check. Most items of atomic lists match, and need no field path.
 */
function isOfScalar(value: unknown, type: ScalarType | undefined): boolean {
  return (type === "string" && typeof value === "string") ||
    (type === "numeric" && typeof value === "number");
}

class Validation {
  readonly errors: TypedErrorEntry[] = [];
  readonly #allowDuplicates: boolean;
  /** The field path of the value that is being checked. */
  readonly #path: string[] = [];
  #visited = 0;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  *visit(value: unknown, type: MergeType): NestedSteps<void> {
    if (Array.isArray(value) && type.list) yield this.#list(value, type.list);
    else if (isMap(value) && type.map) yield this.#map(value, type.map);
    else this.#leaf(value, type);
    if (++this.#visited % PAUSE_AFTER === 0) yield;
  }

  #leaf(value: unknown, type: MergeType): void {
    if (value === null || value === undefined) return;
    if (typeof value !== "object" && type.scalar) this.#scalar(value, type.scalar);
    else this.#mismatch(value, type);
  }

  /**
   * Records the error about a value that matches none of its types: the error of the first type.
   */
  #mismatch(value: unknown, type: MergeType): void {
    if (type.map) this.#fail(`expected map, got &{${goValue(value)}}`);
    else if (type.scalar) this.#scalar(value, type.scalar);
    else this.#fail(`expected list, got &{${goValue(value)}}`);
  }

  #scalar(value: unknown, type: ScalarType): void {
    switch (type) {
      case "numeric":
        if (typeof value === "number") return;
        return this.#fail(`expected numeric (int or float), got ${goType(value)}`);
      case "string":
        if (typeof value === "string") return;
        return this.#fail(
          `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`,
        );
      case "boolean":
        if (typeof value === "boolean") return;
        return this.#fail(`expected boolean, got &{${goValue(value)}}`);
      case "untyped":
        if (typeof value !== "object") return;
        return this.#fail(`expected any scalar, got &{${goValue(value)}}`);
    }
  }

  *#list(items: readonly unknown[], type: ListType): NestedSteps<void> {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (type.atomic && isOfScalar(item, type.element.scalar)) continue;
      const element = this.#element(type, item, index);
      if (element === undefined) return;
      if (!type.atomic && !this.#allowDuplicates && seen.has(element)) {
        this.#fail(`duplicate entries for key ${showElement(element)}`);
      }
      seen.add(element);
      this.#path.push(element);
      if (typeof item === "object") yield this.visit(item, type.element);
      else this.#leaf(item, type.element);
      this.#path.pop();
    }
  }

  #element(type: ListType, item: unknown, index: number): string | undefined {
    if (type.atomic) return `i:${index}`;
    try {
      return itemElement(type, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#fail(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  *#map(value: Record<string, unknown>, type: MapType): NestedSteps<void> {
    for (const name of Object.keys(value)) {
      const field = type.field(name);
      this.#path.push(fieldElement(name));
      if (field === undefined) this.#fail("field not declared in schema");
      else if (typeof value[name] === "object") yield this.visit(value[name], field);
      else this.#leaf(value[name], field);
      this.#path.pop();
      if (field === undefined) return;
    }
  }

  #fail(message: string): void {
    this.errors.push({ path: showPath(this.#path), message });
  }
}
