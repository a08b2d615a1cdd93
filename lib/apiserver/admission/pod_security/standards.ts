// Mirrors `pod-security-admission/policy/registry.go, checkRegistry`.
import { exceptInUserNamespace, exceptWindows, type PodCheck, type Violation } from "./check.ts";
import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  probedHosts,
  windowsHostProcess,
} from "./checks/host.ts";
import {
  addedCapabilities,
  droppedCapabilities,
  privileged,
  privilegeEscalation,
  procMount,
} from "./checks/privileges.ts";
import {
  appArmorProfile,
  requiredSeccompProfile,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
} from "./checks/profiles.ts";
import { runAsNonRoot, runAsUser } from "./checks/user.ts";
import { restrictedVolumes, sysctls } from "./checks/volumes_and_sysctls.ts";
import type { CheckedPod } from "./pod_parts.ts";
import type { Standard } from "./policy_labels.ts";

/**
 * A check of a pod security standard, in its variants by the minor version of Kubernetes that
 * introduced the variant.
 */
interface Check {
  readonly since: Readonly<Record<number, PodCheck>>;
  /**
   * The minor version of Kubernetes from which on the restricted pod security standard replaces
   * this check by a stricter one. Absent for a check without replacement.
   */
  readonly replacedSince?: number;
}

/**
 * The last minor version of Kubernetes that changed the pod security standards; the standards of
 * later versions, and the latest ones, are those of this version.
 */
const LAST_CHANGED = 37;

const SYSCTLS = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_27 = [...SYSCTLS, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_32 = [...SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];
const SYSCTLS_37 = [
  ...SYSCTLS_32,
  "net.ipv4.tcp_slow_start_after_idle",
  "net.ipv4.tcp_notsent_lowat",
];
const SE_LINUX_TYPES = ["container_t", "container_init_t", "container_kvm_t"];

/** The checks of the baseline pod security standard, in the order of kube-apiserver's messages. */
const BASELINE: readonly Check[] = [
  { since: { 0: appArmorProfile } },
  { since: { 0: addedCapabilities }, replacedSince: 22 },
  { since: { 0: hostNamespaces } },
  { since: { 0: hostPathVolumes }, replacedSince: 0 },
  { since: { 0: hostPorts } },
  { since: { 34: probedHosts } },
  { since: { 0: privileged } },
  { since: { 0: procMount, 35: exceptInUserNamespace(procMount) }, replacedSince: 35 },
  {
    since: {
      0: seLinuxOptions(...SE_LINUX_TYPES),
      31: seLinuxOptions(...SE_LINUX_TYPES, "container_engine_t"),
    },
  },
  { since: { 0: seccompAnnotations, 19: seccompProfile }, replacedSince: 19 },
  {
    since: {
      0: sysctls(...SYSCTLS),
      27: sysctls(...SYSCTLS_27),
      29: sysctls(...SYSCTLS_29),
      32: sysctls(...SYSCTLS_32),
      37: sysctls(...SYSCTLS_37),
    },
  },
  { since: { 0: windowsHostProcess } },
];

const RESTRICTED: readonly Check[] = [
  { since: { 8: privilegeEscalation, 25: exceptWindows(privilegeEscalation) } },
  { since: { 22: droppedCapabilities, 25: exceptWindows(droppedCapabilities) } },
  { since: { 35: procMount } },
  { since: { 0: restrictedVolumes } },
  { since: { 0: runAsNonRoot, 35: exceptInUserNamespace(runAsNonRoot) } },
  { since: { 23: runAsUser, 35: exceptInUserNamespace(runAsUser) } },
  { since: { 19: requiredSeccompProfile, 25: exceptWindows(requiredSeccompProfile) } },
];

/** Returns a pod's violations of a pod security standard. */
export function violationsOf(standard: Standard, pod: CheckedPod): readonly Violation[] {
  const { level } = standard;
  if (level === "privileged") return [];
  const minor = Math.min(standard.minor, LAST_CHANGED);
  const checks = level === "baseline" ? BASELINE : [
    ...BASELINE.filter(({ replacedSince = Infinity }) => minor < replacedSince),
    ...RESTRICTED,
  ];
  return checks.flatMap(({ since }) => asOf(since, minor)?.(pod) ?? []);
}

function asOf(since: Check["since"], minor: number): PodCheck | undefined {
  const versions = Object.keys(since).map(Number).filter((version) => version <= minor);
  return versions.length === 0 ? undefined : since[Math.max(...versions)];
}

/** Formats pod security violations by their short names, as `host namespaces, hostPort`. */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

/**
 * Formats pod security violations with details, as `host namespaces (hostPID=true), hostPort
 * (...)`.
 */
export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}
