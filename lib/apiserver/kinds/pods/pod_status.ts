// Mirrors `core/validation/validation.go, ValidatePodStatusUpdate`.
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  internalFieldError,
  invalid,
} from "@xca/apimachinery/internal/errors";
import {
  dnsSubdomainProblems,
  invalidForEach,
  parseIp,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import { validateImmutable } from "../../validation/immutable.ts";
import { checkLegacyIp, ipWarnings } from "../../validation/ip_fields.ts";
import { userIdProblems } from "../../validation/numbers.ts";
import { validateAnnotationsUpdate } from "./pod_annotations.ts";
import type { PodRules } from "./common/pod_rules.ts";
import {
  dropDisabledStatusFields,
  validateDeviceHealth,
  validateExtendedClaim,
} from "./pod_status_resources.ts";
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from "./common/pod_types.ts";

const STATUS = FieldPath.of("status");
const MAX_UINT32 = 2 ** 32 - 1;

/**
 * The fields of a pod's status that keep their stored values if an update omits them, since older
 * clients do not know them.
 */
const CLAIM_STATUSES = [
  "resourceClaimStatuses",
  "extendedResourceClaimStatus",
  "nodeAllocatableResourceClaimStatuses",
] as const;

/**
 * Prepares an update of a pod's status: restores the spec, the owner references and omitted status
 * fields such as `qosClass`, deletes the `deletionTimestamp`, and drops the fields of disabled
 * features.
 */
export function preparePodStatus(pod: Pod, old: Pod): void {
  if (old.spec) pod.spec = structuredClone(old.spec);
  delete pod.metadata.deletionTimestamp;
  if (old.metadata.ownerReferences) {
    pod.metadata.ownerReferences = structuredClone(old.metadata.ownerReferences);
  } else delete pod.metadata.ownerReferences;
  const status = pod.status ??= {};
  const before = old.status ?? {};
  if (!status.qosClass && before.qosClass) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration) {
    status.observedGeneration = before.observedGeneration;
  }
  keepObservedGenerations(status, before);
  for (const field of CLAIM_STATUSES) {
    if (before[field] && !status[field]) Object.assign(status, { [field]: before[field] });
  }
  dropDisabledStatusFields(status, before);
}

function keepObservedGenerations(status: PodStatus, before: PodStatus): void {
  const known = [...before.conditions ?? []];
  for (const condition of status.conditions ?? []) {
    const index = known.findIndex(({ type }) => type === condition.type);
    const [previous] = index < 0 ? [] : known.splice(index, 1);
    if (!condition.observedGeneration && previous?.observedGeneration) {
      condition.observedGeneration = previous.observedGeneration;
    }
  }
}

/**
 * Validates an update of a pod's status (`core/validation/validation.go`,
 * `ValidatePodStatusUpdate`).
 */
export function validatePodStatus(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  const { spec = {}, status = {} } = pod;
  const before = old.status ?? {};
  const annotations = FieldPath.of("metadata", "annotations");
  const errors = validateAnnotationsUpdate(pod.metadata, old.metadata, spec, annotations, rules);
  errors.push(...validateConditions(status));
  errors.push(...validateNominated(status, before, old));
  errors.push(...validateGeneration(status.observedGeneration, STATUS));
  errors.push(
    ...validateImmutable(status.qosClass ?? "", before.qosClass ?? "", STATUS.child("qosClass")),
  );
  errors.push(...validateTransitions(status, before, old.spec ?? {}));
  errors.push(...validateClaimStatuses(status, spec));
  errors.push(...validateExtendedClaim(status, spec));
  errors.push(...validateIps("podIPs", status.podIPs ?? [], before.podIPs ?? []));
  const [first] = status.hostIPs ?? [];
  if (first && first.ip !== status.hostIP) {
    const at = STATUS.child("hostIPs").index(0).child("ip");
    errors.push(invalid(at, first.ip ?? "", "must be equal to `hostIP`"));
  }
  errors.push(...validateIps("hostIPs", status.hostIPs ?? [], before.hostIPs ?? []));
  for (const [list, statuses] of statusLists(status)) {
    errors.push(...validateUsers(statuses, STATUS.child(list), spec.os?.name));
  }
  return [...errors, ...validateDeviceHealth(status, spec)];
}

type StatusList = "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";

function statusLists(status: PodStatus): [StatusList, ContainerStatus[]][] {
  return [
    ["containerStatuses", status.containerStatuses ?? []],
    ["initContainerStatuses", status.initContainerStatuses ?? []],
    ["ephemeralContainerStatuses", status.ephemeralContainerStatuses ?? []],
  ];
}

function validateGeneration(generation: number | undefined, path: FieldPath): FieldError[] {
  if (generation === undefined || generation >= 0) return [];
  const at = path.child("observedGeneration");
  return [invalid(at, generation, "must be a non-negative integer")];
}

function validateConditions({ conditions = [] }: PodStatus): FieldError[] {
  return conditions.flatMap(({ type = "", observedGeneration }, index) => {
    const at = STATUS.child("conditions").index(index);
    const errors = validateGeneration(observedGeneration, at);
    if (["PodScheduled", "Ready", "Initialized"].includes(type)) return errors;
    return [...errors, ...invalidForEach(at.child("Type"), type, qualifiedNameProblems(type))];
  });
}

function validateNominated(status: PodStatus, before: PodStatus, old: Pod): FieldError[] {
  const { nominatedNodeName: name } = status;
  if (!name || name === before.nominatedNodeName) return [];
  const at = STATUS.child("nominatedNodeName");
  const errors = invalidForEach(at, name, dnsSubdomainProblems(name));
  if (old.spec?.nodeName) {
    errors.push(forbiddenField(at, "may not be set on pods that are already bound to a node"));
  }
  return errors;
}

/**
 * Checks that a terminated container of a pod does not run again, unless its restart policy or
 * restart rules allow it, or a rule of the pod may restart all containers. Returns the field
 * errors.
 */
function validateTransitions(status: PodStatus, before: PodStatus, spec: PodSpec): FieldError[] {
  const previous = new Map(statusLists(before));
  const restartsAll = couldRestartAll(spec);
  return statusLists(status).flatMap(([list, next]) => {
    const isEphemeral = list === "ephemeralContainerStatuses";
    if (restartsAll && !isEphemeral) return [];
    const containers = list === "containerStatuses" ? spec.containers : spec.initContainers;
    return (previous.get(list) ?? []).flatMap(({ name, state }, index) => {
      const ended = state?.terminated;
      const now = next.find((each) => each.name === name);
      if (!ended || !now || now.state?.terminated) return [];
      const container = isEphemeral ? undefined : containers?.find((each) => each.name === name);
      if (container && shouldRestart(container, spec, ended.exitCode ?? 0)) return [];
      const at = STATUS.child(list).index(index).child("state");
      return [forbiddenField(at, "may not be transitioned to non-terminated state")];
    });
  });
}

function couldRestartAll(spec: PodSpec): boolean {
  return [...spec.containers ?? [], ...spec.initContainers ?? []].some((
    { restartPolicyRules = [] },
  ) => restartPolicyRules.some(({ action }) => action === "RestartAllContainers"));
}

function shouldRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
      const listed = (exitCodes?.values ?? []).includes(exitCode);
      if (action === "Restart" && listed === (exitCodes?.operator === "In")) return true;
    }
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

function validateClaimStatuses(status: PodStatus, spec: PodSpec): FieldError[] {
  const claims = (spec.resourceClaims ?? []).map(({ name }) => name);
  const seen = new Set<string>();
  return (status.resourceClaimStatuses ?? []).flatMap(({ name = "", resourceClaimName }, index) => {
    const at = STATUS.child("resourceClaimStatuses").index(index);
    const errors: FieldError[] = [];
    if (!claims.includes(name)) {
      const detail = "must match the name of an entry in `spec.resourceClaims`";
      errors.push(invalid(at.child("name"), name, detail));
    }
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    if (resourceClaimName === undefined) return errors;
    const problems = dnsSubdomainProblems(resourceClaimName);
    return [
      ...errors,
      ...invalidForEach(at.child("resourceClaimName"), resourceClaimName, problems),
    ];
  });
}

type Ips = readonly { readonly ip?: string }[];

function validateIps(field: "podIPs" | "hostIPs", ips: Ips, previous: Ips): FieldError[] {
  const path = STATUS.child(field);
  const known = previous.map(({ ip = "" }) => ip);
  const errors = ips.flatMap(({ ip = "" }, index) => checkLegacyIp(path.index(index), ip, known));
  if (ips.length < 2) return errors;
  const families = ips.map(({ ip = "" }) => parseIp(ip)?.bytes.length);
  const wrong = families.indexOf(undefined);
  if (wrong >= 0) {
    const what = `invalid IP[${wrong}]: ${ips[wrong]!.ip ?? ""}`;
    errors.push(internalFieldError(path, `failed to check for dual stack with error:${what}`));
  } else if (new Set(families).size === 2 && ips.length === 2) return errors;
  const shown = ips.map(({ ip = "" }) => ({ IP: ip }));
  const detail = "may specify no more than one IP for each IP family";
  return [...errors, invalid(path, shown, detail)];
}

function validateUsers(
  statuses: readonly ContainerStatus[],
  path: FieldPath,
  system = "linux",
): FieldError[] {
  return statuses.flatMap(({ user }, index) => {
    const linux = user?.linux;
    if (!linux) return [];
    const at = path.index(index).child("user", "linux");
    if (system === "windows") return [forbiddenField(at, "cannot be set for a windows pod")];
    const { uid = 0, gid = 0, supplementalGroups = [] } = linux;
    return [
      ...uid >= 0 && uid <= MAX_UINT32
        ? []
        : [invalid(at.child("uid"), uid, `must be between 0 and ${MAX_UINT32}, inclusive`)],
      ...invalidForEach(at.child("gid"), gid, userIdProblems(gid)),
      ...supplementalGroups.flatMap((group, groupIndex) =>
        invalidForEach(
          at.child("supplementalGroups").index(groupIndex),
          group,
          userIdProblems(group),
        )
      ),
    ];
  });
}

/** Returns the warnings about the IP addresses in a pod's status. */
export function podStatusWarnings({ status = {} }: Pod): string[] {
  return (["podIPs", "hostIPs"] as const).flatMap((field) =>
    (status[field] ?? []).flatMap(({ ip = "" }, index) =>
      ipWarnings(STATUS.child(field).index(index).child("ip"), ip)
    )
  );
}
