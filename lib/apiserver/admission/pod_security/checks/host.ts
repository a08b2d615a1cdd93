/**
 * Pod security checks of a pod's access to its node: namespaces, paths, ports, addresses,
 * processes. Mirrors `policy/check_hostNamespaces.go, CheckHostNamespaces` and its siblings.
 *
 * @module
 */
import type { CheckedPod, Container } from "../pod_parts.ts";
import { containersText, plural, quoted, settersText, sorted, type Violation } from "../check.ts";

/**
 * Returns the pod security violation of a pod that uses host namespaces (`hostNetwork`, `hostPID`,
 * `hostIPC`); `undefined` if the pod uses none.
 */
export function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field]);
  if (used.length === 0) return undefined;
  return {
    reason: "host namespaces",
    detail: used.map((field) => `${field}=true`).join(", "),
  };
}

/**
 * Returns the pod security violation of a pod with hostPath volumes; `undefined` if the pod has
 * none.
 */
export function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    reason: "hostPath volumes",
    detail: `${plural(names.length, "volume")} ${quoted(names)}`,
  };
}

/**
 * Returns the pod security violation of a pod whose containers have host ports; `undefined` if none
 * has.
 */
export function hostPorts({ containers }: CheckedPod): Violation | undefined {
  const portsOf = ({ ports = [] }: Container): string[] =>
    ports.filter(({ hostPort }) => hostPort).map(({ hostPort }) => String(hostPort));
  const bad = containers.filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sorted(bad.flatMap(portsOf));
  const uses = plural(bad.length, "uses", "use");
  return {
    reason: "hostPort",
    detail: `${containersText(bad)} ${uses} ${plural(ports.length, "hostPort")} ` +
      ports.join(", "),
  };
}

/**
 * Returns the pod security violation of a pod whose probes or lifecycle hooks name a host;
 * `undefined` if none does.
 */
export function probedHosts({ containers }: CheckedPod): Violation | undefined {
  const names = sorted(
    containers.filter((each) => hostsOf(each).length > 0).map(({ name }) => name),
  );
  if (names.length === 0) return undefined;
  const hosts = sorted(containers.flatMap(hostsOf));
  return {
    reason: "probe or lifecycle host",
    detail: `${plural(names.length, "container")} ${quoted(names)} ` +
      `${plural(names.length, "uses", "use")} ` +
      `${plural(hosts.length, "probe or lifecycle host")} ${quoted(hosts)}`,
  };
}

function hostsOf(
  { livenessProbe, readinessProbe, startupProbe, lifecycle }: Container,
): string[] {
  const { postStart, preStop } = lifecycle ?? {};
  return [livenessProbe, readinessProbe, startupProbe, postStart, preStop]
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .filter((host): host is string => host !== undefined && host !== "");
}

/**
 * Returns the pod security violation of a pod that sets `windowsOptions.hostProcess: true` for
 * itself or a container; `undefined` if there is none.
 */
export function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  if (setters === "") return undefined;
  return {
    reason: "hostProcess",
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}
