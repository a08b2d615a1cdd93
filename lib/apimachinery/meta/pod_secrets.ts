// Mirrors `api/pod/util.go, VisitPodSecretNames`.
import type { V1Container } from "../kubernetes_types/types/core_v1_containers.ts";
import type { V1PodSpec } from "../kubernetes_types/types/core_v1_pods.ts";
import type { V1Volume } from "../kubernetes_types/types/core_v1_volumes.ts";

/** A pod, of which only the field `spec` is read. */
interface PodOfSecrets {
  readonly spec?: Partial<V1PodSpec> | undefined;
}

/** The source of a pod's volume, with the fields that name Secrets for the kubelet to read. */
interface VolumeSource {
  readonly secretRef?: { readonly name?: string };
  readonly nodePublishSecretRef?: { readonly name?: string };
}

/**
 * Returns the names of the Secrets that a pod's spec refers to (for image pulls, variables and
 * volumes; optional ones included), some perhaps several times.
 */
export function podSecretNames({ spec = {} }: PodOfSecrets): string[] {
  const { imagePullSecrets = [], volumes = [] } = spec;
  const containers = [
    ...spec.initContainers ?? [],
    ...spec.containers ?? [],
    ...spec.ephemeralContainers ?? [],
  ];
  const names = [
    ...imagePullSecrets.map(({ name }) => name),
    ...containers.flatMap(secretsOfContainer),
    ...volumes.flatMap(secretsOfVolume),
  ];
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function secretsOfContainer(
  { env = [], envFrom = [] }: Pick<V1Container, "env" | "envFrom">,
): (string | undefined)[] {
  return [
    ...envFrom.map(({ secretRef }) => secretRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
  ];
}

function secretsOfVolume(volume: V1Volume): (string | undefined)[] {
  const { name: _, secret, azureFile, projected, ...others } = volume;
  const sources = Object.values(others) as (VolumeSource | undefined)[];
  return [
    secret?.secretName,
    azureFile?.secretName,
    ...projected?.sources?.map((source) => source.secret?.name) ?? [],
    ...sources.flatMap((source) => [source?.secretRef?.name, source?.nodePublishSecretRef?.name]),
  ];
}
