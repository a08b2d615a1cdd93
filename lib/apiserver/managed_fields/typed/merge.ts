/**
 * Merges a server-side applied object into the live one by the merge rules of its type.
 *
 * Mirrors `typed/merge.go, mergingWalker`.
 *
 * @module
 */
import { cloneJson, isMap, setField } from "@xca/apimachinery/internal/values";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType } from "./merge_type.ts";
import { fieldElement, showElement, showPath } from "../field_set/path_element.ts";
import { TypedError, type TypedErrorEntry } from "./typed_error.ts";

/**
 * Returns `live` with `applied` merged into it; nothing is removed, except from atomic values,
 * which `applied` replaces. The result shares nothing with either object. Applied items are in
 * their order in `applied`, the others in their order in `live`.
 * @throws {TypedError} If items cannot be distinguished, or `applied` has an undeclared field.
 */
export function mergeObjects(live: unknown, applied: unknown, type: MergeType): unknown {
  const merging = new Merging();
  const merged = merging.values(live, applied, type);
  if (merging.errors.length > 0) throw new TypedError(merging.errors);
  return merged;
}

class Merging {
  readonly errors: TypedErrorEntry[] = [];
  /** The field path of the value that is being merged. */
  readonly #path: string[] = [];

  /**
   * Returns the live value of a field with the applied value merged into it; either may be
   * `undefined` for an absent field.
   */
  values(live: unknown, applied: unknown, type: MergeType): unknown {
    if (applied === undefined) return cloneJson(live);
    if (isMap(applied) && type.map && !type.map.atomic && (isMap(live) || isAbsent(live))) {
      return this.#maps(live ?? {}, applied, type.map);
    }
    if (Array.isArray(applied) && type.list && !type.list.atomic) {
      if (Array.isArray(live) || isAbsent(live)) {
        return this.#lists(live ?? [], applied, type.list);
      }
    }
    if (applied === null) return this.#null(live, type);
    return cloneJson(applied);
  }

  /**
   * Returns the result of an applied `null`: the live value if it is a list with items or an object
   * with fields and is not atomic, otherwise `null`.
   */
  #null(live: unknown, type: MergeType): unknown {
    const keeps = Array.isArray(live)
      ? live.length > 0 && type.list && !type.list.atomic
      : isMap(live) && Object.keys(live).length > 0 && type.map && !type.map.atomic;
    return keeps ? cloneJson(live) : null;
  }

  #maps(
    live: Record<string, unknown>,
    applied: Record<string, unknown>,
    type: MapType,
  ): Record<string, unknown> {
    const merged: Record<string, unknown> = {};
    for (const name of Object.keys(live)) {
      const value = Object.hasOwn(applied, name)
        ? this.#field(name, live[name], applied[name], type)
        : cloneJson(live[name]);
      if (value !== undefined) setField(merged, name, value);
    }
    for (const name of Object.keys(applied)) {
      if (Object.hasOwn(live, name)) continue;
      const value = this.#field(name, undefined, applied[name], type);
      if (value !== undefined) setField(merged, name, value);
    }
    return merged;
  }

  #field(name: string, live: unknown, applied: unknown, type: MapType): unknown {
    const field = type.field(name);
    this.#path.push(fieldElement(name));
    if (field === undefined) this.#fail("field not declared in schema");
    const value = field && this.values(live, applied, field);
    this.#path.pop();
    return value;
  }

  #lists(live: readonly unknown[], applied: readonly unknown[], type: ListType): unknown[] {
    const right = this.#index(applied, type, false);
    const left = this.#index(live, type, true);
    return mergeOrder(left, right).map(({ element, at }) => {
      this.#path.push(element);
      const mine = at === undefined ? left.items.get(element) : live[at];
      const value = this.values(mine, right.items.get(element), type.element);
      this.#path.pop();
      return value;
    });
  }

  #index(list: readonly unknown[], type: ListType, allowDuplicates: boolean): IndexedItems {
    const elements: string[] = [];
    const items = new Map<string, unknown>();
    for (const [index, item] of list.entries()) {
      try {
        const element = itemElement(type, item);
        if (items.has(element) && !allowDuplicates) {
          this.#fail(`duplicate entries for key ${showElement(element)}`);
          continue;
        }
        // A duplicate live item is not merged with an applied one.
        items.set(element, items.has(element) ? null : item);
        elements.push(element);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        this.#fail(`element ${index}: ${error.message}`);
      }
    }
    return { elements, items };
  }

  #fail(message: string): void {
    this.errors.push({ path: showPath(this.#path), message });
  }
}

/** The items of a list that is merged, indexed by path element. */
interface IndexedItems {
  readonly elements: readonly string[];
  readonly items: ReadonlyMap<string, unknown>;
}

/**
 * An item of a merged list, by its path element; `at` is the index of a live item that is not
 * applied.
 */
interface Placed {
  readonly element: string;
  readonly at?: number;
}

/**
 * Returns the order of a merged list. Live items that are not applied keep their position before
 * the applied item that followed them.
 */
function mergeOrder(left: IndexedItems, right: IndexedItems): Placed[] {
  const order: Placed[] = [];
  const shared = right.elements.filter((element) => left.items.has(element));
  const done = new Set<string>();
  let next = shared.shift();
  const take = (element: string) => {
    done.add(element);
    order.push({ element });
  };
  for (let l = 0, r = 0; l < left.elements.length || r < right.elements.length;) {
    const mine = left.elements[l];
    const theirs = right.elements[r];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(mine);
        l++;
        r++;
        next = shared.shift();
        continue;
      }
      if (right.items.has(mine) && next !== undefined && next !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!right.items.has(mine)) {
        order.push({ element: mine, at: l++ });
        continue;
      }
      if (done.has(mine)) l++;
    }
    if (theirs !== undefined) {
      take(theirs);
      r++;
      if (next === theirs) next = shared.shift();
    }
  }
  return order;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
