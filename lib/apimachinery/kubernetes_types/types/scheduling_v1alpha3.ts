// Written by `deno task facts:dump`.
/** The TypeScript type of the Kubernetes API type `TopologyConstraint` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3TopologyConstraint = {
  key: string;
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupAllDisruptionMode` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupAllDisruptionMode = Record<string, never>;

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupBasicSchedulingPolicy` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupBasicSchedulingPolicy = Record<string, never>;

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupDisruptionMode` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupDisruptionMode = {
  single?: V1alpha3WorkloadPodGroupSingleDisruptionMode;
  all?: V1alpha3WorkloadPodGroupAllDisruptionMode;
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupGangSchedulingPolicy` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupGangSchedulingPolicy = {
  minCount?: number;
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupResourceClaim` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupSchedulingConstraints` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSchedulingConstraints = {
  topology?: V1alpha3TopologyConstraint[];
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupSchedulingPolicy` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSchedulingPolicy = {
  basic?: V1alpha3WorkloadPodGroupBasicSchedulingPolicy;
  gang?: V1alpha3WorkloadPodGroupGangSchedulingPolicy;
};

/** The TypeScript type of the Kubernetes API type `WorkloadPodGroupSingleDisruptionMode` of `scheduling.k8s.io/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSingleDisruptionMode = Record<string, never>;
