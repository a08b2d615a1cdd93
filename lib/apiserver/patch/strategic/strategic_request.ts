import { JsonSyntaxError } from "../../decode/raw_json.ts";
import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, goValue } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import { builtinTypeOf, invalidPatch, typedObject } from "../patched_object.ts";
import { unfitPatch } from "../patch_error.ts";
import { RestoreError, restoreObject } from "./restore_object.ts";
import { StrategicMergeError } from "./strategic_errors.ts";
import { applyStrategicMergePatch } from "./strategic_merge.ts";
import { tellStrict } from "../json/strict_errors.ts";
import { jsonKind, readStrictJson } from "../json/strict_json.ts";

/**
 * Parses a strategic merge patch of a built-in kind; returns a function that applies the patch to
 * an object, which may be changed. The function throws a `StatusError` 400, 422 or 500 for a patch
 * that does not apply. Mirrors `endpoints/handlers/patch.go, strategicPatchObject`.
 *
 * @throws {StatusError} 400
 */
export function prepareStrategicMerge(
  context: RequestContext,
  resource: ApiResource,
  bytes: Uint8Array,
): (current: ApiObject) => ApiObject {
  const type = builtinTypeOf(resource)!;
  const { patch, complaints } = parse(bytes);
  return (current) => {
    const own = cloneJson(patch);
    const merged = merge(current, own, resource);
    // Errors show the patch in the state in which the merge left it, as in kube-apiserver.
    try {
      const { object, unknownFields } = restoreObject(type, merged);
      const all = [...complaints, ...unknownFields];
      tellStrict(context, all, (why) => invalidPatch(goValue(own), why));
      return typedObject(type, object ?? {}, resource);
    } catch (error) {
      if (!(error instanceof RestoreError)) throw error;
      throw invalidPatch(goValue(own), error.message);
    }
  };
}

function parse(bytes: Uint8Array): {
  readonly patch: Record<string, unknown>;
  readonly complaints: readonly string[];
} {
  try {
    const { value, complaints } = readStrictJson(bytes);
    if (value === null) return { patch: {}, complaints };
    if (typeof value === "object" && !Array.isArray(value)) {
      return { patch: value as Record<string, unknown>, complaints };
    }
    throw badRequest(
      `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    throw error instanceof JsonSyntaxError ? badRequest(error.message) : error;
  }
}

function merge(
  current: ApiObject,
  patch: Record<string, unknown>,
  resource: ApiResource,
): Record<string, unknown> {
  try {
    return applyStrategicMergePatch(current, patch, resource.schema()!);
  } catch (error) {
    if (!(error instanceof StrategicMergeError)) throw error;
    if (error.code === 400) throw badRequest(error.message);
    throw error.code === 422 ? unfitPatch() : new StatusError(500, "", error.message);
  }
}
