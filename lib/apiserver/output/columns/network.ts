// Mirrors `printers/internalversion/printers.go, printIngress` and its siblings.
import { type CellsByKind, firstFew, selectorOrNone, type Tree } from "../cell_text.ts";
import { loadBalancerText } from "./core.ts";

/** The functions that return the table cells of kinds about networks, such as Ingress, by kind. */
export const NETWORK_CELLS: CellsByKind = {
  "Ingress.networking.k8s.io": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.ingressClassName ?? "<none>",
    hostsText(spec.rules),
    loadBalancerText(status),
    (spec.tls ?? []).length > 0 ? "80, 443" : "80",
    age(metadata.creationTimestamp),
  ],
  "IngressClass.networking.k8s.io": ({ metadata, spec }, age) => [
    metadata.name +
    (metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true"
      ? " (default)"
      : ""),
    spec.controller ?? "",
    parametersText(spec.parameters),
    age(metadata.creationTimestamp),
  ],
  "NetworkPolicy.networking.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    selectorOrNone(spec.podSelector),
    age(metadata.creationTimestamp),
  ],
  "ServiceCIDR.networking.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    (spec.cidrs ?? []).join(","),
    age(metadata.creationTimestamp),
  ],
  // kube-apiserver too returns one cell more than there are columns.
  "IPAddress.networking.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    parentText(spec.parentRef),
    age(metadata.creationTimestamp),
  ],
  "EndpointSlice.discovery.k8s.io": ({ metadata, addressType, ports, endpoints }, age) => [
    metadata.name,
    addressType ?? "",
    listText((ports ?? []).map((each: Tree) => String(each.port ?? each.name ?? "*"))),
    listText((endpoints ?? []).flatMap((each: Tree) => each.addresses ?? [])),
    age(metadata.creationTimestamp),
  ],
};

function hostsText(rules: readonly Tree[] = []): string {
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === 3) more = true;
    if (!more && host) hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return more ? `${hosts.join(",")} + ${rules.length - 3} more...` : hosts.join(",");
}

function parametersText(parameters: Tree): string {
  if (!parameters) return "<none>";
  const group = parameters.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

function parentText(parent: Tree): string {
  if (!parent) return "<none>";
  const group = parent.group ? `.${parent.group}` : "";
  const namespace = parent.namespace ? `/${parent.namespace}` : "";
  return `${parent.resource}${group}`.toLowerCase() + `${namespace}/${parent.name}`;
}

function listText(list: readonly string[]): string {
  const text = firstFew(list, 3);
  return text === "" ? "<unset>" : text;
}
