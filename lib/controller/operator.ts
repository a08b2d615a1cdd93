import { VERSION } from "../client/transport/user_agent.ts";
import { formatLabelSelector, parseLabelSelector } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "./controller_definition.ts";
import {
  OPERATOR,
  type Operator,
  type OperatorInit,
  type OperatorLibrary,
} from "./operator_definition.ts";

/** This copy of the library. Pure, so that bundlers drop it where no operator is defined. */
const LIBRARY: OperatorLibrary = /* @__PURE__ */ Object.freeze({
  version: VERSION,
  load: () => import("./operator_runtime.ts"),
});

/**
 * Describes an operator.
 *
 * @throws {TypeError} When it has no controller, or two of one name, or sources of the same objects with
 * different transforms.
 *
 * @example
 * ```ts
 * import { ConfigMap, controllerFor, defineOperator, type Operator } from "@xca/operator";
 *
 * export const operator: Operator = defineOperator({
 *   name: "greeter",
 *   controllers: [controllerFor(ConfigMap).reconcile(({ key, log }) => log.info("Hello, {key}", { key }))],
 * });
 * ```
 */
export function defineOperator(init: OperatorInit): Operator {
  const { name, controllers, crds = [] } = init;
  if (!name) throw new TypeError("Cannot define an operator without a name");
  if (controllers.length === 0) {
    throw new TypeError(`Cannot define operator ${name} without a controller`);
  }
  const names = new Set<string>();
  for (const controller of controllers) {
    if (names.has(controller.name)) {
      throw new TypeError(
        `Cannot define operator ${name}: two controllers are named ${controller.name}; ` +
          `give one of them another name with .named("...")`,
      );
    }
    names.add(controller.name);
  }
  checkTransforms(name, controllers);
  return Object.freeze({
    name,
    controllers: Object.freeze([...controllers]),
    crds: Object.freeze([...crds]),
    [OPERATOR]: LIBRARY,
  });
}

/**
 * Sources of the same objects share one cache, which is filled once.
 *
 * @throws {TypeError} When they have different transforms.
 */
function checkTransforms(operator: string, controllers: readonly ControllerDefinition[]): void {
  const known = new Map<string, { readonly controller: string; readonly transform: unknown }>();
  for (const { name: controller, sources } of controllers) {
    for (const { type, labelSelector, fieldSelector, namespaces = [""], transform } of sources) {
      const labels = formatLabelSelector(parseLabelSelector(labelSelector ?? ""));
      for (const namespace of namespaces) {
        const part = JSON.stringify([
          type.id,
          type.metadataOnly,
          namespace,
          labels,
          fieldSelector ?? "",
        ]);
        const first = known.get(part) ?? { controller, transform };
        known.set(part, first);
        if (first.transform === transform) continue;
        throw new TypeError(
          `Cannot define operator ${operator}: controllers ${first.controller} and ${controller} ` +
            `watch the same ${type.plural} with different transforms, or one without; give both the ` +
            `same function`,
        );
      }
    }
  }
}
