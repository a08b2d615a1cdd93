import {
  type ApiGroup,
  apiGroup,
  type ApiResource,
  apiResource,
  type ApiSubresource,
  apiVersionOf,
  type DiscoveryFailure,
  responseKindOf,
} from "./discovery_resource.ts";
import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectArray } from "../typed/expected_answer.ts";

/** The largest number of concurrent requests of one call of {@linkcode readLegacy}. */
const CONCURRENCY = 8;

/** The response of `/api`: the versions of the core group. */
export interface LegacyVersions {
  readonly kind: "APIVersions";
  readonly versions?: readonly string[];
}

/** The response of `/apis`: the API groups other than the core group. */
export interface LegacyGroups {
  readonly kind: "APIGroupList";
  readonly groups?: readonly LegacyGroup[];
}

/** An API group and its versions, without their resources, in a discovery response. */
export interface LegacyGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Returns the API groups of a response of `/apis`, or the core group of a response of `/api`. */
export function legacyGroupsOf(answer: LegacyVersions | LegacyGroups): readonly LegacyGroup[] {
  if (answer.kind === "APIGroupList") return answer.groups ?? [];
  const versions = (answer.versions ?? []).map((version) => ({ version }));
  return versions.length === 0 ? [] : [{ name: "", versions }];
}

/**
 * Requests the resources of each version of each group, and returns the groups with these
 * resources. A version that cannot be read is left out and listed in `failures`. The client does
 * not retry its request, so that an aggregated API that is down does not delay the others.
 *
 * @throws {unknown} The reason of the signal.
 */
export async function readLegacy(
  client: RestCalls,
  groups: readonly LegacyGroup[],
  options: CallOptions,
): Promise<{ readonly groups: ApiGroup[]; readonly failures: DiscoveryFailure[] }> {
  const failures: DiscoveryFailure[] = [];
  const read = new Map<string, readonly ApiResource[]>();
  const names = groups.flatMap(({ name, versions }) =>
    versions.map(({ version }) => ({ group: name, version }))
  );
  await eachOf(names, async ({ group, version }) => {
    const apiVersion = apiVersionOf(group, version);
    const path = group === "" ? `/api/${version}` : `/apis/${apiVersion}`;
    try {
      const answer = await client.requestJson({ ...options, path, retry: false });
      const wanted = { kind: "APIResourceList", field: "resources" };
      const resources = expectArray<LegacyResource>(answer, wanted, { path });
      read.set(apiVersion, readResources(group, version, resources));
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push({ apiVersion, error: error instanceof Error ? error : new Error(`${error}`) });
    }
  });
  return {
    failures: failures.toSorted((a, b) => a.apiVersion < b.apiVersion ? -1 : 1),
    groups: groups.map(({ name, versions, preferredVersion }) => {
      const known = versions.flatMap(({ version }) => {
        const resources = read.get(apiVersionOf(name, version));
        return resources ? [{ version, resources }] : [];
      });
      return apiGroup(name, known, preferredVersion?.version);
    }),
  };
}

/**
 * Returns the resources of one API version in a legacy discovery response, each with its
 * subresources. The response lists subresources as entries of their own, such as
 * `deployments/status`.
 */
function readResources(
  group: string,
  version: string,
  given: readonly LegacyResource[],
): ApiResource[] {
  const parts = new Map<string, ApiSubresource[]>();
  for (const each of given) {
    const [plural, part] = splitOnce(each.name);
    if (part === undefined) continue;
    const { verbs = [] } = each;
    const responseKind = responseKindOf({ group, version }, each);
    parts.set(plural, [...(parts.get(plural) ?? []), { name: part, responseKind, verbs }]);
  }
  return given.filter(({ name }) => !name.includes("/")).map((each) => {
    const { name: plural, singularName: singular, kind, namespaced } = each;
    const { shortNames, categories, verbs } = each;
    const subresources = parts.get(plural) ?? [];
    const names = { group, version, kind, plural, singular, namespaced };
    return apiResource({ ...names, shortNames, categories, verbs, subresources });
  });
}

function splitOnce(name: string): [string, string?] {
  const at = name.indexOf("/");
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const item of left) await work(item);
  }));
}
