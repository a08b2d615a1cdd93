// Mirrors `webhook/generic/webhook.go, Webhook.ShouldCallHook`.
import { forbidden } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import type { Conditions } from "../conditions.ts";
import { type ExpressionCode, EXPRESSIONS, madeOnce } from "../expression_code.ts";
import { isExempt, isReview, type Match, matchWrite } from "../matching.ts";
import { ADMISSION_GROUP, Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { Hook } from "./hook.ts";
import { asMatched } from "./hook_call.ts";

/** A webhook of a stored webhook configuration. */
export interface ConfiguredHook {
  readonly hook: Hook;
  /**
   * The key of the admission webhook, which is unique among all configurations, unlike the
   * webhook's name.
   */
  readonly key: string;
  /**
   * Returns the match conditions of the admission webhook, at each call the same object; absent if
   * there are none.
   */
  readonly conditions: ((code: ExpressionCode) => Conditions) | undefined;
}

/**
 * Returns a cache of the webhooks of all configurations of a resource, such as
 * `mutatingwebhookconfigurations`, in the order in which they are called: by the name of the
 * configuration, then by their place in it.
 */
export function configuredHooks(resource: string): Configured<readonly ConfiguredHook[]> {
  return new Configured(
    ADMISSION_GROUP,
    [resource],
    ([configurations]) => configurations!.flatMap(hooksOf),
  );
}

function hooksOf(configuration: ApiObject): ConfiguredHook[] {
  const hooks = (configuration["webhooks"] ?? []) as readonly Hook[];
  return hooks.map((hook, index) => ({
    hook,
    key: `${configuration.metadata.name}/${hook.name}/${index}`,
    conditions: hook.matchConditions?.length
      ? madeOnce(({ Conditions }) => new Conditions(hook.matchConditions!, false))
      : undefined,
  }));
}

/**
 * Reports whether webhooks can be called for a write: there is a webhook, and the write is no
 * review and concerns no webhook configuration or policy. Rules are not matched.
 */
export function mayConcern(
  hooks: readonly ConfiguredHook[],
  attributes: AdmissionAttributes,
): boolean {
  return hooks.length > 0 && !isExempt(attributes) && !isReview(attributes);
}

/**
 * Returns the resource and kind with which a webhook matches a write; `undefined` if the webhook is
 * not to be called.
 *
 * @throws {StatusError} 403 if the webhook's match conditions cannot be evaluated; 404 if the
 * webhook has a namespace selector, and the namespace of the write does not exist; the error of a
 * failed conversion to the version in which the webhook matches.
 */
export async function invocationOf(
  { hook, conditions }: ConfiguredHook,
  attributes: AdmissionAttributes,
  registry: Registry,
  ports: AdmissionPorts,
): Promise<Match | undefined> {
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
  const code = await EXPRESSIONS.get();
  const variables = code.expressionVariables({
    attributes,
    match,
    object: await asMatched(request.object, match, attributes),
    old: await asMatched(request.old, match, attributes),
    authorizer: ports.authorize,
  });
  const ignore = hook.failurePolicy === "Ignore";
  const result = await request.context.work.run(conditions(code).check(variables, ignore));
  if ("problem" in result) {
    const { group, resource } = attributes.resource;
    throw forbidden({ group, resource }, attributes.name, result.problem);
  }
  return result.matches ? match : undefined;
}
