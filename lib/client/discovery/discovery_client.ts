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
import type { RestDoor } from "../calls/rest.ts";
import { kindMappingsOf, mappingsOf, type RestMapping } from "./rest_mapping.ts";
import { AmbiguousResourceError, noKindMatch, noMatch } from "./rest_mapping_error.ts";
import { type ServerVersion, serverVersion } from "./server_version.ts";

/** Options for {@linkcode discoveryClient}. */
export type DiscoveryOptions = NonNullable<Parameters<typeof discoveryClient>[1]>;

/**
 * What a server serves, and which resource a name or a kind stands for.
 *
 * The answer is kept. What is not found in it is looked up once more in one that is newer than the
 * call, so a definition that the server has accepted is found; all who miss at one time share that
 * question, and the next one keeps its distance.
 *
 * An aggregated API that is down hides its own resources and no others: it is in
 * {@linkcode ServerResources.failures}.
 */
export interface DiscoveryClient {
  /** All groups, versions and resources. */
  resources(options?: Pick<CallOptions, "signal">): Promise<ServerResources>;

  /** Each resource once, in the version that the server prefers; what `kubectl api-resources` prints. */
  preferredResources(options?: Pick<CallOptions, "signal">): Promise<ApiResource[]>;

  /**
   * The resource that a name stands for, by kubectl's rules: `deployments`, `Deployment`, `deploy`,
   * `deployments.apps`, `deployments.v1.apps`. Of several the one of the group that the server puts
   * first, in the version that it prefers.
   *
   * @throws {NoMatchError} When there is none.
   * @throws {AmbiguousResourceError} When two of one version match.
   */
  resourceFor(argument: string, options?: Pick<CallOptions, "signal">): Promise<ApiResource>;

  /**
   * Every resource that a name stands for, the preferred one first.
   *
   * @throws {NoMatchError} When there is none.
   */
  mappings(argument: string, options?: Pick<CallOptions, "signal">): Promise<RestMapping[]>;

  /**
   * Every resource whose objects are of a kind, the preferred one first.
   *
   * @throws {NoMatchError} When there is none.
   */
  mappingsForKind(
    kind: {
      readonly kind: string;
      readonly group?: string | undefined;
      readonly version?: string | undefined;
    },
    options?: Pick<CallOptions, "signal">,
  ): Promise<RestMapping[]>;

  /** The server's version, asked anew at each call. */
  serverVersion(options?: CallOptions): ReturnType<typeof serverVersion>;

  /** The schemas of what the server serves. */
  readonly openApi: OpenApiClient;

  /** Forgets what is known; the next call asks the server. */
  invalidate(): void;
}

/**
 * Discovery over a client.
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
export function discoveryClient(door: RestDoor, options: {
  /**
   * The least time between two questions to the server that misses cause, in milliseconds. A miss
   * waits for its turn.
   * @default {1_000}
   */
  readonly minRefreshMs?: number | undefined;
  /** After how long the server is asked anew in any case, in milliseconds. @default {600_000} */
  readonly maxAgeMs?: number | undefined;
  /** Whether to ask group by group, as for servers before 1.26. @default {false} */
  readonly legacy?: boolean | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
} = {}): DiscoveryClient {
  return new CachedDiscovery(door, options);
}

class CachedDiscovery implements DiscoveryClient {
  readonly openApi: OpenApiClient;
  readonly #door: RestDoor;
  readonly #cache: DiscoveryCache<ServerResources>;

  constructor(door: RestDoor, { legacy, ...options }: DiscoveryOptions) {
    this.openApi = openApiClient(door);
    this.#door = door;
    this.#cache = new DiscoveryCache(
      (signal) => fetchServerResources(door, { signal, legacy }),
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
    return await serverVersion(this.#door, options);
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
