import { showElement } from "./path_element.ts";
import { goSyntax, goType, goValue } from "./go_values.ts";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType, ScalarType } from "./merge_type.ts";
import { TypedError, type TypedErrorEntry } from "./typed_error.ts";

/**
 * Holds a value against its type.
 * @throws {TypedError} When it is not of it; it names each place.
 */
export function validateTyped(
  value: unknown,
  type: MergeType,
  options: { readonly allowDuplicates?: boolean } = {},
): void {
  const validation = new Validation(options.allowDuplicates ?? false);
  validation.visit(value, type, "");
  if (validation.errors.length > 0) throw new TypedError(validation.errors);
}

class Validation {
  readonly errors: TypedErrorEntry[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: unknown, type: MergeType, path: string): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value) && type.list) this.#list(value, type.list, path);
    else if (isMap(value) && type.map) this.#map(value, type.map, path);
    else if (typeof value !== "object" && type.scalar) this.#scalar(value, type.scalar, path);
    else this.#mismatch(value, type, path);
  }

  /** The value fits none of its types: the error is that of the first. */
  #mismatch(value: unknown, type: MergeType, path: string): void {
    if (type.map) this.#fail(path, `expected map, got &{${goValue(value)}}`);
    else if (type.scalar) this.#scalar(value, type.scalar, path);
    else this.#fail(path, `expected list, got &{${goValue(value)}}`);
  }

  #scalar(value: unknown, type: ScalarType, path: string): void {
    switch (type) {
      case "numeric":
        if (typeof value !== "number") {
          this.#fail(path, `expected numeric (int or float), got ${goType(value)}`);
        }
        return;
      case "string":
        if (typeof value !== "string") {
          this.#fail(
            path,
            `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`,
          );
        }
        return;
      case "boolean":
        if (typeof value !== "boolean") {
          this.#fail(path, `expected boolean, got &{${goValue(value)}}`);
        }
        return;
      case "untyped":
        if (typeof value === "object") {
          this.#fail(path, `expected any scalar, got &{${goValue(value)}}`);
        }
    }
  }

  #list(items: readonly unknown[], type: ListType, path: string): void {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const element = this.#element(type, item, index, path);
      if (element === undefined) return;
      if (!type.atomic && !this.#allowDuplicates && seen.has(element)) {
        this.#fail(path, `duplicate entries for key ${showElement(element)}`);
      }
      seen.add(element);
      this.visit(item, type.element, path + showElement(element));
    }
  }

  #element(type: ListType, item: unknown, index: number, path: string): string | undefined {
    if (type.atomic) return `i:${index}`;
    try {
      return itemElement(type, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#fail(path, `element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #map(value: Record<string, unknown>, type: MapType, path: string): void {
    for (const name in value) {
      const field = type.field(name);
      if (field === undefined) {
        this.#fail(`${path}.${name}`, "field not declared in schema");
        return;
      }
      this.visit(value[name], field, `${path}.${name}`);
    }
  }

  #fail(path: string, message: string): void {
    this.errors.push({ path, message });
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
