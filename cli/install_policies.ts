import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import {
  type ResourceType,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@xca/apimachinery/meta";
import { applyPatch, type Client, ConfigError } from "../lib/client/mod.ts";
import type { Operator } from "../lib/controller/mod.ts";
import type { policiesOf } from "../lib/webhook/mod.ts";

/**
 * The ValidatingAdmissionPolicies that are generated from the CEL rules of an operator's webhooks,
 * and their bindings, in one list.
 */
export type Policies = ReturnType<typeof policiesOf>;

/**
 * Checks the CEL rules of an operator's webhooks, and returns the admission policies that contain
 * them, with the bindings of the policies; an empty list if no webhook has a rule.
 *
 * @throws {ConfigError} When a rule is invalid.
 */
export async function checkedPolicies(operator: Operator): Promise<Policies> {
  // An operator of another version of the library may have no webhooks.
  const { webhooks = [] } = operator;
  if (webhooks.every(({ rules }) => rules.length === 0)) return [];
  const { checkRules, policiesOf } = await import("../lib/webhook/mod.ts");
  try {
    await checkRules(operator);
    return policiesOf(operator);
  } catch (error) {
    throw new ConfigError(errorText(error), { cause: error });
  }
}

/**
 * Applies admission policies and their bindings by server-side apply as `kubectl-xca`, with
 * `force`; applying equal ones again changes nothing. Logs the name of each policy.
 *
 * @throws {ApiError} When the server refuses a policy or a binding.
 */
export async function installPolicies(
  client: Client,
  policies: Policies,
  signal: AbortSignal,
): Promise<void> {
  for (const policy of policies) {
    const type: ResourceType = policy.kind === "ValidatingAdmissionPolicy"
      ? ValidatingAdmissionPolicy
      : ValidatingAdmissionPolicyBinding;
    const name = policy.metadata.name!;
    const patch = applyPatch(policy, { fieldManager: "kubectl-xca", force: true });
    await client.patch(type, name, patch, { signal });
    if (type === ValidatingAdmissionPolicy) {
      getLogger("xca").info("Installed", { policy: name });
    }
  }
}
