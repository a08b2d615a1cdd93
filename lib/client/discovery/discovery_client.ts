import type { Clock } from "@xca/apimachinery/base";
import { DiscoveryCache } from "./discovery_cache.ts";
import { fetchServerResources } from "./discovery_fetch.ts";
import {
  type ApiResource,
  preferredResources,
  type ServerResources,
} from "./discovery_resource.ts";
import { type OpenApiClient, openApiClient } from "./openapi.ts";
import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";
import { kindMappingsOf, mappingsOf, type RestMapping } from "./rest_mapping.ts";
import { AmbiguousResourceError, noKindMatch, noMatch } from "./rest_mapping_error.ts";
import { type ServerVersion, serverVersion } from "./server_version.ts";

/** Options of {@linkcode discoveryClient}, which creates the discovery client of a server. */
export type DiscoveryOptions = NonNullable<Parameters<typeof discoveryClient>[1]>;

/**
 * The client for discovery: finds the resources that a server serves, and the resource of a name or
 * a kind.
 *
 * The server's response is cached. When the cached response has no match for a name, the client
 * looks the name up once more in a response newer than the call, so that the resource of a new
 * CustomResourceDefinition is found; concurrent lookups of unknown names share that request, and
 * later ones wait for a minimum interval.
 *
 * An aggregated API that is down hides its own resources only, and is listed in {@linkcode
 * ServerResources.failures}. Each method that needs the server's resources also rejects as
 * {@linkcode DiscoveryClient.resources} does, such as with an ApiError.
 */
export interface DiscoveryClient {
  /**
   * Returns all API groups, versions and resources of the server, from the cache if they were
   * requested less than {@linkcode DiscoveryOptions.maxAgeMs} ago.
   *
   * @throws {ApiError} When the server refuses to list its API groups.
   * @throws {UnreachableError} When there is no connection.
   * @throws {DecodeError} When the response is not that of a Kubernetes server.
   */
  resources(options?: Pick<CallOptions, "signal">): Promise<ServerResources>;

  /**
   * Returns each resource of the server once, in the version that the server prefers, or else in
   * the first version that has the resource, as `kubectl api-resources` prints them.
   */
  preferredResources(options?: Pick<CallOptions, "signal">): Promise<ApiResource[]>;

  /**
   * Returns the server's resource with a name, which is matched by kubectl's rules: `deployments`,
   * `Deployment`, `deploy`, `deployments.apps`, `deployments.v1.apps`. Of several resources,
   * returns the one whose group the server lists first, in the preferred version.
   *
   * @throws {NoMatchError} When no resource matches.
   * @throws {AmbiguousResourceError} When the first two matches are of the same group and version.
   * @throws {TypeError} When the argument is empty or begins with a dot.
   */
  resourceFor(argument: string, options?: Pick<CallOptions, "signal">): Promise<ApiResource>;

  /**
   * Returns every resource of the server that matches a name by kubectl's rules, the preferred one
   * first.
   *
   * @throws {NoMatchError} When no resource matches.
   * @throws {TypeError} When the argument is empty or begins with a dot.
   */
  mappings(argument: string, options?: Pick<CallOptions, "signal">): Promise<RestMapping[]>;

  /**
   * Returns every resource of the server whose objects are of a kind, the preferred one first. An
   * absent group or version stands for all; an empty group is the core group.
   *
   * @throws {NoMatchError} When no resource matches.
   */
  mappingsForKind(
    kind: {
      readonly kind: string;
      readonly group?: string | undefined;
      readonly version?: string | undefined;
    },
    options?: Pick<CallOptions, "signal">,
  ): Promise<RestMapping[]>;

  /** Returns the version of the server, which each call requests anew. */
  serverVersion(options?: CallOptions): ReturnType<typeof serverVersion>;

  /** The client for the OpenAPI schemas of the server's resources. */
  readonly openApi: OpenApiClient;

  /** Discards the cached discovery result, so that the next call requests a new result. */
  invalidate(): void;
}

/**
 * Creates a discovery client for the server of a client, with a cache of its own; no request is
 * sent before its first use.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, discoveryClient } from "@xca/operator/client";
 *
 * const deployments = {
 *   resource: "deployments",
 *   responseKind: { kind: "Deployment" },
 *   scope: "Namespaced",
 *   shortNames: ["deploy"],
 * };
 * const apps = { metadata: { name: "apps" }, versions: [{ version: "v1", resources: [deployments] }] };
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: ({ url }) => {
 *     const items = url.endsWith("/apis") ? [apps] : [];
 *     return Promise.resolve(Response.json({ kind: "APIGroupDiscoveryList", items }));
 *   },
 * });
 * const discovery = discoveryClient(client);
 * const resource = await discovery.resourceFor("deploy");
 * assert(resource.id === "deployments.v1.apps");
 * // It is a type for the typed client: client.list(resource, { namespace: "default" }).
 * ```
 */
export function discoveryClient(client: RestCalls, options: {
  /**
   * The least time between a discovery request and the next one that is sent because a name was not
   * found, in milliseconds. A lookup of a name that was not found waits for the rest of this time.
   * @default {1_000}
   */
  readonly minRefreshMs?: number | undefined;
  /**
   * The largest age of the cached discovery result, in milliseconds since its request was sent.
   * @default {600_000}
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * Sets whether the client uses unaggregated discovery, group by group, even if the server
   * supports aggregated discovery. Not needed for older servers, which are detected.
   *
   * @default {false}
   */
  readonly legacy?: boolean | undefined;
  /** The clock that measures the age of the discovery result. @default {systemClock} */
  readonly clock?: Clock | undefined;
} = {}): DiscoveryClient {
  return new CachedDiscovery(client, options);
}

class CachedDiscovery implements DiscoveryClient {
  readonly openApi: OpenApiClient;
  readonly #client: RestCalls;
  readonly #cache: DiscoveryCache<ServerResources>;

  constructor(client: RestCalls, { legacy, ...options }: DiscoveryOptions) {
    this.openApi = openApiClient(client);
    this.#client = client;
    this.#cache = new DiscoveryCache(
      (signal) => fetchServerResources(client, { signal, legacy }),
      options,
    );
  }

  async resources(options: Pick<CallOptions, "signal"> = {}): Promise<ServerResources> {
    return (await this.#cache.get(options.signal)).value;
  }

  async preferredResources(options: Pick<CallOptions, "signal"> = {}): Promise<ApiResource[]> {
    return preferredResources(await this.resources(options));
  }

  async resourceFor(
    argument: string,
    options: Pick<CallOptions, "signal"> = {},
  ): Promise<ApiResource> {
    const mappings = await this.mappings(argument, options);
    const preferred = mappings.find((mapping) => mapping.preferred);
    if (preferred) return preferred.resource;
    throw new AmbiguousResourceError(argument, mappings.map(({ resource }) => resource));
  }

  async mappings(
    argument: string,
    options: Pick<CallOptions, "signal"> = {},
  ): Promise<RestMapping[]> {
    return await this.#lookUp(options, {
      find: (server) => mappingsOf(server, argument),
      missing: (server) => noMatch(server, argument),
    });
  }

  async mappingsForKind(
    kind: {
      readonly kind: string;
      readonly group?: string | undefined;
      readonly version?: string | undefined;
    },
    options: Pick<CallOptions, "signal"> = {},
  ): Promise<RestMapping[]> {
    return await this.#lookUp(options, {
      find: (server) => kindMappingsOf(server, kind),
      missing: (server) => noKindMatch(server, kind),
    });
  }

  async serverVersion(options: CallOptions = {}): Promise<ServerVersion> {
    return await serverVersion(this.#client, options);
  }

  invalidate(): void {
    this.#cache.invalidate();
  }

  async #lookUp(
    { signal }: Pick<CallOptions, "signal">,
    { find, missing }: {
      readonly find: (server: ServerResources) => RestMapping[];
      readonly missing: (server: ServerResources) => Error;
    },
  ): Promise<RestMapping[]> {
    const sentBefore = this.#cache.sent;
    let fetched = await this.#cache.get(signal);
    let found = find(fetched.value);
    if (found.length === 0 && fetched.fetch <= sentBefore) {
      fetched = await this.#cache.newerThan(sentBefore, signal);
      found = find(fetched.value);
    }
    if (found.length === 0) throw missing(fetched.value);
    return found;
  }
}
