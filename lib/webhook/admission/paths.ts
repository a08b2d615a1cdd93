// Mirrors sigs.k8s.io/controller-runtime/pkg/builder/webhook.go, generateMutatePath.
import type { ResourceType } from "@xca/apimachinery/meta";

/** The URL path of a webhook server at which it converts objects of all kinds. */
export const CONVERT_PATH = "/convert";

/**
 * Returns the URL path of the defaulter of a kind on a webhook server, as in kubebuilder:
 * `/mutate-apps-v1-deployment`, and `/mutate--v1-pod` in the core group. A subresource follows the
 * kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Deployment } from "@xca/operator/meta";
 * import { mutatePath } from "@xca/operator/webhook";
 *
 * assert.equal(mutatePath(Deployment), "/mutate-apps-v1-deployment");
 * ```
 */
export function mutatePath(type: ResourceType, subresource = ""): string {
  return `/mutate-${namesOf(type, subresource)}`;
}

/**
 * Returns the URL path of the validator of a kind on a webhook server, as in kubebuilder:
 * `/validate-apps-v1-deployment`, and `/validate--v1-pod` in the core group. A subresource follows
 * the kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Deployment, Pod } from "@xca/operator/meta";
 * import { validatePath } from "@xca/operator/webhook";
 *
 * assert.equal(validatePath(Pod), "/validate--v1-pod");
 * assert.equal(validatePath(Deployment, "scale"), "/validate-apps-v1-deployment-scale");
 * ```
 */
export function validatePath(type: ResourceType, subresource = ""): string {
  return `/validate-${namesOf(type, subresource)}`;
}

function namesOf({ group, version, kind }: ResourceType, subresource: string): string {
  const names = [group.replaceAll(".", "-"), version, kind.toLowerCase()];
  return [...names, ...(subresource === "" ? [] : [subresource])].join("-");
}
