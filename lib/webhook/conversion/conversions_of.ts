import type { ResourceType } from "@xca/apimachinery/meta";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { Conversion } from "./conversion.ts";

/**
 * A resource type that may have a conversion between its versions, as returned by `defineResource`.
 */
interface ConvertedType extends ResourceType {
  readonly conversion?: Conversion | undefined;
}

/**
 * Returns the conversions of an operator, one for each kind (of several, the last): those of the
 * resources that its controllers are for, own or watch, then those of its webhooks.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator } from "@xca/operator";
 * import { conversionsOf } from "@xca/operator/webhook";
 *
 * const controllers = [controllerFor(ConfigMap).reconcile(() => {})];
 * assert.deepEqual(conversionsOf(defineOperator({ name: "plain", controllers })), []);
 * ```
 */
export function conversionsOf(
  { controllers, webhooks }: Pick<Operator, "controllers" | "webhooks">,
): Conversion[] {
  const types: ConvertedType[] = [
    ...controllers.flatMap(({ sources }) => sources.map(({ type }) => type)),
    ...webhooks.map(({ type }) => type),
  ];
  const found = new Map<string, Conversion>();
  for (const { conversion } of types) {
    if (conversion) found.set(`${conversion.kind}.${conversion.group}`, conversion);
  }
  return [...found.values()];
}
