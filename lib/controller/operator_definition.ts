import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "./controller_definition.ts";

/** The parts of an operator. */
export interface OperatorInit {
  /** Names the operator in logs and messages. */
  readonly name: string;
  /** The controllers. */
  readonly controllers: readonly ControllerDefinition[];
  /** CustomResourceDefinition manifests of its resources. @default none */
  readonly crds?: readonly UnstructuredObject[];
}

/** An operator as data: what a module exports for `kubectl xca run MODULE`. Immutable. */
export interface Operator extends Required<OperatorInit> {
  /** Tells an operator from whatever else a module exports, and which copy of this library made it. */
  readonly [OPERATOR]: OperatorLibrary;
}

/** A copy of this library: that which a module's operator was defined with, and was tested with. */
export interface OperatorLibrary {
  /** Its version. */
  readonly version: string;
  /** Loads what runs operators, an {@linkcode OperatorRuntime}. */
  load(): Promise<unknown>;
}

/** The mark of {@linkcode Operator}, the same for every copy of this library in one process. */
export const OPERATOR: unique symbol = Symbol.for("@xca/operator/Operator");

/**
 * Reports whether a value, such as a module's default export, is an {@linkcode Operator}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isOperator } from "@xca/operator/controller";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const { default: operator } = { default: xcaOperator }; // await import("./operator.ts")
 * assert(isOperator(operator));
 * assert(!isOperator({ name: "xca", controllers: [] }));
 * ```
 */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "object" && value !== null && OPERATOR in value;
}
