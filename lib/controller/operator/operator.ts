import { described } from "@xca/apimachinery/internal/base";
import { VERSION } from "../../client/transport/user_agent.ts";
import { formatLabelSelector, parseLabelSelector } from "@xca/apimachinery/meta";
import { checkWebhooks } from "../definition/webhook_checks.ts";
import { collectCrds } from "../definition/collect_crds.ts";
import { withRules } from "../definition/crd_rules.ts";
import { ControllerBuilder } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import {
  OPERATOR,
  type Operator,
  type OperatorInit,
  type OperatorLibrary,
} from "../definition/operator_definition.ts";

/**
 * The version of this copy of the library, and the function that loads its runtime; each operator
 * that the copy defines refers to this object. Marked pure, so that bundlers drop it from programs
 * that define no operator.
 */
const LIBRARY: OperatorLibrary = /* @__PURE__ */ Object.freeze({
  version: VERSION,
  load: () => import("./operator_runtime.ts"),
});

/**
 * Returns an operator as frozen data: a name, controllers, webhooks, and the
 * CustomResourceDefinitions that they need. Starts nothing. The definitions of resources that
 * controllers are for, made by `defineResource`, are added to `crds`; those of resources that a
 * controller only owns or watches are not, since they may be another operator's. The CEL rules of
 * webhooks, except those with parameters, are added to the definitions of their kinds.
 *
 * @throws {TypeError} When a part is missing or of the wrong type, when two controllers have one
 * name, when sources of the same objects have different transforms, when two webhooks have one
 * path, when two different definitions have one name, or when the definition of a kind with CEL
 * rules lacks the version or its schema.
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
  checkInit(init);
  const { name, controllers, crds = [], webhooks = [] } = init;
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
    crds: Object.freeze(withRules(name, collectCrds(name, crds, controllers), webhooks)),
    webhooks: Object.freeze([...webhooks]),
    [OPERATOR]: LIBRARY,
  });
}

/**
 * Throws unless the argument of `defineOperator()` is complete and well-formed.
 *
 * @throws {TypeError} When a part is missing or of the wrong type, or two webhooks have one path.
 */
function checkInit(init: OperatorInit): void {
  const { name, controllers, crds = [] } = (init ?? {}) as Partial<OperatorInit>;
  if (typeof name !== "string" || name === "") {
    throw new TypeError("Cannot define an operator without a name");
  }
  const failure = `Cannot define operator ${name}`;
  if (!Array.isArray(controllers)) {
    throw new TypeError(`${failure} without a controller: controllers must be an array of them`);
  }
  const { webhooks = [] } = init;
  if (controllers.length === 0 && Array.isArray(webhooks) && webhooks.length === 0) {
    throw new TypeError(`${failure} without a controller and without a webhook: add one of them`);
  }
  for (const [at, controller] of controllers.entries()) {
    if (controller instanceof ControllerBuilder) {
      throw new TypeError(
        `${failure}: controllers[${at}] is not complete; end it with .reconcile(...)`,
      );
    }
    if (typeof controller?.reconcile === "function" && Array.isArray(controller.sources)) continue;
    throw new TypeError(
      `${failure}: controllers[${at}] must be made by controllerFor(...).reconcile(...), ` +
        `is ${described(controller)}`,
    );
  }
  if (!Array.isArray(crds)) {
    throw new TypeError(`${failure}: crds must be an array of manifests, is ${described(crds)}`);
  }
  checkWebhooks(failure, init.webhooks ?? []);
  for (const [at, crd] of crds.entries()) {
    if (crd?.kind === "CustomResourceDefinition" && typeof crd.metadata?.name === "string") {
      continue;
    }
    throw new TypeError(
      `${failure}: crds[${at}] must be a CustomResourceDefinition with a name, ` +
        `is ${crd?.kind === undefined ? described(crd) : `of kind ${crd.kind}`}`,
    );
  }
}

/**
 * Throws unless sources of an operator that watch the same objects (resource, form, namespace and
 * selectors), and so share one cache, have the same transform function or none.
 *
 * @throws {TypeError} When the transforms differ.
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
