import { OnDemand } from "@xca/apimachinery/internal/base";

/** The code that handles PATCH requests, loaded at the first PATCH request. */
export const PATCH_CODE: OnDemand<typeof import("./patch_request.ts")> = new OnDemand(() =>
  import("./patch_request.ts")
);
