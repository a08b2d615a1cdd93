// Mirrors `core/service/storage/alloc.go, Allocators.txnAllocNodePorts`.
import { FieldPath, internalError, invalid, StatusError } from "@xca/apimachinery/internal/errors";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import {
  needsHealthCheckPort,
  needsNodePort,
  nodePortsOf,
  type ServiceSpec,
} from "./service_fields.ts";
import { invalidService, type ServicePool } from "./service_pool.ts";

const PORTS = FieldPath.of("spec", "ports");

/**
 * Allocates a given node port for a Service: adds it to the taken ports of the pool. Returns the
 * reason of a failure, or `undefined` for success.
 */
function takePort(port: number, pool: ServicePool): string | undefined {
  const { first, last } = pool.nodePorts;
  if (port < first || port > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  if (pool.takenPorts().has(port)) return "provided port is already allocated";
  pool.takenPorts().add(port);
  return undefined;
}

/**
 * Allocates a free node port for a Service, from a random offset in the upper part of the range,
 * then in the lower part: adds the port to the taken ports of the pool, records it as chosen by the
 * server, and returns it. Returns `undefined` if the range is full.
 */
function nextPort(pool: ServicePool): number | undefined {
  const { first, last } = pool.nodePorts;
  const middle = first + lowerPart(last - first + 1);
  const taken = pool.takenPorts();
  for (const [start, end] of [[middle, last], [first, middle - 1]] as const) {
    const size = end - start + 1;
    if (size < 1) continue;
    const from = Math.floor(pool.chance() * size);
    for (let step = 0; step < size; step++) {
      const port = start + (from + step) % size;
      if (taken.has(port)) continue;
      taken.add(port);
      pool.choose(port);
      return port;
    }
  }
  return undefined;
}

/**
 * Returns the size of the lower part of the node port range: a thirty-second, at least 16 and at
 * most 128 ports; 0 for a range of at most 16 ports.
 */
function lowerPart(size: number): number {
  return size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));
}

function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts === true);
}

/**
 * Removes the node ports of a Service that the server chose and another Service has taken since, so
 * that others are allocated.
 */
export function dropLostPorts({ ports = [] }: ServiceSpec, pool: ServicePool): void {
  const taken = pool.takenPorts();
  for (const port of ports) {
    const { nodePort } = port;
    if (nodePort && pool.wasChosen(nodePort) && taken.has(nodePort)) delete port.nodePort;
  }
}

/**
 * Allocates the node ports of a new Service (`core/service/storage/alloc.go`,
 * `Allocators.txnAllocNodePorts`). Ports of the same number but different protocols get the same
 * node port.
 *
 * @throws {StatusError} 422 if a port is out of range or taken, 500 if the range is exhausted.
 */
export function takeNodePorts(service: V1Service, pool: ServicePool): void {
  const spec = service.spec!;
  if (!needsNodePort(spec)) return;
  const given = new Map<number, number>();
  const ports = spec.ports ?? [];
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(spec)) continue;
    const known = given.get(port.port);
    if (known === undefined) {
      const asked = ports.find((each) => each.port === port.port && each.nodePort)?.nodePort;
      if (asked) takeAsked(service, index, asked, pool);
      port.nodePort = asked ?? takeAny(pool);
      given.set(port.port, port.nodePort);
    } else if (!port.nodePort) port.nodePort = known;
    else if (port.nodePort !== known) takeAsked(service, index, port.nodePort, pool);
  }
}

function takeAsked(service: V1Service, index: number, port: number, pool: ServicePool): void {
  const problem = takePort(port, pool);
  if (problem === undefined) return;
  throw invalidService(service, [invalid(PORTS.index(index).child("nodePort"), port, problem)]);
}

function takeAny(pool: ServicePool): number {
  const port = nextPort(pool);
  if (port === undefined) throw internalError("failed to allocate a nodePort: range is full");
  return port;
}

/**
 * Allocates the node ports of an updated Service, which keeps the node ports that it has.
 *
 * @throws {StatusError} 422 if a port is out of range or taken, 500 if the range is exhausted or
 *   two ports have the same protocol and node port.
 */
export function retakeNodePorts(service: V1Service, old: ServiceSpec, pool: ServicePool): void {
  const spec = service.spec!;
  if (!needsNodePort(spec)) return;
  const had = new Set(nodePortsOf(old));
  const taken = new Set<number>();
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocatesNodePorts(spec)) continue;
    if (!port.nodePort) port.nodePort = takeAny(pool);
    else if (!had.has(port.nodePort) && !taken.has(port.nodePort)) {
      takeAsked(service, index, port.nodePort, pool);
      taken.add(port.nodePort);
    }
    const key = `${port.protocol} ${port.nodePort}`;
    if (seen.has(key)) {
      throw new StatusError(500, "", `duplicate nodePort: {${port.protocol} ${port.nodePort}}`);
    }
    seen.add(key);
  }
}

/**
 * Allocates the health check node port of a Service that needs one (a `LoadBalancer` with the
 * external traffic policy `Local`) and did not need one before the write.
 *
 * @throws {StatusError} 500 if the port cannot be allocated.
 */
export function takeHealthCheckPort(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  pool: ServicePool,
): void {
  if (!needsHealthCheckPort(spec) || (old && needsHealthCheckPort(old))) return;
  const asked = spec.healthCheckNodePort;
  if (!asked) {
    const port = nextPort(pool);
    if (port === undefined) {
      throw internalError("failed to allocate a HealthCheck NodePort 0: range is full");
    }
    spec.healthCheckNodePort = port;
    return;
  }
  const problem = takePort(asked, pool);
  if (problem !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  }
}
