/**
 * Client of the registry, which serves the instances of a service, and the versions of all services
 * by a long poll: it responds when a version changes.
 *
 * @module
 */
import { isIPv4, isIPv6 } from "node:net";
import type { Clock } from "@xca/operator";

/** The time for which the registry may hold a long poll, in seconds. */
const WAIT_SECONDS = 30;
/** The timeout of a request in addition to the requested wait, in milliseconds. */
const TIMEOUT_MS = 10_000;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The type of an instance's address, as EndpointSlices name it. */
export type AddressType = "IPv4" | "IPv6" | "FQDN";

/** An instance of a service in the registry. */
export interface Instance {
  /** The IP address or host name of the instance. */
  readonly address: string;
  /** The type of the instance's address. */
  readonly addressType: AddressType;
  /**
   * The state of the instance: it accepts requests (`up`), only finishes present ones (`draining`),
   * or has failed (`down`).
   */
  readonly state: "up" | "draining" | "down";
}

/**
 * Error of a registry that is unreachable, refuses a request or is too slow, or whose response is
 * malformed.
 */
export class RegistryError extends Error {
  /** The name of this error class, `RegistryError`. */
  override readonly name = "RegistryError";

  /** Creates a registry error, with the reason for conditions and events. */
  constructor(
    readonly reason: "RegistryUnreachable" | "InvalidAnswer",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The signal and the clock that limit a request to the registry. */
export interface RequestBounds {
  /** The signal that cancels the request. */
  readonly signal: AbortSignal;
  /** The clock that measures the request's timeout. */
  readonly clock: Clock;
}

/**
 * The versions of all services of a registry, and the entity tag with which the next change is
 * awaited.
 */
export interface Versions {
  /** The version of each service by its name. */
  readonly byService: ReadonlyMap<string, string>;
  /** The entity tag of the registry's response; `undefined` if the registry sent none. */
  readonly tag: string | undefined;
}

/** The client of a registry at a URL. */
export class Registry {
  readonly #url: string;
  readonly #fetch: typeof fetch;

  /** Creates the client of a registry; `send` replaces the network in tests. */
  constructor(url: string, send: typeof fetch = fetch) {
    this.#url = url.replace(/\/$/, "");
    this.#fetch = send;
  }

  /**
   * Returns the instances of a service, one for each address: the first that is `up`, or else the
   * last; an empty list for an unknown service.
   *
   * @throws {RegistryError} When the registry does not respond with a list of instances.
   */
  async instances(service: string, bounds: RequestBounds): Promise<Instance[]> {
    const path = `/services/${encodeURIComponent(service)}`;
    const { status, body } = await this.#get(path, bounds);
    if (status === 404) return [];
    const { instances } = record(body, path);
    if (!Array.isArray(instances)) throw invalid(path, "instances must be a list");
    const byAddress = new Map<string, Instance>();
    for (const each of instances) {
      const instance = parseInstance(each, path);
      const known = byAddress.get(instance.address);
      if (known?.state !== "up") byAddress.set(instance.address, instance);
    }
    return [...byAddress.values()];
  }

  /**
   * Returns the versions of all services: at once if none are known or they have no entity tag,
   * otherwise once they differ from the known ones. Returns `undefined` when they have not changed
   * for half a minute.
   *
   * @throws {RegistryError} When the registry does not respond with versions.
   */
  async changed(
    known: Versions | undefined,
    bounds: RequestBounds,
  ): Promise<Versions | undefined> {
    const path = known?.tag ? `/services?wait=${WAIT_SECONDS}` : "/services";
    const headers: HeadersInit = known?.tag ? { "if-none-match": known.tag } : {};
    const { status, body, tag } = await this.#get(path, bounds, headers);
    if (status === 304) return undefined;
    const byService = new Map(
      Object.entries(record(body, path)).map(([name, version]) => [name, `${version}`]),
    );
    return { byService, tag };
  }

  async #get(
    path: string,
    { signal, clock }: RequestBounds,
    headers: HeadersInit = {},
  ): Promise<{ status: number; body?: unknown; tag?: string | undefined }> {
    const waitMs = path.includes("?wait=") ? WAIT_SECONDS * 1000 : 0;
    const slow = new AbortController();
    using _timer = clock.after(
      waitMs + TIMEOUT_MS,
      () => slow.abort(new Error("no answer in time")),
    );
    let status: number;
    let text: string;
    let tag: string | undefined;
    try {
      const response = await this.#fetch(`${this.#url}${path}`, {
        headers,
        signal: AbortSignal.any([signal, slow.signal]),
      });
      ({ status } = response);
      tag = response.headers.get("etag") ?? undefined;
      text = await response.text();
      if (!response.ok && status !== 304 && status !== 404) throw new Error(`it answers ${status}`);
    } catch (cause) {
      const { message } = cause as Error;
      throw new RegistryError("RegistryUnreachable", `GET ${path} failed: ${message}`, { cause });
    }
    if (status !== 200) return { status };
    try {
      return { status, body: JSON.parse(text), tag };
    } catch (cause) {
      throw invalid(path, "it is not JSON", cause);
    }
  }
}

function parseInstance(value: unknown, path: string): Instance {
  const { address, state = "up" } = record(value, path);
  const addressType = typeof address === "string" ? addressTypeOf(address) : undefined;
  if (!addressType) throw invalid(path, `${JSON.stringify(address)} is no address`);
  if (state !== "up" && state !== "draining" && state !== "down") {
    throw invalid(path, `the state of ${address} is ${JSON.stringify(state)}`);
  }
  return { address: canonical(address as string, addressType), addressType, state };
}

function addressTypeOf(address: string): AddressType | undefined {
  if (isIPv4(address)) return "IPv4";
  if (isIPv6(address)) return "IPv6";
  // A name without letters is a mistyped IP address.
  return HOST_NAME.test(address) && /[a-z]/.test(address) ? "FQDN" : undefined;
}

/**
 * Returns the canonical form of an IPv6 address, such as `2001:db8::1`, for comparisons; other
 * addresses unchanged.
 */
function canonical(address: string, type: AddressType): string {
  return type === "IPv6" ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(path, "it must be an object");
}

function invalid(path: string, why: string, cause?: unknown): RegistryError {
  return new RegistryError("InvalidAnswer", `The answer to GET ${path} cannot be used: ${why}`, {
    cause,
  });
}
