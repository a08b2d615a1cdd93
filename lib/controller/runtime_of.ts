import type { ClientOptions } from "../client/create_client.ts";
import type { Client } from "../client/typed/client.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { VERSION } from "../client/transport/user_agent.ts";
import { OPERATOR, type Operator, type OperatorLibrary } from "./operator_definition.ts";
import type { OperatorHandle } from "./operator_progress.ts";
import type { RunOperatorOptions } from "./run_operator.ts";

/** The functions of one copy of this library that run operators. */
export interface OperatorRuntime {
  /** That copy's {@linkcode createClient}. */
  createClient(config: ClientConfig, options?: ClientOptions): Client;
  /** That copy's {@linkcode runOperator}. */
  runOperator(operator: Operator, options: RunOperatorOptions): OperatorHandle;
}

/** An {@linkcode OperatorRuntime}, and which copy of this library it is of. */
export interface FoundRuntime {
  /** The functions that run the operator. */
  readonly runtime: OperatorRuntime;
  /** The version of its copy of this library. */
  readonly version: string;
  /** Whether it is the copy that the operator was defined with. */
  readonly isOperatorsOwn: boolean;
}

/**
 * Returns the copy of this library that runs an operator: the copy that the operator was defined with,
 * which may differ from the caller's, such as `kubectl xca run`'s. For an operator that does not bring
 * its copy, it is the caller's.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { runtimeOf } from "@xca/operator/controller";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const { runtime, isOperatorsOwn } = await runtimeOf(xcaOperator);
 * assert(isOperatorsOwn && typeof runtime.runOperator === "function");
 * ```
 */
export async function runtimeOf(operator: Operator): Promise<FoundRuntime> {
  const library: Partial<OperatorLibrary> | true = operator[OPERATOR];
  if (typeof library === "object" && library.load) {
    const runtime = await library.load() as OperatorRuntime;
    return { runtime, version: library.version ?? "unknown", isOperatorsOwn: true };
  }
  const runtime = await import("./operator_runtime.ts");
  return { runtime, version: VERSION, isOperatorsOwn: false };
}
