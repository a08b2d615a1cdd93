/**
 * Pod security checks of container privileges: privileged mode, privilege escalation, capabilities,
 * the /proc mount. Mirrors `policy/check_privileged.go, CheckPrivileged` and its siblings.
 *
 * @module
 */
import { containersText, quoted, sorted, type Violation } from "../check.ts";
import type { CheckedPod, Container } from "../pod_parts.ts";

const ALLOWED_CAPABILITIES = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/**
 * Returns the pod security violation of a pod with privileged containers; `undefined` if the pod
 * has none.
 */
export function privileged({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter(({ securityContext }) => securityContext?.privileged);
  if (bad.length === 0) return undefined;
  return {
    reason: "privileged",
    detail: `${containersText(bad)} must not set securityContext.privileged=true`,
  };
}

/**
 * Returns the pod security violation of a pod with containers that do not set
 * `allowPrivilegeEscalation: false`; `undefined` if all do.
 */
export function privilegeEscalation({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter(({ securityContext }) =>
    securityContext?.allowPrivilegeEscalation !== false
  );
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/**
 * Returns the pod security violation of a pod whose containers add capabilities beyond the default
 * set; `undefined` if none does.
 */
export function addedCapabilities({ containers }: CheckedPod): Violation | undefined {
  const detail = addedDetail(containers, (name) => ALLOWED_CAPABILITIES.has(name));
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
}

/**
 * Returns the pod security violation of a pod whose containers do not drop all capabilities, or add
 * any but NET_BIND_SERVICE; `undefined` if there is no such container.
 */
export function droppedCapabilities({ containers }: CheckedPod): Violation | undefined {
  const keeping = containers.filter(({ securityContext }) =>
    !securityContext?.capabilities?.drop?.includes("ALL")
  );
  const added = addedDetail(containers, (name) => name === "NET_BIND_SERVICE");
  if (keeping.length === 0 && added === undefined) return undefined;
  const details = keeping.length === 0
    ? []
    : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`];
  if (added !== undefined) details.push(added);
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function addedDetail(
  containers: readonly Container[],
  isAllowed: (name: string) => boolean,
): string | undefined {
  const addedBy = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !isAllowed(name));
  const bad = containers.filter((container) => addedBy(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(sorted(bad.flatMap(addedBy)));
  return `${containersText(bad)} must not include ${names} in securityContext.capabilities.add`;
}

/**
 * Returns the pod security violation of a pod whose containers set a `procMount` other than
 * `Default`, such as an unmasked /proc; `undefined` if none does.
 */
export function procMount({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter(({ securityContext }) =>
    (securityContext?.procMount ?? "Default") !== "Default"
  );
  if (bad.length === 0) return undefined;
  const types = quoted(sorted(bad.map(({ securityContext }) => securityContext!.procMount!)));
  return {
    reason: "procMount",
    detail: `${containersText(bad)} must not set securityContext.procMount to ${types}`,
  };
}
