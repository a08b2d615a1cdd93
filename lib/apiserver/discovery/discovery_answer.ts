// Mirrors `server/routes/index.go, IndexLister` and `endpoints/discovery/aggregated/wrapper.go,
// WrappedHandler.ServeHTTP`.
import { StatusError, unknownPath } from "@xca/apimachinery/internal/errors";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { checkGet, checkReadOnlyRoute } from "../machinery/read_only_route.ts";
import { encodeAnswer } from "../request/encode.ts";
import { negotiate } from "../request/media_types.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { AGGREGATED_TYPE, aggregatedDiscovery, wantsAggregated } from "./aggregated.ts";
import { COMPONENT_PATHS, componentAnswer, type ComponentFacts } from "./component_pages.ts";
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type CompleteGroups,
  namedGroups,
} from "./documents.ts";
import { healthAnswer, healthMetrics, healthPaths } from "./health.ts";
import { metricsText, type StorageCounts } from "./metrics.ts";
import { versionInfo } from "./version.ts";

/** The functions that add the API groups of other servers to discovery documents. */
interface ExtensionDocuments {
  /** Adds the API groups of other servers to the items of an APIGroupList. */
  readonly withGroups?: CompleteGroups;
  /** Adds the API groups of other servers to the items of an APIGroupDiscoveryList. */
  readonly withItems?: CompleteGroups;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/**
 * Returns the response to a request for one of the paths by which clients discover a server: `/`,
 * `/api`, `/apis` and the paths below them down to resources, `/version`, health, `/metrics`,
 * `/flagz` and `/statusz`. Returns `undefined` for other paths. The paths of the APIs and
 * `/version` may end with a slash. Without `storage`, `/metrics` has the build information alone.
 *
 * @throws {StatusError} 404, 405, 406
 */
export function discoveryAnswer(
  request: Request,
  table: ResourceTable,
  facts: ComponentFacts,
  storage?: StorageCounts,
  extensions: ExtensionDocuments = {},
): Response | undefined {
  const url = new URL(request.url);
  const path = /^\/(api|apis|version)\//.test(url.pathname)
    ? url.pathname.replace(/\/$/, "")
    : url.pathname;
  if (path.startsWith("/version/")) throw unknownPath();
  if (COMPONENT_PATHS.includes(path)) return componentAnswer(request, facts, () => paths(table));
  switch (path) {
    case "/":
    case "/index.html":
      return plain(JSON.stringify({ paths: paths(table) }, null, 2), "application/json");
    case "/version":
      checkReadOnlyRoute(request, "application/json");
      return plain(JSON.stringify(versionInfo(), null, 2), "application/json");
    case "/metrics":
      return plain(metricsText(table, storage), METRICS_TYPE);
    case "/metrics/slis":
      return plain(healthMetrics(), METRICS_TYPE);
    case "/api":
      checkGet(request);
      return aggregatedAnswer(request, table, true) ??
        answer(request, url, apiVersions(url.host));
    case "/apis":
      return aggregatedAnswer(request, table, false, extensions.withItems) ??
        answer(request, url, apiGroupList(table, extensions.withGroups));
  }
  return healthAnswer(path, url.searchParams) ??
    belowApis(request, url, path, table, extensions);
}

/**
 * Returns the response to a request for a discovery path of a group or version, such as `/api/v1`,
 * `/apis/apps` or `/apis/apps/v1`; `undefined` for other paths, and for unknown groups. Throws a
 * StatusError 404 for an unknown version of the core group or of a built-in group.
 */
function belowApis(
  request: Request,
  url: URL,
  path: string,
  table: ResourceTable,
  extensions: ExtensionDocuments,
): Response | undefined {
  const [, root, first, second, ...more] = path.split("/");
  if (more.length > 0 || first === undefined) return undefined;
  if (root === "api" && second === undefined) {
    return known(request, url, apiResourceList(table, "", first));
  }
  if (root !== "apis") return undefined;
  if (second === undefined) {
    const group = apiGroup(table, first, extensions.withGroups);
    return group && answer(request, url, group);
  }
  const list = apiResourceList(table, first, second);
  // Groups of custom resources have no router in kube-apiserver that would know their other
  // versions.
  return list || isBuiltin(table, first) ? known(request, url, list) : undefined;
}

function isBuiltin(table: ResourceTable, group: string): boolean {
  for (const row of table.all()) {
    if (row.group === group && row.customResourceDefinition === undefined) return true;
  }
  return false;
}

function known(request: Request, url: URL, document: JsonObject | undefined): Response {
  if (!document) throw unknownPath();
  checkGet(request);
  return answer(request, url, document);
}

function answer(request: Request, url: URL, document: JsonObject): Response {
  const negotiated = negotiate(request.headers, url.searchParams, undefined, false);
  if (negotiated.as) {
    throw new StatusError(406, "NotAcceptable", notAcceptableText());
  }
  return encodeAnswer(200, document, negotiated);
}

function notAcceptableText(): string {
  return "only the following media types are accepted: application/json, application/yaml, " +
    "application/vnd.kubernetes.protobuf";
}

function aggregatedAnswer(
  request: Request,
  table: ResourceTable,
  core: boolean,
  complete?: CompleteGroups,
): Response | undefined {
  if (!wantsAggregated(request.headers.get("accept") ?? "")) return undefined;
  const { text, etag } = aggregatedDiscovery(table, core, complete);
  const headers = { ETag: etag, "Cache-Control": "public", Vary: "Accept" };
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { headers: { ...headers, "Content-Type": AGGREGATED_TYPE } });
}

function plain(text: string, contentType: string): Response {
  return new Response(text, {
    headers: { "Content-Type": contentType, "Cache-Control": "no-cache, private" },
  });
}

/** Returns all non-resource paths, sorted, as `/` lists them. */
function paths(table: ResourceTable): string[] {
  const all = ["/api", "/api/v1", "/apis", "/apis/", "/metrics", "/metrics/slis", "/version"];
  all.push(...COMPONENT_PATHS);
  all.push(
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    ...healthPaths(),
  );
  for (const { group, versions } of namedGroups(table)) {
    all.push(`/apis/${group}`, ...versions.map((version) => `/apis/${group}/${version}`));
  }
  return all.sort();
}
