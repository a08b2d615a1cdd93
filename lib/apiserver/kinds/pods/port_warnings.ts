import type { FieldPath } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import { containersOf, type PodSpec } from "./common/pod_types.ts";

/**
 * Returns the warnings about container ports of a pod that conflict, since the containers share a
 * network, about port names that occur twice, and about host IPs without a host port
 * (`api/pod/warnings.go`, `warningsForPodSpecAndMeta`).
 */
export function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const ports = [...containersOf(spec, path)].flatMap(([{ ports = [] }, at]) =>
    ports.map((
      { name = "", containerPort = 0, protocol = "", hostIP = "", hostPort = 0 },
      index,
    ) => ({
      at: at.child("ports").index(index),
      name,
      containerPort,
      protocol,
      hostIP,
      hostPort,
    }))
  );
  const warnings: string[] = [];
  for (const [index, port] of ports.entries()) {
    const { at, hostIP, hostPort, containerPort, protocol, name } = port;
    if (hostIP !== "" && hostPort === 0) {
      const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} ` +
        `Protocol:${protocol} HostIP:${hostIP}}`;
      warnings.push(`${at}: hostIP set without hostPort: ${shown}`);
    }
    for (const other of ports.slice(0, index)) {
      if (other.containerPort !== containerPort || other.protocol !== protocol) continue;
      const what = likeness(port, other);
      if (what) warnings.push(`${at}: ${what} port definition with ${other.at}`);
    }
  }
  const named = new Map<string, FieldPath>();
  for (const { at, name } of ports.filter(({ name }) => name !== "")) {
    const other = named.get(name);
    if (!other) named.set(name, at);
    else {
      warnings.push(
        `${at}: duplicate port name ${goQuote(name)} with ${other}, services and probes that ` +
          `select ports by name will use ${other}`,
      );
    }
  }
  return warnings;
}

interface Binding {
  readonly hostIP: string;
  readonly hostPort: number;
}

function likeness(a: Binding, b: Binding): string | undefined {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return "duplicate";
  if (a.hostPort === 0 || b.hostPort === 0) return "overlapping";
  const oneIsAny = (a.hostIP === "") !== (b.hostIP === "");
  return a.hostPort === b.hostPort && oneIsAny ? "dangerously ambiguous" : undefined;
}
