import type { ClientOptions } from "../../client/create_client.ts";
import type { Client } from "../../client/typed/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { VERSION } from "../../client/transport/user_agent.ts";
import {
  OPERATOR,
  type Operator,
  type OperatorLibrary,
} from "../definition/operator_definition.ts";
import type { OperatorHandle } from "../ports/operator_progress.ts";
import type { RunOperatorOptions } from "./run_operator.ts";

/**
 * The functions of one copy of this library that run operators: the exports that {@linkcode
 * runtimeOf} loads.
 */
export interface OperatorRuntime {
  /** The {@linkcode createClient} of the library copy. */
  createClient(config: ClientConfig, options?: ClientOptions): Client;
  /** The {@linkcode runOperator} of the library copy. */
  runOperator(operator: Operator, options: RunOperatorOptions): OperatorHandle;
}

/**
 * The result of {@linkcode runtimeOf}: the functions and the version of the copy of this library
 * that runs an operator.
 */
export interface FoundRuntime {
  /** The library copy's functions that run the operator. */
  readonly runtime: OperatorRuntime;
  /** The version of the library copy; `unknown` if it states none. */
  readonly version: string;
  /**
   * Reports whether the operator was defined with this library copy; false if the operator names no
   * copy, so that the caller's copy runs it.
   */
  readonly isOperatorsOwn: boolean;
}

/**
 * Loads the functions that run an operator, and resolves to them, from the copy of this library
 * that defined the operator. The caller, such as `kubectl xca run`, may use another copy. For an
 * operator that does not name its copy, returns the functions of the caller's copy.
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
