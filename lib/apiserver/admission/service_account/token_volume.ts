// Mirrors `serviceaccount/admission.go, Plugin.mountServiceAccountToken`.
import type { V1Container, V1PodSpec, V1Volume } from "@xca/apimachinery/kubernetes-types";

const PREFIX = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
/**
 * The expiration of service account tokens in pods, in seconds; the API server accepts such tokens
 * for a year.
 */
const TOKEN_SECONDS = 3607;
const FILE_MODE = 0o644;

/** The containers and volumes of a pod's spec. */
type Spec = Partial<Pick<V1PodSpec, "containers" | "initContainers" | "volumes">>;

/**
 * Mounts a service account token, in place, in each init container and container of a pod that
 * mounts nothing at the token's path. The mounted volume is an existing one whose name has the
 * prefix of token volumes, or a new one whose name is the prefix and the result of `suffix`.
 */
export function mountToken(spec: Spec, suffix: () => string): void {
  const existing = spec.volumes?.find(({ name }) => name?.startsWith(PREFIX));
  const lacking = [...spec.initContainers ?? [], ...spec.containers ?? []].filter(isWithoutToken);
  const name = existing?.name ?? PREFIX + suffix();
  for (const container of lacking) {
    const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
    container.volumeMounts = [...container.volumeMounts ?? [], mount];
  }
  if (!existing && lacking.length > 0) {
    spec.volumes = [...spec.volumes ?? [], tokenVolume(name)];
  }
}

function isWithoutToken({ volumeMounts = [] }: V1Container): boolean {
  return !volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH);
}

/**
 * Returns a projected volume of a service account token, the API server's CA certificate and the
 * pod's namespace.
 */
function tokenVolume(name: string): V1Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{
              path: "namespace",
              fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
            }],
          },
        },
      ],
      defaultMode: FILE_MODE,
    },
  };
}
