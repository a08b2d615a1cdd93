import type { Clock, Random } from "@xca/apimachinery/base";
import type { Authorizer } from "@xca/apimachinery/internal/access";
import type { CallWebhook } from "../machinery/call_webhook.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { Equivalents } from "./matching.ts";

/**
 * The dependencies of admission plugins: functions, clock, random numbers and stop signal of the
 * API server.
 */
export interface AdmissionPorts {
  readonly callWebhook: CallWebhook;
  readonly authorize: Authorizer;
  /** Returns the other served API versions of a resource. */
  readonly equivalents: Equivalents;
  /**
   * Returns the served API resource whose objects are of a given kind; `undefined` if there is
   * none.
   */
  readonly resourceOfKind: (
    group: string,
    version: string,
    kind: string,
  ) => ApiResource | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The signal that ends the waits of admission plugins when the API server stops. */
  readonly signal: AbortSignal;
}
