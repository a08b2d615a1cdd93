import { forbidden } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import type { Conditions } from "../conditions.ts";
import { EXPRESSIONS } from "../expression_code.ts";
import { isExempt, type Match, matchWrite } from "../matching.ts";
import { Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { Hook } from "./hook.ts";

/** A webhook that is in force. */
export interface ConfiguredHook {
  readonly hook: Hook;
  /** Tells webhooks of the same name apart. */
  readonly key: string;
  readonly conditions: Conditions | undefined;
}

/** The webhooks of a kind of configuration, in the order in which they are called. */
export function configuredHooks(resource: string): Configured<readonly ConfiguredHook[]> {
  return new Configured([resource], ([configurations]) => configurations!.flatMap(hooksOf));
}

function hooksOf(configuration: ApiObject): ConfiguredHook[] {
  const hooks = (configuration["webhooks"] ?? []) as readonly Hook[];
  return hooks.map((hook, index) => ({
    hook,
    key: `${configuration.metadata.name}/${hook.name}/${index}`,
    conditions: hook.matchConditions?.length
      ? new EXPRESSIONS.code.Conditions(hook.matchConditions, false)
      : undefined,
  }));
}

/** Whether some rule may concern a write: what can be told without looking at anything. */
export function mayConcern(
  hooks: readonly ConfiguredHook[],
  attributes: AdmissionAttributes,
): boolean {
  return hooks.length > 0 && !isExempt(attributes);
}

/**
 * As what a webhook is called for a write; `undefined` when it is not.
 * @throws {StatusError} When its conditions cannot be evaluated.
 */
export function invocationOf(
  { hook, conditions }: ConfiguredHook,
  attributes: AdmissionAttributes,
  registry: Registry,
  ports: AdmissionPorts,
): Match | undefined {
  const { rules = [], matchPolicy = "Equivalent", namespaceSelector, objectSelector } = hook;
  const match = matchWrite(
    {
      rules,
      matchPolicy,
      ...(namespaceSelector && { namespaceSelector }),
      ...(objectSelector && { objectSelector }),
    },
    attributes,
    registry,
    ports.equivalents,
  );
  if (!match || !conditions) return match;
  const { request } = attributes;
  const variables = EXPRESSIONS.code.expressionVariables({
    attributes,
    match,
    object: request.object,
    old: request.old,
    authorizer: ports.authorize,
  });
  const result = conditions.check(variables, hook.failurePolicy === "Ignore");
  if ("problem" in result) {
    const { group, resource } = attributes.resource;
    throw forbidden({ group, resource }, attributes.name, result.problem);
  }
  return result.matches ? match : undefined;
}
