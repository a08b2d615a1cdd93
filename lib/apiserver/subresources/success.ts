import type { ApiObject } from "@xca/apimachinery/internal/values";

/** What an endpoint answers that made something happen and has nothing to show. */
export function success(): ApiObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}
