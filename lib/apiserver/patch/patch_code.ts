import { OnDemand } from "@xca/apimachinery/internal/base";

/** The on-demand import of the code that handles PATCH requests. */
export const PATCH_CODE: OnDemand<typeof import("./patch_request.ts")> = new OnDemand(() =>
  import("./patch_request.ts")
);
