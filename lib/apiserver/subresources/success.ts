import type { ApiObject } from "@xca/apimachinery/internal/values";

/** Returns the `Status` with the code 201 by which an endpoint without a result reports success. */
export function success(): ApiObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}
