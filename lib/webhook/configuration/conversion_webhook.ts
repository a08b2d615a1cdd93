import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CONVERT_PATH } from "../admission/paths.ts";
import { clientConfigOf, injectionOf, type WebhookAddress } from "./webhook_address.ts";

/**
 * Returns a copy of a CustomResourceDefinition whose objects a webhook server converts between
 * their versions, at `/convert`; earlier conversion settings are replaced. With `certManager` the
 * copy also has the annotation by which cert-manager writes the authorities into `caBundle`.
 *
 * @throws {TypeError} When the address has not exactly one of Service and URL, or the URL is not
 * `https` or has a user, query or fragment.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 * import { withConversionWebhook } from "@xca/operator/webhook";
 *
 * const crd: V1CustomResourceDefinition = {
 *   metadata: { name: "desktops.example.com" },
 *   spec: {
 *     group: "example.com",
 *     names: { plural: "desktops", kind: "Desktop" },
 *     scope: "Namespaced",
 *     versions: [],
 *   },
 * };
 * const { spec } = withConversionWebhook(crd, { url: "https://192.168.1.7:9443" });
 * assert.equal(spec.conversion?.webhook?.clientConfig?.url, "https://192.168.1.7:9443/convert");
 * ```
 */
export function withConversionWebhook<T extends V1CustomResourceDefinition>(
  crd: T,
  address: WebhookAddress,
): T {
  const { annotations } = injectionOf(address);
  return {
    ...crd,
    metadata: {
      ...crd.metadata,
      ...(annotations && { annotations: { ...crd.metadata.annotations, ...annotations } }),
    },
    spec: {
      ...crd.spec,
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: clientConfigOf(address, CONVERT_PATH),
          conversionReviewVersions: ["v1"],
        },
      },
    },
  };
}
