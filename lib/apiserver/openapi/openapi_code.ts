import { OnDemand } from "@xca/apimachinery/internal/base";

/** The on-demand import of the code that builds OpenAPI documents. */
export const OPENAPI_CODE: OnDemand<typeof import("./openapi_answer.ts")> = new OnDemand(() =>
  import("./openapi_answer.ts")
);
