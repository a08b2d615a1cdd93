import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "./controller_definition.ts";

/** The parts of an operator. */
export interface OperatorInit {
  /** The name of the operator in logs and messages. */
  readonly name: string;
  /** The controllers. */
  readonly controllers: readonly ControllerDefinition[];
  /** The CustomResourceDefinitions that the operator needs. @default none */
  readonly crds?: readonly UnstructuredObject[];
}

/** An operator as data; the default export of a module for `kubectl xca run MODULE`. Immutable. */
export interface Operator extends Required<OperatorInit> {
  /** Marks an operator, and holds the copy of this library that defined it. */
  readonly [OPERATOR]: OperatorLibrary;
}

/** A copy of this library. */
export interface OperatorLibrary {
  /** The version of the copy. */
  readonly version: string;
  /** Loads the functions that run operators, an {@linkcode OperatorRuntime}. */
  load(): Promise<unknown>;
}

/**
 * Key of the mark of an {@linkcode Operator}. A registered symbol, so that every copy of this
 * library in a process shares it.
 */
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
 * const { default: operator } = { default: xcaOperator }; // await import("../operator/operator.ts")
 * assert(isOperator(operator));
 * assert(!isOperator({ name: "xca", controllers: [] }));
 * ```
 */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "object" && value !== null && OPERATOR in value;
}
