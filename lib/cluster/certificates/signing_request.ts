// Mirrors `controller/certificates/certificate_controller_utils.go, IsCertificateRequestApproved`.
import type { V1CertificateSigningRequest } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A deeply read-only CertificateSigningRequest. */
export type ReadRequest = DeepReadonly<V1CertificateSigningRequest>;
/** A condition of a CertificateSigningRequest. */
export type RequestCondition = NonNullable<
  NonNullable<V1CertificateSigningRequest["status"]>["conditions"]
>[number];

/** A record of the names of the signers that kube-controller-manager implements. */
export const SIGNER = {
  apiserverClient: "kubernetes.io/kube-apiserver-client",
  kubeletClient: "kubernetes.io/kube-apiserver-client-kubelet",
  kubeletServing: "kubernetes.io/kubelet-serving",
  legacyUnknown: "kubernetes.io/legacy-unknown",
} as const;

/**
 * Returns the conditions of a CertificateSigningRequest that have the given type, whatever their
 * status.
 */
export function conditionsOf(
  { status }: ReadRequest,
  type: string,
): DeepReadonly<RequestCondition>[] {
  return (status?.conditions ?? []).filter((condition) => condition.type === type);
}

/**
 * Reports whether a CertificateSigningRequest has a condition `Approved` and no condition `Denied`,
 * whatever the status of the conditions.
 */
export function isApproved(request: ReadRequest): boolean {
  return conditionsOf(request, "Approved").length > 0 &&
    conditionsOf(request, "Denied").length === 0;
}

/** Reports whether the status of a CertificateSigningRequest contains the issued certificate. */
export function isIssued({ status }: ReadRequest): boolean {
  return Boolean(status?.certificate);
}
