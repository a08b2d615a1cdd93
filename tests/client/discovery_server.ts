import type { Fetch } from "../../lib/client/transport/fetch.ts";

/** One resource of a {@linkcode DiscoveryServer}. */
export interface ServedResource {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly verbs?: readonly string[];
  /** Names of its parts. */
  readonly parts?: readonly string[];
}

/** One version of a group of a {@linkcode DiscoveryServer}. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
  /** The aggregated API behind it is down. */
  readonly down?: boolean;
}

/** Which forms of discovery a server knows, and what it does about the others. */
export type DiscoveryForm = "v2" | "v2beta1" | "plain" | "refuses";

/** The discovery of an API server, as a network. */
export interface DiscoveryServer {
  /** The network. */
  readonly fetch: Fetch;
  /**
   * The served resources; may change. Versions of a group are adjacent, the preferred one first.
   */
  versions: readonly ServedVersion[];
  /** The requested paths, in order, with the prefix `agg:` for requests of an aggregated form. */
  readonly asked: string[];
  /** Called before an answer is given; a test may hold it up. */
  before: (path: string) => void | Promise<void>;
}

/** Creates a server that serves discovery in one form. */
export function discoveryServer(
  form: DiscoveryForm,
  versions: readonly ServedVersion[],
): DiscoveryServer {
  const server: DiscoveryServer = {
    versions,
    asked: [],
    before: () => {},
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const accept = request.headers.get("accept") ?? "";
      const index = path === "/api" || path === "/apis";
      server.asked.push(accept.includes("apidiscovery.k8s.io") ? `agg:${path}` : path);
      await server.before(path);
      if (index && form === "refuses" && accept.includes("apidiscovery.k8s.io")) {
        return new Response("not acceptable", { status: 406 });
      }
      if (!index) return readVersion(server.versions, path);
      const inPath = server.versions.filter(({ group }) => (group === "") === (path === "/api"));
      if (form === "v2" || form === "v2beta1") return aggregated(inPath, form);
      return path === "/api" ? coreVersions(inPath) : groupList(inPath);
    },
  };
  return server;
}

function byGroup(versions: readonly ServedVersion[]): [string, ServedVersion[]][] {
  return [...Map.groupBy(versions, ({ group }) => group)];
}

function aggregated(versions: readonly ServedVersion[], form: "v2" | "v2beta1"): Response {
  const type = `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`;
  const responseKind = (kind: string): unknown => ({ group: "", version: "", kind });
  const items = byGroup(versions).map(([name, versions]) => ({
    metadata: { name },
    versions: versions.map(({ version, resources, down }) => ({
      version,
      freshness: down ? "Stale" : "Current",
      resources: resources.map((each) => ({
        resource: each.plural,
        responseKind: responseKind(each.kind),
        scope: each.namespaced === false ? "Cluster" : "Namespaced",
        singularResource: each.singular ?? "",
        verbs: each.verbs ?? ["get", "list"],
        shortNames: each.shortNames,
        subresources: each.parts?.map((subresource) => ({
          subresource,
          responseKind: responseKind(each.kind),
          verbs: ["get"],
        })),
      })),
    })),
  }));
  const body = { kind: "APIGroupDiscoveryList", apiVersion: `apidiscovery.k8s.io/${form}`, items };
  return new Response(JSON.stringify(body), { headers: { "Content-Type": type } });
}

function coreVersions(versions: readonly ServedVersion[]): Response {
  return Response.json({ kind: "APIVersions", versions: versions.map(({ version }) => version) });
}

function groupList(versions: readonly ServedVersion[]): Response {
  const groups = byGroup(versions).map(([name, versions]) => {
    const all = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
    // The server's order need not begin with the preferred one.
    return { name, versions: all.toReversed(), preferredVersion: all[0] };
  });
  return Response.json({ kind: "APIGroupList", apiVersion: "v1", groups });
}

function readVersion(versions: readonly ServedVersion[], path: string): Response {
  const found = versions.find(({ group, version }) =>
    path === (group === "" ? `/api/${version}` : `/apis/${group}/${version}`)
  );
  if (!found) return noSuchPath();
  if (found.down) return new Response("no endpoints available", { status: 503 });
  const resources = found.resources.flatMap((each) => {
    const { plural, kind, singular = "", namespaced = true, shortNames } = each;
    const own = { name: plural, singularName: singular, namespaced, kind, shortNames };
    return [
      { ...own, verbs: each.verbs ?? ["get", "list"] },
      ...(each.parts ?? []).map((part) => ({
        name: `${plural}/${part}`,
        singularName: "",
        namespaced,
        kind,
        verbs: ["get"],
      })),
    ];
  });
  return Response.json({ kind: "APIResourceList", resources });
}

/** Returns the answer of an API server to a path that it does not serve. */
export function noSuchPath(): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Audit-Id": "1" };
  return new Response("404 page not found\n", { status: 404, headers });
}
