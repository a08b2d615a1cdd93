import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { CacheChoices } from "./cache_choice.ts";
import { chosenScope } from "./cache_scope.ts";

/**
 * Returns a copy of an operator whose sources are restricted to the objects that a manager caches.
 *
 * @param namespaces The namespaces of sources that name none. @default all
 *
 * @throws {TypeError} When a source and the choice of its kind exclude each other.
 */
export function chosenOperator(
  operator: Operator,
  choices: CacheChoices,
  namespaces: readonly string[] | undefined,
): Operator {
  const controllers = operator.controllers.map((controller) => ({
    ...controller,
    sources: controller.sources.map((source) => {
      const choice = choices.get(source.type.id);
      const chosen = chosenScope(`controller ${controller.name}`, source, choice, namespaces);
      return { ...source, ...Object.fromEntries(Object.entries(chosen).filter(isSet)) };
    }),
  }));
  return { ...operator, controllers };
}

function isSet([_, value]: [string, unknown]): boolean {
  return value !== undefined;
}
