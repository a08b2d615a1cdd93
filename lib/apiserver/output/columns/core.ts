// Mirrors `printers/internalversion/printers.go, printNode` and its siblings.
import { type Age, type CellsByKind, firstFew, labelText, type Tree } from "../cell_text.ts";

/**
 * The functions that return the table cells of the kinds of the core group other than pods,
 * workloads and volumes, by kind.
 */
export const CORE_CELLS: CellsByKind = {
  ComponentStatus: ({ metadata, conditions = [] }) => {
    const healthy = conditions.find((each: Tree) => each.type === "Healthy");
    const status = healthy ? healthy.status === "True" ? "Healthy" : "Unhealthy" : "Unknown";
    return [metadata.name, status, healthy?.message ?? "", healthy?.error ?? ""];
  },
  ConfigMap: ({ metadata, data = {}, binaryData = {} }, age) => [
    metadata.name,
    Object.keys(data).length + Object.keys(binaryData).length,
    age(metadata.creationTimestamp),
  ],
  Secret: ({ metadata, type, data = {} }, age) => [
    metadata.name,
    type ?? "",
    Object.keys(data).length,
    age(metadata.creationTimestamp),
  ],
  ServiceAccount: ({ metadata }, age) => [metadata.name, age(metadata.creationTimestamp)],
  Namespace: ({ metadata, status }, age) => [
    metadata.name,
    status?.phase ?? "",
    age(metadata.creationTimestamp),
  ],
  Endpoints: (endpoints, age) => [
    endpoints.metadata.name,
    endpointsText(endpoints),
    age(endpoints.metadata.creationTimestamp),
  ],
  Service: (service, age) => [
    service.metadata.name,
    service.spec.type ?? "",
    service.spec.clusterIPs?.[0] ?? "<none>",
    externalIp(service),
    portText(service.spec.ports),
    age(service.metadata.creationTimestamp),
    labelText(service.spec.selector),
  ],
  Node: (node, age) => [
    node.metadata.name,
    nodeStatus(node),
    nodeRoles(node),
    age(node.metadata.creationTimestamp),
    node.status?.nodeInfo?.kubeletVersion ?? "",
    nodeAddress(node, "InternalIP"),
    nodeAddress(node, "ExternalIP"),
    node.status?.nodeInfo?.osImage || "<unknown>",
    kernelText(node),
    node.status?.nodeInfo?.containerRuntimeVersion || "<unknown>",
  ],
  ResourceQuota: ({ metadata, status }, age) => {
    const { hard = {}, used = {} } = status ?? {};
    const names = Object.keys(hard).sort();
    const list = (limits: boolean): string =>
      names.filter((name) => name.startsWith("limits.") === limits)
        .map((name) => `${name}: ${used[name] ?? "0"}/${hard[name]}`).join(", ");
    return [metadata.name, list(false), list(true), age(metadata.creationTimestamp)];
  },
  Event: (event, age) => eventCells(event, age),
};

function endpointsText({ subsets = [] }: Tree): string {
  if (subsets.length === 0) return "<none>";
  const all: string[] = [];
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) all.push(...addresses.map(({ ip }: Tree) => ip));
    for (const { port } of ports) {
      all.push(
        ...addresses.map(({ ip }: Tree) => ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`),
      );
    }
  }
  return firstFew(all, 3);
}

/**
 * Formats the addresses of a Service's or Ingress's load balancer for a table cell: sorted,
 * distinct and joined by commas; empty if there are none.
 */
export function loadBalancerText(status: Tree): string {
  const addresses = (status?.loadBalancer?.ingress ?? [])
    .map(({ ip, hostname }: Tree) => ip || hostname).filter(Boolean);
  return [...new Set<string>(addresses)].sort().join(",");
}

function externalIp({ spec, status }: Tree): string {
  const ips: string[] = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return ips.length > 0 ? ips.join(",") : "<none>";
    case "LoadBalancer": {
      const text = loadBalancerText(status);
      if (ips.length > 0) return [...(text === "" ? [] : [text]), ...ips].join(",");
      return text === "" ? "<pending>" : text;
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function portText(ports: readonly Tree[] = []): string {
  const texts = ports.map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`
  );
  return texts.length === 0 ? "<none>" : texts.join(",");
}

function nodeStatus({ spec, status }: Tree): string {
  const ready = status?.conditions?.findLast((each: Tree) => each.type === "Ready");
  const text = ready ? ready.status === "True" ? "Ready" : "NotReady" : "Unknown";
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

function nodeRoles({ metadata }: Tree): string {
  const roles = new Set<string>();
  for (const [name, value] of Object.entries<string>(metadata.labels ?? {})) {
    const [, role] = /^node-role\.kubernetes\.io\/(.+)$/.exec(name) ?? [];
    if (role) roles.add(role);
    else if (name === "kubernetes.io/role" && value !== "") roles.add(value);
  }
  return roles.size === 0 ? "<none>" : [...roles].sort().join(",");
}

function nodeAddress({ status }: Tree, type: string): string {
  return status?.addresses?.find((each: Tree) => each.type === type)?.address ?? "<none>";
}

function kernelText({ status }: Tree): string {
  const { kernelVersion, architecture } = status?.nodeInfo ?? {};
  return (kernelVersion || "<unknown>") + (architecture ? ` (${architecture})` : "");
}

function eventCells(event: Tree, age: Age): unknown[] {
  const { involvedObject = {}, source = {}, series } = event;
  const first = age(event.firstTimestamp || event.eventTime);
  let last = event.lastTimestamp ? age(event.lastTimestamp) : first;
  if (series) last = age(series.lastObservedTime);
  const kind = (involvedObject.kind ?? "").toLowerCase();
  const component = source.component || event.reportingComponent || "";
  const instance = source.host || event.reportingInstance || "";
  return [
    last,
    event.type ?? "",
    event.reason ?? "",
    involvedObject.name ? `${kind}/${involvedObject.name}` : kind,
    involvedObject.fieldPath ?? "",
    instance === "" ? component : `${component}, ${instance}`,
    (event.message ?? "").trim(),
    first,
    series ? series.count ?? 0 : event.count || 1,
    event.metadata.name ?? "",
  ];
}
