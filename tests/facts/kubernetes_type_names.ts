/** Which of Kubernetes' types have one in TypeScript, and by which names. */
import type { StructFact, VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import { reachable, type Structs } from "./kubernetes_type_graph.ts";

/** Types that no kind is made of, and every operator writes. */
const MORE = ["io.k8s.apimachinery.pkg.apis.meta.v1.Condition"];

/**
 * The names in TypeScript of the served kinds, their subresources' and all that they are made of, by
 * their names in OpenAPI: `V1Pod`. Where several types would have one name, the only kind among them
 * keeps it; the others begin with their group, as `CoreV1Event` and `EventsV1Event`.
 */
export function nameTypes(
  structs: Structs,
  versions: readonly VersionFact[],
): Map<string, string> {
  const kinds = new Set(servedKinds(structs, versions));
  const ids = new Set<string>();
  for (const root of [...kinds, ...MORE]) reachable(structs, root, ids);
  const sharing = Map.groupBy(
    [...ids].filter((id) => !structs.get(id)!.custom),
    (id) => shortName(id),
  );
  const names = new Map<string, string>();
  for (const [name, each] of sharing) {
    const owners = each.length === 1 ? each : each.filter((id) => kinds.has(id));
    for (const id of each) {
      names.set(id, owners.length === 1 && owners[0] === id ? name : groupOf(id) + name);
    }
  }
  return names;
}

/** The names in OpenAPI of the types of kinds, by group, version and kind, as `apps/v1/Deployment`. */
export function kindIds(structs: Structs): Map<string, string> {
  const found = new Map<string, string>();
  for (const [id, { kinds = [] }] of structs) {
    for (const kind of kinds) found.set(kind.join("/"), id);
  }
  return found;
}

function servedKinds(structs: Structs, versions: readonly VersionFact[]): string[] {
  const byKind = kindIds(structs);
  const served = versions.flatMap(({ group, version, resources }) =>
    resources.flatMap(({ kind, subresources = [] }) => [
      [group, version, kind],
      ...subresources.map((each) => [each.group ?? group, each.version ?? version, each.kind]),
    ])
  );
  // Options of streams, such as PodExecOptions, are in no document.
  return served.map((kind) => byKind.get(kind.join("/"))).filter((id) => id !== undefined);
}

/** `V1Pod` of `io.k8s.api.core.v1.Pod`. */
function shortName(id: string): string {
  const [version, name] = id.split(".").slice(-2);
  return capitalised(version!) + name;
}

/** `Core` of `io.k8s.api.core.v1.Pod`. */
function groupOf(id: string): string {
  return capitalised(id.split(".").at(-3)!);
}

function capitalised(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

/**
 * Returns the API groups by the short names in the packages of their types, such as `storage` for
 * `storage.k8s.io`. The package `meta` has no group.
 */
export function groupsOf(structs: Structs): Map<string, string> {
  const groups = new Map<string, string>();
  for (const [id, { kinds = [] }] of structs) {
    const [short] = id.split(".").slice(-3);
    if (kinds.length > 0 && short !== "meta") groups.set(short!, kinds[0]![0]);
  }
  return groups;
}

/** Returns group and version of a type, in the form of `apiVersion`. */
export function groupVersionOf(
  id: string,
  { kinds = [] }: StructFact,
  groups: ReadonlyMap<string, string>,
): string {
  const [short, packageVersion] = id.split(".").slice(-3);
  const [group, version] = kinds[0] ?? [groups.get(short!) ?? short, packageVersion];
  return group === "" ? version! : `${group}/${version}`;
}
