/**
 * The options of validating a pod spec: whether the spec is that of a pod or of a pod template, and
 * the exceptions for invalid values that the stored object already has
 * (`core/validation/validation.go`, `PodValidationOptions`). A stricter rule must not prevent
 * updates of existing objects.
 */
export interface PodRules {
  /** Sets whether the object whose pod spec is validated is a pod rather than a pod template. */
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
   * Sets whether a container with `allowPrivilegeEscalation: false` may add the capability
   * CAP_SYS_ADMIN.
   */
  readonly allowSysAdmin: boolean;
  /** Sets whether an image volume of the pod may name no image. */
  readonly allowEmptyImage: boolean;
}
