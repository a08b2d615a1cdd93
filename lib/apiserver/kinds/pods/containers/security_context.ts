import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { byteLength, invalidForEach } from "@xca/apimachinery/internal/validation";
import { userIdProblems } from "../../../validation/numbers.ts";
import { internalForm } from "../common/internal_form.ts";
import { descendingPathProblems } from "../common/paths.ts";
import type { PodRules } from "../common/pod_rules.ts";
import type { Container, PodSpec } from "../common/pod_types.ts";
import { validateWindowsOptions } from "./windows_options.ts";

type PodSecurity = NonNullable<PodSpec["securityContext"]>;
type Security = NonNullable<Container["securityContext"]>;
type Profile = NonNullable<Security["seccompProfile"]>;

/**
 * The supported SELinux change policies: of new pods, and of updates of pods that have a policy
 * already. Without the feature for SELinux mounts, `MountOption` is known but rejected in new pods.
 */
const SELINUX_POLICIES = [["Recursive"], ["MountOption", "Recursive"]];
const PROFILES = ["Localhost", "RuntimeDefault", "Unconfined"];

/**
 * Validates the security context of a container (`core/validation/validation.go`,
 * `ValidateSecurityContext`); `hostUsers` reports whether the pod shares the user namespace of its
 * node.
 */
export function validateSecurityContext(
  security: Security | undefined,
  hostUsers: boolean,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!security) return [];
  const { runAsUser, runAsGroup, procMount, privileged, allowPrivilegeEscalation } = security;
  const errors: FieldError[] = [];
  for (const [field, id] of Object.entries({ runAsUser, runAsGroup })) {
    if (id !== undefined) errors.push(...invalidForEach(path.child(field), id, userIdProblems(id)));
  }
  if (procMount !== undefined) {
    const supported = ["Default", "Unmasked"];
    const at = path.child("procMount");
    if (!supported.includes(procMount)) errors.push(notSupported(at, procMount, supported));
    if (hostUsers && procMount === "Unmasked") {
      errors.push(invalid(at, procMount, "`hostUsers` must be false to use `Unmasked`"));
    }
  }
  errors.push(...validateSeccomp(security.seccompProfile, path.child("seccompProfile")));
  if (allowPrivilegeEscalation === false) {
    const shown = internalForm("SecurityContext", security);
    const cannot = "cannot set `allowPrivilegeEscalation` to false and";
    if (privileged) errors.push(invalid(path, shown, `${cannot} \`privileged\` to true`));
    for (const capability of security.capabilities?.add ?? []) {
      if (capability !== "CAP_SYS_ADMIN" || rules.allowSysAdmin) continue;
      errors.push(invalid(path, shown, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  errors.push(...validateWindowsOptions(security.windowsOptions, path.child("windowsOptions")));
  errors.push(...validateAppArmor(security.appArmorProfile, path.child("appArmorProfile")));
  return errors;
}

/** Validates the security context of a pod. */
export function validatePodSecurity(
  spec: PodSpec,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const security = spec.securityContext;
  if (!security) return [];
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups = [] } = security;
  const errors: FieldError[] = [];
  for (const [field, id] of Object.entries({ fsGroup, runAsUser, runAsGroup })) {
    if (id !== undefined) errors.push(...invalidForEach(path.child(field), id, userIdProblems(id)));
  }
  for (const [index, group] of supplementalGroups.entries()) {
    const at = path.child("supplementalGroups").index(index);
    errors.push(...invalidForEach(at, group, userIdProblems(group)));
  }
  errors.push(...validateSysctls(spec, path.child("sysctls"), rules));
  errors.push(...oneOf(security, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path));
  errors.push(...validateSeccomp(security.seccompProfile, path.child("seccompProfile")));
  errors.push(...validateWindowsOptions(security.windowsOptions, path.child("windowsOptions")));
  errors.push(...validateAppArmor(security.appArmorProfile, path.child("appArmorProfile")));
  errors.push(...oneOf(security, "supplementalGroupsPolicy", ["Merge", "Strict"], path));
  errors.push(
    ...oneOf(
      security,
      "seLinuxChangePolicy",
      SELINUX_POLICIES[rules.allowSeLinuxMount ? 1 : 0]!,
      path,
    ),
  );
  return errors;
}

/**
 * Checks that a pod does not share a process namespace both among its containers and with its node.
 * Returns the field errors.
 */
export function validateShareProcessNamespace(spec: PodSpec, path: FieldPath): FieldError[] {
  if (!spec.shareProcessNamespace || !spec.hostPID) return [];
  return [invalid(path, true, "ShareProcessNamespace and HostPID cannot both be enabled")];
}

function oneOf(
  security: PodSecurity,
  field: "fsGroupChangePolicy" | "supplementalGroupsPolicy" | "seLinuxChangePolicy",
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  const value = security[field];
  if (value === undefined || supported.includes(value)) return [];
  return [notSupported(path.child(field), value, supported)];
}

const SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SYSCTL = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
const IS_SYSCTL = new RegExp(SYSCTL);

function validateSysctls(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { name = "" }] of (spec.securityContext?.sysctls ?? []).entries()) {
    const at = path.index(index).child("name");
    if (name === "") errors.push(required(at));
    else if (name.length > 253 || !IS_SYSCTL.test(name)) {
      const detail = `must have at most 253 characters and match regex ${SYSCTL}`;
      errors.push(invalid(at, name, detail));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    const problem = hostSysctlProblem(name, spec);
    if (problem && !rules.allowHostSysctls) errors.push(invalid(at, name, problem));
    seen.add(name);
  }
  return errors;
}

const IPC_SYSCTL =
  /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced|shm|msgmax|msgmnb|msgmni|msg)$|fs\.mqueue\.)/;

/**
 * Returns the reason why a sysctl cannot be set in a pod, namely that the pod shares the namespace
 * of the sysctl with its node; `undefined` if the sysctl can be set.
 */
export function hostSysctlProblem(sysctl: string, spec: PodSpec): string | undefined {
  const separator = /[./]/.exec(sysctl)?.[0];
  const name = separator === "/"
    ? sysctl.replace(/[./]/g, (sign) => sign === "/" ? "." : "/")
    : sysctl;
  if (spec.hostNetwork && name.startsWith("net.")) {
    return "may not be specified when 'hostNetwork' is true";
  }
  if (spec.hostIPC && IPC_SYSCTL.test(name)) {
    return "may not be specified when 'hostIPC' is true";
  }
  return undefined;
}

function validateSeccomp(profile: Profile | undefined, path: FieldPath): FieldError[] {
  if (!profile) return [];
  const { type = "", localhostProfile } = profile;
  const errors: FieldError[] = [];
  if (type === "") {
    errors.push(required(path.child("type"), "type is required when seccompProfile is set"));
  } else if (!PROFILES.includes(type)) {
    errors.push(notSupported(path.child("type"), type, PROFILES));
  }
  const at = path.child("localhostProfile");
  if (type !== "Localhost") {
    if (localhostProfile !== undefined) {
      const shown = internalForm("SeccompProfile", profile);
      errors.push(invalid(at, shown, "can only be set when seccomp type is Localhost"));
    }
  } else if (localhostProfile === undefined) {
    errors.push(required(at, "must be set when seccomp type is Localhost"));
  } else {
    errors.push(...invalidForEach(at, localhostProfile, descendingPathProblems(localhostProfile)));
  }
  return errors;
}

/** Validates the AppArmor profile of a pod or container. */
function validateAppArmor(
  profile: Security["appArmorProfile"] | undefined,
  path: FieldPath,
): FieldError[] {
  if (!profile) return [];
  const { type = "", localhostProfile } = profile;
  const at = path.child("localhostProfile");
  if (type === "") {
    return [required(path.child("type"), "type is required when appArmorProfile is set")];
  }
  if (!PROFILES.includes(type)) return [notSupported(path.child("type"), type, PROFILES)];
  if (type !== "Localhost") {
    return localhostProfile === undefined
      ? []
      : [invalid(at, localhostProfile, "can only be set when AppArmor type is Localhost")];
  }
  const missing = required(at, "must be set when AppArmor type is Localhost");
  if (localhostProfile === undefined) return [missing];
  const errors: FieldError[] = [];
  if (localhostProfile.trim() !== localhostProfile) {
    errors.push(invalid(at, localhostProfile, "must not be padded with whitespace"));
  } else if (localhostProfile === "") errors.push(missing);
  if (byteLength(localhostProfile) > 4095) errors.push(tooLong(at, 4095));
  return errors;
}

/**
 * Checks that a pod with a user namespace of its own shares no other namespace with its node and,
 * unless the stored pod has some, has no raw block devices. Returns the field errors.
 */
export function validateHostUsers(
  spec: PodSpec,
  containers: Iterable<readonly [Container, FieldPath]>,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = "when `hostUsers` is false";
  const errors: FieldError[] = [];
  if (spec.hostNetwork) errors.push(forbiddenField(path.child("hostNetwork"), detail));
  if (spec.hostPID) errors.push(forbiddenField(path.child("HostPID"), detail));
  if (spec.hostIPC) errors.push(forbiddenField(path.child("HostIPC"), detail));
  if (rules.allowVolumeDevicesWithoutHostUsers) return errors;
  for (const [{ volumeDevices = [] }, at] of containers) {
    if (volumeDevices.length > 0) errors.push(forbiddenField(at.child("volumeDevices"), detail));
  }
  return errors;
}
