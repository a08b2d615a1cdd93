import { FieldPath } from "@xca/apimachinery/internal/errors";
import { selectorHasInvalidValue } from "@xca/apimachinery/internal/validation";
import { isDeletionCost } from "./common/deletion_cost.ts";
import { nodeAffinityHasInvalidValue } from "./scheduling/node_affinity.ts";
import { isHugePages, isHugePagesMultiple } from "@xca/apimachinery/internal/resources";
import { violatesMatchLabelKeys } from "./common/label_keys.ts";
import { localPathProblems } from "./common/paths.ts";
import type { PodRules } from "./common/pod_rules.ts";
import { containersOf, isSidecar, type Meta, type PodSpec } from "./common/pod_types.ts";
import { hostSysctlProblem } from "./containers/security_context.ts";

const STRICT: PodRules = {
  isPod: false,
  allowInvalidDeletionCost: false,
  allowInvalidSelectorValues: false,
  allowIndivisibleHugePages: false,
  allowInvalidSpreadSelector: false,
  allowNonLocalTokenPath: false,
  allowHostSysctls: false,
  allowInvalidNodeAffinityValues: false,
  allowRestartContainerForInit: false,
  allowVolumeDevicesWithoutHostUsers: false,
  oldMatchLabelKeys: false,
  allowSeLinuxMount: false,
  allowSysAdmin: false,
  allowEmptyImage: false,
};

/**
 * Returns the exceptions in validating a pod or a pod template, derived from the stored object; a
 * new object gets no exceptions (`api/pod/util.go`, `GetValidationOptionsFromPodSpecAndMeta`).
 */
export function podRules(
  isPod: boolean,
  old?: { readonly metadata?: Meta; readonly spec?: PodSpec },
): PodRules {
  if (!old) return { ...STRICT, isPod };
  const spec = old.spec ?? {};
  return {
    isPod,
    allowInvalidDeletionCost: !isDeletionCost(old.metadata?.annotations),
    allowInvalidSelectorValues: affinityHasInvalidValue(spec),
    allowIndivisibleHugePages: hasIndivisibleHugePages(spec),
    allowInvalidSpreadSelector: (spec.topologySpreadConstraints ?? [])
      .some(({ labelSelector }) => selectorHasInvalidValue(labelSelector)),
    allowNonLocalTokenPath: hasNonLocalTokenPath(spec),
    allowHostSysctls: (spec.securityContext?.sysctls ?? [])
      .some(({ name }) => hostSysctlProblem(name ?? "", spec) !== undefined),
    allowInvalidNodeAffinityValues: nodeAffinityHasInvalidValue(spec),
    allowRestartContainerForInit: (spec.initContainers ?? []).some((container) =>
      !isSidecar(container) &&
      (container.resizePolicy ?? []).some((policy) => policy.restartPolicy === "RestartContainer")
    ),
    allowVolumeDevicesWithoutHostUsers: spec.hostUsers === false &&
      [...containersOf(spec, FieldPath.root)].some(([{ volumeDevices }]) =>
        (volumeDevices ?? []).length > 0
      ),
    allowSysAdmin: [...containersOf(spec, FieldPath.root)].some(([{ securityContext }]) =>
      securityContext !== undefined && !securityContext.allowPrivilegeEscalation &&
      (securityContext.capabilities?.add ?? []).includes("CAP_SYS_ADMIN")
    ),
    allowEmptyImage: (spec.volumes ?? []).some(({ image }) => image && !image.reference),
    allowSeLinuxMount: spec.securityContext?.seLinuxChangePolicy !== undefined,
    oldMatchLabelKeys: (spec.topologySpreadConstraints ?? []).some(violatesMatchLabelKeys),
  };
}

function affinityHasInvalidValue({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((each) => {
    const preferred = each?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...each?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
      ...preferred.map(({ podAffinityTerm = {} }) => podAffinityTerm),
    ].some(({ labelSelector, namespaceSelector }) =>
      selectorHasInvalidValue(labelSelector) || selectorHasInvalidValue(namespaceSelector)
    );
  });
}

function hasIndivisibleHugePages(spec: PodSpec): boolean {
  return [...spec.initContainers ?? [], ...spec.containers ?? []].some(({ resources }) =>
    Object.entries({ ...resources?.requests, ...resources?.limits })
      .some(([name, quantity]) => isHugePages(name) && !isHugePagesMultiple(name, quantity))
  );
}

function hasNonLocalTokenPath(spec: PodSpec): boolean {
  return (spec.volumes ?? []).some(({ projected }) =>
    (projected?.sources ?? []).some(({ serviceAccountToken }) =>
      serviceAccountToken && localPathProblems(serviceAccountToken.path ?? "").length > 0
    )
  );
}
