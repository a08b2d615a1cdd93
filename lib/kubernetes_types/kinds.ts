import type { WireObject } from "./wire.ts";

/** The models of `@kubernetes/client-node`, by their names there. */
export type Models = typeof import("@kubernetes/client-node");

/**
 * A kind as an object of this package, by the name of its model in `@kubernetes/client-node`: for those
 * that have no type of their own here.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { WireKind } from "@xca/operator/kubernetes-types";
 *
 * const cidr: WireKind<"V1beta1ServiceCIDR"> = { metadata: { name: "more" } };
 * assert(cidr.metadata.name === "more");
 * ```
 */
export type WireKind<Name extends keyof Models> = Models[Name] extends
  abstract new (...args: never) => infer Model
  ? Model extends { metadata?: unknown } ? WireObject<Model> : never
  : never;

/** The core group's `Event` of version `v1`. */
export type CoreV1Event = WireKind<"CoreV1Event">;

/** `events.k8s.io`'s `Event` of version `v1`. */
export type EventsV1Event = WireKind<"EventsV1Event">;

/** A `APIService` of version `v1`. */
export type V1APIService = WireKind<"V1APIService">;

/** A `Binding` of version `v1`. */
export type V1Binding = WireKind<"V1Binding">;

/** A `CSIDriver` of version `v1`. */
export type V1CSIDriver = WireKind<"V1CSIDriver">;

/** A `CSINode` of version `v1`. */
export type V1CSINode = WireKind<"V1CSINode">;

/** A `CSIStorageCapacity` of version `v1`. */
export type V1CSIStorageCapacity = WireKind<"V1CSIStorageCapacity">;

/** A `CertificateSigningRequest` of version `v1`. */
export type V1CertificateSigningRequest = WireKind<"V1CertificateSigningRequest">;

/** A `ClusterRole` of version `v1`. */
export type V1ClusterRole = WireKind<"V1ClusterRole">;

/** A `ClusterRoleBinding` of version `v1`. */
export type V1ClusterRoleBinding = WireKind<"V1ClusterRoleBinding">;

/** A `ConfigMap` of version `v1`. */
export type V1ConfigMap = WireKind<"V1ConfigMap">;

/** A `ControllerRevision` of version `v1`. */
export type V1ControllerRevision = WireKind<"V1ControllerRevision">;

/** A `CronJob` of version `v1`. */
export type V1CronJob = WireKind<"V1CronJob">;

/** A `CustomResourceDefinition` of version `v1`. */
export type V1CustomResourceDefinition = WireKind<"V1CustomResourceDefinition">;

/** A `DaemonSet` of version `v1`. */
export type V1DaemonSet = WireKind<"V1DaemonSet">;

/** A `Deployment` of version `v1`. */
export type V1Deployment = WireKind<"V1Deployment">;

/** A `DeviceClass` of version `v1`. */
export type V1DeviceClass = WireKind<"V1DeviceClass">;

/** A `EndpointSlice` of version `v1`. */
export type V1EndpointSlice = WireKind<"V1EndpointSlice">;

/** A `Endpoints` of version `v1`. */
export type V1Endpoints = WireKind<"V1Endpoints">;

/** A `Eviction` of version `v1`. */
export type V1Eviction = WireKind<"V1Eviction">;

/** A `FlowSchema` of version `v1`. */
export type V1FlowSchema = WireKind<"V1FlowSchema">;

/** A `HorizontalPodAutoscaler` of version `v1`. */
export type V1HorizontalPodAutoscaler = WireKind<"V1HorizontalPodAutoscaler">;

/** A `IPAddress` of version `v1`. */
export type V1IPAddress = WireKind<"V1IPAddress">;

/** A `Ingress` of version `v1`. */
export type V1Ingress = WireKind<"V1Ingress">;

/** A `IngressClass` of version `v1`. */
export type V1IngressClass = WireKind<"V1IngressClass">;

/** A `Job` of version `v1`. */
export type V1Job = WireKind<"V1Job">;

/** A `Lease` of version `v1`. */
export type V1Lease = WireKind<"V1Lease">;

/** A `LimitRange` of version `v1`. */
export type V1LimitRange = WireKind<"V1LimitRange">;

/** A `LocalSubjectAccessReview` of version `v1`. */
export type V1LocalSubjectAccessReview = WireKind<"V1LocalSubjectAccessReview">;

/** A `MutatingWebhookConfiguration` of version `v1`. */
export type V1MutatingWebhookConfiguration = WireKind<"V1MutatingWebhookConfiguration">;

/** A `Namespace` of version `v1`. */
export type V1Namespace = WireKind<"V1Namespace">;

/** A `NetworkPolicy` of version `v1`. */
export type V1NetworkPolicy = WireKind<"V1NetworkPolicy">;

/** A `Node` of version `v1`. */
export type V1Node = WireKind<"V1Node">;

/** A `PersistentVolume` of version `v1`. */
export type V1PersistentVolume = WireKind<"V1PersistentVolume">;

/** A `PersistentVolumeClaim` of version `v1`. */
export type V1PersistentVolumeClaim = WireKind<"V1PersistentVolumeClaim">;

/** A `Pod` of version `v1`. */
export type V1Pod = WireKind<"V1Pod">;

/** A `PodDisruptionBudget` of version `v1`. */
export type V1PodDisruptionBudget = WireKind<"V1PodDisruptionBudget">;

/** A `PodTemplate` of version `v1`. */
export type V1PodTemplate = WireKind<"V1PodTemplate">;

/** A `PriorityClass` of version `v1`. */
export type V1PriorityClass = WireKind<"V1PriorityClass">;

/** A `PriorityLevelConfiguration` of version `v1`. */
export type V1PriorityLevelConfiguration = WireKind<"V1PriorityLevelConfiguration">;

/** A `ReplicaSet` of version `v1`. */
export type V1ReplicaSet = WireKind<"V1ReplicaSet">;

/** A `ReplicationController` of version `v1`. */
export type V1ReplicationController = WireKind<"V1ReplicationController">;

/** A `ResourceClaim` of version `v1`. */
export type V1ResourceClaim = WireKind<"ResourceV1ResourceClaim">;

/** A `ResourceClaimTemplate` of version `v1`. */
export type V1ResourceClaimTemplate = WireKind<"V1ResourceClaimTemplate">;

/** A `ResourceQuota` of version `v1`. */
export type V1ResourceQuota = WireKind<"V1ResourceQuota">;

/** A `ResourceSlice` of version `v1`. */
export type V1ResourceSlice = WireKind<"V1ResourceSlice">;

/** A `Role` of version `v1`. */
export type V1Role = WireKind<"V1Role">;

/** A `RoleBinding` of version `v1`. */
export type V1RoleBinding = WireKind<"V1RoleBinding">;

/** A `RuntimeClass` of version `v1`. */
export type V1RuntimeClass = WireKind<"V1RuntimeClass">;

/** A `Scale` of version `v1`. */
export type V1Scale = WireKind<"V1Scale">;

/** A `Secret` of version `v1`. */
export type V1Secret = WireKind<"V1Secret">;

/** A `SelfSubjectAccessReview` of version `v1`. */
export type V1SelfSubjectAccessReview = WireKind<"V1SelfSubjectAccessReview">;

/** A `SelfSubjectReview` of version `v1`. */
export type V1SelfSubjectReview = WireKind<"V1SelfSubjectReview">;

/** A `SelfSubjectRulesReview` of version `v1`. */
export type V1SelfSubjectRulesReview = WireKind<"V1SelfSubjectRulesReview">;

/** A `Service` of version `v1`. */
export type V1Service = WireKind<"V1Service">;

/** A `ServiceAccount` of version `v1`. */
export type V1ServiceAccount = WireKind<"V1ServiceAccount">;

/** A `ServiceCIDR` of version `v1`. */
export type V1ServiceCIDR = WireKind<"V1ServiceCIDR">;

/** A `StatefulSet` of version `v1`. */
export type V1StatefulSet = WireKind<"V1StatefulSet">;

/** A `StorageClass` of version `v1`. */
export type V1StorageClass = WireKind<"V1StorageClass">;

/** A `SubjectAccessReview` of version `v1`. */
export type V1SubjectAccessReview = WireKind<"V1SubjectAccessReview">;

/** A `TokenRequest` of version `v1`. */
export type V1TokenRequest = WireKind<"AuthenticationV1TokenRequest">;

/** A `TokenReview` of version `v1`. */
export type V1TokenReview = WireKind<"V1TokenReview">;

/** A `ValidatingAdmissionPolicy` of version `v1`. */
export type V1ValidatingAdmissionPolicy = WireKind<"V1ValidatingAdmissionPolicy">;

/** A `ValidatingAdmissionPolicyBinding` of version `v1`. */
export type V1ValidatingAdmissionPolicyBinding = WireKind<"V1ValidatingAdmissionPolicyBinding">;

/** A `ValidatingWebhookConfiguration` of version `v1`. */
export type V1ValidatingWebhookConfiguration = WireKind<"V1ValidatingWebhookConfiguration">;

/** A `VolumeAttachment` of version `v1`. */
export type V1VolumeAttachment = WireKind<"V1VolumeAttachment">;

/** A `VolumeAttributesClass` of version `v1`. */
export type V1VolumeAttributesClass = WireKind<"V1VolumeAttributesClass">;

/** A `HorizontalPodAutoscaler` of version `v2`. */
export type V2HorizontalPodAutoscaler = WireKind<"V2HorizontalPodAutoscaler">;
