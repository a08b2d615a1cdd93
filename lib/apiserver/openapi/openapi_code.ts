import { OnDemand } from "@xca/apimachinery/internal/base";

/** The code that builds OpenAPI documents, loaded on first use. */
export const OPENAPI_CODE: OnDemand<typeof import("./openapi_answer.ts")> = new OnDemand(() =>
  import("./openapi_answer.ts")
);
