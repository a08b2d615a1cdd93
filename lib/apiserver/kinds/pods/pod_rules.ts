/**
 * What is allowed in a pod that would not be in a new one, since the stored one has it: a rule that
 * came later must not make an object that exists unchangeable.
 */
export interface PodRules {
  /** A pod, not a template of pods. */
  readonly isPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidSelectorValues: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowInvalidSpreadSelector: boolean;
  readonly allowNonLocalTokenPath: boolean;
  readonly allowHostSysctls: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowRestartContainerForInit: boolean;
  readonly allowVolumeDevicesWithoutHostUsers: boolean;
  readonly oldMatchLabelKeys: boolean;
  readonly allowSeLinuxMount: boolean;
}
