// Written by `deno task facts:dump`.
import type {
  V1MutatingAdmissionPolicy,
  V1MutatingAdmissionPolicyBinding,
  V1MutatingWebhookConfiguration,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
  V1ValidatingWebhookConfiguration,
} from "../kubernetes_types/types/admissionregistration_v1.ts";
import type { V1CustomResourceDefinition } from "../kubernetes_types/types/apiextensions_v1.ts";
import type { V1APIService } from "../kubernetes_types/types/apiregistration_v1.ts";
import type {
  V1ControllerRevision,
  V1DaemonSet,
  V1Deployment,
  V1ReplicaSet,
  V1StatefulSet,
} from "../kubernetes_types/types/apps_v1.ts";
import type {
  V1SelfSubjectReview,
  V1TokenReview,
} from "../kubernetes_types/types/authentication_v1.ts";
import type {
  V1LocalSubjectAccessReview,
  V1SelfSubjectAccessReview,
  V1SelfSubjectRulesReview,
  V1SubjectAccessReview,
} from "../kubernetes_types/types/authorization_v1.ts";
import type { V1HorizontalPodAutoscaler } from "../kubernetes_types/types/autoscaling_v1.ts";
import type { V2HorizontalPodAutoscaler } from "../kubernetes_types/types/autoscaling_v2.ts";
import type { V1CronJob, V1Job } from "../kubernetes_types/types/batch_v1.ts";
import type {
  V1CertificateSigningRequest,
  V1ClusterTrustBundle,
  V1PodCertificateRequest,
} from "../kubernetes_types/types/certificates_v1.ts";
import type { V1Lease } from "../kubernetes_types/types/coordination_v1.ts";
import type {
  CoreV1Event,
  V1Binding,
  V1ComponentStatus,
  V1ConfigMap,
  V1Endpoints,
  V1LimitRange,
  V1Namespace,
  V1Node,
  V1ResourceQuota,
  V1Secret,
  V1Service,
  V1ServiceAccount,
} from "../kubernetes_types/types/core_v1.ts";
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
} from "../kubernetes_types/types/core_v1_persistent_volumes.ts";
import type {
  V1Pod,
  V1PodTemplate,
  V1ReplicationController,
} from "../kubernetes_types/types/core_v1_pods.ts";
import type { V1EndpointSlice } from "../kubernetes_types/types/discovery_v1.ts";
import type { EventsV1Event } from "../kubernetes_types/types/events_v1.ts";
import type {
  V1FlowSchema,
  V1PriorityLevelConfiguration,
} from "../kubernetes_types/types/flowcontrol_v1.ts";
import type {
  V1Ingress,
  V1IngressClass,
  V1IPAddress,
  V1NetworkPolicy,
  V1ServiceCIDR,
} from "../kubernetes_types/types/networking_v1.ts";
import type { V1RuntimeClass } from "../kubernetes_types/types/node_v1.ts";
import type { V1PodDisruptionBudget } from "../kubernetes_types/types/policy_v1.ts";
import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Role,
  V1RoleBinding,
} from "../kubernetes_types/types/rbac_v1.ts";
import type {
  V1DeviceClass,
  V1DeviceTaintRule,
  V1ResourceClaim,
  V1ResourceClaimTemplate,
  V1ResourceSlice,
} from "../kubernetes_types/types/resource_v1.ts";
import type { V1PriorityClass } from "../kubernetes_types/types/scheduling_v1.ts";
import type {
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1StorageClass,
  V1VolumeAttachment,
  V1VolumeAttributesClass,
} from "../kubernetes_types/types/storage_v1.ts";
import type { V1StorageVersionMigration } from "../kubernetes_types/types/storagemigration_v1.ts";
import { clusterScoped, namespaced } from "./builtin_type.ts";
import type { ResourceType } from "./resource_type.ts";

/** The resource type of `bindings` in `v1`. */
export const Binding: ResourceType<V1Binding> = /* @__PURE__ */ namespaced(
  "bindings.v1",
  "Binding",
);
/** The resource type of `componentstatuses` in `v1`, cluster-scoped. */
export const ComponentStatus: ResourceType<V1ComponentStatus> = /* @__PURE__ */ clusterScoped(
  "componentstatuses.v1",
  "ComponentStatus",
);
/** The resource type of `configmaps` in `v1`. */
export const ConfigMap: ResourceType<V1ConfigMap> = /* @__PURE__ */ namespaced(
  "configmaps.v1",
  "ConfigMap",
);
/** The resource type of `endpoints` in `v1`. */
export const Endpoints: ResourceType<V1Endpoints> = /* @__PURE__ */ namespaced(
  "endpoints.v1",
  "Endpoints",
);
/** The resource type of `events` in `v1`. */
export const Event: ResourceType<CoreV1Event> = /* @__PURE__ */ namespaced(
  "events.v1",
  "Event",
);
/** The resource type of `limitranges` in `v1`. */
export const LimitRange: ResourceType<V1LimitRange> = /* @__PURE__ */ namespaced(
  "limitranges.v1",
  "LimitRange",
);
/** The resource type of `namespaces` in `v1`, cluster-scoped. */
export const Namespace: ResourceType<V1Namespace> = /* @__PURE__ */ clusterScoped(
  "namespaces.v1",
  "Namespace",
);
/** The resource type of `nodes` in `v1`, cluster-scoped. */
export const Node: ResourceType<V1Node> = /* @__PURE__ */ clusterScoped(
  "nodes.v1",
  "Node",
);
/** The resource type of `persistentvolumeclaims` in `v1`. */
export const PersistentVolumeClaim: ResourceType<V1PersistentVolumeClaim> =
  /* @__PURE__ */ namespaced(
    "persistentvolumeclaims.v1",
    "PersistentVolumeClaim",
  );
/** The resource type of `persistentvolumes` in `v1`, cluster-scoped. */
export const PersistentVolume: ResourceType<V1PersistentVolume> = /* @__PURE__ */ clusterScoped(
  "persistentvolumes.v1",
  "PersistentVolume",
);
/** The resource type of `pods` in `v1`. */
export const Pod: ResourceType<V1Pod> = /* @__PURE__ */ namespaced(
  "pods.v1",
  "Pod",
);
/** The resource type of `podtemplates` in `v1`. */
export const PodTemplate: ResourceType<V1PodTemplate> = /* @__PURE__ */ namespaced(
  "podtemplates.v1",
  "PodTemplate",
);
/** The resource type of `replicationcontrollers` in `v1`. */
export const ReplicationController: ResourceType<V1ReplicationController> =
  /* @__PURE__ */ namespaced(
    "replicationcontrollers.v1",
    "ReplicationController",
  );
/** The resource type of `resourcequotas` in `v1`. */
export const ResourceQuota: ResourceType<V1ResourceQuota> = /* @__PURE__ */ namespaced(
  "resourcequotas.v1",
  "ResourceQuota",
);
/** The resource type of `secrets` in `v1`. */
export const Secret: ResourceType<V1Secret> = /* @__PURE__ */ namespaced(
  "secrets.v1",
  "Secret",
);
/** The resource type of `serviceaccounts` in `v1`. */
export const ServiceAccount: ResourceType<V1ServiceAccount> = /* @__PURE__ */ namespaced(
  "serviceaccounts.v1",
  "ServiceAccount",
);
/** The resource type of `services` in `v1`. */
export const Service: ResourceType<V1Service> = /* @__PURE__ */ namespaced(
  "services.v1",
  "Service",
);
/** The resource type of `apiservices` in `apiregistration.k8s.io/v1`, cluster-scoped. */
export const APIService: ResourceType<V1APIService> = /* @__PURE__ */ clusterScoped(
  "apiservices.v1.apiregistration.k8s.io",
  "APIService",
);
/** The resource type of `controllerrevisions` in `apps/v1`. */
export const ControllerRevision: ResourceType<V1ControllerRevision> = /* @__PURE__ */ namespaced(
  "controllerrevisions.v1.apps",
  "ControllerRevision",
);
/** The resource type of `daemonsets` in `apps/v1`. */
export const DaemonSet: ResourceType<V1DaemonSet> = /* @__PURE__ */ namespaced(
  "daemonsets.v1.apps",
  "DaemonSet",
);
/** The resource type of `deployments` in `apps/v1`. */
export const Deployment: ResourceType<V1Deployment> = /* @__PURE__ */ namespaced(
  "deployments.v1.apps",
  "Deployment",
);
/** The resource type of `replicasets` in `apps/v1`. */
export const ReplicaSet: ResourceType<V1ReplicaSet> = /* @__PURE__ */ namespaced(
  "replicasets.v1.apps",
  "ReplicaSet",
);
/** The resource type of `statefulsets` in `apps/v1`. */
export const StatefulSet: ResourceType<V1StatefulSet> = /* @__PURE__ */ namespaced(
  "statefulsets.v1.apps",
  "StatefulSet",
);
/** The resource type of `events` in `events.k8s.io/v1`. */
export const EventsEvent: ResourceType<EventsV1Event> = /* @__PURE__ */ namespaced(
  "events.v1.events.k8s.io",
  "Event",
);
/** The resource type of `selfsubjectreviews` in `authentication.k8s.io/v1`, cluster-scoped. */
export const SelfSubjectReview: ResourceType<V1SelfSubjectReview> = /* @__PURE__ */ clusterScoped(
  "selfsubjectreviews.v1.authentication.k8s.io",
  "SelfSubjectReview",
);
/** The resource type of `tokenreviews` in `authentication.k8s.io/v1`, cluster-scoped. */
export const TokenReview: ResourceType<V1TokenReview> = /* @__PURE__ */ clusterScoped(
  "tokenreviews.v1.authentication.k8s.io",
  "TokenReview",
);
/** The resource type of `localsubjectaccessreviews` in `authorization.k8s.io/v1`. */
export const LocalSubjectAccessReview: ResourceType<V1LocalSubjectAccessReview> =
  /* @__PURE__ */ namespaced(
    "localsubjectaccessreviews.v1.authorization.k8s.io",
    "LocalSubjectAccessReview",
  );
/** The resource type of `selfsubjectaccessreviews` in `authorization.k8s.io/v1`, cluster-scoped. */
export const SelfSubjectAccessReview: ResourceType<V1SelfSubjectAccessReview> =
  /* @__PURE__ */ clusterScoped(
    "selfsubjectaccessreviews.v1.authorization.k8s.io",
    "SelfSubjectAccessReview",
  );
/** The resource type of `selfsubjectrulesreviews` in `authorization.k8s.io/v1`, cluster-scoped. */
export const SelfSubjectRulesReview: ResourceType<V1SelfSubjectRulesReview> =
  /* @__PURE__ */ clusterScoped(
    "selfsubjectrulesreviews.v1.authorization.k8s.io",
    "SelfSubjectRulesReview",
  );
/** The resource type of `subjectaccessreviews` in `authorization.k8s.io/v1`, cluster-scoped. */
export const SubjectAccessReview: ResourceType<V1SubjectAccessReview> =
  /* @__PURE__ */ clusterScoped(
    "subjectaccessreviews.v1.authorization.k8s.io",
    "SubjectAccessReview",
  );
/** The resource type of `horizontalpodautoscalers` in `autoscaling/v2`. */
export const HorizontalPodAutoscaler: ResourceType<V2HorizontalPodAutoscaler> =
  /* @__PURE__ */ namespaced(
    "horizontalpodautoscalers.v2.autoscaling",
    "HorizontalPodAutoscaler",
  );
/** The resource type of `horizontalpodautoscalers` in `autoscaling/v1`. */
export const HorizontalPodAutoscalerV1: ResourceType<V1HorizontalPodAutoscaler> =
  /* @__PURE__ */ namespaced(
    "horizontalpodautoscalers.v1.autoscaling",
    "HorizontalPodAutoscaler",
  );
/** The resource type of `cronjobs` in `batch/v1`. */
export const CronJob: ResourceType<V1CronJob> = /* @__PURE__ */ namespaced(
  "cronjobs.v1.batch",
  "CronJob",
);
/** The resource type of `jobs` in `batch/v1`. */
export const Job: ResourceType<V1Job> = /* @__PURE__ */ namespaced(
  "jobs.v1.batch",
  "Job",
);
/** The resource type of `certificatesigningrequests` in `certificates.k8s.io/v1`, cluster-scoped. */
export const CertificateSigningRequest: ResourceType<V1CertificateSigningRequest> =
  /* @__PURE__ */ clusterScoped(
    "certificatesigningrequests.v1.certificates.k8s.io",
    "CertificateSigningRequest",
  );
/** The resource type of `clustertrustbundles` in `certificates.k8s.io/v1`, cluster-scoped. */
export const ClusterTrustBundle: ResourceType<V1ClusterTrustBundle> = /* @__PURE__ */ clusterScoped(
  "clustertrustbundles.v1.certificates.k8s.io",
  "ClusterTrustBundle",
);
/** The resource type of `podcertificaterequests` in `certificates.k8s.io/v1`. */
export const PodCertificateRequest: ResourceType<V1PodCertificateRequest> =
  /* @__PURE__ */ namespaced(
    "podcertificaterequests.v1.certificates.k8s.io",
    "PodCertificateRequest",
  );
/** The resource type of `ingressclasses` in `networking.k8s.io/v1`, cluster-scoped. */
export const IngressClass: ResourceType<V1IngressClass> = /* @__PURE__ */ clusterScoped(
  "ingressclasses.v1.networking.k8s.io",
  "IngressClass",
);
/** The resource type of `ingresses` in `networking.k8s.io/v1`. */
export const Ingress: ResourceType<V1Ingress> = /* @__PURE__ */ namespaced(
  "ingresses.v1.networking.k8s.io",
  "Ingress",
);
/** The resource type of `ipaddresses` in `networking.k8s.io/v1`, cluster-scoped. */
export const IPAddress: ResourceType<V1IPAddress> = /* @__PURE__ */ clusterScoped(
  "ipaddresses.v1.networking.k8s.io",
  "IPAddress",
);
/** The resource type of `networkpolicies` in `networking.k8s.io/v1`. */
export const NetworkPolicy: ResourceType<V1NetworkPolicy> = /* @__PURE__ */ namespaced(
  "networkpolicies.v1.networking.k8s.io",
  "NetworkPolicy",
);
/** The resource type of `servicecidrs` in `networking.k8s.io/v1`, cluster-scoped. */
export const ServiceCIDR: ResourceType<V1ServiceCIDR> = /* @__PURE__ */ clusterScoped(
  "servicecidrs.v1.networking.k8s.io",
  "ServiceCIDR",
);
/** The resource type of `poddisruptionbudgets` in `policy/v1`. */
export const PodDisruptionBudget: ResourceType<V1PodDisruptionBudget> = /* @__PURE__ */ namespaced(
  "poddisruptionbudgets.v1.policy",
  "PodDisruptionBudget",
);
/** The resource type of `clusterrolebindings` in `rbac.authorization.k8s.io/v1`, cluster-scoped. */
export const ClusterRoleBinding: ResourceType<V1ClusterRoleBinding> = /* @__PURE__ */ clusterScoped(
  "clusterrolebindings.v1.rbac.authorization.k8s.io",
  "ClusterRoleBinding",
);
/** The resource type of `clusterroles` in `rbac.authorization.k8s.io/v1`, cluster-scoped. */
export const ClusterRole: ResourceType<V1ClusterRole> = /* @__PURE__ */ clusterScoped(
  "clusterroles.v1.rbac.authorization.k8s.io",
  "ClusterRole",
);
/** The resource type of `rolebindings` in `rbac.authorization.k8s.io/v1`. */
export const RoleBinding: ResourceType<V1RoleBinding> = /* @__PURE__ */ namespaced(
  "rolebindings.v1.rbac.authorization.k8s.io",
  "RoleBinding",
);
/** The resource type of `roles` in `rbac.authorization.k8s.io/v1`. */
export const Role: ResourceType<V1Role> = /* @__PURE__ */ namespaced(
  "roles.v1.rbac.authorization.k8s.io",
  "Role",
);
/** The resource type of `csidrivers` in `storage.k8s.io/v1`, cluster-scoped. */
export const CSIDriver: ResourceType<V1CSIDriver> = /* @__PURE__ */ clusterScoped(
  "csidrivers.v1.storage.k8s.io",
  "CSIDriver",
);
/** The resource type of `csinodes` in `storage.k8s.io/v1`, cluster-scoped. */
export const CSINode: ResourceType<V1CSINode> = /* @__PURE__ */ clusterScoped(
  "csinodes.v1.storage.k8s.io",
  "CSINode",
);
/** The resource type of `csistoragecapacities` in `storage.k8s.io/v1`. */
export const CSIStorageCapacity: ResourceType<V1CSIStorageCapacity> = /* @__PURE__ */ namespaced(
  "csistoragecapacities.v1.storage.k8s.io",
  "CSIStorageCapacity",
);
/** The resource type of `storageclasses` in `storage.k8s.io/v1`, cluster-scoped. */
export const StorageClass: ResourceType<V1StorageClass> = /* @__PURE__ */ clusterScoped(
  "storageclasses.v1.storage.k8s.io",
  "StorageClass",
);
/** The resource type of `volumeattachments` in `storage.k8s.io/v1`, cluster-scoped. */
export const VolumeAttachment: ResourceType<V1VolumeAttachment> = /* @__PURE__ */ clusterScoped(
  "volumeattachments.v1.storage.k8s.io",
  "VolumeAttachment",
);
/** The resource type of `volumeattributesclasses` in `storage.k8s.io/v1`, cluster-scoped. */
export const VolumeAttributesClass: ResourceType<V1VolumeAttributesClass> =
  /* @__PURE__ */ clusterScoped(
    "volumeattributesclasses.v1.storage.k8s.io",
    "VolumeAttributesClass",
  );
/** The resource type of `mutatingadmissionpolicies` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const MutatingAdmissionPolicy: ResourceType<V1MutatingAdmissionPolicy> =
  /* @__PURE__ */ clusterScoped(
    "mutatingadmissionpolicies.v1.admissionregistration.k8s.io",
    "MutatingAdmissionPolicy",
  );
/** The resource type of `mutatingadmissionpolicybindings` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const MutatingAdmissionPolicyBinding: ResourceType<V1MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ clusterScoped(
    "mutatingadmissionpolicybindings.v1.admissionregistration.k8s.io",
    "MutatingAdmissionPolicyBinding",
  );
/** The resource type of `mutatingwebhookconfigurations` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const MutatingWebhookConfiguration: ResourceType<V1MutatingWebhookConfiguration> =
  /* @__PURE__ */ clusterScoped(
    "mutatingwebhookconfigurations.v1.admissionregistration.k8s.io",
    "MutatingWebhookConfiguration",
  );
/** The resource type of `validatingadmissionpolicies` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const ValidatingAdmissionPolicy: ResourceType<V1ValidatingAdmissionPolicy> =
  /* @__PURE__ */ clusterScoped(
    "validatingadmissionpolicies.v1.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicy",
  );
/** The resource type of `validatingadmissionpolicybindings` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const ValidatingAdmissionPolicyBinding: ResourceType<V1ValidatingAdmissionPolicyBinding> =
  /* @__PURE__ */ clusterScoped(
    "validatingadmissionpolicybindings.v1.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicyBinding",
  );
/** The resource type of `validatingwebhookconfigurations` in `admissionregistration.k8s.io/v1`, cluster-scoped. */
export const ValidatingWebhookConfiguration: ResourceType<V1ValidatingWebhookConfiguration> =
  /* @__PURE__ */ clusterScoped(
    "validatingwebhookconfigurations.v1.admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration",
  );
/** The resource type of `customresourcedefinitions` in `apiextensions.k8s.io/v1`, cluster-scoped. */
export const CustomResourceDefinition: ResourceType<V1CustomResourceDefinition> =
  /* @__PURE__ */ clusterScoped(
    "customresourcedefinitions.v1.apiextensions.k8s.io",
    "CustomResourceDefinition",
  );
/** The resource type of `priorityclasses` in `scheduling.k8s.io/v1`, cluster-scoped. */
export const PriorityClass: ResourceType<V1PriorityClass> = /* @__PURE__ */ clusterScoped(
  "priorityclasses.v1.scheduling.k8s.io",
  "PriorityClass",
);
/** The resource type of `leases` in `coordination.k8s.io/v1`. */
export const Lease: ResourceType<V1Lease> = /* @__PURE__ */ namespaced(
  "leases.v1.coordination.k8s.io",
  "Lease",
);
/** The resource type of `runtimeclasses` in `node.k8s.io/v1`, cluster-scoped. */
export const RuntimeClass: ResourceType<V1RuntimeClass> = /* @__PURE__ */ clusterScoped(
  "runtimeclasses.v1.node.k8s.io",
  "RuntimeClass",
);
/** The resource type of `endpointslices` in `discovery.k8s.io/v1`. */
export const EndpointSlice: ResourceType<V1EndpointSlice> = /* @__PURE__ */ namespaced(
  "endpointslices.v1.discovery.k8s.io",
  "EndpointSlice",
);
/** The resource type of `deviceclasses` in `resource.k8s.io/v1`, cluster-scoped. */
export const DeviceClass: ResourceType<V1DeviceClass> = /* @__PURE__ */ clusterScoped(
  "deviceclasses.v1.resource.k8s.io",
  "DeviceClass",
);
/** The resource type of `devicetaintrules` in `resource.k8s.io/v1`, cluster-scoped. */
export const DeviceTaintRule: ResourceType<V1DeviceTaintRule> = /* @__PURE__ */ clusterScoped(
  "devicetaintrules.v1.resource.k8s.io",
  "DeviceTaintRule",
);
/** The resource type of `resourceclaims` in `resource.k8s.io/v1`. */
export const ResourceClaim: ResourceType<V1ResourceClaim> = /* @__PURE__ */ namespaced(
  "resourceclaims.v1.resource.k8s.io",
  "ResourceClaim",
);
/** The resource type of `resourceclaimtemplates` in `resource.k8s.io/v1`. */
export const ResourceClaimTemplate: ResourceType<V1ResourceClaimTemplate> =
  /* @__PURE__ */ namespaced(
    "resourceclaimtemplates.v1.resource.k8s.io",
    "ResourceClaimTemplate",
  );
/** The resource type of `resourceslices` in `resource.k8s.io/v1`, cluster-scoped. */
export const ResourceSlice: ResourceType<V1ResourceSlice> = /* @__PURE__ */ clusterScoped(
  "resourceslices.v1.resource.k8s.io",
  "ResourceSlice",
);
/** The resource type of `flowschemas` in `flowcontrol.apiserver.k8s.io/v1`, cluster-scoped. */
export const FlowSchema: ResourceType<V1FlowSchema> = /* @__PURE__ */ clusterScoped(
  "flowschemas.v1.flowcontrol.apiserver.k8s.io",
  "FlowSchema",
);
/** The resource type of `prioritylevelconfigurations` in `flowcontrol.apiserver.k8s.io/v1`, cluster-scoped. */
export const PriorityLevelConfiguration: ResourceType<V1PriorityLevelConfiguration> =
  /* @__PURE__ */ clusterScoped(
    "prioritylevelconfigurations.v1.flowcontrol.apiserver.k8s.io",
    "PriorityLevelConfiguration",
  );
/** The resource type of `storageversionmigrations` in `storagemigration.k8s.io/v1`, cluster-scoped. */
export const StorageVersionMigration: ResourceType<V1StorageVersionMigration> =
  /* @__PURE__ */ clusterScoped(
    "storageversionmigrations.v1.storagemigration.k8s.io",
    "StorageVersionMigration",
  );
