import { SCHEMA_CODE } from "@xca/apimachinery/internal/schema";
import { EXPRESSIONS } from "./admission/expression_code.ts";
import { OPENAPI_CODE } from "./openapi/openapi_code.ts";
import { PATCH_CODE } from "./patch/patch_code.ts";

/**
 * Loads all code of the API server that would otherwise be loaded at the first request which needs
 * it.
 */
export async function loadAll(): Promise<void> {
  await Promise.all([
    EXPRESSIONS.get(),
    OPENAPI_CODE.get(),
    PATCH_CODE.get(),
    SCHEMA_CODE.get(),
    import("./seed/manifests.ts"),
    import("./seed/seed_objects.ts"),
  ]);
}
