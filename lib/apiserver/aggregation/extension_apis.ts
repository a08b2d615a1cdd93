// Mirrors `kube-aggregator/pkg/apiserver/handler_proxy.go, proxyHandler.ServeHTTP` and
// `kube-aggregator/pkg/apiserver/handler_discovery.go, discoveryManager`.
import { type Clock, errorText, linkedAbort } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { V1APIService, V1Service } from "@xca/apimachinery/kubernetes-types";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { compareVersions } from "../machinery/compare_versions.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import { serviceAddress } from "./service_address.ts";
import { forwarded, type ForwardTarget } from "../subresources/connection/kubelet_connection.ts";

/** A resource of an APIResourceList. */
interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singularName?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
}

/** A version of an API group in a discovery document. */
interface ListedVersion extends JsonObject {
  readonly version: string;
}

type ApiServiceSpec = NonNullable<V1APIService["spec"]>;

const HTTPS_PORT = 443;
/** The time limit of the discovery of all extension APIs, in milliseconds. */
const DISCOVERY_TIMEOUT_MS = 5000;

/**
 * The APIs that other servers serve: a request for the group and version of an APIService with a
 * service is forwarded to that service.
 */
export class ExtensionApis {
  readonly #registry: Pick<RegistryReader, "get" | "list" | "reach">;
  readonly #clock: Clock;

  constructor(registry: Pick<RegistryReader, "get" | "list" | "reach">, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /**
   * Forwards a request for `/apis/<group>/<version>` or a path below it to the extension API server
   * of the group version, and returns the response; `undefined` for other paths, and for group
   * versions without an extension API server.
   *
   * @throws {StatusError} 503 when the extension API server cannot be reached, or its Service does
   * not exist, is headless or lacks the port.
   */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url);
    const [, root, group, version] = pathname.split("/");
    if (root !== "apis" || !group || !version) return undefined;
    const found = this.#registry.get(
      "apiregistration.k8s.io",
      "apiservices",
      "",
      `${version}.${group}`,
    );
    const { service } = (found as V1APIService | undefined)?.spec ?? {};
    if (!service) return undefined;
    return await this.#forward(request, service, `${pathname}${search}`);
  }

  /**
   * Returns the API groups of other servers, as items of an APIGroupList, in the order of the
   * priorities of their APIServices.
   */
  groups(): JsonObject[] {
    return [...this.#versions()].map(([name, versions]) => {
      const listed = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
      return { name, versions: listed, preferredVersion: listed[0]! };
    });
  }

  /**
   * Requests the resources of all extension APIs from their servers, and returns the API groups
   * with these, as items of an APIGroupDiscoveryList. Never rejects; a version whose server does
   * not answer within five seconds, or before the signal aborts, is listed as stale.
   */
  async items(signal: AbortSignal): Promise<JsonObject[]> {
    using limit = linkedAbort({
      signals: [signal],
      timeoutMs: DISCOVERY_TIMEOUT_MS,
      clock: this.#clock,
    });
    return await Promise.all([...this.#versions()].map(async ([name, versions]) => ({
      metadata: { name },
      versions: await Promise.all(
        versions.map((version) => this.#versionItem(name, version, limit.signal)),
      ),
    })));
  }

  /**
   * Inserts documents about the API groups of other servers into those about the server's own
   * groups, each before the first one whose APIServices have a lower priority. A group of both is
   * listed once, with the versions of both by their priority. Own groups and versions without an
   * APIService precede those of other servers.
   */
  inserted(own: readonly JsonObject[], documents: readonly JsonObject[]): JsonObject[] {
    const all = [...own];
    if (documents.length === 0) return all;
    const groups = new Map<string, number>();
    const versions = new Map<string, number>();
    for (const { group = "", version, ...priorities } of this.#specs()) {
      groups.set(group, Math.max(groups.get(group) ?? 0, priorities.groupPriorityMinimum));
      versions.set(`${group}/${version}`, priorities.versionPriority);
    }
    const priorityOf = (document: JsonObject): number =>
      groups.get(groupName(document)) ?? Infinity;
    for (const document of documents) {
      const name = groupName(document);
      const same = all.findIndex((each) => groupName(each) === name);
      if (same >= 0) {
        const versionPriority = (version: string) => versions.get(`${name}/${version}`) ?? Infinity;
        all[same] = joined(all[same]!, document, versionPriority);
        continue;
      }
      const at = all.findIndex((each) => priorityOf(each) < priorityOf(document));
      all.splice(at < 0 ? all.length : at, 0, document);
    }
    return all;
  }

  *#specs(): Iterable<ApiServiceSpec> {
    for (const each of this.#registry.list("apiregistration.k8s.io", "apiservices")) {
      const { spec } = each as V1APIService;
      if (spec) yield spec;
    }
  }

  /**
   * Returns the versions of each API group of other servers, both in the order of the priorities of
   * their APIServices (`v1/helper/helpers.go`, `SortedByGroupAndVersion`).
   */
  #versions(): Map<string, string[]> {
    const specs = [...this.#specs()].filter(({ service }) => service)
      .sort((a, b) => b.groupPriorityMinimum - a.groupPriorityMinimum);
    const groups = Map.groupBy(specs, ({ group = "" }) => group);
    return new Map([...groups].map(([group, ofGroup]) => [
      group,
      ofGroup.sort((a, b) =>
        b.versionPriority - a.versionPriority || compareVersions(a.version!, b.version!)
      ).map(({ version = "" }) => version),
    ]));
  }

  /**
   * Returns the item of aggregated discovery about a version of an extension API; a stale one
   * without resources when its server does not answer before the signal aborts, or answers with
   * another status than 200 or another kind than an APIResourceList.
   */
  async #versionItem(group: string, version: string, signal: AbortSignal): Promise<JsonObject> {
    const stale = { version, freshness: "Stale" };
    const url = `https://extension.invalid/apis/${group}/${version}`;
    try {
      const headers = { Accept: "application/json" };
      const response = await this.answer(new Request(url, { headers, signal }));
      if (response?.status !== 200) {
        await response?.body?.cancel();
        return stale;
      }
      const { kind, resources = [] } = await response.json() as {
        readonly kind?: string;
        readonly resources?: readonly ListedResource[];
      };
      if (kind !== "APIResourceList") return stale;
      const shown = resources.filter(({ name }) => !name.includes("/"));
      return {
        version,
        resources: shown.map((each) => resourceItem(group, version, each)),
        freshness: "Current",
      };
    } catch {
      return stale;
    }
  }

  async #forward(
    request: Request,
    { name = "", namespace = "", port = HTTPS_PORT }: NonNullable<ApiServiceSpec["service"]>,
    path: string,
  ): Promise<Response> {
    const service = this.#registry.get("", "services", namespace, name) as V1Service | undefined;
    const address = service && attempt(() => serviceAddress(service, port));
    if (!address) throw unavailable("service unavailable");
    const { reach = (named) => named } = this.#registry;
    const target: ForwardTarget = { ...reach(address), path };
    try {
      return await forwarded(target, request);
    } catch (error) {
      throw unavailable(`error trying to reach service: ${errorText(error)}`);
    }
  }
}

function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", message);
}

/** Returns the name of the API group of a discovery document. */
function groupName({ name, metadata }: JsonObject): string {
  return (name ?? (metadata as JsonObject)["name"] ?? "") as string;
}

/**
 * Returns a discovery document with the versions of another document about the same API group
 * added, in the order of their priorities.
 */
function joined(
  own: JsonObject,
  other: JsonObject,
  priorityOf: (version: string) => number,
): JsonObject {
  const listed = own["versions"] as ListedVersion[];
  const more = (other["versions"] as ListedVersion[])
    .filter(({ version }) => !listed.some((each) => each.version === version));
  const versions = [...listed, ...more].sort((a, b) =>
    priorityOf(b.version) - priorityOf(a.version) || compareVersions(a.version, b.version)
  );
  return { ...own, versions, ...("preferredVersion" in own && { preferredVersion: versions[0]! }) };
}

function resourceItem(
  group: string,
  version: string,
  { name, kind, namespaced, singularName = "", verbs, shortNames }: ListedResource,
): JsonObject {
  return {
    resource: name,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singularName,
    verbs: [...verbs],
    ...(shortNames && { shortNames: [...shortNames] }),
  };
}
