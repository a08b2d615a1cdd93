import type { Authorizer } from "@xca/apimachinery/internal/access";
import type { CallWebhook } from "../machinery/call_webhook.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { Equivalents } from "./matching.ts";

/** What admission needs of the server around it. */
export interface AdmissionPorts {
  readonly callWebhook: CallWebhook;
  readonly authorize: Authorizer;
  /** The other versions of a resource that are served. */
  readonly equivalents: Equivalents;
  /** The resource whose objects are of a kind. */
  readonly resourceOfKind: (
    group: string,
    version: string,
    kind: string,
  ) => ApiResource | undefined;
}
