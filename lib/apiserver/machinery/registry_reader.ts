// Mirrors `registry/rest/rest.go, Getter`.
import type { ApiObject } from "@xca/apimachinery/internal/values";

/** The address of a server: a name or an IP address, and a port. */
export interface HostPort {
  /** The name or IP address of the server to reach. */
  readonly host: string;
  /** The TCP port of the server. */
  readonly port: number;
}

/**
 * The part of the registry that strategies and access rules use: synchronous reads of stored
 * objects in their storage version. Each read parses the object again, so that the caller owns the
 * result.
 */
export interface RegistryReader {
  /**
   * Returns the stored object of a resource (given by its plural), or `undefined` if there is none.
   */
  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined;
  /**
   * Yields the stored objects of a resource in the order of their keys: those of `namespace`, or
   * all if it is absent or empty.
   */
  list(group: string, resource: string, namespace?: string): Iterable<ApiObject>;
  /** The address range of Services of the cluster; by default `10.0.0.0/24`. */
  readonly serviceCidr: string;
  /** The node port range of Services of the cluster; by default 30000 to 32767. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /**
   * Returns the address at which a kubelet or an extension API server is reached, given the address
   * that the cluster names.
   *
   * @default {the address that the cluster names}
   */
  readonly reach?: ((named: HostPort) => HostPort) | undefined;
}
