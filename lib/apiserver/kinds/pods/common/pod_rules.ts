/**
 * The exceptions for invalid values that the stored pod already has: a stricter rule must not
 * prevent updates of existing objects.
 */
export interface PodRules {
  /** Whether the object is a pod rather than a template. */
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
  /** A container that may not gain privileges may have CAP_SYS_ADMIN. */
  readonly allowSysAdmin: boolean;
  /** An image volume may name no image. */
  readonly allowEmptyImage: boolean;
}
