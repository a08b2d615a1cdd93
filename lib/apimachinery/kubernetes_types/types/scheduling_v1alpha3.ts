// Written by `deno task facts:dump`.
/** The type `TopologyConstraint` of `scheduling/v1alpha3`. */
export type V1alpha3TopologyConstraint = {
  key: string;
};

/** The type `WorkloadPodGroupAllDisruptionMode` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupAllDisruptionMode = Record<string, never>;

/** The type `WorkloadPodGroupBasicSchedulingPolicy` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupBasicSchedulingPolicy = Record<string, never>;

/** The type `WorkloadPodGroupDisruptionMode` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupDisruptionMode = {
  single?: V1alpha3WorkloadPodGroupSingleDisruptionMode;
  all?: V1alpha3WorkloadPodGroupAllDisruptionMode;
};

/** The type `WorkloadPodGroupGangSchedulingPolicy` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupGangSchedulingPolicy = {
  minCount?: number;
};

/** The type `WorkloadPodGroupResourceClaim` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The type `WorkloadPodGroupSchedulingConstraints` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSchedulingConstraints = {
  topology?: V1alpha3TopologyConstraint[];
};

/** The type `WorkloadPodGroupSchedulingPolicy` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSchedulingPolicy = {
  basic?: V1alpha3WorkloadPodGroupBasicSchedulingPolicy;
  gang?: V1alpha3WorkloadPodGroupGangSchedulingPolicy;
};

/** The type `WorkloadPodGroupSingleDisruptionMode` of `scheduling/v1alpha3`. */
export type V1alpha3WorkloadPodGroupSingleDisruptionMode = Record<string, never>;
