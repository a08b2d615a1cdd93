import { ApiError } from "../errors/api_error.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { type AggregatedList, DISCOVERY_ACCEPT, readAggregated } from "./discovery_aggregated.ts";
import {
  type LegacyGroups,
  legacyGroupsOf,
  type LegacyVersions,
  readLegacy,
} from "./discovery_legacy.ts";
import type { ApiGroup, DiscoveryFailure, ServerResources } from "./discovery_resource.ts";
import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";

type Index = AggregatedList | LegacyVersions | LegacyGroups;

interface Part {
  readonly groups: readonly ApiGroup[];
  readonly failures: readonly DiscoveryFailure[];
  readonly aggregated: boolean;
}

/** Options of {@linkcode fetchServerResources}, which requests the resources of a server. */
export interface FetchResourcesOptions extends CallOptions {
  /**
   * Sets whether to use unaggregated discovery, group by group, even if the server supports
   * aggregated discovery. Not needed for older servers, which are detected.
   *
   * @default {false}
   */
  readonly legacy?: boolean | undefined;
}

/**
 * Requests the resources of a server and returns them: in two calls where the server supports
 * aggregated discovery, otherwise group by group. A version of a group that cannot be discovered is
 * listed in `failures` and affects no other.
 *
 * @throws {ApiError} When the server refuses to list its groups (`/api` or `/apis`); a 404 of
 * `/api` counts as no core group.
 * @throws {UnreachableError} When there is no connection.
 * @throws {DecodeError} When the response is not that of a Kubernetes server.
 */
export async function fetchServerResources(
  client: RestCalls,
  options: FetchResourcesOptions = {},
): Promise<ServerResources> {
  const [core, named] = await Promise.all([
    // A server that only serves an aggregated API has no core group, and may answer without a
    // Status.
    readPart(client, "/api", options).catch((error): Part => {
      if (error instanceof ApiError && error.code === 404) {
        return { groups: [], failures: [], aggregated: true };
      }
      throw error;
    }),
    readPart(client, "/apis", options),
  ]);
  return {
    groups: [...core.groups, ...named.groups],
    failures: [...core.failures, ...named.failures],
    format: core.aggregated && named.aggregated ? "aggregated" : "legacy",
  };
}

async function readPart(
  client: RestCalls,
  path: string,
  { legacy, ...call }: FetchResourcesOptions,
): Promise<Part> {
  const index = await readIndex(client, path, { legacy, ...call });
  switch (index?.kind) {
    case "APIGroupDiscoveryList":
      return { ...readAggregated(index), aggregated: true };
    case "APIVersions":
    case "APIGroupList":
      return { ...await readLegacy(client, legacyGroupsOf(index), call), aggregated: false };
    default:
      throw new DecodeError(
        `Cannot discover the resources of the server: its answer to GET ${path} is not a list of API ` +
          `groups; see whether its URL is that of a Kubernetes API server`,
      );
  }
}

/**
 * Requests the index of API groups and returns it unchecked: in the aggregated form; in the plain
 * form if `legacy` is set, or if the server refuses the aggregated form (406). Servers may also
 * answer in the plain form of their own accord.
 */
async function readIndex(
  client: RestCalls,
  path: string,
  { legacy, ...call }: FetchResourcesOptions,
): Promise<Index | null> {
  const plain = { ...call, path };
  if (legacy) return await client.requestJson<Index>(plain);
  try {
    const headers = [["Accept", DISCOVERY_ACCEPT]] as const;
    return await client.requestJson<Index>({ ...plain, headers });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 406) throw error;
    return await client.requestJson<Index>(plain);
  }
}
