// Mirrors `endpoints/handlers/patch.go, jsonPatcher.applyJSPatch`.
import { JsonSyntaxError } from "../../decode/raw_json.ts";
import { badRequest } from "@xca/apimachinery/internal/errors";
import { cloneJson } from "@xca/apimachinery/internal/values";
import { applyMergePatch } from "./merge_patch.ts";
import type { ReadPatch } from "./json_patch_request.ts";
import { undecodablePatch } from "../patch_error.ts";
import { jsonKind, readStrictJson } from "./strict_json.ts";

const NO_PATCH = "Invalid JSON Patch";

/**
 * Parses a JSON merge patch. The complaints of the result are about duplicate fields. Without
 * `strict`, a list replaces the whole object; with `strict`, a list is refused, and errors have the
 * messages of strict decoding.
 *
 * @throws {StatusError} 400
 */
export function readMergePatch(bytes: Uint8Array, strict: boolean): ReadPatch {
  const { value, complaints } = parse(bytes, strict);
  if (value === null) throw badRequest(NO_PATCH);
  // A list replaces the whole object; decoding then reports that it is no object.
  if (Array.isArray(value) && !strict) return { apply: () => cloneJson(value), complaints };
  if (typeof value !== "object" || Array.isArray(value)) {
    if (!strict) throw badRequest(NO_PATCH);
    throw undecodablePatch(
      `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
    );
  }
  const patch = value as Record<string, unknown>;
  return { apply: (object) => applyMergePatch(object, cloneJson(patch)), complaints };
}

function parse(bytes: Uint8Array, strict: boolean): ReturnType<typeof readStrictJson> {
  try {
    return readStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw strict ? undecodablePatch(error.message) : badRequest(NO_PATCH);
  }
}
