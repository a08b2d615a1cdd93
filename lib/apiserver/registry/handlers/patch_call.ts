// Mirrors `endpoints/handlers/patch.go, PatchResource`.
import { runAll } from "@xca/apimachinery/internal/base";
import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { PATCH_CODE } from "../../patch/patch_code.ts";
import { readBody } from "../../request/body.ts";
import { writeOptions } from "../../request/write_options.ts";
import { type Call, contextOf } from "./call.ts";
import { matchIdentity } from "../objects/object_identity.ts";
import type { VerbContext } from "../objects/verb_context.ts";
import { writeContext } from "./write_context.ts";

/** A PATCH request whose body was read and checked. */
export interface PatchCall {
  readonly context: VerbContext;
  /** Reports whether the PATCH request creates a missing object, as a server-side apply does. */
  readonly create: boolean;
  /**
   * Returns the patched object for the current object, or for `undefined` if the object is missing,
   * in steps. The patched object has the namespace and the name of the path.
   */
  readonly change: (current: ApiObject | undefined) => Generator<void, ApiObject>;
}

/**
 * Reads a PATCH of an object or of one of its subresources. All checks of the media type, the name
 * and the namespace are made here and in {@linkcode PatchCall.change}.
 *
 * @throws {StatusError} 415 for an unsupported media type; 413 if the body exceeds the limit; 400
 * if the path has no name or the body cannot be parsed; 422 for invalid options.
 */
export async function readPatch(call: Call): Promise<PatchCall> {
  const { patchTypeOf, isApplyPatch, preparePatch } = await PATCH_CODE.get();
  const type = patchTypeOf(call.request.headers.get("content-type") ?? "", call.resource);
  if (call.info.name === "") throw badRequest("name must be provided");
  const bytes = await readBody(call.request);
  const create = isApplyPatch(type);
  const options = writeOptions("PatchOptions", call.info.query, create);
  const context = contextOf(call, writeContext(call, options));
  const steps = preparePatch(context, type, bytes, call.registry.managers);
  // Only the YAML of an applied object is parsed in several steps.
  const patch = create ? await context.work.run(steps) : runAll(steps);
  return {
    context,
    create,
    *change(current) {
      const object = yield* patch(current);
      matchIdentity(object, context);
      return object;
    },
  };
}
