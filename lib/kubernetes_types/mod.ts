/**
 * The types of Kubernetes' own kinds, for `resourceType<V1Deployment>(...)` and for reading what a
 * client brings: the models of `@kubernetes/client-node` as JSON carries them. Nothing of that
 * package is loaded at run time.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { resourceType } from "@xca/operator/meta";
 * import type { V1Deployment } from "@xca/operator/kubernetes-types";
 *
 * const Deployment = resourceType<V1Deployment>({
 *   group: "apps",
 *   version: "v1",
 *   kind: "Deployment",
 *   plural: "deployments",
 * });
 * const web: V1Deployment = {
 *   metadata: { name: "web" },
 *   spec: {
 *     replicas: 2,
 *     selector: { matchLabels: { app: "web" } },
 *     template: { spec: { containers: [{ name: "web", image: "nginx" }] } },
 *   },
 * };
 * assert(Deployment.id === "deployments.v1.apps" && web.spec?.replicas === 2);
 * ```
 *
 * @module
 */
export type {
  CoreV1Event,
  EventsV1Event,
  Models,
  V1APIService,
  V1Binding,
  V1CertificateSigningRequest,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1ControllerRevision,
  V1CronJob,
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1DeviceClass,
  V1Endpoints,
  V1EndpointSlice,
  V1Eviction,
  V1FlowSchema,
  V1HorizontalPodAutoscaler,
  V1Ingress,
  V1IngressClass,
  V1IPAddress,
  V1Job,
  V1Lease,
  V1LimitRange,
  V1LocalSubjectAccessReview,
  V1MutatingWebhookConfiguration,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1PodTemplate,
  V1PriorityClass,
  V1PriorityLevelConfiguration,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceClaim,
  V1ResourceClaimTemplate,
  V1ResourceQuota,
  V1ResourceSlice,
  V1Role,
  V1RoleBinding,
  V1RuntimeClass,
  V1Scale,
  V1Secret,
  V1SelfSubjectAccessReview,
  V1SelfSubjectReview,
  V1SelfSubjectRulesReview,
  V1Service,
  V1ServiceAccount,
  V1ServiceCIDR,
  V1StatefulSet,
  V1StorageClass,
  V1SubjectAccessReview,
  V1TokenRequest,
  V1TokenReview,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
  V1ValidatingWebhookConfiguration,
  V1VolumeAttachment,
  V1VolumeAttributesClass,
  V2HorizontalPodAutoscaler,
  WireKind,
} from "./kinds.ts";
export type { Dashed, Wire, WireName, WireObject } from "./wire.ts";
