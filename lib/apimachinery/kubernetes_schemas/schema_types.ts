// Written by `deno task facts:dump`.
import type {
  CoreV1ResourceClaim,
  RbacV1Subject,
  V1Affinity,
  V1AggregationRule,
  V1alpha3TopologyConstraint,
  V1alpha3WorkloadPodGroupAllDisruptionMode,
  V1alpha3WorkloadPodGroupBasicSchedulingPolicy,
  V1alpha3WorkloadPodGroupDisruptionMode,
  V1alpha3WorkloadPodGroupGangSchedulingPolicy,
  V1alpha3WorkloadPodGroupResourceClaim,
  V1alpha3WorkloadPodGroupSchedulingConstraints,
  V1alpha3WorkloadPodGroupSchedulingPolicy,
  V1alpha3WorkloadPodGroupSingleDisruptionMode,
  V1AppArmorProfile,
  V1AWSElasticBlockStoreVolumeSource,
  V1AzureDiskVolumeSource,
  V1AzureFilePersistentVolumeSource,
  V1AzureFileVolumeSource,
  V1Capabilities,
  V1CephFSPersistentVolumeSource,
  V1CephFSVolumeSource,
  V1CinderPersistentVolumeSource,
  V1CinderVolumeSource,
  V1ClientIPConfig,
  V1ClusterTrustBundleProjection,
  V1Condition,
  V1ConfigMapEnvSource,
  V1ConfigMapKeySelector,
  V1ConfigMapNodeConfigSource,
  V1ConfigMapProjection,
  V1ConfigMapVolumeSource,
  V1Container,
  V1ContainerExtendedResourceRequest,
  V1ContainerImage,
  V1ContainerPort,
  V1ContainerResizePolicy,
  V1ContainerRestartRule,
  V1ContainerRestartRuleOnExitCodes,
  V1ContainerState,
  V1ContainerStateRunning,
  V1ContainerStateTerminated,
  V1ContainerStateWaiting,
  V1ContainerUser,
  V1CronJobSpec,
  V1CrossVersionObjectReference,
  V1CSIPersistentVolumeSource,
  V1CSIVolumeSource,
  V1DaemonEndpoint,
  V1DaemonSetSpec,
  V1DaemonSetUpdateStrategy,
  V1DeploymentSpec,
  V1DeploymentStrategy,
  V1DownwardAPIProjection,
  V1DownwardAPIVolumeFile,
  V1DownwardAPIVolumeSource,
  V1EmptyDirVolumeSource,
  V1EnvFromSource,
  V1EnvVar,
  V1EnvVarSource,
  V1EphemeralContainer,
  V1EphemeralVolumeSource,
  V1EvictionResponder,
  V1ExecAction,
  V1FCVolumeSource,
  V1FieldSelectorRequirement,
  V1FileKeySelector,
  V1FlexPersistentVolumeSource,
  V1FlexVolumeSource,
  V1FlockerVolumeSource,
  V1GCEPersistentDiskVolumeSource,
  V1GitRepoVolumeSource,
  V1GlusterfsPersistentVolumeSource,
  V1GlusterfsVolumeSource,
  V1GRPCAction,
  V1HorizontalPodAutoscalerSpec,
  V1HostAlias,
  V1HostIP,
  V1HostPathVolumeSource,
  V1HTTPGetAction,
  V1HTTPHeader,
  V1HTTPIngressPath,
  V1HTTPIngressRuleValue,
  V1ImageVolumeSource,
  V1IngressBackend,
  V1IngressClassParametersReference,
  V1IngressClassSpec,
  V1IngressLoadBalancerIngress,
  V1IngressLoadBalancerStatus,
  V1IngressPortStatus,
  V1IngressRule,
  V1IngressServiceBackend,
  V1IngressSpec,
  V1IngressTLS,
  V1IPAddressSpec,
  V1IPBlock,
  V1ISCSIPersistentVolumeSource,
  V1ISCSIVolumeSource,
  V1JobSchedulingConfiguration,
  V1JobSpec,
  V1JobTemplateSpec,
  V1KeyToPath,
  V1LabelSelector,
  V1LabelSelectorRequirement,
  V1Lifecycle,
  V1LifecycleHandler,
  V1LimitRangeItem,
  V1LimitRangeSpec,
  V1LinuxContainerUser,
  V1LoadBalancerIngress,
  V1LoadBalancerStatus,
  V1LocalObjectReference,
  V1LocalVolumeSource,
  V1ModifyVolumeStatus,
  V1NetworkPolicyEgressRule,
  V1NetworkPolicyIngressRule,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1NetworkPolicySpec,
  V1NFSVolumeSource,
  V1NodeAddress,
  V1NodeAffinity,
  V1NodeAllocatableMappedResources,
  V1NodeAllocatableOverheadResources,
  V1NodeDaemonEndpoints,
  V1NodeSelector,
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1ObjectFieldSelector,
  V1ObjectReference,
  V1OwnerReference,
  V1ParentReference,
  V1PersistentVolumeClaim,
  V1PersistentVolumeClaimCondition,
  V1PersistentVolumeClaimSpec,
  V1PersistentVolumeClaimStatus,
  V1PersistentVolumeClaimTemplate,
  V1PersistentVolumeClaimVolumeSource,
  V1PersistentVolumeSpec,
  V1PhotonPersistentDiskVolumeSource,
  V1PodAffinity,
  V1PodAffinityTerm,
  V1PodAntiAffinity,
  V1PodCertificateProjection,
  V1PodDisruptionBudgetSpec,
  V1PodDNSConfig,
  V1PodDNSConfigOption,
  V1PodFailurePolicy,
  V1PodFailurePolicyOnExitCodesRequirement,
  V1PodFailurePolicyOnPodConditionsPattern,
  V1PodFailurePolicyRule,
  V1PodIP,
  V1PodOS,
  V1PodReadinessGate,
  V1PodResourceClaim,
  V1PodSchedulingGate,
  V1PodSchedulingGroup,
  V1PodSecurityContext,
  V1PodSpec,
  V1PodTemplateSpec,
  V1PodVolumeHealth,
  V1PolicyRule,
  V1PortStatus,
  V1PortworxVolumeSource,
  V1PreferredSchedulingTerm,
  V1Probe,
  V1ProjectedVolumeSource,
  V1QuobyteVolumeSource,
  V1RBDPersistentVolumeSource,
  V1RBDVolumeSource,
  V1ReplicaSetSpec,
  V1ReplicationControllerSpec,
  V1ResourceFieldSelector,
  V1ResourceHealth,
  V1ResourceQuotaSpec,
  V1ResourceRequirements,
  V1RoleRef,
  V1RollingUpdateDaemonSet,
  V1RollingUpdateDeployment,
  V1RollingUpdateStatefulSetStrategy,
  V1ScaleIOPersistentVolumeSource,
  V1ScaleIOVolumeSource,
  V1ScopedResourceSelectorRequirement,
  V1ScopeSelector,
  V1SeccompProfile,
  V1SecretEnvSource,
  V1SecretKeySelector,
  V1SecretProjection,
  V1SecretReference,
  V1SecretVolumeSource,
  V1SecurityContext,
  V1SELinuxOptions,
  V1ServiceAccountTokenProjection,
  V1ServiceBackendPort,
  V1ServiceCIDRSpec,
  V1ServicePort,
  V1ServiceSpec,
  V1SessionAffinityConfig,
  V1SleepAction,
  V1StatefulSetOrdinals,
  V1StatefulSetPersistentVolumeClaimRetentionPolicy,
  V1StatefulSetSpec,
  V1StatefulSetUpdateStrategy,
  V1StorageOSPersistentVolumeSource,
  V1StorageOSVolumeSource,
  V1SuccessPolicy,
  V1SuccessPolicyRule,
  V1Sysctl,
  V1Taint,
  V1TCPSocketAction,
  V1Toleration,
  V1TopologySelectorLabelRequirement,
  V1TopologySelectorTerm,
  V1TopologySpreadConstraint,
  V1TypedLocalObjectReference,
  V1TypedObjectReference,
  V1UncountedTerminatedPods,
  V1Volume,
  V1VolumeDevice,
  V1VolumeHealthCondition,
  V1VolumeHealthStatus,
  V1VolumeMount,
  V1VolumeNodeAffinity,
  V1VolumeProjection,
  V1VolumeResourceRequirements,
  V1VsphereVirtualDiskVolumeSource,
  V1WeightedPodAffinityTerm,
  V1WindowsSecurityContextOptions,
  V2ContainerResourceMetricSource,
  V2CrossVersionObjectReference,
  V2ExternalMetricSource,
  V2HorizontalPodAutoscalerBehavior,
  V2HorizontalPodAutoscalerSpec,
  V2HPAScalingPolicy,
  V2HPAScalingRules,
  V2MetricIdentifier,
  V2MetricSpec,
  V2MetricTarget,
  V2ObjectMetricSource,
  V2PodsMetricSource,
  V2ResourceMetricSource,
} from "../kubernetes_types/kinds.ts";

/** Kubernetes' own types that have a schema, by name. */
export type SchemaTypes = {
  CoreV1ResourceClaim: CoreV1ResourceClaim;
  RbacV1Subject: RbacV1Subject;
  V1AWSElasticBlockStoreVolumeSource: V1AWSElasticBlockStoreVolumeSource;
  V1Affinity: V1Affinity;
  V1AggregationRule: V1AggregationRule;
  V1AppArmorProfile: V1AppArmorProfile;
  V1AzureDiskVolumeSource: V1AzureDiskVolumeSource;
  V1AzureFilePersistentVolumeSource: V1AzureFilePersistentVolumeSource;
  V1AzureFileVolumeSource: V1AzureFileVolumeSource;
  V1CSIPersistentVolumeSource: V1CSIPersistentVolumeSource;
  V1CSIVolumeSource: V1CSIVolumeSource;
  V1Capabilities: V1Capabilities;
  V1CephFSPersistentVolumeSource: V1CephFSPersistentVolumeSource;
  V1CephFSVolumeSource: V1CephFSVolumeSource;
  V1CinderPersistentVolumeSource: V1CinderPersistentVolumeSource;
  V1CinderVolumeSource: V1CinderVolumeSource;
  V1ClientIPConfig: V1ClientIPConfig;
  V1ClusterTrustBundleProjection: V1ClusterTrustBundleProjection;
  V1Condition: V1Condition;
  V1ConfigMapEnvSource: V1ConfigMapEnvSource;
  V1ConfigMapKeySelector: V1ConfigMapKeySelector;
  V1ConfigMapNodeConfigSource: V1ConfigMapNodeConfigSource;
  V1ConfigMapProjection: V1ConfigMapProjection;
  V1ConfigMapVolumeSource: V1ConfigMapVolumeSource;
  V1Container: V1Container;
  V1ContainerExtendedResourceRequest: V1ContainerExtendedResourceRequest;
  V1ContainerImage: V1ContainerImage;
  V1ContainerPort: V1ContainerPort;
  V1ContainerResizePolicy: V1ContainerResizePolicy;
  V1ContainerRestartRule: V1ContainerRestartRule;
  V1ContainerRestartRuleOnExitCodes: V1ContainerRestartRuleOnExitCodes;
  V1ContainerState: V1ContainerState;
  V1ContainerStateRunning: V1ContainerStateRunning;
  V1ContainerStateTerminated: V1ContainerStateTerminated;
  V1ContainerStateWaiting: V1ContainerStateWaiting;
  V1ContainerUser: V1ContainerUser;
  V1CronJobSpec: V1CronJobSpec;
  V1CrossVersionObjectReference: V1CrossVersionObjectReference;
  V1DaemonEndpoint: V1DaemonEndpoint;
  V1DaemonSetSpec: V1DaemonSetSpec;
  V1DaemonSetUpdateStrategy: V1DaemonSetUpdateStrategy;
  V1DeploymentSpec: V1DeploymentSpec;
  V1DeploymentStrategy: V1DeploymentStrategy;
  V1DownwardAPIProjection: V1DownwardAPIProjection;
  V1DownwardAPIVolumeFile: V1DownwardAPIVolumeFile;
  V1DownwardAPIVolumeSource: V1DownwardAPIVolumeSource;
  V1EmptyDirVolumeSource: V1EmptyDirVolumeSource;
  V1EnvFromSource: V1EnvFromSource;
  V1EnvVar: V1EnvVar;
  V1EnvVarSource: V1EnvVarSource;
  V1EphemeralContainer: V1EphemeralContainer;
  V1EphemeralVolumeSource: V1EphemeralVolumeSource;
  V1EvictionResponder: V1EvictionResponder;
  V1ExecAction: V1ExecAction;
  V1FCVolumeSource: V1FCVolumeSource;
  V1FieldSelectorRequirement: V1FieldSelectorRequirement;
  V1FileKeySelector: V1FileKeySelector;
  V1FlexPersistentVolumeSource: V1FlexPersistentVolumeSource;
  V1FlexVolumeSource: V1FlexVolumeSource;
  V1FlockerVolumeSource: V1FlockerVolumeSource;
  V1GCEPersistentDiskVolumeSource: V1GCEPersistentDiskVolumeSource;
  V1GRPCAction: V1GRPCAction;
  V1GitRepoVolumeSource: V1GitRepoVolumeSource;
  V1GlusterfsPersistentVolumeSource: V1GlusterfsPersistentVolumeSource;
  V1GlusterfsVolumeSource: V1GlusterfsVolumeSource;
  V1HTTPGetAction: V1HTTPGetAction;
  V1HTTPHeader: V1HTTPHeader;
  V1HTTPIngressPath: V1HTTPIngressPath;
  V1HTTPIngressRuleValue: V1HTTPIngressRuleValue;
  V1HorizontalPodAutoscalerSpec: V1HorizontalPodAutoscalerSpec;
  V1HostAlias: V1HostAlias;
  V1HostIP: V1HostIP;
  V1HostPathVolumeSource: V1HostPathVolumeSource;
  V1IPAddressSpec: V1IPAddressSpec;
  V1IPBlock: V1IPBlock;
  V1ISCSIPersistentVolumeSource: V1ISCSIPersistentVolumeSource;
  V1ISCSIVolumeSource: V1ISCSIVolumeSource;
  V1ImageVolumeSource: V1ImageVolumeSource;
  V1IngressBackend: V1IngressBackend;
  V1IngressClassParametersReference: V1IngressClassParametersReference;
  V1IngressClassSpec: V1IngressClassSpec;
  V1IngressLoadBalancerIngress: V1IngressLoadBalancerIngress;
  V1IngressLoadBalancerStatus: V1IngressLoadBalancerStatus;
  V1IngressPortStatus: V1IngressPortStatus;
  V1IngressRule: V1IngressRule;
  V1IngressServiceBackend: V1IngressServiceBackend;
  V1IngressSpec: V1IngressSpec;
  V1IngressTLS: V1IngressTLS;
  V1JobSchedulingConfiguration: V1JobSchedulingConfiguration;
  V1JobSpec: V1JobSpec;
  V1JobTemplateSpec: V1JobTemplateSpec;
  V1KeyToPath: V1KeyToPath;
  V1LabelSelector: V1LabelSelector;
  V1LabelSelectorRequirement: V1LabelSelectorRequirement;
  V1Lifecycle: V1Lifecycle;
  V1LifecycleHandler: V1LifecycleHandler;
  V1LimitRangeItem: V1LimitRangeItem;
  V1LimitRangeSpec: V1LimitRangeSpec;
  V1LinuxContainerUser: V1LinuxContainerUser;
  V1LoadBalancerIngress: V1LoadBalancerIngress;
  V1LoadBalancerStatus: V1LoadBalancerStatus;
  V1LocalObjectReference: V1LocalObjectReference;
  V1LocalVolumeSource: V1LocalVolumeSource;
  V1ModifyVolumeStatus: V1ModifyVolumeStatus;
  V1NFSVolumeSource: V1NFSVolumeSource;
  V1NetworkPolicyEgressRule: V1NetworkPolicyEgressRule;
  V1NetworkPolicyIngressRule: V1NetworkPolicyIngressRule;
  V1NetworkPolicyPeer: V1NetworkPolicyPeer;
  V1NetworkPolicyPort: V1NetworkPolicyPort;
  V1NetworkPolicySpec: V1NetworkPolicySpec;
  V1NodeAddress: V1NodeAddress;
  V1NodeAffinity: V1NodeAffinity;
  V1NodeAllocatableMappedResources: V1NodeAllocatableMappedResources;
  V1NodeAllocatableOverheadResources: V1NodeAllocatableOverheadResources;
  V1NodeDaemonEndpoints: V1NodeDaemonEndpoints;
  V1NodeSelector: V1NodeSelector;
  V1NodeSelectorRequirement: V1NodeSelectorRequirement;
  V1NodeSelectorTerm: V1NodeSelectorTerm;
  V1ObjectFieldSelector: V1ObjectFieldSelector;
  V1ObjectReference: V1ObjectReference;
  V1OwnerReference: V1OwnerReference;
  V1ParentReference: V1ParentReference;
  V1PersistentVolumeClaim: V1PersistentVolumeClaim;
  V1PersistentVolumeClaimCondition: V1PersistentVolumeClaimCondition;
  V1PersistentVolumeClaimSpec: V1PersistentVolumeClaimSpec;
  V1PersistentVolumeClaimStatus: V1PersistentVolumeClaimStatus;
  V1PersistentVolumeClaimTemplate: V1PersistentVolumeClaimTemplate;
  V1PersistentVolumeClaimVolumeSource: V1PersistentVolumeClaimVolumeSource;
  V1PersistentVolumeSpec: V1PersistentVolumeSpec;
  V1PhotonPersistentDiskVolumeSource: V1PhotonPersistentDiskVolumeSource;
  V1PodAffinity: V1PodAffinity;
  V1PodAffinityTerm: V1PodAffinityTerm;
  V1PodAntiAffinity: V1PodAntiAffinity;
  V1PodCertificateProjection: V1PodCertificateProjection;
  V1PodDNSConfig: V1PodDNSConfig;
  V1PodDNSConfigOption: V1PodDNSConfigOption;
  V1PodDisruptionBudgetSpec: V1PodDisruptionBudgetSpec;
  V1PodFailurePolicy: V1PodFailurePolicy;
  V1PodFailurePolicyOnExitCodesRequirement: V1PodFailurePolicyOnExitCodesRequirement;
  V1PodFailurePolicyOnPodConditionsPattern: V1PodFailurePolicyOnPodConditionsPattern;
  V1PodFailurePolicyRule: V1PodFailurePolicyRule;
  V1PodIP: V1PodIP;
  V1PodOS: V1PodOS;
  V1PodReadinessGate: V1PodReadinessGate;
  V1PodResourceClaim: V1PodResourceClaim;
  V1PodSchedulingGate: V1PodSchedulingGate;
  V1PodSchedulingGroup: V1PodSchedulingGroup;
  V1PodSecurityContext: V1PodSecurityContext;
  V1PodSpec: V1PodSpec;
  V1PodTemplateSpec: V1PodTemplateSpec;
  V1PodVolumeHealth: V1PodVolumeHealth;
  V1PolicyRule: V1PolicyRule;
  V1PortStatus: V1PortStatus;
  V1PortworxVolumeSource: V1PortworxVolumeSource;
  V1PreferredSchedulingTerm: V1PreferredSchedulingTerm;
  V1Probe: V1Probe;
  V1ProjectedVolumeSource: V1ProjectedVolumeSource;
  V1QuobyteVolumeSource: V1QuobyteVolumeSource;
  V1RBDPersistentVolumeSource: V1RBDPersistentVolumeSource;
  V1RBDVolumeSource: V1RBDVolumeSource;
  V1ReplicaSetSpec: V1ReplicaSetSpec;
  V1ReplicationControllerSpec: V1ReplicationControllerSpec;
  V1ResourceFieldSelector: V1ResourceFieldSelector;
  V1ResourceHealth: V1ResourceHealth;
  V1ResourceQuotaSpec: V1ResourceQuotaSpec;
  V1ResourceRequirements: V1ResourceRequirements;
  V1RoleRef: V1RoleRef;
  V1RollingUpdateDaemonSet: V1RollingUpdateDaemonSet;
  V1RollingUpdateDeployment: V1RollingUpdateDeployment;
  V1RollingUpdateStatefulSetStrategy: V1RollingUpdateStatefulSetStrategy;
  V1SELinuxOptions: V1SELinuxOptions;
  V1ScaleIOPersistentVolumeSource: V1ScaleIOPersistentVolumeSource;
  V1ScaleIOVolumeSource: V1ScaleIOVolumeSource;
  V1ScopeSelector: V1ScopeSelector;
  V1ScopedResourceSelectorRequirement: V1ScopedResourceSelectorRequirement;
  V1SeccompProfile: V1SeccompProfile;
  V1SecretEnvSource: V1SecretEnvSource;
  V1SecretKeySelector: V1SecretKeySelector;
  V1SecretProjection: V1SecretProjection;
  V1SecretReference: V1SecretReference;
  V1SecretVolumeSource: V1SecretVolumeSource;
  V1SecurityContext: V1SecurityContext;
  V1ServiceAccountTokenProjection: V1ServiceAccountTokenProjection;
  V1ServiceBackendPort: V1ServiceBackendPort;
  V1ServiceCIDRSpec: V1ServiceCIDRSpec;
  V1ServicePort: V1ServicePort;
  V1ServiceSpec: V1ServiceSpec;
  V1SessionAffinityConfig: V1SessionAffinityConfig;
  V1SleepAction: V1SleepAction;
  V1StatefulSetOrdinals: V1StatefulSetOrdinals;
  V1StatefulSetPersistentVolumeClaimRetentionPolicy:
    V1StatefulSetPersistentVolumeClaimRetentionPolicy;
  V1StatefulSetSpec: V1StatefulSetSpec;
  V1StatefulSetUpdateStrategy: V1StatefulSetUpdateStrategy;
  V1StorageOSPersistentVolumeSource: V1StorageOSPersistentVolumeSource;
  V1StorageOSVolumeSource: V1StorageOSVolumeSource;
  V1SuccessPolicy: V1SuccessPolicy;
  V1SuccessPolicyRule: V1SuccessPolicyRule;
  V1Sysctl: V1Sysctl;
  V1TCPSocketAction: V1TCPSocketAction;
  V1Taint: V1Taint;
  V1Toleration: V1Toleration;
  V1TopologySelectorLabelRequirement: V1TopologySelectorLabelRequirement;
  V1TopologySelectorTerm: V1TopologySelectorTerm;
  V1TopologySpreadConstraint: V1TopologySpreadConstraint;
  V1TypedLocalObjectReference: V1TypedLocalObjectReference;
  V1TypedObjectReference: V1TypedObjectReference;
  V1UncountedTerminatedPods: V1UncountedTerminatedPods;
  V1Volume: V1Volume;
  V1VolumeDevice: V1VolumeDevice;
  V1VolumeHealthCondition: V1VolumeHealthCondition;
  V1VolumeHealthStatus: V1VolumeHealthStatus;
  V1VolumeMount: V1VolumeMount;
  V1VolumeNodeAffinity: V1VolumeNodeAffinity;
  V1VolumeProjection: V1VolumeProjection;
  V1VolumeResourceRequirements: V1VolumeResourceRequirements;
  V1VsphereVirtualDiskVolumeSource: V1VsphereVirtualDiskVolumeSource;
  V1WeightedPodAffinityTerm: V1WeightedPodAffinityTerm;
  V1WindowsSecurityContextOptions: V1WindowsSecurityContextOptions;
  V1alpha3TopologyConstraint: V1alpha3TopologyConstraint;
  V1alpha3WorkloadPodGroupAllDisruptionMode: V1alpha3WorkloadPodGroupAllDisruptionMode;
  V1alpha3WorkloadPodGroupBasicSchedulingPolicy: V1alpha3WorkloadPodGroupBasicSchedulingPolicy;
  V1alpha3WorkloadPodGroupDisruptionMode: V1alpha3WorkloadPodGroupDisruptionMode;
  V1alpha3WorkloadPodGroupGangSchedulingPolicy: V1alpha3WorkloadPodGroupGangSchedulingPolicy;
  V1alpha3WorkloadPodGroupResourceClaim: V1alpha3WorkloadPodGroupResourceClaim;
  V1alpha3WorkloadPodGroupSchedulingConstraints: V1alpha3WorkloadPodGroupSchedulingConstraints;
  V1alpha3WorkloadPodGroupSchedulingPolicy: V1alpha3WorkloadPodGroupSchedulingPolicy;
  V1alpha3WorkloadPodGroupSingleDisruptionMode: V1alpha3WorkloadPodGroupSingleDisruptionMode;
  V2ContainerResourceMetricSource: V2ContainerResourceMetricSource;
  V2CrossVersionObjectReference: V2CrossVersionObjectReference;
  V2ExternalMetricSource: V2ExternalMetricSource;
  V2HPAScalingPolicy: V2HPAScalingPolicy;
  V2HPAScalingRules: V2HPAScalingRules;
  V2HorizontalPodAutoscalerBehavior: V2HorizontalPodAutoscalerBehavior;
  V2HorizontalPodAutoscalerSpec: V2HorizontalPodAutoscalerSpec;
  V2MetricIdentifier: V2MetricIdentifier;
  V2MetricSpec: V2MetricSpec;
  V2MetricTarget: V2MetricTarget;
  V2ObjectMetricSource: V2ObjectMetricSource;
  V2PodsMetricSource: V2PodsMetricSource;
  V2ResourceMetricSource: V2ResourceMetricSource;
};
