import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { isInternalError, isRequestEntityTooLarge } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { terminal, type TerminalError } from "../definition/terminal_error.ts";

/**
 * Reports whether an error is the refusal of a write for its size: code 413, by which
 * kube-apiserver refuses a request of more than 3 MiB, or an InternalError with the message of
 * etcd, which refuses an object of more than 1.5 MiB.
 */
export function isTooLarge(error: unknown): boolean {
  return isRequestEntityTooLarge(error) ||
    (isInternalError(error) && error.message.includes("request is too large"));
}

/**
 * Returns the terminal error of a status that is too large, which a retry would not make smaller,
 * and records a Warning event about the object if a recorder is given.
 */
export function statusTooLarge(
  events: ReconcileContext["events"] | undefined,
  type: ResourceType,
  object: KubeObject,
  cause: unknown,
): TerminalError {
  const note = "the status is larger than the server stores; keep lists and messages short";
  events?.record(type, object, { type: "Warning", reason: "StatusTooLarge", note });
  return terminal(`Cannot write the status of ${type.kind} ${keyOf(object)}: ${note}`, { cause });
}
