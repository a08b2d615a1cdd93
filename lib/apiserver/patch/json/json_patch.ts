/**
 * JSON Patch (RFC 6902) with the deviations of kube-apiserver's library (`evanphx/json-patch`):
 * `replace` adds a missing field, and negative indices count from the end.
 *
 * Mirrors `json-patch.v4/patch.go, Patch.Apply`.
 *
 * @module
 */
import { byteLength } from "@xca/apimachinery/internal/validation";
import { escapeHtml, setField } from "@xca/apimachinery/internal/values";
import { UnfitPatchError } from "../patch_error.ts";
import type { JsonPatchOperation } from "./json_patch_operation.ts";
import { cloneWithRawLeaves, copyOf, RawLeaf, withoutRawLeaves, writtenAlike } from "./raw_leaf.ts";

/**
 * The limit on the size of the values that the `copy` operations of one JSON patch copy together, in
 * bytes of the values' JSON as Go writes it (`server.Config, JSONPatchMaxCopyBytes`).
 */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

type Container = unknown[] | Record<string, unknown>;

/**
 * Applies the operations of a JSON patch to a document, which is changed.
 *
 * @returns The document, or another one if an operation replaces the root.
 * @throws {UnfitPatchError} If an operation does not apply to the document.
 */
export function applyJsonPatch(
  document: unknown,
  operations: readonly (JsonPatchOperation | null)[],
): unknown {
  const patched = applyOperations(document, operations);
  return operations.some(writesRaw) ? withoutRawLeaves(patched) : patched;
}

/**
 * Applies the operations of a JSON patch like {@linkcode applyJsonPatch}, but leaves the {@linkcode
 * RawLeaf}s of the operations in the document.
 *
 * @param failure Returns the error to throw in place of the error about an operation.
 * @default the error itself
 */
export function applyOperations(
  document: unknown,
  operations: readonly (JsonPatchOperation | null)[],
  failure: (operation: JsonPatchOperation, error: unknown) => unknown = (_, error) => error,
): unknown {
  const patching = new Patching(document);
  for (const each of operations) {
    const operation = each ?? {};
    try {
      patching.apply(operation);
    } catch (error) {
      throw failure(operation, error);
    }
  }
  return patching.document;
}

/** Reports whether an operation of a JSON patch may put a {@linkcode RawLeaf} into the document. */
function writesRaw(operation: JsonPatchOperation | null): boolean {
  return operation !== null && operation.op !== "test" && typeof operation.value === "object" &&
    operation.value !== null;
}

/** Returns the number of bytes of a value's JSON as Go writes it. */
function jsonBytes(value: unknown): number {
  const plain = (_: string, each: unknown): unknown => each instanceof RawLeaf ? each.value : each;
  return byteLength(escapeHtml(JSON.stringify(value, plain)));
}

class Patching {
  document: unknown;
  #copied = 0;

  constructor(document: unknown) {
    this.document = document;
  }

  apply(operation: JsonPatchOperation): void {
    switch (operation.op) {
      case "add":
        return this.#add(operation.path, operation.value ?? null);
      case "remove":
        return this.#remove(operation.path);
      case "replace":
        return this.#replace(operation);
      case "move":
        return this.#move(operation);
      case "copy":
        return this.#copy(operation);
      case "test":
        return this.#test(operation);
      default:
        throw new UnfitPatchError(`Unexpected kind: ${operation.op ?? "unknown"}`);
    }
  }

  #add(path: string | null | undefined, value: unknown): void {
    const [container, key] = this.#find(path);
    if (!Array.isArray(container)) return setField(container, key, value);
    if (key === "-") {
      container.push(value);
      return;
    }
    const index = parseIndex(key);
    const length = container.length + 1;
    if (index >= length || index < -length) throw outOfRange(index);
    container.splice(index < 0 ? index + length : index, 0, value);
  }

  #remove(path: string | null | undefined): void {
    const [container, key] = this.#find(path);
    if (Array.isArray(container)) {
      container.splice(indexIn(container, key), 1);
      return;
    }
    if (!Object.hasOwn(container, key)) {
      throw new UnfitPatchError(`Unable to remove nonexistent key: ${key}`);
    }
    delete container[key];
  }

  #replace({ path, value = null }: JsonPatchOperation): void {
    if (path === "") {
      if (!isContainer(value)) {
        throw new UnfitPatchError("replace operation value must be object or array");
      }
      this.document = cloneWithRawLeaves(value);
      return;
    }
    const [container, key] = this.#find(path);
    if (Array.isArray(container)) container[indexIn(container, key)] = value;
    else setField(container, key, value);
  }

  #move({ from, path }: JsonPatchOperation): void {
    const value = this.#get(from);
    this.#remove(from);
    this.#add(path, value ?? null);
  }

  #copy({ from, path }: JsonPatchOperation): void {
    const value = this.#get(from) ?? null;
    this.#copied += jsonBytes(value);
    if (this.#copied > MAX_COPIED_BYTES) {
      throw new UnfitPatchError(
        "Unable to complete the copy, the accumulated size increase of copy is " +
          `${this.#copied}, exceeding the limit ${MAX_COPIED_BYTES}`,
      );
    }
    this.#add(path, copyOf(value));
  }

  #test({ path, value = null }: JsonPatchOperation): void {
    const found = path === "" ? this.document : this.#get(path);
    if (!writtenAlike(found ?? null, value)) {
      throw new UnfitPatchError(`testing value ${path} failed: test failed`);
    }
  }

  /**
   * Returns the document's value at a JSON pointer; `undefined` for a missing field. Throws an
   * {@linkcode UnfitPatchError} for a missing parent or list item.
   */
  #get(path: string | null | undefined): unknown {
    const [container, key] = this.#find(path);
    if (Array.isArray(container)) return container[indexIn(container, key)];
    return Object.hasOwn(container, key) ? container[key] : undefined;
  }

  /**
   * Returns the object or list that contains a JSON pointer's last segment, and that segment.
   * Throws an {@linkcode UnfitPatchError} if the object or list does not exist.
   */
  #find(path: string | null | undefined): [Container, string] {
    if (path === undefined || path === null) throw new UnfitPatchError("missing path");
    const [first, ...steps] = path.split("/").map(decodeStep);
    if (first === undefined || steps.length === 0) throw missing(path);
    const last = steps.pop()!;
    let container = this.document;
    for (const step of steps) {
      if (Array.isArray(container)) container = container[indexIn(container, step)];
      else if (isContainer(container)) {
        container = Object.hasOwn(container, step) ? container[step] : undefined;
      }
      if (!isContainer(container)) throw missing(path);
    }
    return [container as Container, last];
  }
}

function isContainer(value: unknown): value is Container & Record<string, unknown> {
  return value !== null && typeof value === "object" && !(value instanceof RawLeaf);
}

function decodeStep(step: string): string {
  return !step.includes("~")
    ? step
    : step.replace(/~[01]/g, (escape) => escape === "~1" ? "/" : "~");
}

function parseIndex(key: string): number {
  if (!/^[+-]?[0-9]+$/.test(key)) {
    throw new UnfitPatchError(`value was not a proper array index: '${key}'`);
  }
  return Number(key);
}

function indexIn(list: readonly unknown[], key: string): number {
  const index = parseIndex(key);
  if (index >= list.length || index < -list.length) throw outOfRange(index);
  return index < 0 ? index + list.length : index;
}

function outOfRange(index: number): UnfitPatchError {
  return new UnfitPatchError(`Unable to access invalid index: ${index}`);
}

function missing(path: string): UnfitPatchError {
  return new UnfitPatchError(`doc is missing path: ${path}`);
}
