import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { ApiError, type Client } from "../../lib/client/mod.ts";
import { type WebhookConfiguration, webhookDeadlocks } from "../../lib/webhook/mod.ts";

/**
 * Returns the webhooks that can keep the pods of a namespace from starting, since the server of the
 * webhook is itself one of these pods, as sentences with the remedy; an empty list if there are
 * none or the server refuses to list the configurations.
 */
export async function webhookRefusals(client: Client, namespace: string): Promise<string[]> {
  try {
    const [mutating, validating] = await Promise.all([
      client.list(MutatingWebhookConfiguration),
      client.list(ValidatingWebhookConfiguration),
    ]);
    const all: WebhookConfiguration[] = [...mutating.items, ...validating.items];
    return webhookDeadlocks(all.map((each) => servedFrom(each, namespace)))
      .map(({ message }) => message);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/**
 * Returns a webhook configuration with only those webhooks whose server is in the given namespace.
 */
function servedFrom(configuration: WebhookConfiguration, namespace: string): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []) as NonNullable<
    Extract<WebhookConfiguration, { kind?: "MutatingWebhookConfiguration" }>["webhooks"]
  >;
  const own = webhooks.filter(({ clientConfig }) => clientConfig.service?.namespace === namespace);
  return { ...configuration, webhooks: own } as WebhookConfiguration;
}
