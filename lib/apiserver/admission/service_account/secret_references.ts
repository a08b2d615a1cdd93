// Mirrors `serviceaccount/admission.go, Plugin.limitSecretReferences` and
// `serviceaccount/admission.go, Plugin.limitEphemeralContainerSecretReferences`.
import type { V1Container, V1Pod, V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";

/** A pod in admission: its spec, and every field of the spec, may be absent. */
export interface PodOfAccount extends Omit<V1Pod, "spec"> {
  spec?: Partial<NonNullable<V1Pod["spec"]>>;
}

/**
 * Returns the error message about the first Secret in a `secret` volume, in the environment of a
 * regular or init container or in `imagePullSecrets` of a pod that the pod's service account does
 * not reference; `undefined` if there is none.
 */
export function disallowedSecret(
  { spec = {} }: PodOfAccount,
  account: V1ServiceAccount,
): string | undefined {
  const isMountable = mountableBy(account);
  const { volumes = [], initContainers = [], containers = [], imagePullSecrets = [] } = spec;
  const volume = volumes.find(({ secret }) => secret && !isMountable(secret.secretName));
  if (volume) {
    const text = `volume with secret.secretName="${volume.secret!.secretName ?? ""}"`;
    return notReferenced(text, account);
  }
  const problem = disallowedVariable("init container", initContainers, account) ??
    disallowedVariable("container", containers, account);
  if (problem !== undefined) return problem;
  const pullSecrets = account.imagePullSecrets?.map(({ name }) => name ?? "") ?? [];
  const index = imagePullSecrets.findIndex(({ name }) => !pullSecrets.includes(name ?? ""));
  if (index < 0) return undefined;
  const text = `imagePullSecrets[${index}].name="${imagePullSecrets[index]!.name ?? ""}"`;
  return notReferenced(text, account, "imagePullSecret");
}

/**
 * Returns the error message about the first Secret in `env` or `envFrom` of a pod's ephemeral
 * containers that the pod's service account does not reference; `undefined` if there is none.
 */
export function disallowedEphemeralSecret(
  { spec = {} }: PodOfAccount,
  account: V1ServiceAccount,
): string | undefined {
  return disallowedVariable("ephemeral container", spec.ephemeralContainers ?? [], account);
}

/**
 * Returns the error message about the first Secret in `env` (`secretKeyRef`) or `envFrom`
 * (`secretRef`) of the containers that the service account does not reference; `undefined` if there
 * is none.
 */
function disallowedVariable(
  kind: string,
  containers: readonly Pick<V1Container, "name" | "env" | "envFrom">[],
  account: V1ServiceAccount,
): string | undefined {
  const isMountable = mountableBy(account);
  for (const { name: container, env = [], envFrom = [] } of containers) {
    for (const { name, valueFrom } of env) {
      const { secretKeyRef: ref } = valueFrom ?? {};
      if (!ref || isMountable(ref.name)) continue;
      const text = `${kind} ${container} with envVar ${name} referencing secret.secretName="${
        ref.name ?? ""
      }"`;
      return notReferenced(text, account);
    }
    for (const { secretRef } of envFrom) {
      if (!secretRef || isMountable(secretRef.name)) continue;
      const text = `${kind} ${container} with envFrom referencing secret.secretName="${
        secretRef.name ?? ""
      }"`;
      return notReferenced(text, account);
    }
  }
  return undefined;
}

function mountableBy({ secrets = [] }: V1ServiceAccount): (name: string | undefined) => boolean {
  const names = secrets.map(({ name }) => name ?? "");
  return (name) => names.includes(name ?? "");
}

function notReferenced(what: string, { metadata }: V1ServiceAccount, kind = "secret"): string {
  return `${what} is not allowed because service account ${metadata.name} does not reference ` +
    `that ${kind}`;
}
