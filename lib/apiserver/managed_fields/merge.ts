/**
 * The live object with what an applier sets, after the rules of its type.
 *
 * @module
 */
import { cloneJson } from "./json_values.ts";
import { itemElement, ListItemError } from "./list_items.ts";
import type { ListType, MapType, MergeType } from "./merge_type.ts";
import { showElement } from "./path_element.ts";
import { TypedError, type TypedErrorEntry } from "./typed_error.ts";

/**
 * Merges `applied` into `live`. Nothing is removed; the result shares nothing with either. Items keep
 * the order of `applied` where it names them, and their places in `live` otherwise.
 * @throws {TypedError} When items cannot be told apart.
 */
export function mergeObjects(live: unknown, applied: unknown, type: MergeType): unknown {
  const merging = new Merging();
  const merged = merging.values(live, applied, type, "");
  if (merging.errors.length > 0) throw new TypedError(merging.errors);
  return merged;
}

class Merging {
  readonly errors: TypedErrorEntry[] = [];

  /** `undefined` on one side: only the other has a value. */
  values(live: unknown, applied: unknown, type: MergeType, path: string): unknown {
    if (applied === undefined) return cloneJson(live);
    if (isMap(applied) && type.map && !type.map.atomic && (isMap(live) || isEmptySide(live))) {
      return this.#maps(live ?? {}, applied, type.map, path);
    }
    if (Array.isArray(applied) && type.list && !type.list.atomic) {
      if (Array.isArray(live) || isEmptySide(live)) {
        return this.#lists(live ?? [], applied, type.list, path);
      }
    }
    if (applied === null) return this.#null(live, type);
    return cloneJson(applied);
  }

  /** An applied `null` says nothing about the items of a list or the fields of an object. */
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
    path: string,
  ): Record<string, unknown> {
    const merged: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(live), ...Object.keys(applied)])) {
      const field = type.field(name);
      if (field === undefined) {
        this.errors.push({ path: `${path}.${name}`, message: "field not declared in schema" });
        continue;
      }
      const value = this.values(own(live, name), own(applied, name), field, `${path}.${name}`);
      if (value !== undefined) {
        Object.defineProperty(merged, name, {
          value,
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
    }
    return merged;
  }

  #lists(
    live: readonly unknown[],
    applied: readonly unknown[],
    type: ListType,
    path: string,
  ): unknown[] {
    const right = this.#index(applied, type, path, false);
    const left = this.#index(live, type, path, true);
    const item = (element: string, liveItem: unknown) =>
      this.values(liveItem, right.items.get(element), type.element, path + showElement(element));
    return mergeOrder(left, right).map(({ element, at }) =>
      at === undefined ? item(element, left.items.get(element)) : item(element, live[at])
    );
  }

  #index(
    list: readonly unknown[],
    type: ListType,
    path: string,
    allowDuplicates: boolean,
  ): IndexedItems {
    const elements: string[] = [];
    const items = new Map<string, unknown>();
    for (const [index, item] of list.entries()) {
      try {
        const element = itemElement(type, item);
        if (items.has(element) && !allowDuplicates) {
          const message = `duplicate entries for key ${showElement(element)}`;
          this.errors.push({ path, message });
          continue;
        }
        // What stands twice is not merged with what is applied.
        items.set(element, items.has(element) ? null : item);
        elements.push(element);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        this.errors.push({ path, message: `element ${index}: ${error.message}` });
      }
    }
    return { elements, items };
  }
}

/** A list by the elements of its items. */
interface IndexedItems {
  readonly elements: readonly string[];
  readonly items: ReadonlyMap<string, unknown>;
}

/** An item of a merged list; `at`: the live item at this index alone. */
interface Placed {
  readonly element: string;
  readonly at?: number;
}

/**
 * The order of a merged list. Live items that are not applied stay before the applied item that
 * followed them; of the others those not yet due are passed over until their turn.
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

function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isEmptySide(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
