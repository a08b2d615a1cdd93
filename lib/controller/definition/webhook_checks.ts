import { described } from "@xca/apimachinery/internal/base";
import type { OperatorWebhook } from "./operator_webhook.ts";

/**
 * Throws unless the webhooks of an operator are valid; `failure` begins the message.
 *
 * @throws {TypeError} When `webhooks` is not an array, a value is not a webhook, a webhook has
 * neither registrations nor rules, or two registrations have one path.
 */
export function checkWebhooks(failure: string, webhooks: readonly OperatorWebhook[]): void {
  if (!Array.isArray(webhooks)) {
    throw new TypeError(`${failure}: webhooks must be an array, is ${described(webhooks)}`);
  }
  const kinds = new Map<string, string>();
  for (const [at, webhook] of (webhooks as readonly OperatorWebhook[]).entries()) {
    const { type, registrations, rules } = (webhook ?? {}) as Partial<OperatorWebhook>;
    const isWebhook = typeof type?.kind === "string" && Array.isArray(registrations) &&
      Array.isArray(rules);
    if (!isWebhook) {
      throw new TypeError(
        `${failure}: webhooks[${at}] must be made by webhookFor(...) of @xca/operator/webhook, ` +
          `is ${described(webhook)}`,
      );
    }
    if (registrations!.length === 0 && rules!.length === 0) {
      throw new TypeError(
        `${failure}: webhooks[${at}] for ${type.kind} does nothing; ` +
          `add .defaulter(...), .validator(...) or .rule(...)`,
      );
    }
    for (const { path } of registrations!) {
      const other = kinds.get(path);
      if (other !== undefined) {
        throw new TypeError(
          `${failure}: the webhooks for ${other} and ${type.kind} are both served at ${path}; ` +
            `put defaulter and validator into one webhookFor(...), or give one another path`,
        );
      }
      kinds.set(path, type.kind);
    }
  }
}
