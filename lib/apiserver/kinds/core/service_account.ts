import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { KindStrategy } from "../../machinery/strategy.ts";

const ENFORCE = "kubernetes.io/enforce-mountable-secrets";

/** What is particular to ServiceAccounts: of a secret only the name is kept, and nothing is checked. */
export const serviceAccountStrategy: KindStrategy = {
  validateName: subdomainNameProblems,
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings({ metadata }, old): readonly string[] {
    const has = metadata.annotations?.[ENFORCE] !== undefined;
    if (!has || old?.metadata.annotations?.[ENFORCE] !== undefined) return [];
    return [
      `metadata.annotations[${ENFORCE}]: deprecated in v1.32+; ` +
      "prefer separate namespaces to isolate access to mounted secrets",
    ];
  },
};

function keepSecretNames(account: ApiObject): void {
  const { secrets } = account as { secrets?: readonly { readonly name?: string }[] };
  if (!secrets) return;
  account.secrets = secrets.map(({ name }) => name ? { name } : {});
}
