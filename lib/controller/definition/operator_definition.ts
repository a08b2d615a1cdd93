import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "./controller_definition.ts";
import type { OperatorWebhook } from "./operator_webhook.ts";

/**
 * The argument of {@linkcode defineOperator}: the name, controllers and webhooks of an operator.
 */
export interface OperatorInit {
  /** The name of the operator in logs and messages. */
  readonly name: string;
  /**
   * The controllers of the operator, with distinct names; an operator with webhooks may have none.
   */
  readonly controllers: readonly ControllerDefinition[];
  /**
   * The CustomResourceDefinitions that the operator needs, in addition to those of the resources
   * made by `defineResource` that its controllers are for.
   *
   * @default none
   */
  readonly crds?: readonly UnstructuredObject[];
  /**
   * The webhooks of the operator, made by `webhookFor` of `@xca/operator/webhook`. Their rules in
   * CEL, except those with parameters, are added to the operator's CustomResourceDefinitions that
   * define their kinds.
   *
   * @default none
   */
  readonly webhooks?: readonly OperatorWebhook[];
}

/**
 * An operator as data, as {@linkcode defineOperator} returns it. `kubectl xca run MODULE` runs the
 * operator that a module exports, as its default or as `operator`. Immutable.
 */
export interface Operator extends Required<OperatorInit> {
  /** The copy of this library that defined the operator; its key marks the value as an operator. */
  readonly [OPERATOR]: OperatorLibrary;
}

/** A loaded copy of this library, of which a process may have several. */
export interface OperatorLibrary {
  /** The version of the loaded library copy. */
  readonly version: string;
  /**
   * Loads the library copy's module of functions that run operators, and resolves to it: an
   * {@linkcode OperatorRuntime}.
   */
  load(): Promise<unknown>;
}

/**
 * The property key that marks an {@linkcode Operator}. A registered symbol, so that every copy of
 * this library in a process shares it.
 */
export const OPERATOR: unique symbol = Symbol.for("@xca/operator/Operator");

/**
 * Reports whether a value, such as a module's default export, is an {@linkcode Operator}, of any
 * loaded copy of this library.
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
