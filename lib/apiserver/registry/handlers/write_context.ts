// Mirrors `endpoints/handlers/create.go, createHandler`.
import { managerOrUserAgent } from "../../managed_fields/manager_name.ts";
import type { WriteOptions } from "../../request/write_options.ts";
import type { Call } from "./call.ts";
import type { VerbContextInit } from "../objects/verb_context.ts";

/**
 * Returns the fields of a verb's context that follow from the options and the `User-Agent` header
 * of a write request.
 */
export function writeContext(call: Call, options: WriteOptions): Partial<VerbContextInit> {
  const agent = call.request.headers.get("user-agent") ?? "";
  return {
    dryRun: options.dryRun,
    fieldManager: managerOrUserAgent(options.fieldManager, agent),
    fieldValidation: options.fieldValidation,
    options: options.object,
  };
}
