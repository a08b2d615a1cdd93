import { OnDemand } from "@xca/apimachinery/internal/base";

/** What makes OpenAPI documents. Loaded when the first is asked for. */
export const OPENAPI_CODE: OnDemand<typeof import("./openapi_answer.ts")> = new OnDemand(() =>
  import("./openapi_answer.ts")
);
