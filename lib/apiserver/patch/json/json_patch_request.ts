// Mirrors `endpoints/handlers/patch.go, jsonPatcher`.
import { JsonSyntaxError } from "../../decode/raw_json.ts";
import { badRequest, StatusError, tooLarge } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { applyJsonPatch } from "./json_patch.ts";
import type { JsonPatchOperation } from "./json_patch_operation.ts";
import { undecodablePatch, unfitPatch, UnfitPatchError } from "../patch_error.ts";
import { cloneWithRawLeaves, withRawLeaves } from "./raw_leaf.ts";
import { jsonKind, readStrictJson } from "./strict_json.ts";

/** The largest number of operations of a JSON patch (`handlers.maxJSONPatchOperations`). */
const MAX_OPERATIONS = 10_000;

const KNOWN_FIELDS = new Set(["op", "path", "from", "value"]);

/**
 * The result of {@linkcode readJsonPatch} and `readMergePatch`: a parsed patch, and the errors of
 * strict decoding.
 */
export interface ReadPatch {
  /**
   * Applies the JSON patch or merge patch to an object. Returns the result: the object, which is
   * changed in place, or another value. Throws a StatusError 422 if a JSON patch does not apply to
   * the object.
   */
  readonly apply: (object: ApiObject) => unknown;
  readonly complaints: readonly string[];
}

/**
 * Parses a JSON patch. The complaints of the result are about duplicate fields and, with `strict`,
 * about unknown ones. `strict` also checks the types of the fields of the operations.
 *
 * @throws {StatusError} 400 for an invalid patch, 413 for a patch with too many operations.
 */
export function readJsonPatch(bytes: Uint8Array, strict: boolean): ReadPatch {
  const { value, complaints } = parse(bytes, strict);
  if (strict) checkTypes(value, "[]handlers.jsonPatchOp", "handlers.jsonPatchOp", undecodablePatch);
  else checkTypes(value, "jsonpatch.Patch", "jsonpatch.Operation", badRequest);
  const read = (value ?? []) as readonly (JsonPatchOperation | null)[];
  const operations = withRawLeaves(new TextDecoder().decode(bytes), read);
  if (operations.length > MAX_OPERATIONS) {
    throw tooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, ` +
        `got ${operations.length}`,
    );
  }
  return {
    apply: (object) => apply(object, cloneWithRawLeaves(operations)),
    complaints: complaints.map((each) => `json patch ${each}`),
  };
}

function parse(bytes: Uint8Array, strict: boolean): ReturnType<typeof readStrictJson> {
  try {
    if (!strict) return readStrictJson(bytes);
    return readStrictJson(bytes, (path, name) => /^\[\d+\]$/.test(path) && !KNOWN_FIELDS.has(name));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (!strict) throw badRequest(error.message);
    throw undecodablePatch(error.message.replace("Go value", "Go struct field jsonPatchOp.value"));
  }
}

function apply(object: ApiObject, operations: readonly (JsonPatchOperation | null)[]): unknown {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    throw error instanceof UnfitPatchError ? unfitPatch() : error;
  }
}

/**
 * Throws an error unless a value is `null` or a list of objects and nulls. For the item type
 * `handlers.jsonPatchOp`, also checks the types of the objects' fields.
 *
 * @throws {StatusError} The error that `refuse` returns.
 */
function checkTypes(
  value: unknown,
  listType: string,
  itemType: string,
  refuse: (why: string) => StatusError,
): void {
  if (value === null) return;
  if (!Array.isArray(value)) {
    throw refuse(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${listType}`);
  }
  for (const item of value) {
    if (item === null) continue;
    if (typeof item !== "object" || Array.isArray(item)) {
      throw refuse(`json: cannot unmarshal ${jsonKind(item)} into Go value of type ${itemType}`);
    }
    if (itemType === "handlers.jsonPatchOp") checkOperation(item, refuse);
  }
}

function checkOperation(
  item: Record<string, unknown>,
  refuse: (why: string) => StatusError,
): void {
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (name === "value" || !KNOWN_FIELDS.has(name)) continue;
    if (value === null || typeof value === "string") continue;
    throw refuse(
      `json: cannot unmarshal ${jsonKind(value)} into Go struct field jsonPatchOp.${name} ` +
        "of type string",
    );
  }
}
