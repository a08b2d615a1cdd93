import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const ENFORCE = "kubernetes.io/enforce-mountable-secrets";

/**
 * The strategy of ServiceAccounts (registry/core/serviceaccount, `Strategy`), which stores only the
 * `name` of each reference in `secrets`, validates only the ServiceAccount's name, and warns when
 * the annotation `kubernetes.io/enforce-mountable-secrets` is added.
 */
export const serviceAccountStrategy: KindStrategy = typedStrategy<V1ServiceAccount>({
  validateName: subdomainNameProblems,
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings({ metadata }, old): readonly string[] {
    const has = metadata?.annotations?.[ENFORCE] !== undefined;
    if (!has || old?.metadata?.annotations?.[ENFORCE] !== undefined) return [];
    return [
      `metadata.annotations[${ENFORCE}]: deprecated in v1.32+; ` +
      "prefer separate namespaces to isolate access to mounted secrets",
    ];
  },
});

function keepSecretNames(account: V1ServiceAccount): void {
  const { secrets } = account;
  if (secrets) account.secrets = secrets.map(({ name }) => name ? { name } : {});
}
