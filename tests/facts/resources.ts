import type {
  ResourceFact,
  ResourceFacts,
  SubresourceFact,
  VersionFact,
} from "../../lib/apiserver/types/fact_shapes.ts";
import type { GetJson } from "./get_json.ts";
import { factsModule } from "./module_text.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// deno-lint-ignore no-explicit-any
type Wire = any;

/** The table of resources, from discovery. */
export async function dumpResources(
  get: GetJson,
): Promise<{ text: string; versions: readonly VersionFact[] }> {
  const { gitVersion } = await get("/version");
  const versions: VersionFact[] = [];
  for (const root of ["/api", "/apis"]) {
    const { items } = await get(root, AGGREGATED);
    for (const { metadata, versions: inGroup } of items) {
      const group = metadata.name ?? "";
      for (const each of inGroup) versions.push(await versionFact(get, group, each));
    }
  }
  const facts: ResourceFacts = { release: gitVersion, versions };
  const lines = versions.map(({ group, version, resources }) => {
    const rows = resources.map((resource) => JSON.stringify(resource));
    const name = `"group":${JSON.stringify(group)},"version":${JSON.stringify(version)}`;
    return `{${name},"resources":[\n${rows.join(",\n")}\n]}`;
  });
  const release = JSON.stringify(facts.release);
  const text = `{"release":${release},"versions":[\n${lines.join(",\n")}\n]}`;
  return { text: factsModule("RESOURCE_FACTS", text), versions };
}

async function versionFact(get: GetJson, group: string, wire: Wire): Promise<VersionFact> {
  const { version } = wire;
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const { resources } = await get(path);
  const hashes = new Map<string, string>(
    resources.map((each: Wire) => [each.name, each.storageVersionHash]),
  );
  return {
    group,
    version,
    resources: wire.resources.map((each: Wire) =>
      resourceFact(group, version, each, hashes.get(each.resource))
    ),
  };
}

function resourceFact(
  group: string,
  version: string,
  wire: Wire,
  storageVersionHash: string | undefined,
): ResourceFact {
  return {
    plural: wire.resource,
    singular: wire.singularResource,
    kind: wire.responseKind.kind,
    namespaced: wire.scope === "Namespaced",
    verbs: wire.verbs,
    ...(wire.shortNames && { shortNames: wire.shortNames }),
    ...(wire.categories && { categories: wire.categories }),
    ...(storageVersionHash && { storageVersionHash }),
    ...(wire.subresources && {
      subresources: wire.subresources.map((each: Wire) => subresourceFact(group, version, each)),
    }),
  };
}

function subresourceFact(group: string, version: string, wire: Wire): SubresourceFact {
  const kind = wire.responseKind;
  const foreign = kind.version !== "" && (kind.group !== group || kind.version !== version);
  return {
    name: wire.subresource,
    kind: kind.kind,
    ...(foreign && { group: kind.group, version: kind.version }),
    verbs: wire.verbs,
  };
}
