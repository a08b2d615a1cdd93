/**
 * The options of validating a pod spec: whether it is that of a pod, and the exceptions for invalid
 * values that the stored object already has (`core/validation/validation.go`,
 * `PodValidationOptions`). A stricter rule must not prevent updates of existing objects.
 */
export interface PodRules {
  /** Whether the object whose pod spec is validated is a pod rather than a pod template. */
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
  /**
   * The option to let a container with `allowPrivilegeEscalation: false` add the capability
   * CAP_SYS_ADMIN.
   */
  readonly allowSysAdmin: boolean;
  /** Whether an image volume of the pod may name no image. */
  readonly allowEmptyImage: boolean;
}
