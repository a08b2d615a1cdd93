// Mirrors `core/service/storage/alloc.go, Allocators`.
import {
  type FieldError,
  invalidObject,
  type StatusError,
} from "@xca/apimachinery/internal/errors";
import { formatIp, parseIp } from "@xca/apimachinery/internal/validation";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import { needsHealthCheckPort, nodePortsOf } from "./service_fields.ts";

/**
 * The cluster IPs and node ports that one write of a Service can allocate. The addresses and ports
 * of stored Services count as taken. Nothing else records allocations, so that a failed write leaks
 * none.
 */
export class ServicePool {
  readonly serviceCidr: string;
  readonly nodePorts: { readonly first: number; readonly last: number };
  readonly dryRun: boolean;

  readonly #registry: RegistryReader;
  readonly #context: RequestContext;
  readonly #except: { readonly namespace: string; readonly name: string };
  #addresses: Set<string> | undefined;
  #ports: Set<number> | undefined;

  /**
   * Creates the pool from which one write of a Service allocates cluster IPs and node ports.
   *
   * @param service The written Service, whose own allocations do not count as taken.
   */
  constructor(service: V1Service, context: RequestContext, registry: RegistryReader) {
    this.serviceCidr = registry.serviceCidr;
    this.nodePorts = registry.nodePorts;
    this.dryRun = context.dryRun;
    this.#registry = registry;
    this.#context = context;
    this.#except = { namespace: context.namespace, name: service.metadata.name ?? "" };
  }

  /** Returns the canonical cluster IPs of all Services except the one that is written. */
  takenAddresses(): ReadonlySet<string> {
    if (!this.#addresses) this.#look();
    return this.#addresses!;
  }

  /**
   * Returns the node ports and health check node ports of all other Services, and those that the
   * current write has allocated, which callers add to the set.
   */
  takenPorts(): Set<number> {
    if (!this.#ports) this.#look();
    return this.#ports!;
  }

  /** Records a Service's IP address or port that the server, not the user, has chosen. */
  choose(value: string | number): void {
    this.#context.chosen.add(String(value));
  }

  /**
   * Reports whether the server, not the user, has chosen an IP address or port of the Service
   * earlier in the request.
   */
  wasChosen(value: string | number): boolean {
    return this.#context.chosen.has(String(value));
  }

  /** Returns a random number in `[0, 1)` from the server's random number source. */
  chance(): number {
    return parseInt(this.#context.uid().slice(0, 8), 16) / 2 ** 32;
  }

  #look(): void {
    this.#addresses = new Set();
    this.#ports = new Set();
    for (const object of this.#registry.list("", "services")) {
      const { metadata, spec } = object as unknown as V1Service;
      const { namespace, name } = this.#except;
      if (!spec || (metadata.namespace === namespace && metadata.name === name)) continue;
      for (const text of spec.clusterIPs ?? []) {
        const address = parseIp(text);
        if (address) this.#addresses.add(formatIp(address));
      }
      for (const port of nodePortsOf(spec)) this.#ports.add(port);
      if (needsHealthCheckPort(spec) && spec.healthCheckNodePort) {
        this.#ports.add(spec.healthCheckNodePort);
      }
    }
  }
}

/** Returns the 422 error about an invalid Service. */
export function invalidService(service: V1Service, errors: readonly FieldError[]): StatusError {
  return invalidObject({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
}
