// Mirrors `core/service/storage/alloc.go, Allocators.allocClusterIPs`.
import {
  FieldPath,
  internalError,
  invalid,
  type StatusError,
} from "@xca/apimachinery/internal/errors";
import {
  formatIp,
  type IpAddress,
  type IpRange,
  networkOf,
  parseCidr,
  parseIp,
  rangeHolds,
} from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { isHeadless, type ServiceSpec } from "./service_fields.ts";
import { invalidService, type ServicePool } from "./service_pool.ts";

const PATH = FieldPath.of("spec", "clusterIPs");

/**
 * Reports whether a write of a Service allocates a cluster IP: on create and on a change from the
 * type `ExternalName`, unless the Service is headless or of that type.
 */
export function wantsAddress(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (spec.type === "ExternalName" || isHeadless(spec)) return false;
  if (!old || old.type === "ExternalName") return true;
  return false;
}

/**
 * Allocates the cluster IP of a Service: checks the requested address, or sets a free one in the
 * spec (`core/service/storage/alloc.go`, `Allocators.allocClusterIPs`). An address that the server
 * chose earlier in the request and that is taken now is replaced.
 *
 * @throws {StatusError} 422 if the address is out of range or taken, or the Service has no name
 * yet; 500 if the range is exhausted.
 */
export function takeAddress(service: V1Service, pool: ServicePool): void {
  const spec = service.spec!;
  const range = parseCidr(pool.serviceCidr)!;
  const wanted = spec.clusterIPs?.[0];
  if (wanted && !(pool.wasChosen(wanted) && pool.takenAddresses().has(wanted))) {
    const problem = addressProblem(parseIp(wanted)!, range, pool);
    if (problem !== undefined) throw refusal(service, wanted, problem);
    if (isNameless(service, pool)) throw refusal(service, wanted, namelessProblem(wanted));
    return;
  }
  const address = freeAddress(range, pool);
  if (!address) {
    throw internalError(
      `failed to allocate a serviceIP for Service ${JSON.stringify(service.metadata.name)}: ` +
        "range is full",
    );
  }
  if (isNameless(service, pool)) {
    const detail = `failed to allocate IP: ${namelessProblem(formatIp(address))}`;
    throw invalidService(service, [invalid(PATH, [""], detail)]);
  }
  spec.clusterIPs = [formatIp(address)];
  spec.clusterIP = formatIp(address);
  pool.choose(formatIp(address));
}

/**
 * Reports whether a Service has no name yet, outside of a dry run: an IPAddress needs the name
 * before the name is validated.
 */
function isNameless({ metadata }: V1Service, { dryRun }: ServicePool): boolean {
  return !metadata.name && !dryRun;
}

function namelessProblem(address: string): string {
  return `IPAddress.networking.k8s.io ${JSON.stringify(address)} is invalid: ` +
    "spec.parentRef.name: Required value";
}

function refusal(service: V1Service, wanted: string, problem: string): StatusError {
  const detail = `failed to allocate IP ${wanted}: ${problem}`;
  return invalidService(service, [invalid(PATH, service.spec!.clusterIPs, detail)]);
}

function addressProblem(
  address: IpAddress,
  range: IpRange,
  pool: ServicePool,
): string | undefined {
  const offset = offsetOf(address, range);
  if (!rangeHolds(range, address) || offset < 1n || offset > lastOffset(range)) {
    return "the provided network does not match the current range";
  }
  const taken = !pool.dryRun && pool.takenAddresses().has(formatIp(address));
  return taken ? "provided IP is already allocated" : undefined;
}

/**
 * Returns a free cluster IP without allocating it: from a random offset in the upper part of the
 * range, then in the lower part, from which users usually request addresses; `undefined` if none is
 * free. A dry run returns the network address of the range.
 */
function freeAddress(range: IpRange, pool: ServicePool): IpAddress | undefined {
  if (pool.dryRun) return networkOf(range);
  const taken = pool.takenAddresses();
  const last = lastOffset(range);
  const middle = lowerPart(last + 2n);
  return search(range, middle + 1n, last, taken, pool.chance()) ??
    search(range, 1n, middle, taken, pool.chance());
}

function search(
  range: IpRange,
  first: bigint,
  last: bigint,
  taken: ReadonlySet<string>,
  chance: number,
): IpAddress | undefined {
  const size = last - first + 1n;
  if (size < 1n) return undefined;
  // If any address is free, one of this number of different addresses is free.
  const tries = size < BigInt(taken.size + 1) ? size : BigInt(taken.size + 1);
  const start = BigInt(Math.floor(chance * Number(size)));
  for (let step = 0n; step < tries; step++) {
    const address = addressAt(range, first + (start + step) % size);
    if (!taken.has(formatIp(address))) return address;
  }
  return undefined;
}

/**
 * Returns the size of the lower part of a Service address range: a sixteenth, at least 16 and at
 * most 256 addresses; 0 for a range of at most 16 addresses.
 */
function lowerPart(size: bigint): bigint {
  if (size <= 16n) return 0n;
  const part = size / 16n;
  return part < 16n ? 16n : part > 256n ? 256n : part;
}

/**
 * Returns the offset from the network address of the last usable address in a Service address
 * range, which excludes the broadcast address of IPv4.
 */
function lastOffset({ address, prefix }: IpRange): bigint {
  const bits = address.bytes.length * 8;
  return (1n << BigInt(bits - prefix)) - (bits === 32 ? 2n : 1n);
}

function toNumber({ bytes }: IpAddress): bigint {
  return bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function offsetOf(address: IpAddress, range: IpRange): bigint {
  return toNumber(address) - toNumber(networkOf(range));
}

function addressAt(range: IpRange, offset: bigint): IpAddress {
  let rest = toNumber(networkOf(range)) + offset;
  const bytes: number[] = [];
  for (let index = 0; index < range.address.bytes.length; index++) {
    bytes.unshift(Number(rest % 256n));
    rest /= 256n;
  }
  return { bytes, mapped: false, leadingZeroes: false };
}

/** Returns the first address of the Service range, that of the Service `kubernetes`. */
export function firstServiceAddress(serviceCidr: string): string {
  return formatIp(addressAt(parseCidr(serviceCidr)!, 1n));
}
